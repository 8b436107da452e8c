//! A server over HTTP that answers as a test says, and records what it is asked.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// The requests that a scripted server got.
#[derive(Clone, Default)]
pub(super) struct Record(Arc<Mutex<Vec<Value>>>);

impl Record {
    /// The params of all calls of a tool.
    pub(super) fn calls(&self, tool: &str) -> Vec<Value> {
        let messages = self.0.lock().expect("no test panics while it holds it");
        let calls = messages.iter().filter(|message| {
            message["method"] == "tools/call" && message["params"]["name"] == tool
        });
        calls.map(|message| message["params"].clone()).collect()
    }

    /// The names of all tools that were called.
    pub(super) fn called(&self) -> Vec<String> {
        let messages = self.0.lock().expect("no test panics while it holds it");
        let names = messages
            .iter()
            .filter(|message| message["method"] == "tools/call")
            .map(|message| message["params"]["name"].as_str().unwrap_or_default());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// When what a scripted server lists, and the one resource that it has, are said to have changed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Changes {
    /// Nothing can be listened to.
    Never,
    /// As soon as somebody listens, and then each time that so long has passed.
    Each(Duration),
    /// After each call of this tool.
    After(&'static str),
}

/// What a scripted server does about a call: the result, or the error, of an answer; nothing to leave it without one.
pub(super) type Script = fn(tool: &str, params: &Value, nth: usize) -> Option<Value>;

/// Starts a server with these tools, which says of each that it only reads unless its annotations are given.
pub(super) async fn serve(tools: Value, script: Script) -> (Endpoint, Record) {
    serve_changing(tools, script, Changes::Never).await
}

/// The same with something that changes.
pub(super) async fn serve_changing(
    tools: Value,
    script: Script,
    changes: Changes,
) -> (Endpoint, Record) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let record = Record::default();
    let recorded = record.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(
                stream,
                tools.clone(),
                script,
                changes,
                recorded.clone(),
            ));
        }
    });
    let endpoint = Endpoint::Url { url, command: None };
    (endpoint, record)
}

/// The tool after whose first call no discovery is answered any more.
pub(super) const DEAFENS: &str = "deafens";

/// A tool that says that it only reads.
pub(super) fn tool(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } })
}

async fn answer(
    mut stream: TcpStream,
    tools: Value,
    script: Script,
    changes: Changes,
    record: Record,
) {
    let Some(message) = read(&mut stream).await else {
        return;
    };
    let params = &message["params"];
    let answer = match message["method"].as_str() {
        Some("server/discover") if !record.calls(DEAFENS).is_empty() => {
            return std::future::pending().await;
        }
        Some("server/discover") => {
            let capabilities = match changes {
                Changes::Never => json!({ "tools": {} }),
                _ => {
                    json!({ "tools": { "listChanged": true }, "resources": { "subscribe": true } })
                }
            };
            json!({ "result": { "supportedVersions": ["2026-07-28"], "capabilities": capabilities, "resultType": "complete" } })
        }
        Some("resources/list") => {
            json!({ "result": { "resources": [{ "uri": CLOCK, "name": "clock" }], "resultType": "complete" } })
        }
        Some("subscriptions/listen") => return tell(stream, changes, &record).await,
        Some("tools/list") => json!({ "result": { "tools": tools, "resultType": "complete" } }),
        Some("tools/call") => {
            let name = params["name"].as_str().unwrap_or_default();
            let nth = record.calls(name).len();
            record
                .0
                .lock()
                .expect("nothing panics")
                .push(message.clone());
            match script(name, params, nth) {
                Some(answer) => answer,
                None => return std::future::pending().await,
            }
        }
        _ => json!({ "error": { "code": -32601, "message": "no" } }),
    };
    let mut answer = answer;
    if let Some(after) = answer["after"].as_u64() {
        tokio::time::sleep(Duration::from_millis(after)).await;
    }
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = message["id"].clone();
    let text = answer.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    let response = format!("{head}Content-Length: {}\r\n\r\n{text}", text.len());
    // The client may have gone.
    let _ = stream.write_all(response.as_bytes()).await;
}

/// The resource that changes.
const CLOCK: &str = "test://clock";

/// Tells the changes to whoever listens, until it goes away.
async fn tell(mut stream: TcpStream, changes: Changes, record: &Record) {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
    let event = |method: &str, params: Value| {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        format!("data: {message}\n\n")
    };
    let acknowledged = event("notifications/subscriptions/acknowledged", json!({}));
    let change = event("notifications/resources/updated", json!({ "uri": CLOCK }))
        + &event("notifications/tools/list_changed", json!({}));
    let mut text = format!("{head}{acknowledged}");
    let mut calls = 0;
    if let Changes::After(tool) = changes {
        calls = record.calls(tool).len();
    }
    while stream.write_all(text.as_bytes()).await.is_ok() {
        text = match changes {
            Changes::Never => return,
            // The first change comes at once.
            Changes::Each(_) if text != change => change.clone(),
            Changes::Each(span) => {
                tokio::time::sleep(span).await;
                change.clone()
            }
            Changes::After(tool) => {
                while record.calls(tool).len() == calls {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                calls += 1;
                change.clone()
            }
        };
    }
}

async fn read(stream: &mut TcpStream) -> Option<Value> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((_, body)) = text.split_once("\r\n\r\n")
            && let Ok(message) = serde_json::from_str(body)
        {
            return Some(message);
        }
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(length) => bytes.extend_from_slice(&chunk[..length]),
        }
    }
}
