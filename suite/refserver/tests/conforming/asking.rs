//! Multi round-trip requests.

use std::{sync::Arc, time::Duration};

use mcpspec_refserver::{Options, Server};
use serde_json::{Value, json};

use crate::client::{Stdio, answers, capable, meta, posted, request};

fn stdio() -> Stdio {
    Stdio::start(Options::default())
}

fn call(tool: &str, more: Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": {} });
    for (name, value) in more.as_object().expect("an object of params") {
        params[name] = value.clone();
    }
    capable(1, "tools/call", params)
}

fn retry(first: &Value, result: &Value) -> Value {
    let mut retry = first.clone();
    retry["id"] = json!(2);
    retry["params"]["inputResponses"] = answers(result);
    retry["params"]["requestState"] = result["requestState"].clone();
    retry
}

async fn asked(client: &mut Stdio, first: &Value) -> Value {
    let answer = client.ask(first.clone()).await;
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    answer["result"].clone()
}

#[tokio::test(start_paused = true)]
async fn every_tool_that_asks_comes_to_an_end_within_a_few_rounds() {
    let mut client = stdio();
    let door = json!({ "arguments": { "door": "red" } });
    for (tool, more, due) in [
        ("ask", json!({}), 1),
        ("visit", json!({}), 1),
        ("combine", json!({}), 1),
        ("converse", json!({}), 2),
        ("sample", json!({}), 1),
        ("sample_with_tools", json!({}), 1),
        ("roots", json!({}), 1),
        ("unlock", door, 1),
    ] {
        let first = call(tool, more);
        let mut result = asked(&mut client, &first).await;
        assert!(result.get("ttlMs").is_none() && result.get("cacheScope").is_none());
        let mut rounds = 0;
        while result["resultType"] == "input_required" {
            result = client.ask(retry(&first, &result)).await["result"].clone();
            rounds += 1;
        }
        assert_eq!(
            (rounds, &result["resultType"]),
            (due, &json!("complete")),
            "{tool}"
        );
        assert_eq!(
            result["isError"] == true,
            tool == "visit",
            "{tool}: {result}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn prompts_and_resources_ask_too() {
    let mut client = stdio();
    for (method, params, member) in [
        ("prompts/get", json!({ "name": "ask" }), "messages"),
        (
            "resources/read",
            json!({ "uri": "refserver://ask/art" }),
            "contents",
        ),
    ] {
        let first = capable(1, method, params.clone());
        let result = asked(&mut client, &first).await;
        let end = client.ask(retry(&first, &result)).await;
        assert!(end["result"][member].is_array(), "{end}");
        assert_eq!(
            client.ask(request(3, method, params)).await["error"]["code"],
            -32021
        );
    }
}

#[tokio::test(start_paused = true)]
async fn only_what_is_declared_is_asked_for() {
    let mut client = stdio();
    for (tool, declared, missing) in [
        ("ask", json!({}), json!({ "elicitation": { "form": {} } })),
        (
            "ask",
            json!({ "elicitation": { "url": {} } }),
            json!({ "elicitation": { "form": {} } }),
        ),
        (
            "visit",
            json!({ "elicitation": {} }),
            json!({ "elicitation": { "url": {} } }),
        ),
        (
            "combine",
            json!({ "elicitation": {} }),
            json!({ "sampling": {} }),
        ),
        (
            "combine",
            json!({}),
            json!({ "elicitation": { "form": {} }, "sampling": {} }),
        ),
        (
            "sample_with_tools",
            json!({ "sampling": {} }),
            json!({ "sampling": { "tools": {} } }),
        ),
        (
            "roots",
            json!({ "elicitation": {} }),
            json!({ "roots": {} }),
        ),
    ] {
        let params = json!({ "name": tool, "_meta": meta(declared) });
        let answer = client.ask(request(1, "tools/call", params)).await;
        assert_eq!(answer["error"]["code"], -32021, "{tool}");
        assert_eq!(
            answer["error"]["data"],
            json!({ "requiredCapabilities": missing }),
            "{tool}"
        );
    }
    let params = json!({ "name": "ask", "_meta": meta(json!({ "elicitation": {} })) });
    asked(&mut client, &request(1, "tools/call", params)).await;
}

#[tokio::test(start_paused = true)]
async fn answers_are_validated_missing_ones_asked_for_again_and_strange_ones_ignored() {
    let mut client = stdio();
    let first = call("combine", json!({}));
    let result = asked(&mut client, &first).await;
    for responses in [
        json!("x"),
        json!([]),
        json!({ "topic": 5 }),
        json!({ "topic": { "action": "bogus" } }),
    ] {
        let mut bad = retry(&first, &result);
        bad["params"]["inputResponses"] = responses.clone();
        assert_eq!(
            client.ask(bad).await["error"]["code"],
            -32602,
            "{responses}"
        );
    }
    let mut half = retry(&first, &result);
    half["params"]["inputResponses"]
        .as_object_mut()
        .unwrap()
        .remove("topic");
    half["params"]["inputResponses"]["x-extra"] = json!({ "action": "accept" });
    let again = asked(&mut client, &half).await;
    assert_eq!(
        again["inputRequests"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["topic"]
    );
    assert_eq!(
        client.ask(retry(&first, &again)).await["result"]["resultType"],
        "complete"
    );
    let mut no_state = retry(&first, &result);
    no_state["params"]
        .as_object_mut()
        .unwrap()
        .remove("requestState");
    assert_eq!(
        asked(&mut client, &no_state).await["inputRequests"]
            .as_object()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test(start_paused = true)]
async fn a_refusal_ends_the_questions() {
    let mut client = stdio();
    let first = call("converse", json!({}));
    let result = asked(&mut client, &first).await;
    let mut declined = retry(&first, &result);
    declined["params"]["inputResponses"] = json!({ "topic": { "action": "decline" } });
    assert_eq!(
        client.ask(declined).await["result"]["resultType"],
        "complete"
    );
}

#[tokio::test(start_paused = true)]
async fn files_are_read_inside_the_roots_alone() {
    let mut client = stdio();
    for (uri, is_inside) in [
        ("file:///x/a", true),
        ("file:///x", true),
        ("file:///xy", false),
        ("file:///elsewhere/diary.txt", false),
        ("file:///x/../elsewhere", false),
        ("file:///x/%2e%2e/elsewhere", false),
    ] {
        let first = call("read_file", json!({ "arguments": { "uri": uri } }));
        let result = asked(&mut client, &first).await;
        let read = client.ask(retry(&first, &result)).await["result"].clone();
        assert_eq!(read["isError"] != true, is_inside, "{uri}: {read}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_is_sealed_bound_short_lived_and_good_in_any_process() {
    let mut client = stdio();
    let first = call(
        "unlock",
        json!({ "arguments": { "door": "red", "ttl": 2 } }),
    );
    let result = asked(&mut client, &first).await;
    let state = result["requestState"].as_str().unwrap();
    for bad in [
        json!(""),
        json!("x"),
        json!(&state[..state.len() / 2]),
        json!(state.replacen('e', "f", 1)),
        json!(42),
        json!({}),
    ] {
        let mut tampered = retry(&first, &result);
        tampered["params"]["requestState"] = bad.clone();
        assert_eq!(client.ask(tampered).await["error"]["code"], -32602, "{bad}");
    }
    for other in [
        call(
            "unlock",
            json!({ "arguments": { "door": "blue", "ttl": 2 } }),
        ),
        call("ask", json!({})),
    ] {
        assert_eq!(
            client.ask(retry(&other, &result)).await["error"]["code"],
            -32602
        );
    }
    let mut elsewhere = stdio();
    assert_eq!(
        elsewhere.ask(retry(&first, &result)).await["result"]["resultType"],
        "complete"
    );
    tokio::time::advance(Duration::from_secs(3)).await;
    let expired = client.ask(retry(&first, &result)).await;
    assert!(
        expired["error"]["message"]
            .as_str()
            .unwrap()
            .contains("expired"),
        "{expired}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_one_time_state_works_once() {
    let mut client = stdio();
    let first = call("unlock", json!({ "arguments": { "door": "red" } }));
    let result = asked(&mut client, &first).await;
    assert_eq!(
        client.ask(retry(&first, &result)).await["result"]["resultType"],
        "complete"
    );
    assert_eq!(
        client.ask(retry(&first, &result)).await["error"]["code"],
        -32602
    );
}

#[tokio::test(start_paused = true)]
async fn a_state_belongs_to_its_principal() {
    let server = Arc::new(Server::new(Options {
        protected: true,
        ..Options::default()
    }));
    let [alice, bob] =
        Options::TOKENS.map(|token| json!({ "Authorization": format!("Bearer {token}") }));
    let first = call("ask", json!({}));
    let result = posted(&server, first.clone(), alice.clone()).await.json()["result"].clone();
    let stolen = posted(&server, retry(&first, &result), bob).await;
    assert_eq!(
        (stolen.status, &stolen.json()["error"]["code"]),
        (400, &json!(-32602))
    );
    assert_eq!(
        posted(&server, retry(&first, &result), alice).await.json()["result"]["resultType"],
        "complete"
    );
}

#[tokio::test(start_paused = true)]
async fn answers_that_nobody_asked_for_do_no_harm() {
    let mut client = stdio();
    let stray = json!({ "x": { "action": "accept" } });
    let echo = json!({ "name": "echo", "arguments": { "text": "x" }, "inputResponses": stray });
    assert!(client.ask(request(1, "tools/call", echo)).await["result"]["content"].is_array());
    assert!(
        client
            .ask(request(2, "tools/list", json!({ "inputResponses": {} })))
            .await["result"]["tools"]
            .is_array()
    );
}
