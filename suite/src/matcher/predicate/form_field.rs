//! The fields of a form (page `client/elicitation`, anchor `requested-schema`).

use mcpspec_wire::Value;

use super::super::finding::Finding;

/// Keywords that combine or refer to schemas: a field that has one is not flat.
const COMBINING: [&str; 8] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "not",
    "patternProperties",
    "prefixItems",
    "properties",
];

/// A property of requestedSchema is one of the flat primitive shapes: a string, a number, a boolean, or a choice of one or of
/// several strings. The types of bounds and defaults have rules of their own.
pub(super) fn check(value: &Value) -> Finding {
    let breach = |pointer: &str, rule: &str| Finding::breach(pointer.to_owned(), rule.to_owned());
    let Some(field) = value.as_object() else {
        return breach("", "an object");
    };
    if let Some(keyword) = COMBINING.iter().find(|keyword| field.contains_key(keyword)) {
        return breach(&format!("/{keyword}"), "no such keyword in a flat field");
    }
    match field.get("type").and_then(Value::as_str) {
        Some("string") => match (field.get("enum"), field.get("oneOf")) {
            (Some(names), _) if !are_strings(names) => breach("/enum", "a list of strings"),
            (None, Some(options)) if !are_titled(options) => {
                breach("/oneOf", "a list of options with const and title")
            }
            _ => Finding::Holds,
        },
        Some("number" | "integer" | "boolean") => Finding::Holds,
        Some("array") => {
            let Some(items) = field.get("items").and_then(Value::as_object) else {
                return breach("/items", "an object that lists the choices");
            };
            match (items.get("enum"), items.get("anyOf")) {
                (Some(names), _) if are_strings(names) => Finding::Holds,
                (None, Some(options)) if are_titled(options) => Finding::Holds,
                _ => breach(
                    "/items",
                    "choices: enum with strings, or anyOf with const and title",
                ),
            }
        }
        _ => breach(
            "/type",
            "string, number, integer, boolean, or array for a choice of several",
        ),
    }
}

fn are_strings(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().all(|item| item.as_str().is_some()))
}

fn are_titled(value: &Value) -> bool {
    let has_text = |option: &Value, name: &str| option.get(name).and_then(Value::as_str).is_some();
    value.as_array().is_some_and(|options| {
        options
            .iter()
            .all(|option| has_text(option, "const") && has_text(option, "title"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_flat_shapes_hold_and_others_do_not() {
        let titled = json!([{ "const": "a", "title": "A" }]);
        for (field, holds) in [
            (
                json!({ "type": "string", "minLength": 1, "format": "email" }),
                true,
            ),
            (json!({ "type": "number", "default": 1.5 }), true),
            (json!({ "type": "integer" }), true),
            (json!({ "type": "boolean", "default": true }), true),
            (json!({ "type": "string", "enum": ["a", "b"] }), true),
            (
                json!({ "type": "string", "enum": ["a"], "enumNames": ["A"] }),
                true,
            ),
            (json!({ "type": "string", "oneOf": titled }), true),
            (
                json!({ "type": "array", "items": { "type": "string", "enum": ["a"] } }),
                true,
            ),
            (
                json!({ "type": "array", "items": { "anyOf": titled } }),
                true,
            ),
            (json!({ "type": "string", "x-extra": 1 }), true),
            (json!({ "type": "object", "properties": {} }), false),
            (json!({ "$ref": "#/$defs/x" }), false),
            (json!({ "anyOf": [{ "type": "string" }] }), false),
            (json!({ "type": ["string", "null"] }), false),
            (
                json!({ "type": "array", "items": { "type": "object" } }),
                false,
            ),
            (json!({ "type": "array" }), false),
            (json!({ "type": "string", "enum": [1, 2] }), false),
            (
                json!({ "type": "string", "oneOf": [{ "const": "a" }] }),
                false,
            ),
            (json!("string"), false),
            (json!({}), false),
        ] {
            let finding = check(&Value::from(field.clone()));
            assert_eq!(finding == Finding::Holds, holds, "{field} {finding:?}");
        }
    }
}
