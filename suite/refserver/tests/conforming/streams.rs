//! What takes a while: progress, logs, cancellation, subscriptions, and the end.

use std::time::Duration;

use mcpspec_refserver::{Exit, Options};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::client::{Stdio, meta, request};

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

fn stdio() -> Stdio {
    Stdio::start(Options::default())
}

#[tokio::test(start_paused = true)]
async fn progress_and_logs_come_before_the_response_and_only_if_asked_for() {
    let mut client = stdio();
    let call = |token: Option<&str>, level: Option<&str>, tool: &str| {
        let mut metadata = meta(json!({}));
        if let Some(token) = token {
            metadata["progressToken"] = json!(token);
        }
        if let Some(level) = level {
            metadata["io.modelcontextprotocol/logLevel"] = json!(level);
        }
        request(
            "it",
            "tools/call",
            json!({ "name": tool, "_meta": metadata }),
        )
    };
    client.send(call(Some("t"), None, "progress")).await;
    for step in 1..=5 {
        let message = client.next().await;
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "t");
        assert_eq!(message["params"]["progress"], step);
    }
    assert_eq!(client.next().await["id"], "it");
    client.send(call(None, Some("alert"), "log")).await;
    for level in ["alert", "emergency"] {
        assert_eq!(client.next().await["params"]["level"], level);
    }
    assert_eq!(client.next().await["id"], "it");
    for tool in ["progress", "log"] {
        client.send(call(None, None, tool)).await;
        assert_eq!(client.next().await["id"], "it", "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn slow_work_runs_beside_others_and_stops_when_cancelled() {
    let mut client = stdio();
    client
        .send(request("slow", "tools/call", json!({ "name": "slow" })))
        .await;
    sleep(Duration::from_millis(525)).await;
    let count = async |client: &mut Stdio, id: &str| {
        client
            .ask(request(id, "tools/call", json!({ "name": "count" })))
            .await["result"]["content"][0]["text"]
            .clone()
    };
    assert_eq!(count(&mut client, "a").await, "10");
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "slow" } })).await;
    sleep(Duration::from_secs(20)).await;
    assert_eq!(count(&mut client, "b").await, "10");
    let (rest, _) = client.end().await;
    assert!(rest.is_empty(), "{rest:?}");
}

#[tokio::test(start_paused = true)]
async fn a_subscription_is_acknowledged_first_and_gets_only_what_it_asked_for() {
    let mut client = stdio();
    let filter = json!({ "toolsListChanged": true, "promptsListChanged": false, "resourceSubscriptions": ["refserver://counter"], "x-unknown": true });
    client
        .send(request(
            7,
            "subscriptions/listen",
            json!({ "notifications": filter }),
        ))
        .await;
    let ack = client.next().await;
    assert_eq!(ack["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(
        ack["params"]["notifications"],
        json!({ "toolsListChanged": true, "resourceSubscriptions": ["refserver://counter"] })
    );
    assert_eq!(ack["params"]["_meta"][SUBSCRIPTION], 7);
    for (tool, arguments) in [
        ("bump", json!({ "list": "prompts" })),
        ("bump", json!({ "list": "tools" })),
        ("touch", json!({ "uri": "refserver://tally" })),
        ("touch", json!({ "uri": "refserver://counter" })),
    ] {
        client
            .send(request(
                "call",
                "tools/call",
                json!({ "name": tool, "arguments": arguments }),
            ))
            .await;
    }
    let mut changes = Vec::new();
    for _ in 0..6 {
        let message = client.next().await;
        if message.get("method").is_some() {
            assert_eq!(message["params"]["_meta"][SUBSCRIPTION], 7);
            changes.push((message["method"].clone(), message["params"]["uri"].clone()));
        }
    }
    let due = [
        (json!("notifications/tools/list_changed"), Value::Null),
        (
            json!("notifications/resources/updated"),
            json!("refserver://counter"),
        ),
    ];
    assert_eq!(changes, due);
    let read = client
        .ask(request(
            8,
            "resources/read",
            json!({ "uri": "refserver://counter" }),
        ))
        .await;
    assert_eq!(read["result"]["contents"][0]["text"], "1");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_subscription_is_over() {
    let mut client = stdio();
    client
        .send(request(
            1,
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": true } }),
        ))
        .await;
    assert_eq!(
        client.next().await["method"],
        "notifications/subscriptions/acknowledged"
    );
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } })).await;
    client
        .send(request(
            2,
            "tools/call",
            json!({ "name": "bump", "arguments": { "list": "tools" } }),
        ))
        .await;
    assert_eq!(client.next().await["id"], 2);
    let (rest, _) = client.end().await;
    assert!(rest.is_empty(), "{rest:?}");
}

#[tokio::test(start_paused = true)]
async fn the_end_of_the_input_ends_subscriptions_with_a_result_and_work_after_a_moment() {
    let mut client = stdio();
    client
        .send(request(
            1,
            "subscriptions/listen",
            json!({ "notifications": {} }),
        ))
        .await;
    assert_eq!(client.next().await["params"]["notifications"], json!({}));
    client
        .send(request(2, "tools/call", json!({ "name": "slow" })))
        .await;
    client.send(request(3, "server/discover", json!({}))).await;
    let start = Instant::now();
    let (mut rest, exit) = client.end().await;
    rest.sort_by_key(|message| message["id"].as_i64());
    assert_eq!(exit, Exit::Ended);
    assert!(
        start.elapsed() <= Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(
        rest.iter()
            .map(|message| message["id"].clone())
            .collect::<Vec<_>>(),
        [json!(1), json!(3)]
    );
    assert_eq!(rest[0]["result"]["_meta"][SUBSCRIPTION], 1);
    assert_eq!(rest[0]["result"]["resultType"], "complete");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_shut_down_ends_its_subscriptions_with_a_result() {
    let mut client = stdio();
    client
        .send(request(
            "s",
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": true } }),
        ))
        .await;
    client.next().await;
    client.server.shut_down();
    let end = client.next().await;
    assert_eq!(end["id"], "s");
    assert_eq!(end["result"]["_meta"][SUBSCRIPTION], "s");
    assert_eq!(client.line().await, None);
}
