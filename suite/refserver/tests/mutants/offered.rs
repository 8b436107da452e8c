//! Conversations about resources, prompts and completion.

use mcpspec_refserver::Options;
use serde_json::{Value, json};

use crate::{
    client::request,
    script::Step::{self, Headers, Raw, Send},
};

fn read(uri: &str) -> Value {
    request("read", "resources/read", json!({ "uri": uri }))
}

fn get(name: &str, arguments: Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    request("get", "prompts/get", params)
}

fn complete(reference: Value, argument: Value) -> Value {
    let params = json!({ "ref": reference, "argument": argument });
    request("complete", "completion/complete", params)
}

fn prompt(name: &str) -> Value {
    json!({ "type": "ref/prompt", "name": name })
}

fn other() -> Value {
    json!({ "Authorization": format!("Bearer {}", Options::TOKENS[1]) })
}

/// The conversations, each on a connection of its own.
pub(crate) fn offered() -> Vec<Vec<Step>> {
    vec![reads(), prompts(), completions(), changes()]
}

/// Messages that end some servers.
pub(crate) fn fatal() -> Vec<Vec<Step>> {
    let mut without_version = request("discover", "server/discover", json!({}));
    without_version["params"]["_meta"] = json!({});
    let mut texts_as_capabilities = request("discover", "server/discover", json!({}));
    texts_as_capabilities["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
        json!("x");
    let no_uri = json!({ "notifications": { "resourceSubscriptions": [""] } });
    let texts = [
        "{\"jsonrpc\":".to_owned(),
        "42".to_owned(),
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u0000b\",\"method\":\"x-conformance/unknown\"}"
            .to_owned(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x-conformance/\\udc00\"}".to_owned(),
        format!("\"{}\"", "x".repeat(1_000_001)),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\"}".to_owned(),
    ];
    let messages = [
        request("get", "prompts/get", json!({})),
        get("ask", json!({})),
        complete(prompt("greet"), json!({ "name": "tone", "value": 42 })),
        request("call", "tools/call", json!({})),
        request("long", &"x".repeat(10_001), json!({})),
        request("sub", "subscriptions/listen", no_uri),
        without_version,
        texts_as_capabilities,
    ];
    let messages = messages.map(Send).into_iter();
    messages
        .chain(texts.map(Raw))
        .map(|step| vec![step])
        .collect()
}

fn reads() -> Vec<Step> {
    vec![
        Send(read("")),
        Send(request("read", "resources/read", json!({}))),
        Send(read("refserver://broken")),
        Send(read("refserver://logo")),
        Send(read("file:///refserver/x/../../etc/passwd")),
        Headers(read("refserver://diary"), other()),
        Send(request("list", "resources/list", json!({}))),
        Send(request("old", "resources/subscribe", json!({}))),
    ]
}

fn prompts() -> Vec<Step> {
    vec![
        Send(get("picture", json!({}))),
        Send(get("broken", json!({}))),
        Send(get("no-such-prompt", json!({}))),
        Send(get("greet", json!({}))),
        Send(get("greet", json!({ "name": 42 }))),
        Send(get("greet", json!({ "name": "Ada" }))),
        Send(request("list", "prompts/list", json!({}))),
    ]
}

fn completions() -> Vec<Step> {
    let value = |name: &str| json!({ "name": name, "value": "" });
    let mut in_context = complete(prompt("greet"), value("tone"));
    in_context["params"]["context"] = json!({ "arguments": { "name": "Ada" } });
    let template = json!({ "type": "ref/resource", "uri": "refserver://item/{id}" });
    vec![
        Send(complete(prompt("greet"), json!({ "name": "tone" }))),
        Send(in_context),
        Send(complete(template, value("id"))),
        Send(complete(prompt("broken"), value("anything"))),
        Send(complete(prompt("no-such-prompt"), value("x"))),
        Headers(complete(prompt("diary"), value("entry")), other()),
    ]
}

fn changes() -> Vec<Step> {
    let call = |tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        Send(request("call", "tools/call", params))
    };
    let everything = json!({
        "promptsListChanged": true,
        "resourcesListChanged": true,
        "resourceSubscriptions": ["refserver://counter"],
    });
    vec![
        Send(request(
            "sub",
            "subscriptions/listen",
            json!({ "notifications": everything }),
        )),
        call("bump", json!({ "list": "prompts" })),
        call("bump", json!({ "list": "resources" })),
        call("touch", json!({ "uri": "refserver://counter" })),
    ]
}
