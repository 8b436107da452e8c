//! Conversations that have something in them for every mutant.

use mcpspec_refserver::Options;
use serde_json::{Value, json};

use crate::{
    client::{answers, capable, meta, request},
    offered::{fatal, offered},
    script_input,
};

/// What a client does.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Sends a message.
    Send(Value),
    /// Sends a message with other headers over HTTP; null removes one.
    Headers(Value, Value),
    /// Sends the last request once more, with what its result gave: the cursor, or the state and answers to what was asked.
    GoOn,
    /// The same as somebody else.
    GoOnAsOther,
    /// The same with this answer to each question.
    Answer(Value),
    /// Sends text that is no message.
    Raw(String),
}

use Step::{GoOn, GoOnAsOther, Headers, Raw, Send};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";

fn discover() -> Value {
    request("discover", "server/discover", json!({}))
}

fn list(method: &str) -> Value {
    request("list", method, json!({}))
}

fn call(tool: &str, arguments: Value) -> Value {
    request(
        "call",
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

fn asking(tool: &str, arguments: Value) -> Value {
    capable(
        "ask",
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

fn declaring(capabilities: Value, tool: &str) -> Value {
    request(
        "declare",
        "tools/call",
        json!({ "name": tool, "_meta": meta(capabilities) }),
    )
}

/// A request whose `_meta` has another value somewhere; null removes the member.
fn with_meta(method: &str, key: &str, value: Value) -> Value {
    let mut metadata = meta(json!({}));
    metadata[key] = value;
    if let Some(metadata) = metadata.as_object_mut() {
        metadata.retain(|_, value| !value.is_null());
    }
    request("meta", method, json!({ "_meta": metadata }))
}

/// A discovery with another envelope; null removes the member.
fn odd(member: &str, value: Value) -> Value {
    let mut message = discover();
    message[member] = value;
    if let Some(message) = message.as_object_mut() {
        message.retain(|_, value| !value.is_null());
    }
    message
}

/// The conversations, each on a connection of its own.
pub(crate) fn script() -> Vec<Vec<Step>> {
    let mut script = vec![
        vec![
            Send(discover()),
            Send(discover()),
            Send(list("tools/list")),
            Send(discover()),
        ],
        vec![Send(list("tools/list")), Send(list("tools/list")), GoOn],
        vec![GoOn],
        vec![Send(list("prompts/list"))],
        [discover()]
            .into_iter()
            .chain((1..=5).map(|id| request(id, "x-conformance/unknown", json!({}))))
            .chain([discover()])
            .map(Send)
            .collect(),
        vec![
            Send(with_meta("server/discover", VERSION, json!("1900-01-01"))),
            Send(discover()),
        ],
        vec![
            Send(discover()),
            Send(with_meta("server/discover", VERSION, json!("1900-01-01"))),
        ],
        vec![
            Send(discover()),
            Headers(odd("params", json!({})), version_header()),
        ],
        vec![
            Send(asking("ask", json!({}))),
            Send(declaring(json!({}), "ask")),
        ],
        vec![
            Send(with_meta(
                "server/discover",
                CLIENT,
                json!({ "name": "other", "version": "1" }),
            )),
            Send(discover()),
        ],
        [
            json!(0),
            json!(7),
            json!("1"),
            json!(""),
            json!("é世界😀"),
            json!(9_007_199_254_740_993_u64),
        ]
        .map(|id| Send(request(id, "server/discover", json!({}))))
        .to_vec(),
        vec![Send(handshake())],
        envelopes(),
        metadata(),
        versions(),
        nothing_there(),
        served(),
        called(),
        dialects(),
        [Send(call("echo", json!({ "text": "hello" })))]
            .into_iter()
            .chain([Send(list("tools/list")), GoOn, GoOn])
            .collect(),
        capabilities(),
        vec![Send(asking("unlock", json!({ "door": "red" })))],
        vec![GoOn],
    ];
    for tool in ["ask", "visit", "combine", "converse", "sample", "roots"] {
        script.push(vec![Send(asking(tool, json!({}))), GoOn]);
    }
    script.push(vec![Send(asking("ask", json!({}))), GoOnAsOther]);
    let deep = (0..400).fold(json!(1), |inner, _| json!([inner]));
    for text in [
        "{\"jsonrpc\":".to_owned(),
        format!("[{}]", discover()),
        format!("{}\n{}", discover(), discover()),
        String::new(),
        call("echo", json!({ "text": deep })).to_string(),
    ] {
        script.push(vec![Raw(text), Send(discover())]);
    }
    script.extend(offered());
    script.extend(script_input::conversations());
    // The last, as these end some servers.
    for (key, value) in [
        (CAPABILITIES, json!({ "elicitation": "yes" })),
        (CLIENT, json!({})),
    ] {
        script.push(vec![
            Send(with_meta("server/discover", key, value)),
            Send(discover()),
        ]);
    }
    script.extend(fatal());
    script
}

/// How a client of an older revision opens.
fn handshake() -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params })
}

fn version_header() -> Value {
    json!({ "MCP-Protocol-Version": "2026-07-28" })
}

fn envelopes() -> Vec<Step> {
    let null_id = || {
        let mut message = discover();
        message["id"] = Value::Null;
        message
    };
    vec![
        Send(odd("jsonrpc", Value::Null)),
        Send(odd("method", json!(42))),
        Send(odd("method", json!(""))),
        Send(null_id()),
        Headers(odd("params", json!(["x"])), version_header()),
        Headers(odd("params", Value::Null), version_header()),
        Headers(odd("params", json!({})), version_header()),
        Send(
            json!({ "jsonrpc": "2.0", "method": "notifications/x-conformance", "params": { "_meta": meta(json!({})) } }),
        ),
        Headers(discover(), json!({ "Mcp-Method": "tools/list" })),
    ]
}

fn metadata() -> Vec<Step> {
    let mut steps = vec![Headers(
        with_meta("server/discover", VERSION, Value::Null),
        version_header(),
    )];
    for (key, value) in [
        (CAPABILITIES, Value::Null),
        (CAPABILITIES, json!({ "x-unknown": {} })),
        (CLIENT, Value::Null),
        (CLIENT, json!({ "name": "a", "version": "1", "title": "A" })),
        (CLIENT, json!({ "name": "claude-code", "version": "1" })),
        ("progressToken", json!("conf-1")),
        (
            "traceparent",
            json!("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"),
        ),
        ("com.example/x", json!({ "a": 1 })),
    ] {
        steps.extend(
            ["server/discover", "tools/list"]
                .map(|method| Send(with_meta(method, key, value.clone()))),
        );
    }
    let mut null = discover();
    null["params"]["_meta"][CAPABILITIES] = Value::Null;
    steps.push(Send(null));
    steps
}

fn versions() -> Vec<Step> {
    let mut steps: Vec<Step> = ["1900-01-01", "2099-12-31", "not-a-version", "2025-11-25"]
        .map(|version| Send(with_meta("server/discover", VERSION, json!(version))))
        .to_vec();
    steps.push(Send(with_meta("tools/list", VERSION, json!("1900-01-01"))));
    let empty = with_meta("server/discover", VERSION, json!(""));
    steps.push(Headers(empty, json!({ "MCP-Protocol-Version": null })));
    steps
}

fn nothing_there() -> Vec<Step> {
    vec![
        Send(request(1, "x-conformance/unknown", json!({}))),
        Send(request(2, "ping", json!({}))),
        Send(request(2, "initialize", json!({}))),
        Send(call("no-such-tool", json!({}))),
        Send(call("echo", json!({}))),
        Send(request(
            3,
            "resources/read",
            json!({ "uri": "x-conformance://nope" }),
        )),
        Send(request(4, "tools/list", json!({ "cursor": "made-up" }))),
        Send(request(
            5,
            "resources/read",
            json!({ "uri": "x".repeat(2000) }),
        )),
        Headers(
            request(
                6,
                "resources/read",
                json!({ "uri": "x-conformance://nope\n" }),
            ),
            json!({ "Mcp-Name": "=?base64?eC1jb25mb3JtYW5jZTovL25vcGUK?=" }),
        ),
    ]
}

fn served() -> Vec<Step> {
    let reference = json!({ "type": "ref/prompt", "name": "greet" });
    let complete = json!({ "ref": reference, "argument": { "name": "tone", "value": "f" } });
    let mut logged = call("log", json!({}));
    logged["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
    let mut progressing = call("progress", json!({}));
    progressing["params"]["_meta"]["progressToken"] = json!("t");
    vec![
        Send(request(
            "sub",
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": true } }),
        )),
        Send(list("prompts/list")),
        Send(list("resources/list")),
        Send(list("resources/templates/list")),
        Send(request(5, "completion/complete", complete)),
        Send(request(
            6,
            "resources/read",
            json!({ "uri": "refserver://text" }),
        )),
        Send(request(7, "prompts/get", json!({ "name": "plain" }))),
        Send(call("echo", json!({ "text": "hello" }))),
        Send(request(8, "prompts/get", json!({ "name": "picture" }))),
        Send(logged),
        Send(progressing),
        Send(call("bump", json!({ "list": "tools" }))),
    ]
}

fn called() -> Vec<Step> {
    let echo = |arguments: Value| call("echo", arguments);
    vec![
        Send(call("ECHO", json!({ "text": "hello" }))),
        Send(request("call", "tools/call", json!({ "name": "echo" }))),
        Send(echo(json!({ "text": "hello", "more": 1 }))),
        Send(echo(json!("hello"))),
        Headers(
            echo(json!({ "text": "hello" })),
            json!({ "Authorization": format!("Bearer {}", Options::LOW_TOKEN) }),
        ),
        Send(call("add", json!({ "a": 1, "b": 2 }))),
        Send(call("fail", json!({}))),
        Send(call("image", json!({}))),
        Send(call("audio", json!({}))),
        Send(call("embed", json!({}))),
    ]
}

/// What is special of schemas, and of params that are not known.
fn dialects() -> Vec<Step> {
    vec![
        Send(call("pair", json!({ "pair": ["x", "y"] }))),
        Send(call("pair_2020", json!({ "pair": ["x", 2] }))),
        Send(declaring(
            json!({ "extensions": { "com.example/x": {} } }),
            "fail",
        )),
        Send(request(8, "tools/list", json!({ "x_unknown": 1 }))),
    ]
}

fn capabilities() -> Vec<Step> {
    vec![
        Send(declaring(json!({}), "ask")),
        Send(declaring(json!({ "elicitation": {} }), "ask")),
        Send(declaring(json!({}), "sample")),
        Send(declaring(json!({}), "roots")),
        Send(declaring(json!({ "elicitation": {} }), "combine")),
    ]
}

/// The request that goes on from a result.
pub(crate) fn going_on(last: &Value, result: &Value) -> Value {
    let mut next = last.clone();
    next["id"] = json!("next");
    if let Some(cursor) = result.get("nextCursor") {
        next["params"]["cursor"] = cursor.clone();
    }
    if let Some(state) = result.get("requestState") {
        next["params"]["requestState"] = state.clone();
        next["params"]["inputResponses"] = answers(result);
    }
    next
}
