//! Streamable HTTP.

use std::{sync::Arc, time::Duration};

use mcpspec_refserver::{HTTP_PATH, Options, Server};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::{sleep, timeout},
};

use crate::client::{Answer, exchange, headers, meta, post, posted, request};

fn server() -> Arc<Server> {
    Arc::new(Server::new(Options::default()))
}

fn discover() -> Value {
    request(1, "server/discover", json!({}))
}

fn tool(name: &str, arguments: Value) -> Value {
    request(
        1,
        "tools/call",
        json!({ "name": name, "arguments": arguments }),
    )
}

#[track_caller]
fn refused(answer: &Answer, status: u16, code: i64) {
    assert_eq!(
        (answer.status, &answer.json()["error"]["code"]),
        (status, &json!(code)),
        "{answer:?}"
    );
    assert_eq!(answer.headers["content-type"], "application/json");
}

#[track_caller]
fn served(answer: &Answer) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.response()["result"].is_object(), "{answer:?}");
}

#[tokio::test(start_paused = true)]
async fn a_plain_answer_is_one_json_text_and_one_with_notifications_a_stream() {
    let server = server();
    let plain = posted(&server, discover(), json!({})).await;
    served(&plain);
    assert_eq!(plain.headers["content-type"], "application/json");
    let mut metadata = meta(json!({}));
    metadata["progressToken"] = json!("t");
    let call = request(
        1,
        "tools/call",
        json!({ "name": "progress", "_meta": metadata }),
    );
    let stream = posted(&server, call.clone(), json!({})).await;
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    assert_eq!(stream.headers["x-accel-buffering"], "no");
    let events = stream.events();
    assert_eq!(events.len(), 6);
    assert_eq!(events[4]["params"]["progress"], 5);
    assert_eq!(events[5]["id"], 1);
    let json_only = posted(&server, call, json!({ "Accept": "application/json" })).await;
    assert_eq!(json_only.headers["content-type"], "application/json");
    served(&json_only);
    let events_only = posted(
        &server,
        discover(),
        json!({ "Accept": "text/event-stream" }),
    )
    .await;
    assert_eq!(events_only.events().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn headers_have_to_mirror_the_body() {
    let server = server();
    for changes in [
        json!({ "MCP-Protocol-Version": null }),
        json!({ "MCP-Protocol-Version": "2025-11-25" }),
        json!({ "Mcp-Method": null }),
        json!({ "Mcp-Method": "tools/list" }),
        json!({ "Mcp-Method": "SERVER/DISCOVER" }),
        json!({ "Mcp-Method": "=?base64?c2VydmVyL2Rpc2NvdmVy?=" }),
    ] {
        refused(&posted(&server, discover(), changes).await, 400, -32020);
    }
    let mut other_body = discover();
    other_body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("1900-01-01");
    refused(
        &posted(
            &server,
            other_body.clone(),
            json!({ "MCP-Protocol-Version": "2026-07-28" }),
        )
        .await,
        400,
        -32020,
    );
    refused(&posted(&server, other_body, json!({})).await, 400, -32022);
    let mut bare = headers(&discover());
    bare.insert("MCP-METHOD".to_owned(), bare["Mcp-Method"].clone());
    bare.remove("Mcp-Method");
    bare.insert("mcp-protocol-version".to_owned(), json!("   2026-07-28  "));
    bare.remove("MCP-Protocol-Version");
    bare.insert("Mcp-Param-Xconformance".to_owned(), json!("1"));
    served(&exchange(&server, &post(&bare, &discover().to_string())).await);
}

#[tokio::test(start_paused = true)]
async fn the_name_header_is_compared_with_name_or_uri() {
    let server = server();
    let echo = tool("echo", json!({ "text": "x" }));
    let read = request(1, "resources/read", json!({ "uri": "refserver://text" }));
    let prompt = request(1, "prompts/get", json!({ "name": "plain" }));
    for message in [&echo, &read, &prompt] {
        served(&posted(&server, message.clone(), json!({})).await);
        for wrong in [
            json!(null),
            json!("x-other"),
            json!("text"),
            json!("=?base64?SGVs!!!bG8?="),
        ] {
            refused(
                &posted(&server, message.clone(), json!({ "Mcp-Name": wrong })).await,
                400,
                -32020,
            );
        }
    }
    served(
        &posted(
            &server,
            echo.clone(),
            json!({ "Mcp-Name": "=?base64?ZWNobw==?=" }),
        )
        .await,
    );
    refused(
        &posted(&server, echo, json!({ "Mcp-Name": "=?BASE64?ZWNobw==?=" })).await,
        400,
        -32020,
    );
}

#[tokio::test(start_paused = true)]
async fn marked_arguments_are_compared_with_their_headers() {
    let server = server();
    let with = async |name: &str, arguments: Value, header: &str, value: Value| {
        posted(&server, tool(name, arguments), json!({ (header): value })).await
    };
    let region = "Mcp-Param-Region";
    for (argument, header) in [
        ("us-west1", "us-west1"),
        ("Hello", "=?base64?SGVsbG8=?="),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("SGVsbG8=", "SGVsbG8="),
        ("=?base64?SGVsbG8=", "=?base64?SGVsbG8="),
    ] {
        served(
            &with(
                "route",
                json!({ "region": argument }),
                region,
                json!(header),
            )
            .await,
        );
    }
    for header in [
        json!(null),
        json!("eu-1"),
        json!("=?base64?V29ybGQ=?="),
        json!("=?base64?SGVsbG8?="),
    ] {
        refused(
            &with("route", json!({ "region": "Hello" }), region, header).await,
            400,
            -32020,
        );
    }
    served(&with("route", json!({}), region, json!(null)).await);
    let null = with("route", json!({ "region": null }), region, json!(null)).await;
    assert_eq!(
        null.json()["result"]["isError"],
        true,
        "null does not fit the schema, but needs no header"
    );
    let shard = "Mcp-Param-Shard";
    served(
        &with(
            "route_integer",
            json!({ "shard": 42 }),
            shard,
            json!("42.0"),
        )
        .await,
    );
    refused(
        &with("route_integer", json!({ "shard": 42 }), shard, json!("43")).await,
        400,
        -32020,
    );
    let dry_run = "mcp-param-dry-run";
    served(
        &with(
            "route_boolean",
            json!({ "dry_run": true }),
            dry_run,
            json!("true"),
        )
        .await,
    );
    refused(
        &with(
            "route_boolean",
            json!({ "dry_run": true }),
            dry_run,
            json!("True"),
        )
        .await,
        400,
        -32020,
    );
    let nested = json!({ "target": { "host": "inner" }, "host": "outer" });
    served(
        &with(
            "route_nested",
            nested.clone(),
            "MCP-PARAM-HOST-NAME",
            json!("inner"),
        )
        .await,
    );
    refused(
        &with(
            "route_nested",
            nested,
            "Mcp-Param-Host-Name",
            json!("outer"),
        )
        .await,
        400,
        -32020,
    );
}

#[tokio::test(start_paused = true)]
async fn bytes_that_no_header_value_holds_are_refused() {
    let server = server();
    let lines = headers(&discover());
    let mut text = post(&lines, &discover().to_string()).into_bytes();
    let place = text
        .windows(17)
        .position(|window| window == b"Mcp-Method: serve")
        .expect("the header")
        + 12;
    text[place] = 0xe9;
    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(Arc::clone(&server).serve_http_connection(theirs));
    ours.write_all(&text).await.unwrap();
    let mut answer = String::new();
    ours.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 400 ") && answer.contains("-32020"),
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn each_refusal_has_its_status() {
    let server = server();
    refused(
        &posted(
            &server,
            request(1, "x-conformance/unknown", json!({})),
            json!({}),
        )
        .await,
        404,
        -32601,
    );
    let mut bare = discover();
    bare["params"] = json!({});
    refused(
        &posted(
            &server,
            bare,
            json!({ "MCP-Protocol-Version": "2026-07-28" }),
        )
        .await,
        400,
        -32602,
    );
    refused(
        &posted(&server, tool("ask", json!({})), json!({})).await,
        400,
        -32021,
    );
    let lines = headers(&discover());
    let cut = exchange(&server, &post(&lines, "{\"jsonrpc\":")).await;
    refused(&cut, 400, -32700);
    assert_eq!(cut.json().get("id"), None);
    refused(
        &exchange(&server, &post(&lines, &format!("[{}]", discover()))).await,
        400,
        -32600,
    );
    let response = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
    refused(
        &exchange(&server, &post(&lines, &response.to_string())).await,
        400,
        -32600,
    );
    assert_eq!(
        posted(&server, discover(), json!({ "Accept": "text/html" }))
            .await
            .status,
        406
    );
    assert_eq!(
        posted(&server, discover(), json!({ "Content-Type": "text/plain" }))
            .await
            .status,
        415
    );
    let elsewhere = post(&lines, &discover().to_string()).replace(HTTP_PATH, "/elsewhere");
    assert_eq!(exchange(&server, &elsewhere).await.status, 404);
    served(
        &posted(
            &server,
            discover(),
            json!({ "Accept": null, "Mcp-Session-Id": "bogus", "Last-Event-ID": "1" }),
        )
        .await,
    );
}

#[tokio::test(start_paused = true)]
async fn a_notification_is_accepted_without_a_body() {
    for method in ["notifications/cancelled", "notifications/x-conformance"] {
        let notification =
            json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": "x-none" } });
        let answer = posted(
            &server(),
            notification,
            json!({ "MCP-Protocol-Version": null }),
        )
        .await;
        assert_eq!((answer.status, answer.body.as_str()), (202, ""));
    }
}

#[tokio::test(start_paused = true)]
async fn only_post_is_served_and_no_foreign_page() {
    let server = server();
    for method in ["GET", "DELETE", "PUT", "HEAD"] {
        let plain = format!(
            "{method} {HTTP_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        );
        let answer = exchange(&server, &plain).await;
        assert_eq!(
            (answer.status, answer.headers["allow"].as_str()),
            (405, "POST"),
            "{method}"
        );
        let foreign = plain.replace("\r\n\r\n", "\r\nOrigin: http://evil.example.com\r\n\r\n");
        assert_eq!(exchange(&server, &foreign).await.status, 403, "{method}");
    }
    for (origin, status) in [
        ("http://localhost:1234", 200),
        ("http://evil.example.com", 403),
        ("http://localhost.evil.example.com", 403),
        ("null", 403),
    ] {
        assert_eq!(
            posted(&server, discover(), json!({ "Origin": origin }))
                .await
                .status,
            status,
            "{origin}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_requests_of_one_connection_are_independent() {
    let server = server();
    let one = post(&headers(&discover()), &discover().to_string());
    let keep = one.replace("Connection: close\r\n", "");
    let answer = exchange(&server, &format!("{keep}{keep}{one}")).await;
    assert_eq!(
        answer.body.matches("supportedVersions").count(),
        3,
        "{answer:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn closing_the_stream_cancels_the_work() {
    let server = server();
    let mut metadata = meta(json!({}));
    metadata["progressToken"] = json!(1);
    let slow = request(
        1,
        "tools/call",
        json!({ "name": "slow", "_meta": metadata }),
    );
    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    let serving = tokio::spawn(Arc::clone(&server).serve_http_connection(theirs));
    ours.write_all(post(&headers(&slow), &slow.to_string()).as_bytes())
        .await
        .unwrap();
    let mut some = [0; 64];
    ours.read_exact(&mut some).await.unwrap();
    drop(ours);
    timeout(Duration::from_secs(5), serving)
        .await
        .expect("the connection is over")
        .unwrap();
    let count = async || {
        posted(&server, tool("count", json!({})), json!({}))
            .await
            .json()["result"]["content"][0]["text"]
            .clone()
    };
    let stopped_at = count().await;
    sleep(Duration::from_secs(20)).await;
    assert_eq!(count().await, stopped_at);
}

#[tokio::test(start_paused = true)]
async fn a_subscription_is_a_stream_that_a_shutdown_ends_with_a_result() {
    let server = server();
    let listen = request(
        "s",
        "subscriptions/listen",
        json!({ "notifications": { "toolsListChanged": true } }),
    );
    assert_eq!(
        posted(
            &server,
            listen.clone(),
            json!({ "Accept": "application/json" })
        )
        .await
        .status,
        406
    );
    let open = tokio::spawn({
        let server = Arc::clone(&server);
        async move { posted(&server, listen, json!({})).await }
    });
    sleep(Duration::from_secs(1)).await;
    served(&posted(&server, tool("bump", json!({ "list": "tools" })), json!({})).await);
    sleep(Duration::from_secs(40)).await;
    server.shut_down();
    let answer = timeout(Duration::from_secs(5), open)
        .await
        .expect("the stream is over")
        .unwrap();
    assert_eq!(answer.headers["content-type"], "text/event-stream");
    assert!(
        answer.body.contains("\n:\n\n") || answer.body.starts_with(":\n\n"),
        "a comment keeps a quiet stream alive: {answer:?}"
    );
    let methods: Vec<Value> = answer
        .events()
        .iter()
        .map(|event| event["method"].clone())
        .collect();
    assert_eq!(
        methods,
        [
            json!("notifications/subscriptions/acknowledged"),
            json!("notifications/tools/list_changed"),
            Value::Null
        ]
    );
    assert_eq!(
        answer.events()[2]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        "s"
    );
}
