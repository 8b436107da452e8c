//! Calls with one fault each, made from what a server says it takes.

use mcpspec_wire::{Object, Value};

use crate::config::WholeRequest;

use super::answers::of_another_type;

/// Calls of a tool whose arguments break its input schema in one place each.
pub(super) fn of_tool(call: &WholeRequest, definition: &Value) -> Vec<WholeRequest> {
    let schema = definition.get("inputSchema").unwrap_or(&Value::Null);
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
