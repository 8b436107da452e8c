//! The answers of a small server that keeps to revision 2026-07-28: two tools without annotations, nothing else.

use serde_json::{Map, Value, json};

use super::http::Headers;

const REVISION: &str = "2026-07-28";
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// What is said to a message: an HTTP status, and the answer unless it is a notification.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) answer: Option<Value>,
}

/// Why a request is refused.
struct Refusal {
    status: u16,
    code: i64,
    message: String,
    data: Option<Value>,
}

/// What a request comes to.
type Outcome = Result<Value, Refusal>;

/// Reads a message. The reply says what is wrong if it is none.
pub(super) fn read(text: &[u8]) -> Result<Value, Reply> {
    let parsed: Result<Value, _> = serde_json::from_slice(text);
    match parsed {
        Err(_) => Err(refused(None, refusal(-32700, "This is no JSON."))),
        Ok(message) if message.is_object() => Ok(message),
        Ok(_) => Err(refused(None, refusal(-32600, "A message is one object."))),
    }
}

/// The reply to a message; over HTTP its headers have to fit.
pub(super) fn reply(message: &Value, headers: Option<&Headers>) -> Reply {
    let is_answer = message.get("result").or(message.get("error")).is_some();
    if message.get("method").is_none() && is_answer && headers.is_some() {
        return refused(None, refusal(-32600, "Nobody here waits for an answer."));
    }
    if message.get("method").is_none() && is_answer {
        return Reply {
            status: 202,
            answer: None,
        };
    }
    let Some(id) = message.get("id") else {
        return match envelope(message) {
            Ok(()) => Reply {
                status: 202,
                answer: None,
            },
            Err(refusal) => refused(None, refusal),
        };
    };
    if !is_id(id) {
        return refused(None, refusal(-32600, "An id is a string or an integer."));
    }
    match request(message, headers) {
        Ok(result) => Reply {
            status: 200,
            answer: Some(json!({ "jsonrpc": "2.0", "id": id, "result": result })),
        },
        Err(refusal) => refused(Some(id), refusal),
    }
}

fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64() || value.is_u64()
}

fn refusal(code: i64, message: &str) -> Refusal {
    Refusal {
        status: if code == -32601 { 404 } else { 400 },
        code,
        message: message.to_owned(),
        data: None,
    }
}

fn refused(id: Option<&Value>, refusal: Refusal) -> Reply {
    let mut error = json!({ "code": refusal.code, "message": refusal.message });
    if let Some(data) = refusal.data {
        error["data"] = data;
    }
    let mut answer = json!({ "jsonrpc": "2.0" });
    if let Some(id) = id {
        answer["id"] = id.clone();
    }
    answer["error"] = error;
    Reply {
        status: refusal.status,
        answer: Some(answer),
    }
}

fn envelope(message: &Value) -> Result<(), Refusal> {
    if message["jsonrpc"] != "2.0" {
        return Err(refusal(-32600, "jsonrpc has to be \"2.0\"."));
    }
    if !message["method"].is_string() {
        return Err(refusal(-32600, "method has to be a string."));
    }
    Ok(())
}

fn request(message: &Value, headers: Option<&Headers>) -> Outcome {
    envelope(message)?;
    let method = message["method"].as_str().unwrap_or_default();
    let params = &message["params"];
    if method == "initialize" && params["_meta"].is_null() {
        return Err(unsupported(&params["protocolVersion"]));
    }
    let meta = meta(params)?;
    let version = meta[VERSION].as_str().unwrap_or_default();
    if let Some(headers) = headers {
        mirrored(headers, "mcp-protocol-version", version)?;
        mirrored(headers, "mcp-method", method)?;
    }
    if version != REVISION {
        return Err(unsupported(&meta[VERSION]));
    }
    match method {
        "server/discover" => Ok(result(json!({
            "supportedVersions": [REVISION],
            "capabilities": { "tools": {} },
            "ttlMs": 60_000,
            "cacheScope": "public",
        }))),
        "tools/list" => list(params),
        "tools/call" => call(params, headers),
        _ => Err(refusal(-32601, "Method not found")),
    }
}

