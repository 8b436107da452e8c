//! Standard streams.

use mcpspec_refserver::{Exit, Options};
use serde_json::{Value, json};

use crate::client::{Stdio, code, meta, request};

fn stdio() -> Stdio {
    Stdio::start(Options::default())
}

#[tokio::test(start_paused = true)]
async fn discovery_names_versions_capabilities_and_the_server() {
    let mut client = stdio();
    let answer = client.ask(request(1, "server/discover", json!({}))).await;
    let result = &answer["result"];
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        result["capabilities"]["resources"],
        json!({ "listChanged": true, "subscribe": true })
    );
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        "mcpspec-refserver"
    );
    assert!(result["ttlMs"].is_u64() && result["cacheScope"] == "public");
}

#[tokio::test(start_paused = true)]
async fn an_id_comes_back_as_it_was_sent() {
    let mut client = stdio();
    for id in [
        "0",
        "-1",
        "9007199254740993",
        "123456789012345678901234567890",
        "\"\"",
        "\"1\"",
        "\"é世界😀\"",
    ] {
        let mut message = request(Value::Null, "server/discover", json!({})).to_string();
        message = message.replace("\"id\":null", &format!("\"id\":{id}"));
        client.write(&format!("{message}\n")).await;
        let line = client.line().await.unwrap();
        assert!(
            line.starts_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":")),
            "{id}: {line}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_request_is_refused_and_the_server_goes_on() {
    let mut client = stdio();
    let good = request(1, "server/discover", json!({}));
    let edited = |edit: fn(&mut Value)| {
        let mut message = good.clone();
        edit(&mut message);
        message.to_string()
    };
    for (text, due, id) in [
        ("{\"jsonrpc\":".to_owned(), -32700, None),
        (format!("[{good}]"), -32600, None),
        (edited(|message| message["id"] = Value::Null), -32600, None),
        (edited(|message| message["id"] = json!(1.5)), -32600, None),
        (
            edited(|message| message["jsonrpc"] = json!("1.0")),
            -32600,
            Some(json!(1)),
        ),
        (
            edited(|message| message["method"] = json!(42)),
            -32600,
            Some(json!(1)),
        ),
        (
            edited(|message| message["params"] = json!(["x"])),
            -32602,
            Some(json!(1)),
        ),
        (
            good.to_string()
                .replacen("\"id\":1", "\"id\":1,\"id\":2", 1),
            -32600,
            None,
        ),
    ] {
        client.write(&format!("{text}\n")).await;
        let answer = client.next().await;
        assert_eq!(code(&answer), due, "{text}");
        assert_eq!(answer.get("id").cloned(), id, "{text}");
    }
    assert!(client.ask(good).await["result"].is_object());
}

#[tokio::test(start_paused = true)]
async fn notifications_and_responses_are_never_answered() {
    let mut client = stdio();
    client
        .send(json!({ "jsonrpc": "2.0", "method": "notifications/x-conformance" }))
        .await;
    client.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": {} } })).await;
    client
        .send(json!({ "jsonrpc": "2.0", "id": 7, "result": { "resultType": "complete" } }))
        .await;
    client.write("\r\n\n").await;
    client
        .send(request("only", "server/discover", json!({})))
        .await;
    assert_eq!(client.next().await["id"], "only");
    let (rest, exit) = client.end().await;
    assert_eq!((rest.len(), exit), (0, Exit::Ended));
}

