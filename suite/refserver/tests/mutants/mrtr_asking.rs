//! Mutants of what is asked for, and of what is taken for an answer.

use std::sync::Arc;

use mcpspec_refserver::Server;
use serde_json::{Value, json};

use crate::{
    client::{Stdio, capable, posted, request},
    connection::Connection,
    rounds::{
        BOTH, about_you, answers, ask, call, compare, compare_retry, declaring, kind, options,
        retry,
    },
};

#[tokio::test(start_paused = true)]
async fn capabilities_are_not_minded() {
    let (refused, asks) = ("-32021", "input_required");
    let elicitation = json!({ "elicitation": {} });
    for (name, tool, declared, seen) in [
        ("elicits-from-undeclared-client", "ask", json!({}), asks),
        (
            "elicits-from-undeclared-client",
            "sample",
            json!({}),
            refused,
        ),
        ("samples-undeclared-client", "sample", json!({}), asks),
        ("samples-undeclared-client", "ask", json!({}), refused),
        ("asks-roots-of-undeclared-client", "roots", json!({}), asks),
        (
            "sends-all-inputs-if-any-declared",
            "combine",
            elicitation,
            asks,
        ),
        (
            "sends-all-inputs-if-any-declared",
            "combine",
            json!({}),
            refused,
        ),
    ] {
        compare(name, &declaring(tool, declared), refused, seen).await;
    }
}

#[tokio::test(start_paused = true)]
async fn results_that_ask_have_another_shape() {
    for transport in BOTH {
        for (name, tool, pointer, seen) in [
            (
                "unknown-input-method",
                "roots",
                "/inputRequests",
                json!({ "roots": { "method": "ping" } }),
            ),
            (
                "input-requests-as-array",
                "roots",
                "/inputRequests",
                json!([{ "method": "roots/list", "id": "roots" }]),
            ),
            (
                "bare-input-required",
                "roots",
                "/inputRequests",
                json!(null),
            ),
            ("bare-input-required", "roots", "/requestState", json!(null)),
            (
                "input-requests-in-complete-result",
                "roots",
                "/resultType",
                json!("complete"),
            ),
            (
                "input-requests-in-complete-result",
                "roots",
                "/inputRequests",
                json!({ "roots": { "method": "roots/list" } }),
            ),
        ] {
            let mut connection = Connection::open(options(Some(name)), transport);
            let result = connection.result(&call(tool, json!({}))).await;
            let found = result.pointer(pointer).cloned().unwrap_or_default();
            assert_eq!(found, seen, "{name}, {transport:?}");
            // The other tools still ask as they have to.
            let result = connection.result(&ask()).await;
            let answer = connection.ask(&retry(&ask(), &result, answers())).await;
            assert_eq!(kind(answer.as_ref()), "complete", "{name}, {transport:?}");
        }
        let mut connection = Connection::open(options(Some("request-state-as-object")), transport);
        let result = connection.result(&call("roots", json!({}))).await;
        assert!(result["requestState"]["token"].is_string(), "{result}");
        let mut connection = Connection::open(options(Some("reuses-input-key")), transport);
        let result = connection.result(&call("combine", json!({}))).await;
        let requests = result["inputRequests"].as_object().expect("an object");
        assert_eq!(requests.len(), 1, "{result}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_asks_for_elicitation_where_that_is_declared() {
    let name = "tools-list-asks-elicitation";
    let list = capable("list", "tools/list", json!({}));
    compare(name, &list, "complete", "input_required").await;
    let plain = request("list", "tools/list", json!({}));
    compare(name, &plain, "complete", "complete").await;
}

#[tokio::test(start_paused = true)]
async fn an_elicitation_comes_as_a_request_too() {
    let name = Some("sends-elicitation-as-request");
    let mut client = Stdio::start(options(name));
    client.send(ask()).await;
    let messages = [client.next().await, client.next().await];
    let events = posted(&Arc::new(Server::new(options(name))), ask(), json!({}))
        .await
        .events();
    for messages in [&messages[..], &events[..]] {
        let [request, answer] = messages else {
            panic!("{messages:?}")
        };
        assert_eq!(request["method"], "elicitation/create", "{request}");
        assert!(request["id"].is_string(), "{request}");
        assert_eq!(kind(Some(answer)), "input_required", "{answer}");
        assert_eq!(answer["id"], "first", "{answer}");
    }
    let answer = client
        .ask(retry(&ask(), &messages[1]["result"], answers()))
        .await;
    assert_eq!(kind(Some(&answer)), "complete", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn answers_are_taken_in_another_way() {
    let (complete, asks, refused) = ("complete", "input_required", "-32602");
    let key = |answer: Value| json!({ "about_you": answer });
    let mut extra = about_you();
    extra["x-extra"] = json!({ "action": "accept" });
    for (name, answers, due, seen) in [
        (
            "accepts-any-input-response",
            key(json!(5)),
            refused,
            complete,
        ),
        (
            "accepts-any-input-response",
            key(json!({ "action": "bogus" })),
            refused,
            complete,
        ),
        ("accepts-any-input-response", json!([]), refused, refused),
        (
            "bad-input-responses-as-tool-error",
            json!("x"),
            refused,
            "failed",
        ),
        (
            "bad-input-responses-as-tool-error",
            json!([]),
            refused,
            refused,
        ),
        ("rejects-extra-input-response", extra, complete, refused),
        (
            "rejects-extra-input-response",
            about_you(),
            complete,
            complete,
        ),
        ("errors-on-missing-input", json!({}), asks, refused),
        ("errors-on-missing-input", about_you(), complete, complete),
        (
            "rejects-unsolicited-input-responses",
            about_you(),
            complete,
            complete,
        ),
        ("restarts-on-retry", about_you(), complete, asks),
        ("restarts-on-retry", json!("x"), refused, refused),
    ] {
        let edit = |result: &Value| retry(&ask(), result, answers.clone());
        compare_retry(name, &ask(), edit, due, seen).await;
    }
    let unsolicited = json!({ "name": "echo", "arguments": { "text": "x" }, "inputResponses": { "x": { "action": "accept" } } });
    let unsolicited = request("call", "tools/call", unsolicited);
    compare(
        "rejects-unsolicited-input-responses",
        &unsolicited,
        complete,
        refused,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn one_of_two_missing_answers_is_an_error_and_a_second_round_is_none() {
    let name = "errors-on-missing-input";
    let combine = call("combine", json!({}));
    let one = json!({ "topic": answers()["topic"] });
    let edit = |result: &Value| retry(&combine, result, one.clone());
    compare_retry(name, &combine, edit, "input_required", "-32602").await;
    let converse = call("converse", json!({}));
    let edit = |result: &Value| retry(&converse, result, one.clone());
    compare_retry(name, &converse, edit, "input_required", "input_required").await;
}
