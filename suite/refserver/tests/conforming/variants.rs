//! Other servers than the default one.

use std::sync::Arc;

use mcpspec_refserver::{Capability, Era, Exit, Options, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::client::{Stdio, capable, code, exchange, headers, post, posted, request};

#[tokio::test(start_paused = true)]
async fn what_is_left_out_is_not_declared_not_served_and_not_acknowledged() {
    let without = [
        Capability::Prompts,
        Capability::ToolsListChanged,
        Capability::Logging,
    ]
    .into();
    let mut client = Stdio::start(Options {
        without,
        ..Options::default()
    });
    let capabilities =
        client.ask(request(1, "server/discover", json!({}))).await["result"]["capabilities"]
            .clone();
    assert_eq!(
        capabilities,
        json!({ "tools": {}, "resources": { "listChanged": true, "subscribe": true }, "completions": {} })
    );
    assert_eq!(
        code(&client.ask(request(2, "prompts/list", json!({}))).await),
        -32601
    );
    client
        .send(request(
            3,
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": true } }),
        ))
        .await;
    assert_eq!(client.next().await["params"]["notifications"], json!({}));
}

#[tokio::test(start_paused = true)]
async fn a_modern_server_names_its_versions_to_an_older_client() {
    let mut client = Stdio::start(Options::default());
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "old", "version": "1" } });
    let answer = client
        .ask(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))
        .await;
    assert_eq!(code(&answer), -32602);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("2026-07-28")
    );
}

#[tokio::test(start_paused = true)]
async fn a_dual_era_server_serves_both_on_one_pair_of_streams() {
    let mut client = Stdio::start(Options {
        era: Era::Dual,
        ..Options::default()
    });
    let bare = |id: i64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} });
    assert_eq!(code(&client.ask(bare(1, "tools/list")).await), -32602);
    let opened = client.ask(bare(2, "initialize")).await;
    assert_eq!(opened["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(opened["result"].get("resultType"), None);
    client
        .send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
        .await;
    let listed = client.ask(bare(3, "tools/list")).await;
    assert!(
        listed["result"]["tools"].is_array() && listed["result"].get("ttlMs").is_none(),
        "{listed}"
    );
    assert_eq!(client.ask(bare(4, "ping")).await["result"], json!({}));
    let modern = client.ask(request(5, "tools/list", json!({}))).await;
    assert_eq!(modern["result"]["resultType"], "complete");
    assert_eq!(
        code(&client.ask(capable(6, "ping", json!({}))).await),
        -32601
    );
}
#[tokio::test(start_paused = true)]
async fn a_protected_server_wants_a_token_for_each_request() {
    let server = Arc::new(Server::new(Options {
        protected: true,
        ..Options::default()
    }));
    let answer = posted(&server, request(1, "server/discover", json!({})), json!({})).await;
    assert_eq!(answer.status, 401);
    let challenge = &answer.headers["www-authenticate"];
    assert!(
        challenge.starts_with("Bearer resource_metadata=\"http://localhost/.well-known/"),
        "{challenge}"
    );
    for (value, status) in [
        ("Bearer nonsense", 401),
        ("Basic token-of-alice", 401),
        ("Bearer token-of-alice", 200),
    ] {
        assert_eq!(
            posted(
                &server,
                request(1, "server/discover", json!({})),
                json!({ "Authorization": value })
            )
            .await
            .status,
            status,
            "{value}"
        );
    }
    let get = "GET /.well-known/oauth-protected-resource/mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(
        exchange(&server, get).await.json()["resource"],
        "http://localhost/mcp"
    );
}

#[tokio::test(start_paused = true)]
async fn a_dual_era_server_serves_older_clients_by_session() {
    let server = Arc::new(Server::new(Options {
        era: Era::Dual,
        ..Options::default()
    }));
    let bare = async |method: &str, changes: Value| {
        let mut due = json!({ "MCP-Protocol-Version": null, "Mcp-Method": null });
        due.as_object_mut()
            .unwrap()
            .extend(changes.as_object().cloned().unwrap());
        posted(
            &server,
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} }),
            due,
        )
        .await
    };
    let opened = bare("initialize", json!({})).await;
    assert_eq!(opened.json()["result"]["protocolVersion"], "2025-11-25");
    let session = json!({ "Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25" });
    assert!(bare("tools/list", session).await.json()["result"]["tools"].is_array());
    let refused = bare(
        "tools/list",
        json!({ "MCP-Protocol-Version": "2025-11-25" }),
    )
    .await;
    assert_eq!((refused.status, code(&refused.json())), (400, -32602));
    let modern = posted(&server, request(1, "server/discover", json!({})), json!({})).await;
    assert!(modern.json()["result"].is_object(), "{modern:?}");
    assert!(!modern.headers.contains_key("mcp-session-id"));
}

#[tokio::test(start_paused = true)]
async fn a_server_on_a_socket_ends_when_it_is_shut_down() {
    let without = [Capability::Prompts].into();
    let server = Arc::new(Server::new(Options {
        without,
        ..Options::default()
    }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(Arc::clone(&server).serve_http(listener));
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let prompts = request(1, "prompts/list", json!({}));
    stream
        .write_all(post(&headers(&prompts), &prompts.to_string()).as_bytes())
        .await
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 404 "), "{answer}");
    server.shut_down();
    assert_eq!(serving.await.unwrap(), Exit::Ended);
}
