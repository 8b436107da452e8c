//! Laws of JSON-RPC messages.

use mcpspec_wire::{Document, Message, Problem, ProblemKind, Reading};
use serde_json::Value as Json;

/// A message is called well-formed just if it is so by a plain reading of page `basic/index`; sorting does not depend on
/// spelling; what is wrong is told where it stands. The text keeps to the laws of [`json`](crate::json()).
///
/// # Panics
/// If one of that does not hold.
pub fn rpc_bytes(text: &[u8]) {
    examine(text);
}

/// What a text was found to be.
pub(crate) struct Examined {
    pub(crate) message: Option<Message>,
    pub(crate) problems: Vec<Problem>,
}

/// [`rpc_bytes`], with what was found.
pub(crate) fn examine(text: &[u8]) -> Examined {
    let serde = serde_json::from_slice::<Json>(text);
    let reading = Reading::of(text);
    let is_whole = crate::json::read(&reading, &serde, text);
    let (message, problems) = Message::examine(&reading);
    let found = Examined { message, problems };
    assert!(found.message.is_some() || !found.problems.is_empty());
    assert!(found.problems.is_sorted_by_key(|problem| problem.offset));
    match &reading.document {
        Some(document) => {
            places(&found.problems, document);
            if let (Ok(json), true) = (&serde, is_whole) {
                verdict(&found, json);
            }
            printed(&found, document);
        }
        None => assert_eq!(found.problems.len(), 1, "{:?}", found.problems),
    }
    found
}

/// A problem is told at the value that is wrong, or at the object that lacks a member.
fn places(problems: &[Problem], document: &Document) {
    for Problem { kind, offset } in problems {
        let pointer = match kind {
            ProblemKind::NotJson(error) => {
                assert_eq!(*offset, error.offset);
                continue;
            }
            ProblemKind::Bom => {
                assert_eq!(*offset, 0);
                continue;
            }
            ProblemKind::DuplicateMember { pointer, count } => {
                assert_eq!(*count, document.duplicates().len());
                assert_eq!(*offset, document.duplicates()[0]);
                assert_eq!(*pointer, document.pointer_at(*offset));
                continue;
            }
            ProblemKind::LoneSurrogate { pointer, count } => {
                assert_eq!(*count, document.lone_surrogates().len());
                assert_eq!(*offset, document.lone_surrogates()[0]);
                assert_eq!(*pointer, document.pointer_at(*offset));
                continue;
            }
            ProblemKind::Batch
            | ProblemKind::NotAnObject(_)
            | ProblemKind::VersionMissing
            | ProblemKind::NoKind
            | ProblemKind::ResultAndError
            | ProblemKind::IdMissing => "",
            ProblemKind::VersionWrong => "/jsonrpc",
            ProblemKind::IdNull | ProblemKind::IdWrongType | ProblemKind::IdFractional => "/id",
            ProblemKind::MethodNotString | ProblemKind::MethodAndOutcome => "/method",
            ProblemKind::ParamsNotObject => "/params",
            ProblemKind::ResultNotObject => "/result",
            ProblemKind::ErrorNotObject
            | ProblemKind::CodeMissing
            | ProblemKind::MessageMissing => "/error",
            ProblemKind::CodeNotInteger => "/error/code",
            ProblemKind::MessageNotString => "/error/message",
        };
        let span = document.span_of(pointer);
        assert_eq!(span.map(|span| span.start), Some(*offset), "{kind}");
    }
}

/// Holds what was found against the plain reading, where serde_json keeps the whole value.
fn verdict(found: &Examined, json: &Json) {
    assert_eq!(
        found.problems.is_empty(),
        well_formed(json),
        "{:?}",
        found.problems
    );
    assert_eq!(found.message.as_ref().map(kind), reference_kind(json));
}

pub(crate) fn kind(message: &Message) -> &'static str {
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
fn printed(found: &Examined, document: &Document) {
    let again = Reading::of(crate::json::printed(document.root()).as_bytes());
    assert_eq!(again.error, None, "what is printed is JSON");
    if let Some(again) = &again.document {
        crate::json::reads_back(document, again);
    }
    let (message, problems) = Message::examine(&again);
    assert_eq!(message, found.message);
    let of_value = |kind: &&ProblemKind| {
        !matches!(
            kind,
            ProblemKind::NotJson(_) | ProblemKind::Bom | ProblemKind::LoneSurrogate { .. }
        )
    };
    let kinds = |problems: &[Problem]| -> Vec<ProblemKind> {
        let kinds = problems.iter().map(|problem| &problem.kind);
        kinds.filter(of_value).cloned().collect()
    };
    let (mut before, mut after) = (kinds(&found.problems), kinds(&problems));
    if before != after {
        // Several at one place come in the order of their discovery.
        before.sort_by_cached_key(ToString::to_string);
        after.sort_by_cached_key(ToString::to_string);
        assert_eq!(after, before);
    }
}
