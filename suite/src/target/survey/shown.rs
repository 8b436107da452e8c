//! What the answer to a call shows that a tool does.

use std::collections::BTreeSet;

use mcpspec_wire::Value;

use crate::spec::SLOW;

use super::caller::Seen;
use super::served::is_complete;

/// The triggers that a call of the tool with this definition stands for, by its answer. One that asks for input, and one that is
/// refused, is none of them.
pub(super) fn effects(seen: &Seen, definition: &Value) -> BTreeSet<&'static str> {
    let Some(result) = seen.result.as_ref().filter(|result| is_complete(result)) else {
        return BTreeSet::new();
    };
    if result.get("isError").and_then(Value::as_bool) == Some(true) {
        return BTreeSet::from(["error-tool"]);
    }
    let kinds: Vec<&str> = result
        .get("content")
        .and_then(Value::as_array)
        .unwrap_or_default()
        .iter()
        .filter_map(|block| block.get("type")?.as_str())
        .collect();
    let has_schema = definition.get("outputSchema").is_some();
    let conditions = [
        ("audio-tool", kinds.contains(&"audio")),
        (
            "embedded-resource",
            kinds.contains(&"resource") || kinds.contains(&"resource_link"),
        ),
        ("image-tool", kinds.contains(&"image")),
        ("logging-tool", seen.has_logs),
        ("output-schema-tool", has_schema),
        ("progress-tool", seen.progress > 0),
        ("slow-tool", seen.took >= SLOW),
        ("structured-tool", result.get("structuredContent").is_some()),
    ];
    conditions
        .into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(name, _)| name)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    fn shown(result: serde_json::Value, definition: serde_json::Value) -> Vec<&'static str> {
        let seen = Seen {
            result: Some(Value::from(result)),
            code: None,
            took: Duration::from_millis(1499),
            is_withdrawn: false,
            progress: 0,
            has_logs: false,
        };
        effects(&seen, &Value::from(definition))
            .into_iter()
            .collect()
    }

    #[test]
    fn each_kind_of_content_is_seen() {
        for (kind, trigger) in [
            ("audio", "audio-tool"),
            ("image", "image-tool"),
            ("resource", "embedded-resource"),
            ("resource_link", "embedded-resource"),
        ] {
            let result = json!({ "resultType": "complete", "content": [{ "type": "text" }, { "type": kind }] });
            assert_eq!(shown(result, json!({})), [trigger], "{kind}");
        }
        assert!(shown(json!({ "content": [{ "type": "text" }] }), json!({})).is_empty());
    }

    #[test]
    fn a_call_that_failed_or_that_asks_shows_nothing_else() {
        let content = json!([{ "type": "image" }]);
        let failed = json!({ "resultType": "complete", "isError": true, "content": content, "structuredContent": {} });
        let definition = json!({ "outputSchema": {} });
        assert_eq!(shown(failed, definition.clone()), ["error-tool"]);
        let asks = json!({ "resultType": "input_required", "content": content });
        assert!(shown(asks, definition).is_empty());
    }

    #[test]
    fn structured_content_needs_no_schema_and_a_schema_no_content() {
        let structured = json!({ "content": [], "structuredContent": 5 });
        assert_eq!(shown(structured, json!({})), ["structured-tool"]);
        let definition = json!({ "outputSchema": { "type": "number" } });
        assert_eq!(
            shown(json!({ "content": [] }), definition),
            ["output-schema-tool"]
        );
    }

    #[test]
    fn what_comes_beside_the_answer_and_how_late_it_comes_is_seen() {
        let seen = Seen {
            result: Some(Value::from(json!({ "content": [] }))),
            code: None,
            took: SLOW,
            is_withdrawn: false,
            progress: 1,
            has_logs: true,
        };
        let effects = effects(&seen, &Value::Null);
        let due = ["logging-tool", "progress-tool", "slow-tool"];
        assert_eq!(effects.into_iter().collect::<Vec<_>>(), due);
    }
}
