//! Calls with one fault each, made from what a server says it takes.

use mcpspec_wire::{Object, Value};

use crate::arguments::answers::of_another_type;
use crate::config::WholeRequest;

/// Calls of a tool whose arguments break its input schema in one place each.
pub(super) fn of_tool(call: &WholeRequest, definition: &Value) -> Vec<WholeRequest> {
    let schema = definition.get("inputSchema").unwrap_or(&Value::Null);
    if !is_of_known_dialect(schema) {
        return Vec::new();
    }
    let arguments = arguments_of(call);
    let mut calls = Vec::new();
    if let Some(name) = required(schema)
        .into_iter()
        .find(|name| arguments.contains_key(name))
    {
        let mut without = arguments.clone();
        without.remove(&name);
        calls.push(with_arguments(call, without, format!("{name} missing")));
    }
    if let Some((name, value)) = arguments.iter().find(|(name, _)| is_typed(schema, name)) {
        let mut changed = arguments.clone();
        changed.insert(name, of_another_type(value));
        calls.push(with_arguments(
            call,
            changed,
            format!("{name} of another type"),
        ));
    }
    if let Some((name, value, fault)) = out_of_bounds(schema) {
        let mut changed = arguments.clone();
        changed.insert(name, value);
        calls.push(with_arguments(call, changed, format!("{name} {fault}")));
    }
    if schema.get("additionalProperties").and_then(Value::as_bool) == Some(false) {
        let mut extra = arguments.clone();
        extra.insert("mcpspecUnknownArgument", 1);
        calls.push(with_arguments(
            call,
            extra,
            "an argument too many".to_owned(),
        ));
    }
    calls
}

/// Calls of a prompt that lack one required argument.
pub(super) fn of_prompt(call: &WholeRequest, prompt: &Value) -> Vec<WholeRequest> {
    let declared = prompt
        .get("arguments")
        .and_then(Value::as_array)
        .unwrap_or_default();
    declared
        .iter()
        .filter(|argument| argument.get("required").and_then(Value::as_bool) == Some(true))
        .filter_map(|argument| argument.get("name")?.as_str())
        .map(|name| {
            let mut without = arguments_of(call);
            without.remove(name);
            with_arguments(call, without, format!("{name} missing"))
        })
        .take(1)
        .collect()
}

/// What the keywords of another dialect mean is not known.
fn is_of_known_dialect(schema: &Value) -> bool {
    schema.get("$schema").is_none_or(|dialect| {
        dialect.as_str().is_some_and(|dialect| {
            ["https://json-schema.org/", "http://json-schema.org/"]
                .iter()
                .any(|prefix| dialect.starts_with(prefix))
        })
    })
}

/// The first argument that has choices or a least value, and a value that is none of them.
fn out_of_bounds(schema: &Value) -> Option<(&str, Value, &'static str)> {
    let properties = schema.get("properties")?.as_object()?;
    properties.iter().find_map(|(name, property)| {
        let choices = property.get("enum").and_then(Value::as_array);
        let other = Value::from("mcpspec-not-a-choice");
        if choices.is_some_and(|choices| !choices.is_empty() && !choices.contains(&other)) {
            return Some((name, other, "none of the choices"));
        }
        let least = property.get("minimum").and_then(Value::as_i64)?;
        Some((
            name,
            Value::from(least.checked_sub(1)?),
            "below its minimum",
        ))
    })
}

fn arguments_of(call: &WholeRequest) -> Object {
    call.params
        .get("arguments")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

fn with_arguments(call: &WholeRequest, arguments: Object, label: String) -> WholeRequest {
    let mut params = call.params.as_object().cloned().unwrap_or_default();
    params.insert("arguments", arguments);
    WholeRequest {
        params: Value::Object(params),
        label: Some(label),
        ..call.clone()
    }
}

fn required(schema: &Value) -> Vec<String> {
    let names = schema
        .get("required")
        .and_then(Value::as_array)
        .unwrap_or_default();
    names
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// Whether the schema gives an argument one JSON type, so that a value of another breaks it.
fn is_typed(schema: &Value, name: &str) -> bool {
    let property = schema
        .get("properties")
        .and_then(|properties| properties.get(name));
    property
        .and_then(|property| property.get("type")?.as_str())
        .is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn labels(schema: serde_json::Value, arguments: serde_json::Value) -> Vec<String> {
        let params = Value::from(json!({ "name": "t", "arguments": arguments }));
        let definition = Value::from(json!({ "name": "t", "inputSchema": schema }));
        of_tool(&WholeRequest::new("tools/call", params), &definition)
            .into_iter()
            .filter_map(|call| call.label)
            .collect()
    }

    #[test]
    fn each_call_has_one_fault() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": { "type": "string" },
                "b": { "type": "integer", "minimum": 1 },
            },
            "required": ["a"],
            "additionalProperties": false,
        });
        assert_eq!(
            labels(schema, json!({ "a": "x" })),
            [
                "a missing",
                "a of another type",
                "b below its minimum",
                "an argument too many"
            ]
        );
        let choices = json!({ "properties": { "a": { "enum": ["x", "y"] } } });
        assert_eq!(
            labels(choices, json!({ "a": "x" })),
            ["a none of the choices"]
        );
        assert_eq!(labels(json!({ "type": "object" }), json!({})), [""; 0]);
    }

    #[test]
    fn a_schema_of_an_unknown_dialect_gives_no_calls() {
        for (dialect, is_known) in [
            ("https://json-schema.org/draft/2020-12/schema", true),
            ("http://json-schema.org/draft-07/schema#", true),
            ("https://example.com/dialect", false),
        ] {
            let schema = json!({ "$schema": dialect, "additionalProperties": false });
            assert_eq!(!labels(schema, json!({})).is_empty(), is_known, "{dialect}");
        }
    }
}
