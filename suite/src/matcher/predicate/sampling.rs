//! Conversations for a model (page `client/sampling`, anchor `tool-use-and-result-balance`).

use std::slice;

use mcpspec_wire::Value;

use super::super::finding::Finding;

/// Each assistant message that uses tools is followed at once by a user message of nothing but tool results, among which is one
/// for every use.
pub(super) fn tool_uses_are_answered(messages: &Value) -> Finding {
    let Some(messages) = messages.as_array() else {
        return Finding::Holds;
    };
    for (index, message) in messages.iter().enumerate() {
        let uses: Vec<&Value> = blocks(message)
            .iter()
            .filter(|block| has(block, "type", "tool_use"))
            .collect();
        if uses.is_empty() || !has(message, "role", "assistant") {
            continue;
        }
        let breach = |rule: &str| Finding::breach(format!("/{}", index + 1), rule.to_owned());
        let Some(next) = messages.get(index + 1) else {
            return breach("a message with the results of the tool uses before it");
        };
        let results = blocks(next);
        if !has(next, "role", "user")
            || !results
                .iter()
                .all(|block| has(block, "type", "tool_result"))
        {
            return breach("a user message of tool results alone, after tool uses");
        }
        let is_answered = |id: Option<&Value>| {
            id.is_some() && results.iter().any(|result| result.get("toolUseId") == id)
        };
        if !uses.iter().all(|tool_use| is_answered(tool_use.get("id"))) {
            return breach("a tool result for each of the tool uses before it");
        }
    }
    Finding::Holds
}

/// The blocks of a message, whose content is one block or a list of them.
fn blocks(message: &Value) -> &[Value] {
    match message.get("content") {
        Some(Value::Array(blocks)) => blocks,
        Some(block) => slice::from_ref(block),
        None => &[],
    }
}

fn has(value: &Value, name: &str, text: &str) -> bool {
    value.get(name).and_then(Value::as_str) == Some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn holds(messages: serde_json::Value) -> bool {
        tool_uses_are_answered(&Value::from(messages)) == Finding::Holds
    }

    #[test]
    fn each_use_has_its_result_in_the_next_message() {
        let text = json!({ "role": "user", "content": { "type": "text", "text": "x" } });
        let tool_use = |id: &str| json!({ "type": "tool_use", "id": id, "name": "t", "input": {} });
        let result = |id: &str| json!({ "type": "tool_result", "toolUseId": id, "content": [] });
        let two = json!({ "role": "assistant", "content": [tool_use("a"), tool_use("b")] });
        let one = json!({ "role": "assistant", "content": tool_use("a") });
        let user = |content: serde_json::Value| json!({ "role": "user", "content": content });

        assert!(holds(json!([text])));
        assert!(holds(json!([text, one, user(result("a"))])));
        assert!(holds(json!([
            text,
            two,
            user(json!([result("b"), result("a")]))
        ])));
        assert!(!holds(json!([text, two, user(json!([result("a")]))])));
        assert!(!holds(json!([text, one])));
        assert!(!holds(json!([text, one, text, user(result("a"))])));
        assert!(!holds(json!([
            text,
            one,
            user(json!([result("a"), text["content"]]))
        ])));
        assert!(!holds(
            json!([text, one, { "role": "assistant", "content": result("a") }])
        ));
        assert!(holds(json!("no list")));
    }
}
