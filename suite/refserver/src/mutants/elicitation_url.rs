//! Mutants of pages that a person is sent to (`client/elicitation#url-mode-elicitation-requests`).

use axum::http::header;
use serde_json::{Value, json};

use super::{
    breaks::Breaks,
    mutant::{BOTH, Mutant},
    rounds::params_asked,
    shape::{Do, Edit, On},
};
use crate::{
    call::Call,
    catalogue::{SITE_CREDENTIAL, text},
    rpc::Message,
    server::{Outcome, Reply},
};

const AREA: &str = "elicitation";

/// The key of the request for a page.
const PAGE: &str = "page";

/// Its params in a message.
macro_rules! params {
    () => {
        "/result/inputRequests/page/params"
    };
}

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "http-elicitation-url",
        "the page is opened without encryption",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(PAGE),
            concat!(params!(), "/url"),
            Do::Set(r#""http://example.com/refserver/connect""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "url-request-without-mode",
        "the request for the page has no mode",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(PAGE),
            concat!(params!(), "/mode"),
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "relative-elicitation-url",
        "the address of the page is relative",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(PAGE),
            concat!(params!(), "/url"),
            Do::Set(r#""/connect?x=1""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "sends-elicitation-id",
        "the request for the page has an elicitationId",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks(PAGE),
            concat!(params!(), "/elicitationId"),
            Do::Set(r#""e-1""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "token-in-elicitation-url",
        "the address of the page repeats the bearer token, or what _meta says of the user",
        BOTH,
        Breaks::Message(tell_user),
    ),
    Mutant::new(
        AREA,
        "accept-means-done",
        "consent to open the page counts as a visit",
        BOTH,
        Breaks::Outcome(|call, outcome| {
            visited(call, outcome, |reply| {
                reply.result.shift_remove("isError");
                reply.result["content"] = json!([text("Thank you for your visit.")]);
            })
        }),
    ),
    Mutant::new(
        AREA,
        "leaks-third-party-token",
        "the result tells what credential the site gave the server",
        BOTH,
        Breaks::Outcome(|call, outcome| {
            visited(call, outcome, |reply| {
                let words =
                    format!("The page was not visited, so {SITE_CREDENTIAL} is still good.");
                reply.result["content"] = json!([text(words)]);
            })
        }),
    ),
];

fn tell_user(call: Option<&Call>, message: &mut Message) {
    let Some(call) = call else {
        return;
    };
    let bearer = call
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let told = bearer.or_else(|| call.meta_member("com.example/user")?["email"].as_str());
    if let (Some(told), Some(params)) = (told, params_asked(message, PAGE))
        && let Some(url) = params["url"].as_str()
    {
        params["url"] = format!("{url}?user={told}").into();
    }
}

/// Changes the final result of the tool that sends a person to a page.
fn visited(call: &Call, outcome: Outcome, change: fn(&mut Reply)) -> Outcome {
    let mut reply = outcome?;
    let is_visit = call.param("name").and_then(Value::as_str) == Some("visit");
    if is_visit && reply.result["resultType"] == "complete" {
        change(&mut reply);
    }
    Ok(reply)
}