#[tokio::test(start_paused = true)]
async fn incomplete_metadata_is_refused_whatever_the_method() {
    let mut client = stdio();
    let methods = [
        "server/discover",
        "tools/list",
        "tools/call",
        "resources/read",
        "subscriptions/listen",
        "x/unknown",
    ];
    for method in methods {
        for broken in [
            json!(null),
            json!([]),
            json!({}),
            json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" }),
            json!({ "io.modelcontextprotocol/protocolVersion": 20260728, "io.modelcontextprotocol/clientCapabilities": {} }),
            json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": null }),
        ] {
            let answer = client
                .ask(request(1, method, json!({ "_meta": broken })))
                .await;
            assert_eq!(code(&answer), -32602, "{method}: {broken}");
        }
        let bare = client
            .ask(json!({ "jsonrpc": "2.0", "id": 2, "method": method }))
            .await;
        assert_eq!(code(&bare), -32602, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn optional_metadata_is_optional_open_and_typed() {
    let mut client = stdio();
    let with = |key: &str, value: Value| {
        let mut meta = meta(json!({}));
        meta[key] = value;
        request(1, "server/discover", json!({ "_meta": meta }))
    };
    let info = "io.modelcontextprotocol/clientInfo";
    let capabilities = "io.modelcontextprotocol/clientCapabilities";
    for (key, value) in [
        ("com.example/x", json!({ "a": 1 })),
        ("plain", json!(true)),
        ("traceparent", json!("no trace")),
        ("progressToken", json!("t")),
        (
            capabilities,
            json!({ "experimental": { "x": {} }, "x-unknown": 1, "roots": { "listChanged": true } }),
        ),
        (
            info,
            json!({ "name": "a", "version": "1", "title": "A", "x": 1 }),
        ),
    ] {
        assert!(
            client.ask(with(key, value)).await["result"].is_object(),
            "{key}"
        );
    }
    for (key, value) in [
        (info, json!({})),
        (capabilities, json!({ "elicitation": "yes" })),
        (capabilities, json!({ "sampling": { "tools": [] } })),
        ("io.modelcontextprotocol/logLevel", json!("verbose")),
        ("progressToken", json!({ "a": 1 })),
    ] {
        assert_eq!(code(&client.ask(with(key, value)).await), -32602, "{key}");
    }
}

#[tokio::test(start_paused = true)]
async fn other_versions_are_refused_with_what_is_supported() {
    let mut client = stdio();
    for version in ["1900-01-01", "2025-11-25", "not-a-version", ""] {
        let mut metadata = meta(json!({}));
        metadata["io.modelcontextprotocol/protocolVersion"] = json!(version);
        let answer = client
            .ask(request(1, "tools/list", json!({ "_meta": metadata })))
            .await;
        assert_eq!(code(&answer), -32022);
        assert_eq!(
            answer["error"]["data"],
            json!({ "supported": ["2026-07-28"], "requested": version })
        );
    }
    assert!(client.ask(request(2, "tools/list", json!({}))).await["result"].is_object());
}

#[tokio::test(start_paused = true)]
async fn what_does_not_exist_is_refused() {
    let mut client = stdio();
    for (method, params, due) in [
        ("ping", json!({}), -32601),
        ("initialize", json!({}), -32601),
        ("tools/call", json!({ "name": "no-such-tool" }), -32602),
        (
            "tools/call",
            json!({ "name": "ECHO", "arguments": { "text": "x" } }),
            -32602,
        ),
        ("tools/call", json!({}), -32602),
        (
            "tools/call",
            json!({ "name": "echo", "arguments": [] }),
            -32602,
        ),
        (
            "tools/call",
            json!({ "name": "echo", "arguments": { "text": "x" }, "requestState": 42 }),
            -32602,
        ),
        (
            "resources/read",
            json!({ "uri": "x-conformance://nope" }),
            -32602,
        ),
        (
            "resources/read",
            json!({ "uri": "refserver://item/121" }),
            -32602,
        ),
        (
            "resources/read",
            json!({ "uri": "refserver://broken" }),
            -32603,
        ),
        ("prompts/get", json!({ "name": "nobody" }), -32602),
        ("prompts/get", json!({ "name": "greet" }), -32602),
        (
            "prompts/get",
            json!({ "name": "greet", "arguments": { "name": 1 } }),
            -32602,
        ),
        ("prompts/get", json!({ "name": "broken" }), -32603),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "nobody" }, "argument": { "name": "x", "value": "" } }),
            -32602,
        ),
        ("completion/complete", json!({}), -32602),
        ("tools/list", json!({ "cursor": "made-up" }), -32602),
        ("tools/list", json!({ "cursor": 5 }), -32602),
        ("subscriptions/listen", json!({}), -32602),
        (
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": "yes" } }),
            -32602,
        ),
    ] {
        let answer = client.ask(request(1, method, params.clone())).await;
        assert_eq!(code(&answer), due, "{method} {params}");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_that_break_the_schema_are_an_execution_error() {
    let mut client = stdio();
    for arguments in [
        json!({}),
        json!({ "text": 5 }),
        json!({ "text": "x", "more": 1 }),
    ] {
        let answer = client
            .ask(request(
                1,
                "tools/call",
                json!({ "name": "echo", "arguments": arguments }),
            ))
            .await;
        assert_eq!(answer["result"]["isError"], true, "{arguments}");
    }
    let sum = client
        .ask(request(
            2,
            "tools/call",
            json!({ "name": "add", "arguments": { "a": 2, "b": 3 } }),
        ))
        .await;
    assert_eq!(sum["result"]["structuredContent"], json!({ "sum": 5 }));
}

#[tokio::test(start_paused = true)]
async fn every_list_has_pages_that_end_and_do_not_overlap() {
    let mut client = stdio();
    for (method, member, key) in [
        ("tools/list", "tools", "name"),
        ("prompts/list", "prompts", "name"),
        ("resources/list", "resources", "uri"),
        (
            "resources/templates/list",
            "resourceTemplates",
            "uriTemplate",
        ),
    ] {
        let mut seen = Vec::new();
        let mut pages = 0;
        let mut params = json!({});
        loop {
            let answer = client.ask(request(1, method, params)).await;
            let result = &answer["result"];
            assert!(
                result["ttlMs"].is_u64() && result["cacheScope"] == "public",
                "{answer}"
            );
            seen.extend(
                result[member]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|item| item[key].clone()),
            );
            pages += 1;
            match result.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
        let mut distinct = seen.clone();
        distinct.sort_by_key(Value::to_string);
        distinct.dedup();
        assert!(
            pages > 1 && distinct.len() == seen.len(),
            "{method}: {seen:?}"
        );
    }
    let tools =
        client.ask(request(1, "tools/list", json!({}))).await["result"]["nextCursor"].clone();
    let foreign = client
        .ask(request(2, "resources/list", json!({ "cursor": tools })))
        .await;
    assert_eq!(
        code(&foreign),
        -32602,
        "a cursor is good for its own list only"
    );
}

#[tokio::test(start_paused = true)]
async fn completion_gives_what_fits_and_at_most_a_hundred() {
    let mut client = stdio();
    let mut complete = async |reference: Value, name: &str, value: &str| {
        let params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
        client.ask(request(1, "completion/complete", params)).await["result"]["completion"].clone()
    };
    let prompt = json!({ "type": "ref/prompt", "name": "greet" });
    assert_eq!(
        complete(prompt, "tone", "f").await,
        json!({ "values": ["formal", "friendly", "brief"], "total": 3, "hasMore": false })
    );
    let template = json!({ "type": "ref/resource", "uri": "refserver://item/{id}" });
    let items = complete(template, "id", "").await;
    assert_eq!(
        (
            items["values"].as_array().unwrap().len(),
            &items["total"],
            &items["hasMore"]
        ),
        (100, &json!(120), &json!(true))
    );
}
