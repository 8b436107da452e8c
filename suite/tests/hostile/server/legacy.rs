//! The answers of a server that knows the two revisions before 2026-07-28 and nothing of that one.

use serde_json::{Value, json};

use super::answers::{self, Reply};
use super::http::Headers;

const VERSIONS: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// What shows over HTTP that `initialize` came before.
pub(super) const SESSION: &str = "mcp-session-id";

/// The reply to a message; over HTTP all but `initialize` belongs to a session.
pub(super) fn reply(message: &Value, headers: Option<&Headers>) -> Reply {
    let Some(id) = message.get("id") else {
        return Reply {
            status: 202,
            answer: None,
        };
    };
    let method = message["method"].as_str().unwrap_or_default();
    let is_outside = headers.is_some_and(|headers| headers.all(SESSION).next().is_none());
    let error = |status, code: i64, message: &str| Reply {
        status,
        answer: Some(
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }),
        ),
    };
    let result = match method {
        "initialize" => initialized(&message["params"]),
        _ if is_outside => return error(400, -32000, "Bad Request: no valid session ID"),
        "ping" => json!({}),
        "tools/list" => json!({ "tools": answers::tools() }),
        "tools/call" => json!({ "content": [{ "type": "text", "text": "It is done." }] }),
        _ => return error(200, -32601, "Method not found"),
    };
    Reply {
        status: 200,
        answer: Some(json!({ "jsonrpc": "2.0", "id": id, "result": result })),
    }
}

fn initialized(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.into_iter().find(|version| *version == asked);
    json!({
        "protocolVersion": version.unwrap_or(VERSIONS[0]),
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "old", "version": "1" },
    })
}
