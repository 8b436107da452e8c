//! Laws of the shapes of what a server may send.

use std::sync::OnceLock;

use mcpspec::spec::Shapes;
use serde_json::{Map, Value};

use super::schema;

const FILE: &str = "2026-07-28.json";
const TEXT: &str = include_str!("../../../../cases/shapes/2026-07-28.json");

/// A member that no shape knows.
const UNKNOWN: &str = "x-unknown";

fn loaded() -> &'static (Shapes, Value) {
    static SHAPES: OnceLock<(Shapes, Value)> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let shapes = Shapes::load(FILE, TEXT).expect("the shapes are well-formed");
        (
            shapes,
            serde_json::from_str(TEXT).expect("the shapes are JSON"),
        )
    })
}

/// Whether a value has a shape is told as a slow reading of the schema tells it, and the same each time. What has the shape
/// has it whatever the order of its members and with members that no shape knows, and loses it with any required member.
///
/// The input is a JSON object: `shape`, or the `method` whose result it is, and `value`.
///
/// # Panics
/// If one of that does not hold.
pub fn shapes(input: &[u8]) {
    let Ok(Value::Object(input)) = serde_json::from_slice(input) else {
        return;
    };
    let (shapes, file) = loaded();
    let Some(value) = input.get("value") else {
        return;
    };
    let shape = match input.get("method").and_then(Value::as_str) {
        Some(method) => dispatched(method, value),
        None => input.get("shape").and_then(Value::as_str),
    };
    let Some(shape) = shape.filter(|shape| shapes.contains(shape)) else {
        return;
    };
    let faults = shapes.check(shape, value).expect("every shape can be used");
    assert_eq!(shapes.check(shape, value).as_ref(), Ok(&faults));
    let schema = &file["$defs"][shape];
    if let Some(valid) = schema::is_valid(schema, file, value) {
        assert_eq!(faults.is_empty(), valid, "{shape} of {value}: {faults:?}");
    }
    for (pointer, message) in &faults {
        assert!(value.pointer(pointer).is_some(), "{pointer}: {message}");
    }
    if faults.is_empty() {
        let holds = |value: &Value| {
            shapes
                .check(shape, value)
                .is_ok_and(|faults| faults.is_empty())
        };
        assert!(holds(&reversed(value)), "{shape} turned round: {value}");
        let mut extended = value.clone();
        extend(schema, file, &mut extended);
        assert!(holds(&extended), "{shape} with more members: {extended}");
        for shortened in without_required(schema, file, value) {
            assert!(!holds(&shortened), "{shape} with less: {shortened}");
        }
    }
}

/// The shape of a result by its method, as the tables of the file have it.
fn dispatched(method: &str, result: &Value) -> Option<&'static str> {
    let (shapes, file) = loaded();
    let result_type = result.get("resultType").and_then(Value::as_str);
    let found = shapes.of_result(method, result_type);
    let expected = match result_type {
        Some("input_required") => file["x-interim"].as_str(),
        Some("task") => None,
        _ => file["x-results"][method].as_str(),
    };
    assert_eq!(found, expected, "the shape of {method}");
    let notification = file["x-notifications"][method].as_str();
    assert_eq!(shapes.of_notification(method), notification);
    found
}

/// The value with the members of each object in the other order.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Object(members) => members
            .iter()
            .rev()
            .map(|(name, member)| (name.clone(), reversed(member)))
            .collect(),
        scalar => scalar.clone(),
    }
}

/// The schemas that hold for a value whatever it is: the schema itself, and what it refers to or joins.
fn unconditional<'a>(schema: &'a Value, file: &'a Value) -> Vec<&'a Map<String, Value>> {
    let mut found = Vec::new();
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        let Some(keywords) = schema.as_object() else {
            continue;
        };
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
            waiting.extend(file.pointer(reference.trim_start_matches('#')));
        }
        waiting.extend(
            keywords
                .get("allOf")
                .and_then(Value::as_array)
                .into_iter()
                .flatten(),
        );
        found.push(keywords);
    }
    found
}

/// Puts a member into every object that a schema describes by the names of its members.
fn extend(schema: &Value, file: &Value, value: &mut Value) {
    let parts = unconditional(schema, file);
    match value {
        Value::Object(members) => {
            for properties in parts.iter().filter_map(|part| part.get("properties")) {
                for (name, property) in properties.as_object().into_iter().flatten() {
                    if let Some(member) = members.get_mut(name) {
                        extend(property, file, member);
                    }
                }
            }
            let is_map = parts
                .iter()
                .any(|part| part.contains_key("additionalProperties"));
            if !is_map {
                members.insert(UNKNOWN.to_owned(), Value::Null);
            }
        }
        Value::Array(items) => {
            for of_items in parts.iter().filter_map(|part| part.get("items")) {
                for item in &mut *items {
                    extend(of_items, file, item);
                }
            }
        }
        _ => {}
    }
}

/// The value without each one of the members that its schema requires.
fn without_required(schema: &Value, file: &Value, value: &Value) -> Vec<Value> {
    let parts = unconditional(schema, file);
    let mut found = Vec::new();
    match value {
        Value::Object(members) => {
            let required = parts
                .iter()
                .filter_map(|part| part.get("required")?.as_array());
            for name in required.flatten().filter_map(Value::as_str) {
                let mut less = members.clone();
                assert!(less.shift_remove(name).is_some(), "{name} is required");
                found.push(Value::Object(less));
            }
            for properties in parts.iter().filter_map(|part| part.get("properties")) {
                for (name, property) in properties.as_object().into_iter().flatten() {
                    let Some(member) = members.get(name) else {
                        continue;
                    };
                    for member in without_required(property, file, member) {
                        let mut less = members.clone();
                        less.insert(name.clone(), member);
                        found.push(Value::Object(less));
                    }
                }
            }
        }
        Value::Array(items) => {
            for of_items in parts.iter().filter_map(|part| part.get("items")) {
                for (index, item) in items.iter().enumerate() {
                    for item in without_required(of_items, file, item) {
                        let mut less = items.clone();
                        less[index] = item;
                        found.push(Value::Array(less));
                    }
                }
            }
        }
        _ => {}
    }
    found
}
