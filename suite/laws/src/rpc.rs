//! Laws of JSON-RPC messages.

use mcpspec_wire::{Decoded, Message, ProblemKind, Value};
use serde_json::Value as Json;

/// A message is called well-formed just if it is so by a plain reading of page `basic/index`; sorting does not depend on
/// spelling; offsets stand in the text. The text keeps to the laws of [`json`](crate::json).
///
/// # Panics
/// If one of that does not hold.
pub fn rpc_bytes(text: &[u8]) {
    crate::json(text);
    let decoded = Message::decode(text);
    offsets(&decoded, text);
    if let Ok(json) = serde_json::from_slice::<Json>(text) {
        verdict(&decoded, &json);
    }
    match &decoded.value {
        Some(value) => printed(&decoded, value),
        None => assert_eq!(decoded.problems.len(), 1, "{:?}", decoded.problems),
    }
    indented(&decoded, text);
}

fn offsets(decoded: &Decoded, text: &[u8]) {
    assert!(decoded.problems.is_sorted_by_key(|problem| problem.offset));
    assert!(
        decoded
            .problems
            .iter()
            .all(|problem| problem.offset <= text.len())
    );
    assert!(decoded.message.is_some() || !decoded.problems.is_empty());
}

/// Holds what was found against the plain reading, where serde_json keeps the whole value.
fn verdict(decoded: &Decoded, json: &Json) {
    let value = decoded.value.as_ref().expect("serde_json accepts the text");
    if value.to_serde().is_ok() {
        assert_eq!(
            decoded.problems.is_empty(),
            well_formed(json),
            "{:?}",
            decoded.problems
        );
        assert_eq!(decoded.message.as_ref().map(kind), reference_kind(json));
    }
}

fn kind(message: &Message) -> &'static str {
    match message {
        Message::Request { .. } => "request",
        Message::Notification { .. } => "notification",
        Message::Response { .. } => "response",
        Message::Error { .. } => "error",
    }
}

fn reference_kind(json: &Json) -> Option<&'static str> {
    let object = json.as_object()?;
    let has = |name: &str| object.contains_key(name);
    let holds = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
    if has("method") {
        return object["method"].is_string().then_some(if has("id") {
            "request"
        } else {
            "notification"
        });
    }
    let either = if has("result") {
        Some("response")
    } else {
        has("error").then_some("error")
    };
    if has("result") && !holds("result") && holds("error") {
        Some("error")
    } else {
        either
    }
}

/// Whether it is a request, notification, result response or error response as the page has them.
fn well_formed(json: &Json) -> bool {
    let Some(object) = json.as_object() else {
        return false;
    };
    let has = |name: &str| object.contains_key(name);
    let id = object
        .get("id")
        .is_some_and(|id| id.is_string() || integer(id));
    let id_or_none = id || !has("id");
    let count = ["method", "result", "error"]
        .iter()
        .filter(|name| has(name))
        .count();
    let kind = if has("method") {
        object["method"].is_string()
            && object.get("params").is_none_or(Json::is_object)
            && id_or_none
    } else if has("result") {
        object["result"].is_object() && id
    } else {
        let error = &json["error"];
        integer(&error["code"]) && error["message"].is_string() && id_or_none
    };
    json["jsonrpc"] == "2.0" && count == 1 && kind
}

fn integer(json: &Json) -> bool {
    json.is_i64() || json.is_u64() || json.as_f64().is_some_and(|double| double.fract() == 0.0)
}

/// Printing a value keeps the message, and all that is wrong with it but for what lies in the text alone.
fn printed(decoded: &Decoded, value: &Value) {
    let again = Message::decode(value.to_json().as_bytes());
    assert_eq!(again.message, decoded.message);
    let of_text = |kind: &&ProblemKind| {
        matches!(
            kind,
            ProblemKind::NotJson(_) | ProblemKind::Bom | ProblemKind::LoneSurrogate { .. }
        )
    };
    let kinds = |decoded: &Decoded| {
        let kinds = decoded.problems.iter().map(|problem| &problem.kind);
        let mut kinds: Vec<_> = kinds
            .filter(|kind| !of_text(kind))
            .map(ToString::to_string)
            .collect();
        kinds.sort_unstable();
        kinds
    };
    assert_eq!(kinds(&again), kinds(decoded));
}

/// Blanks before a text move what is found and change nothing else.
fn indented(decoded: &Decoded, text: &[u8]) {
    if text.starts_with("\u{feff}".as_bytes()) {
        return;
    }
    let again = Message::decode(&[b" \n", text].concat());
    assert_eq!(again.message, decoded.message);
    let offsets = |decoded: &Decoded| {
        decoded
            .problems
            .iter()
            .map(|problem| problem.offset)
            .collect::<Vec<_>>()
    };
    let moved: Vec<_> = offsets(decoded)
        .into_iter()
        .map(|offset| offset + 2)
        .collect();
    assert_eq!(offsets(&again), moved);
}
