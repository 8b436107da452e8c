//! Calls that ask, and their retries, for the conforming server and for a mutant, over both transports.

use mcpspec_refserver::{Options, Transport, find_mutant};
use serde_json::{Value, json};

use crate::{
    client::{capable, meta, request},
    connection::Connection,
};

pub(crate) const BOTH: [Transport; 2] = [Transport::Stdio, Transport::Http];

/// The conforming server, or a mutant of it.
pub(crate) fn options(name: Option<&str>) -> Options {
    Options {
        mutant: name.map(|name| find_mutant(name).unwrap_or_else(|| panic!("no mutant {name}"))),
        ..Options::default()
    }
}

/// A call with everything declared.
pub(crate) fn call(tool: &str, arguments: Value) -> Value {
    capable(
        "first",
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    )
}

pub(crate) fn ask() -> Value {
    call("ask", json!({}))
}

pub(crate) fn unlock() -> Value {
    call("unlock", json!({ "door": "red" }))
}

pub(crate) fn declaring(tool: &str, capabilities: Value) -> Value {
    let params = json!({ "name": tool, "_meta": meta(capabilities) });
    request("first", "tools/call", params)
}

/// The same request once more with these answers, and the state that came.
pub(crate) fn retry(first: &Value, result: &Value, answers: Value) -> Value {
    let mut retry = first.clone();
    retry["id"] = "retry".into();
    retry["params"]["inputResponses"] = answers;
    retry["params"]["requestState"] = result["requestState"].clone();
    retry
}

pub(crate) fn with_state(first: &Value, state: Value) -> Value {
    let mut retry = retry(first, &Value::Null, answers());
    retry["params"]["requestState"] = state;
    retry
}

/// Good answers for all tools but those that ask for roots.
pub(crate) fn answers() -> Value {
    let accepted = |content: Value| json!({ "action": "accept", "content": content });
    json!({
        "about_you": accepted(json!({ "name": "x" })),
        "consent": accepted(json!({ "sure": true })),
        "topic": accepted(json!({ "topic": "x" })),
        "draft": { "role": "assistant", "content": { "type": "text", "text": "x" }, "model": "m" },
    })
}

/// Good answers and nothing that was not asked for.
pub(crate) fn about_you() -> Value {
    json!({ "about_you": answers()["about_you"] })
}

/// What an answer comes to, in a word.
pub(crate) fn kind(answer: Option<&Value>) -> String {
    let Some(answer) = answer else {
        return "nothing".to_owned();
    };
    if let Some(code) = answer["error"]["code"].as_i64() {
        return code.to_string();
    }
    let result = &answer["result"];
    match result["resultType"].as_str() {
        Some("complete") if result["isError"] == true => "failed".to_owned(),
        Some(kind) => kind.to_owned(),
        None => "no type".to_owned(),
    }
}

/// Sends the same to the conforming server and to a mutant, over both transports.
pub(crate) async fn compare(name: &str, message: &Value, due: &str, seen: &str) {
    for transport in BOTH {
        for (mutant, expected) in [(None, due), (Some(name), seen)] {
            let mut connection = Connection::open(options(mutant), transport);
            let answer = connection.ask(message).await;
            let found = kind(answer.as_ref());
            assert_eq!(
                found, expected,
                "{mutant:?} of {name}, {transport:?}: {answer:?}"
            );
        }
    }
}

/// The same for the retry of a call that asks.
pub(crate) async fn compare_retry(
    name: &str,
    first: &Value,
    edit: impl Fn(&Value) -> Value,
    due: &str,
    seen: &str,
) {
    for transport in BOTH {
        for (mutant, expected) in [(None, due), (Some(name), seen)] {
            let mut connection = Connection::open(options(mutant), transport);
            let result = connection.result(first).await;
            assert_eq!(result["resultType"], "input_required", "{result}");
            let answer = connection.ask(&edit(&result)).await;
            let found = kind(answer.as_ref());
            assert_eq!(
                found, expected,
                "{mutant:?} of {name}, {transport:?}: {answer:?}"
            );
        }
    }
}
