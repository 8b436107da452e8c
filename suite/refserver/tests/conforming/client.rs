//! A plain client over memory, for both transports.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use mcpspec_refserver::{Exit, HTTP_PATH, Options, Server};
use serde_json::{Map, Value, json};
use tokio::{
    io::{
        AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf,
        WriteHalf,
    },
    task::JoinHandle,
    time::timeout,
};

const LIMIT: Duration = Duration::from_secs(60);

/// The `_meta` of a conforming request.
pub(crate) fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A conforming request: params with `_meta`, which `params` may hold already.
pub(crate) fn request(id: impl Into<Value>, method: &str, params: Value) -> Value {
    let mut params = params.as_object().cloned().unwrap_or_default();
    params.entry("_meta").or_insert_with(|| meta(json!({})));
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// The same with everything declared.
pub(crate) fn capable(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    let all = json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} });
    params["_meta"] = meta(all);
    request(id, method, params)
}

/// Answers to all that a result asks for.
pub(crate) fn answers(result: &Value) -> Value {
    let requests = result["inputRequests"].as_object().into_iter().flatten();
    requests
        .map(|(key, request)| (key.clone(), answer(request)))
        .collect::<Map<_, _>>()
        .into()
}

fn answer(request: &Value) -> Value {
    match (
        request["method"].as_str(),
        request["params"]["mode"].as_str(),
    ) {
        (Some("elicitation/create"), Some("url")) => json!({ "action": "accept" }),
        (Some("elicitation/create"), _) => {
            json!({ "action": "accept", "content": { "name": "x", "topic": "x", "sure": true } })
        }
        (Some("sampling/createMessage"), _) => {
            json!({ "role": "assistant", "content": { "type": "text", "text": "x" }, "model": "m" })
        }
        _ => json!({ "roots": [{ "uri": "file:///x" }] }),
    }
}

/// The code of an error.
#[track_caller]
pub(crate) fn code(answer: &Value) -> i64 {
    answer["error"]["code"]
        .as_i64()
        .unwrap_or_else(|| panic!("no error: {answer}"))
}

/// A server with its standard streams.
pub(crate) struct Stdio {
    pub(crate) server: Arc<Server>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    input: Option<WriteHalf<DuplexStream>>,
    serving: JoinHandle<Exit>,
}

impl Stdio {
    pub(crate) fn start(options: Options) -> Self {
        let server = Arc::new(Server::new(options));
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(theirs);
        let serving = tokio::spawn(Arc::clone(&server).serve_stdio(reader, writer));
        let (output, input) = tokio::io::split(ours);
        Self {
            server,
            lines: BufReader::new(output).lines(),
            input: Some(input),
            serving,
        }
    }

    pub(crate) async fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input
            .write_all(text.as_bytes())
            .await
            .expect("it works over memory");
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.write(&format!("{message}\n")).await;
    }

    /// The next line, as text; `None` at the end of the output.
    pub(crate) async fn line(&mut self) -> Option<String> {
        timeout(LIMIT, self.lines.next_line())
            .await
            .expect("a line in time")
            .expect("it works over memory")
    }

    pub(crate) async fn next(&mut self) -> Value {
        serde_json::from_str(&self.line().await.expect("a message")).expect("JSON")
    }

    /// Sends a request and gives its response; what comes before is dropped.
    pub(crate) async fn ask(&mut self, message: Value) -> Value {
        let id = message["id"].clone();
        self.send(message).await;
        loop {
            let answer = self.next().await;
            if answer["id"] == id && answer.get("method").is_none() {
                return answer;
            }
        }
    }

    /// Closes the input, and gives all that still comes.
    pub(crate) async fn end(mut self) -> (Vec<Value>, Exit) {
        if let Some(mut input) = self.input.take() {
            input.shutdown().await.expect("it works over memory");
        }
        let mut rest = Vec::new();
        while let Some(line) = self.line().await {
            rest.push(serde_json::from_str(&line).expect("JSON"));
        }
        (
            rest,
            timeout(LIMIT, self.serving)
                .await
                .expect("an end in time")
                .expect("it works over memory"),
        )
    }
}

/// An HTTP response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.body
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .map(|data| serde_json::from_str(data).expect("it works over memory"))
            .collect()
    }

    /// The response, in whichever form it came.
    pub(crate) fn response(&self) -> Value {
        if self.headers["content-type"] == "text/event-stream" {
            self.events()
                .into_iter()
                .find(|message| message.get("method").is_none())
                .expect("a response")
        } else {
            self.json()
        }
    }
}

/// The headers of a conforming request.
pub(crate) fn headers(message: &Value) -> Map<String, Value> {
    let mut headers = json!({
        "Host": "localhost",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"],
        "Mcp-Method": message["method"],
    });
    for member in ["name", "uri"] {
        if let Some(name) = message["params"].get(member) {
            headers["Mcp-Name"] = name.clone();
        }
    }
    headers.as_object().cloned().expect("it is an object")
}

/// Sends the bytes of a request over a connection of its own, and reads all of the response.
pub(crate) async fn exchange(server: &Arc<Server>, text: &str) -> Answer {
    let (mut ours, theirs) = tokio::io::duplex(1 << 20);
    let serving = tokio::spawn(Arc::clone(server).serve_http_connection(theirs));
    ours.write_all(text.as_bytes())
        .await
        .expect("it works over memory");
    let mut bytes = Vec::new();
    timeout(LIMIT, ours.read_to_end(&mut bytes))
        .await
        .expect("an answer in time")
        .expect("it works over memory");
    serving.abort();
    parse(&String::from_utf8(bytes).expect("it works over memory"))
}

/// The bytes of a POST.
pub(crate) fn post(headers: &Map<String, Value>, body: &str) -> String {
    let lines: String = headers
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| format!("{name}: {}\r\n", value.as_str().unwrap_or_default()))
        .collect();
    format!(
        "POST {HTTP_PATH} HTTP/1.1\r\n{lines}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Posts a message with conforming headers, changed by `changes`; null removes one.
pub(crate) async fn posted(server: &Arc<Server>, message: Value, changes: Value) -> Answer {
    let mut headers = headers(&message);
    for (name, value) in changes.as_object().expect("an object of headers") {
        headers.insert(name.clone(), value.clone());
    }
    exchange(server, &post(&headers, &message.to_string())).await
}

fn parse(text: &str) -> Answer {
    let (head, rest) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no head: {text:?}"));
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .and_then(|code| code.parse().ok())
        .expect("a status");
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers
        .get("transfer-encoding")
        .is_some_and(|value| value == "chunked");
    let body = if chunked {
        dechunk(rest)
    } else {
        rest.to_owned()
    };
    Answer {
        status,
        headers,
        body,
    }
}

fn dechunk(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a chunk size");
        body.push_str(&after[..size]);
        if size == 0 {
            break;
        }
        rest = &after[size + 2..];
    }
    body
}