fn unsupported(requested: &Value) -> Refusal {
    Refusal {
        data: Some(json!({ "supported": [REVISION], "requested": requested })),
        ..refusal(-32022, "Unsupported protocol version")
    }
}

/// The metadata of a request, if it is as it has to be.
fn meta(params: &Value) -> Result<&Map<String, Value>, Refusal> {
    let wrong = |what: &str| refusal(-32602, &format!("{what} is missing or malformed."));
    let meta = params["_meta"].as_object().ok_or_else(|| wrong("_meta"))?;
    for (name, is_due, is_right) in [
        (VERSION, true, Value::is_string as fn(&Value) -> bool),
        (CAPABILITIES, true, is_capabilities),
        (CLIENT, false, is_implementation),
        ("io.modelcontextprotocol/logLevel", false, is_level),
        ("progressToken", false, is_id),
    ] {
        match meta.get(name) {
            Some(value) if is_right(value) => {}
            None if !is_due => {}
            _ => return Err(wrong(name)),
        }
    }
    Ok(meta)
}

fn is_capabilities(value: &Value) -> bool {
    let members = |name: &str| value[name].as_object().into_iter().flatten();
    let nested = ["elicitation", "sampling"].into_iter().flat_map(members);
    value.as_object().is_some_and(|object| {
        object.values().all(Value::is_object) && nested.map(|(_, sub)| sub).all(Value::is_object)
    })
}

fn is_implementation(value: &Value) -> bool {
    value["name"].is_string() && value["version"].is_string()
}

fn is_level(value: &Value) -> bool {
    const LEVELS: [&str; 8] = [
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ];
    value.as_str().is_some_and(|level| LEVELS.contains(&level))
}

/// A header that repeats what the body says.
fn mirrored(headers: &Headers, name: &str, due: &str) -> Result<(), Refusal> {
    let mut values = headers.all(name);
    let is_right =
        values.next().is_some_and(|value| value == due) && values.all(|value| value == due);
    if is_right {
        Ok(())
    } else {
        Err(refusal(-32020, &format!("Header mismatch: {name}")))
    }
}

fn result(mut members: Value) -> Value {
    members["resultType"] = json!("complete");
    members["_meta"] = json!({ SERVER: { "name": "small", "version": "1" } });
    members
}

/// The tools, of which neither says what it does to the world.
pub(super) fn tools() -> Value {
    json!([
        {
            "name": "wipe",
            "description": "Wipes the disk.",
            "inputSchema": {
                "type": "object",
                "properties": { "disk": { "type": "string" } },
                "required": ["disk"],
            },
        },
        { "name": "launch", "description": "Launches it.", "inputSchema": { "type": "object" } },
    ])
}

fn list(params: &Value) -> Outcome {
    match params.get("cursor") {
        None => Ok(result(
            json!({ "tools": tools(), "ttlMs": 60_000, "cacheScope": "public" }),
        )),
        Some(_) => Err(refusal(-32602, "There is no such page.")),
    }
}

fn call(params: &Value, headers: Option<&Headers>) -> Outcome {
    let Some(name) = params["name"].as_str() else {
        return Err(refusal(-32602, "name has to be a string."));
    };
    if params
        .get("arguments")
        .is_some_and(|arguments| !arguments.is_object())
    {
        return Err(refusal(-32602, "arguments has to be an object."));
    }
    if let Some(headers) = headers {
        let sent = headers.all("mcp-name").next().and_then(decoded);
        if sent.as_deref() != Some(name) {
            return Err(refusal(-32020, "Header mismatch: mcp-name"));
        }
    }
    if !["wipe", "launch"].contains(&name) {
        return Err(refusal(-32602, "Unknown tool"));
    }
    Ok(result(
        json!({ "content": [{ "type": "text", "text": "It is done." }] }),
    ))
}

/// A header's text, which may be written in base64.
fn decoded(value: &str) -> Option<String> {
    use base64::Engine;
    let Some(inside) = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="))
    else {
        return Some(value.to_owned());
    };
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(inside)
        .ok()?;
    String::from_utf8(bytes).ok()
}
