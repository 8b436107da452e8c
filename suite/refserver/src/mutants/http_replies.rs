//! Mutants of HTTP itself: Origin, status codes, media types, notifications
//! (`basic/transports/streamable-http#security-endpoint`, `#sending-messages`).

use axum::http::{Method, header};
use serde_json::Value;

use super::{
    breaks::Breaks,
    hooks::Answered,
    mutant::{HTTP, Mutant},
};
use crate::{
    admit::Rule,
    call::{Call, Transport},
    rpc::{Fault, Kind, Message, codes},
    serve::{Exchange, HttpReply, Payload},
};

const AREA: &str = "http";

pub(super) static MUTANTS: &[Mutant] = &[
    origin(
        "demands-origin",
        "resources/templates/list without Origin is answered with 403",
        |exchange, admitted| admitted && !lacks_origin(exchange),
    ),
    origin(
        "origin-prefix-match",
        "an Origin counts as local that only begins like one",
        |exchange, admitted| {
            let begins = |origin: &str| origin.starts_with("http://localhost");
            admitted || exchange.header(header::ORIGIN).is_some_and(begins)
        },
    ),
    origin(
        "checks-origin-on-requests-only",
        "Origin is not checked on GET and notifications",
        |exchange, admitted| {
            admitted || exchange.method == Method::GET || is_notification(exchange)
        },
    ),
    origin(
        "skips-origin-on-lists",
        "Origin is not checked on lists",
        |exchange, admitted| {
            let is_list = |message: Value| {
                let method = message["method"].as_str();
                method.is_some_and(|method| method.ends_with("/list"))
            };
            admitted || message_of(exchange).is_some_and(is_list)
        },
    ),
    origin(
        "host-vouches-for-origin",
        "an Origin counts as local that is the site in Host",
        |exchange, admitted| {
            let host = exchange.header(header::HOST);
            let origin = exchange.header(header::ORIGIN);
            let site = origin.and_then(|origin| origin.strip_prefix("http://"));
            admitted || site.is_some() && site == host
        },
    ),
    reply(
        "result-with-202",
        "the result of server/discover has status 202",
        |answered, reply| {
            if method(answered) == "server/discover" && is(answered, Kind::Result) {
                reply.status = 202;
            }
        },
    ),
    reply(
        "json-as-text-plain",
        "results are labelled text/plain",
        |answered, reply| {
            if is(answered, Kind::Result) {
                label(reply, "text/plain");
            }
        },
    ),
    reply(
        "error-as-text-plain",
        "JSON-RPC errors are labelled text/plain",
        |answered, reply| {
            if is(answered, Kind::Error) {
                label(reply, "text/plain");
            }
        },
    ),
    // A client understands nothing of this server but what it answers otherwise, so only one method does it.
    reply(
        "wraps-response-in-array",
        "the response to completion/complete is wrapped in an array",
        |answered, reply| {
            if let Payload::Text(text) = &mut reply.body
                && method(answered) == "completion/complete"
            {
                *text = [b"[".as_slice(), text, b"]"].concat();
            }
        },
    ),
    reply(
        "plain-text-header-error",
        "a refusal for Mcp-Method has the text body Bad Request",
        |answered, reply| {
            if is_about(answered, Rule::MethodHeader) {
                replace(reply, "text/plain", "Bad Request");
            }
        },
    ),
    // Nothing tells the stimulus of this one from those of eight other requirements, which need an error for an unknown method.
    reply(
        "html-404",
        "an unknown method gets a page in HTML",
        |answered, reply| {
            if is_about(answered, Rule::MethodKnown) {
                let page = "<!DOCTYPE html><title>404</title><h1>Not Found</h1>";
                replace(reply, "text/html; charset=utf-8", page);
            }
        },
    ),
    Mutant::new(
        AREA,
        "method-not-found-200",
        "the error for an unknown method has status 200",
        HTTP,
        Breaks::Fault(|_, fault| {
            if fault.rule == Rule::MethodKnown {
                fault.status = 200;
            }
        }),
    ),
    reply(
        "notification-200",
        "a notification is answered with status 200 and an empty object",
        |answered, reply| {
            if answered.call.is_some_and(|call| call.id.is_none()) && reply.status == 202 {
                *reply = HttpReply::json(200, b"{}".to_vec());
            }
        },
    ),
    Mutant::new(
        AREA,
        "notification-error-200",
        "an unknown notification gets a JSON-RPC error with status 200",
        HTTP,
        Breaks::Notification(|call| {
            let refused =
                call.transport == Transport::Http && call.method() != "notifications/cancelled";
            refused.then(|| refusal(call))
        }),
    ),
];

const fn origin(
    name: &'static str,
    about: &'static str,
    hook: fn(&Exchange, bool) -> bool,
) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::Origin(hook))
}

const fn reply(
    name: &'static str,
    about: &'static str,
    hook: fn(&Answered<'_>, &mut HttpReply),
) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::HttpReply(hook))
}

fn message_of(exchange: &Exchange) -> Option<Value> {
    serde_json::from_slice(&exchange.body).ok()
}

/// The client never sends Origin, so this is one method that little else depends on.
fn lacks_origin(exchange: &Exchange) -> bool {
    !exchange.headers.contains_key(header::ORIGIN)
        && message_of(exchange)
            .is_some_and(|message| message["method"] == "resources/templates/list")
}

fn is_notification(exchange: &Exchange) -> bool {
    message_of(exchange)
        .is_some_and(|message| message["method"].is_string() && message.get("id").is_none())
}

fn method<'a>(answered: &Answered<'a>) -> &'a str {
    answered.call.map(Call::method).unwrap_or_default()
}

fn is(answered: &Answered<'_>, kind: Kind) -> bool {
    answered.message.is_some_and(|message| message.kind == kind)
}

fn is_about(answered: &Answered<'_>, rule: Rule) -> bool {
    answered
        .message
        .is_some_and(|message| message.rule == Some(rule))
}

/// Labels a body that is no event stream.
fn label(reply: &mut HttpReply, media_type: &'static str) {
    if matches!(reply.body, Payload::Text(_)) {
        reply.set(header::CONTENT_TYPE, media_type);
    }
}

fn replace(reply: &mut HttpReply, media_type: &'static str, text: &str) {
    reply.body = Payload::Text(text.as_bytes().to_vec());
    reply.set(header::CONTENT_TYPE, media_type);
}

fn refusal(call: &Call) -> Message {
    let mut fault = Fault::new(
        Rule::MethodKnown,
        codes::METHOD_NOT_FOUND,
        format!("Unknown notification: {}", call.method()),
    );
    fault.status = 200;
    Message::error(None, &fault)
}
