//! Predicates of text as it came.

use mcpspec_wire::{Document, Message, ProblemKind, Value};

use super::super::compare::{Members, differences};
use super::super::finding::Finding;
use crate::template::text_to_bytes;

/// Exactly one JSON-RPC message: one JSON text, an object, of one kind. What its members hold has rules of its own.
pub(super) fn message_text(value: &Value) -> Finding {
    let Some(text) = value.as_str() else {
        return no_text();
    };
    let decoded = Message::decode(&text_to_bytes(text));
    if let Some(problem) = decoded
        .problems
        .iter()
        .find(|problem| is_too_deep(&problem.kind))
    {
        return Finding::Unknown(problem.to_string());
    }
    let fault = decoded.problems.into_iter().find(|problem| {
        matches!(
            problem.kind,
            ProblemKind::NotJson(_)
                | ProblemKind::Bom
                | ProblemKind::Batch
                | ProblemKind::NotAnObject(_)
                | ProblemKind::NoKind
                | ProblemKind::MethodNotString
                | ProblemKind::MethodAndOutcome
                | ProblemKind::ResultAndError
        )
    });
    match fault {
        Some(problem) => Finding::breach(String::new(), problem.to_string()),
        None => Finding::of(decoded.message.is_some()),
    }
}

fn is_too_deep(problem: &ProblemKind) -> bool {
    matches!(problem, ProblemKind::NotJson(error) if error.kind.is_limit())
}

/// Some text block of a result of `tools/call` is the JSON text of its `structuredContent`, if it has one.
pub(super) fn structured_text(value: &Value) -> Finding {
    let Some(structured) = value.get("structuredContent") else {
        return Finding::Holds;
    };
    let blocks = value.get("content").and_then(Value::as_array);
    let is_mirror = |block: &Value| {
        let text = block.get("text").and_then(Value::as_str);
        text.and_then(|text| Document::parse(&text_to_bytes(text)).ok())
            .is_some_and(|document| {
                differences(structured, document.root(), Members::Exactly, "").is_empty()
            })
    };
    if blocks.unwrap_or_default().iter().any(is_mirror) {
        return Finding::Holds;
    }
    Finding::breach(
        "/content".to_owned(),
        "a text block that holds structuredContent as JSON".to_owned(),
    )
}

/// No object of a JSON text has a member name twice.
pub(super) fn unique_member_names(value: &Value) -> Finding {
    let Some(text) = value.as_str() else {
        return no_text();
    };
    match Document::parse(&text_to_bytes(text)) {
        Ok(document) => match document.duplicates().first() {
            None => Finding::Holds,
            Some(offset) => Finding::breach(
                String::new(),
                format!(
                    "a name stands twice in the object at `{}`",
                    document.pointer_at(*offset)
                ),
            ),
        },
        Err(error) => Finding::Unknown(format!("the text is no JSON: {}", error.kind)),
    }
}

/// Strict UTF-8 without a byte order mark. Bytes that are none stand in the text as characters for bytes.
pub(super) fn utf8(value: &Value) -> Finding {
    let Some(text) = value.as_str() else {
        return no_text();
    };
    if text.starts_with('\u{feff}') {
        return Finding::breach(String::new(), "no byte order mark".to_owned());
    }
    let bytes = text_to_bytes(text);
    match std::str::from_utf8(&bytes) {
        Ok(_) => Finding::Holds,
        Err(error) => Finding::breach(
            String::new(),
            format!(
                "the byte at {} belongs to no character",
                error.valid_up_to()
            ),
        ),
    }
}

fn no_text() -> Finding {
    Finding::breach(String::new(), "text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::bytes_to_text;
    use serde_json::json;

    fn text(bytes: &[u8]) -> Value {
        Value::from(bytes_to_text(bytes))
    }

    fn holds(finding: Finding) -> bool {
        finding == Finding::Holds
    }

    #[test]
    fn a_message_is_one_json_rpc_object() {
        for (bytes, is_message) in [
            (&br#"{"jsonrpc":"2.0","id":1,"result":{}}"#[..], true),
            (br#"{"jsonrpc":"2.0","method":"a","params":{}}"#, true),
            (br#"{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}"#, true),
            (br#"{"jsonrpc":"2.0","id":1,"result":{}} {}"#, false),
            (br#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#, false),
            (br#"{"id":1,"result":{}}"#, true),
            (br#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#, false),
            (br#"{"resultType":"complete"}"#, false),
            (br#"{"jsonrpc":"2.0","id":1}"#, false),
            (b"hello", false),
            (b"", false),
        ] {
            assert_eq!(
                holds(message_text(&text(bytes))),
                is_message,
                "{}",
                String::from_utf8_lossy(bytes)
            );
        }
        assert!(!holds(message_text(&Value::from(1))));
    }

    #[test]
    fn a_repeated_name_is_seen_at_any_depth() {
        assert!(holds(unique_member_names(&text(br#"{"a":1,"b":{"a":2}}"#))));
        assert!(!holds(unique_member_names(&text(
            br#"{"a":[{"b":1,"b":2}]}"#
        ))));
        assert!(matches!(
            unique_member_names(&text(b"{")),
            Finding::Unknown(_)
        ));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_seen() {
        assert!(holds(utf8(&text("é世\u{fffd}".as_bytes()))));
        assert!(!holds(utf8(&text(b"a\xe9b"))));
        assert!(!holds(utf8(&text(b"\xef\xbb\xbf{}"))));
    }

    #[test]
    fn structured_content_stands_in_a_text_block_too() {
        let block = |text: &str| json!({ "type": "text", "text": text });
        for (content, holds) in [
            (json!([block("{\"b\": [1.0, null],\n \"a\": \"x\"}")]), true),
            (
                json!([block("Here it is:"), block("{\"a\":\"x\",\"b\":[1,null]}")]),
                true,
            ),
            (json!([block("{\"a\":\"x\"}")]), false),
            (json!([block("x")]), false),
            (json!([]), false),
        ] {
            let result =
                json!({ "content": content, "structuredContent": { "a": "x", "b": [1, null] } });
            assert_eq!(
                structured_text(&Value::from(result.clone())) == Finding::Holds,
                holds,
                "{result}"
            );
        }
        let plain = Value::from(json!({ "content": [] }));
        assert_eq!(structured_text(&plain), Finding::Holds);
    }
}
