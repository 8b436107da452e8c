//! The same request for the conforming server and for a mutant.

use std::sync::Arc;

use mcpspec_refserver::{Options, Server, find_mutant};
use serde_json::{Value, json};

use crate::client::{Answer, posted, request};

/// What an answer comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Result(u16),
    Error(u16, i64),
    Other(u16),
}

impl Seen {
    pub(crate) fn of(answer: &Answer) -> Self {
        let message = serde_json::from_str::<Value>(&answer.body).unwrap_or_default();
        if let Some(code) = message["error"]["code"].as_i64() {
            Seen::Error(answer.status, code)
        } else if message["result"].is_object() {
            Seen::Result(answer.status)
        } else {
            Seen::Other(answer.status)
        }
    }
}

/// A refusal for a header.
pub(crate) const MISMATCH: Seen = Seen::Error(400, -32020);

pub(crate) fn conforming() -> Arc<Server> {
    Arc::new(Server::new(Options::default()))
}

pub(crate) fn mutant(name: &str) -> Arc<Server> {
    let mutant = find_mutant(name).unwrap_or_else(|| panic!("no mutant {name}"));
    Arc::new(Server::new(Options {
        mutant: Some(mutant),
        ..Options::default()
    }))
}

/// Posts the same to the conforming server and to a mutant.
pub(crate) async fn compare(name: &str, message: Value, headers: Value, due: Seen, seen: Seen) {
    let answer = posted(&conforming(), message.clone(), headers.clone()).await;
    assert_eq!(Seen::of(&answer), due, "{name}, conforming: {answer:?}");
    let answer = posted(&mutant(name), message, headers).await;
    assert_eq!(Seen::of(&answer), seen, "{name}: {answer:?}");
}

pub(crate) fn discover() -> Value {
    request(1, "server/discover", json!({}))
}

pub(crate) fn call(tool: &str, arguments: Value) -> Value {
    request(
        1,
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

pub(crate) fn echo() -> Value {
    call("echo", json!({ "text": "x" }))
}

pub(crate) fn read() -> Value {
    request(1, "resources/read", json!({ "uri": "refserver://text" }))
}

pub(crate) fn prompt() -> Value {
    request(1, "prompts/get", json!({ "name": "plain" }))
}

pub(crate) fn templates() -> Value {
    request(1, "resources/templates/list", json!({}))
}

pub(crate) fn region(value: &str) -> Value {
    call("route", json!({ "region": value }))
}
