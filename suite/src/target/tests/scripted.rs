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

/// What a scripted server does about a call: the result, or the error, of an answer; nothing to leave it without one.
pub(super) type Script = fn(tool: &str, params: &Value, nth: usize) -> Option<Value>;

/// Starts a server with these tools, which says of each that it only reads unless its annotations are given.
pub(super) async fn serve(tools: Value, script: Script) -> (Endpoint, Record) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let record = Record::default();
    let recorded = record.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(answer(stream, tools.clone(), script, recorded.clone()));
        }
    });
    let endpoint = Endpoint::Url { url, command: None };
    (endpoint, record)
}

/// A tool that says that it only reads.
pub(super) fn tool(name: &str) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } })
}

async fn answer(mut stream: TcpStream, tools: Value, script: Script, record: Record) {
    let Some(message) = read(&mut stream).await else {
        return;
    };
    let params = &message["params"];
    let answer = match message["method"].as_str() {
        Some("server/discover") => {
            json!({ "result": { "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} }, "resultType": "complete" } })
        }
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
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = message["id"].clone();
    let text = answer.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    let response = format!("{head}Content-Length: {}\r\n\r\n{text}", text.len());
    // The client may have gone.
    let _ = stream.write_all(response.as_bytes()).await;
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
