//! Conversations about elicitation, sampling and roots.

use serde_json::{Value, json};

use crate::{
    client::{capable, meta, request},
    script::Step::{self, Answer, GoOn, Send},
};

fn call(tool: &str, arguments: Value) -> Value {
    capable(
        "ask",
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

fn declaring(capabilities: Value, tool: &str) -> Value {
    let params = json!({ "name": tool, "_meta": meta(capabilities) });
    request("declare", "tools/call", params)
}

/// Each on a connection of its own.
pub(crate) fn conversations() -> Vec<Vec<Step>> {
    let tool_use = |id: &str| json!({ "type": "tool_use", "id": id, "name": "tide", "input": {}, "_meta": { "com.example/x": 1 } });
    let uses = json!({ "role": "assistant", "model": "m", "stopReason": "toolUse", "content": [tool_use("1"), tool_use("2")] });
    let bogus = json!({ "role": "assistant", "model": "m", "content": { "type": "bogus" } });
    let file = json!({ "uri": "file:///elsewhere/diary.txt" });
    let mut of_somebody = call("visit", json!({}));
    of_somebody["params"]["_meta"]["com.example/user"] = json!({ "email": "a@example.com" });
    let mut conversations = vec![
        vec![
            Send(capable("ask", "prompts/get", json!({ "name": "ask" }))),
            GoOn,
        ],
        vec![Send(declaring(json!({ "elicitation": {} }), "visit"))],
        vec![Send(declaring(
            json!({ "elicitation": { "url": {} } }),
            "ask",
        ))],
        vec![Send(of_somebody)],
        vec![Send(declaring(
            json!({ "sampling": {} }),
            "sample_with_tools",
        ))],
        vec![Send(declaring(
            json!({ "sampling": { "context": {} } }),
            "sample",
        ))],
        vec![
            Send(call("sample_with_tools", json!({}))),
            Answer(uses.clone()),
            Answer(uses),
        ],
        vec![Send(call("sample", json!({}))), Answer(bogus)],
        vec![Send(call("read_file", file)), GoOn],
        vec![
            Send(call("roots", json!({}))),
            Answer(json!({ "roots": [] })),
        ],
    ];
    for answer in [
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
        json!({ "action": "accept", "content": {} }),
    ] {
        conversations.push(vec![Send(call("ask", json!({}))), Answer(answer)]);
    }
    conversations
}
