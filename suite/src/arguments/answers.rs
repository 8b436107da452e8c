//! Answers that a client makes up to what a server asks for (page `client/elicitation` and its siblings).

use mcpspec_wire::{Object, Value};

use super::{all_members, required_members};

/// Answers to every request in `inputRequests`, by its key.
pub fn made(input_requests: &Value) -> Value {
    each(input_requests, |request| answer(request, content))
}

/// The same with every form value of another JSON type.
pub fn bad(input_requests: &Value) -> Value {
    each(input_requests, |request| answer(request, bad_content))
}

fn each(input_requests: &Value, make: impl Fn(&Value) -> Value) -> Value {
    let Value::Object(requests) = input_requests else {
        return Value::Object(Object::new());
    };
    requests
        .iter()
        .map(|(key, request)| (key, make(request)))
        .collect::<Object>()
        .into()
}

fn answer(request: &Value, content: impl Fn(&Value) -> Value) -> Value {
    let params = request.get("params").unwrap_or(&Value::Null);
    match request.get("method").and_then(Value::as_str) {
        Some("sampling/createMessage") => sampled(),
        Some("roots/list") => roots(),
        _ if params.get("mode").and_then(Value::as_str) == Some("url") => {
            object([("action", Value::from("accept"))])
        }
        _ => {
            let schema = params.get("requestedSchema").unwrap_or(&Value::Null);
            object([
                ("action", Value::from("accept")),
                ("content", content(schema)),
            ])
        }
    }
}

fn sampled() -> Value {
    object([
        ("role", Value::from("assistant")),
        (
            "content",
            object([
                ("type", Value::from("text")),
                ("text", Value::from("A made-up answer.")),
            ]),
        ),
        ("model", Value::from("mcpspec-made-up")),
        ("stopReason", Value::from("endTurn")),
    ])
}

fn roots() -> Value {
    let root = object([
        ("uri", Value::from("file:///mcpspec-root")),
        ("name", Value::from("mcpspec root")),
    ]);
    object([("roots", Value::from(vec![root]))])
}

/// Content that fits a form: defaults, else the smallest valid value. Where a field takes none, only what is required; an empty
/// form where the schema is none.
fn content(schema: &Value) -> Value {
    all_members(schema)
        .or_else(|_| required_members(schema))
        .unwrap_or_else(|_| Value::Object(Object::new()))
}

fn bad_content(schema: &Value) -> Value {
    let Value::Object(members) = content(schema) else {
        return Value::Object(Object::new());
    };
    members
        .iter()
        .map(|(name, value)| (name, of_another_type(value)))
        .collect::<Object>()
        .into()
}

/// A value of another JSON type that no lenient reader takes for the first.
pub fn of_another_type(value: &Value) -> Value {
    match value {
        Value::String(_) => object([("not", Value::from("a string"))]),
        _ => Value::from("mcpspec-not-of-that-type"),
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    members.into_iter().collect::<Object>().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_with_a_field_that_takes_nothing_is_filled_in_as_far_as_required() {
        let request = |fields: serde_json::Value| {
            Value::from(
                json!({ "form": { "method": "elicitation/create", "params": { "requestedSchema": {
                "type": "object", "properties": fields, "required": ["name"],
            } } } }),
            )
        };
        for (fields, content) in [
            (
                json!({ "name": { "type": "string", "minLength": 1 }, "sure": { "type": "boolean", "default": true } }),
                json!({ "name": "x", "sure": true }),
            ),
            (
                json!({ "name": { "type": "string", "minLength": 1 }, "level": { "type": "string", "enum": [1, 2] } }),
                json!({ "name": "x" }),
            ),
            (
                json!({ "name": { "type": "string", "enum": [1, 2] } }),
                json!({}),
            ),
        ] {
            let due = json!({ "form": { "action": "accept", "content": content } });
            assert_eq!(made(&request(fields)), Value::from(due));
        }
    }
}
