//! The gate for tool calls, seen from outside: a server that records what reaches it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use assert_cmd::Command;
use serde_json::{Value, json};

/// The tool that must not be called: nothing permits it.
const FORBIDDEN: &str = "delete_everything";

/// A tool that says it only reads.
const PERMITTED: &str = "look";

/// How long a whole run may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server with a permitted and a forbidden tool. It gives its URL and the bodies that it gets.
fn recorder() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let bodies = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&bodies);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let record = Arc::clone(&record);
            std::thread::spawn(move || serve(stream, &record));
        }
    });
    (url, bodies)
}

/// Answers one request on a connection and closes it.
fn serve(mut stream: TcpStream, record: &Mutex<Vec<String>>) {
    let Some(body) = body_of(&mut stream) else {
        return;
    };
    let answer = answer(&body);
    record.lock().expect("no thread panics").push(body);
    let text = answer.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    // The client may have gone.
    let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{text}", text.len());
}

fn body_of(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(body.to_owned());
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(length) => bytes.extend_from_slice(&chunk[..length]),
        }
    }
}

fn answer(body: &str) -> Value {
    let message: Value = serde_json::from_str(body).unwrap_or_default();
    let tool = |name: &str, annotations: Value| json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": annotations });
    let result = match message["method"].as_str() {
        Some("server/discover") => {
            json!({ "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} } })
        }
        Some("tools/list") => {
            json!({ "tools": [tool(FORBIDDEN, json!({})), tool(PERMITTED, json!({ "readOnlyHint": true }))] })
        }
        Some("tools/call") => json!({ "content": [] }),
        _ => {
            return json!({ "jsonrpc": "2.0", "id": message["id"], "error": { "code": -32601, "message": "no" } });
        }
    };
    let mut result = result;
    result["resultType"] = json!("complete");
    result["ttlMs"] = json!(0);
    result["cacheScope"] = json!("public");
    json!({ "jsonrpc": "2.0", "id": message["id"], "result": result })
}

#[test]
fn no_case_calls_a_tool_that_nothing_permits() {
    for (mode, calls_permitted) in [("readonly", true), ("none", false)] {
        let (url, bodies) = recorder();
        let mut command = Command::cargo_bin("mcpspec").expect("it is built");
        let run = command
            .args([
                "check",
                &url,
                "--no-progress",
                "--call-tools",
                mode,
                "--timeout",
                "2s",
            ])
            .timeout(PATIENCE);
        let output = run.output().expect("it runs");
        assert!(
            output.status.code().is_some_and(|code| code < 4),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let bodies = bodies.lock().expect("no thread panics");
        assert!(bodies.len() > 100, "{} requests with {mode}", bodies.len());
        let calls: Vec<&String> = bodies
            .iter()
            .filter(|body| body.contains("tools/call"))
            .collect();
        for call in &calls {
            assert!(!call.to_lowercase().contains(FORBIDDEN), "{mode}: {call}");
        }
        let permitted = calls.iter().any(|call| call.contains(PERMITTED));
        assert_eq!(permitted, calls_permitted, "{mode}");
    }
}
