//! Each operator on a table of values, what mismatches say, and the laws of matchers.

mod asked;
mod context;
mod laws;
mod operators;
mod told;

use mcpspec_wire::Value;
use serde_json::json;

use super::{Check, Context, Matcher};
use crate::spec::Shapes;
use crate::template::{Resolved, Scope, SourcePath, Unresolved, read_yaml};

/// A scope whose sources are the members of one object.
struct Sources(Value);

impl Scope for Sources {
    fn source(&self, path: &SourcePath) -> Resolved {
        match path.descend(&self.0, 0) {
            Some(value) => Resolved::Value(value.clone()),
            None => Resolved::Absent,
        }
    }
}

fn sources() -> Sources {
    Sources(Value::from(json!({
        "null-row": null,
        "id": 7,
        "name": "a.b",
        "class": "4xx",
        "object": { "a": 1, "_meta": { "x": 1 } },
        "empty": {},
        "list": ["a", { "b": 1 }, 401],
        "schema": { "type": "integer", "minimum": 2 },
    })))
}

fn compile(yaml: &str) -> Matcher {
    let data = read_yaml(yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"));
    Matcher::compile(&data).unwrap_or_else(|error| panic!("{yaml}: {error}"))
}

fn shapes() -> Shapes {
    let text = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "x-results": { "tools/list": "Listing" },
        "x-interim": "Interim",
        "x-notifications": {},
        "$defs": {
            "Listing": {
                "type": "object",
                "required": ["tools"],
                "properties": { "tools": { "type": "array", "items": { "$ref": "#/$defs/Tool" } } },
            },
            "Tool": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } },
            "Interim": { "type": "object", "required": ["inputRequests"] },
        },
    });
    Shapes::load("shapes.json", &text.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn try_check(yaml: &str, actual: Option<&Value>, ignored: &[&str]) -> Result<Check, Unresolved> {
    let (scope, shapes) = (sources(), shapes());
    let context = Context {
        scope: &scope,
        shapes: &shapes,
        ignored,
        brief: false,
    };
    let full = compile(yaml).check(actual, context);
    let context = Context {
        brief: true,
        ..context
    };
    if let (Ok(full), Ok(brief)) = (&full, compile(yaml).check(actual, context)) {
        let same = std::mem::discriminant(full) == std::mem::discriminant(&brief);
        assert!(same, "{yaml}: {full:?}, and in brief {brief:?}");
    }
    full
}

fn check(yaml: &str, actual: serde_json::Value) -> Check {
    try_check(yaml, Some(&Value::from(actual)), &[])
        .unwrap_or_else(|error| panic!("{yaml}: {error}"))
}

/// Holds a matcher against values that it matches and values that it does not.
fn holds(yaml: &str, matching: &[serde_json::Value], differing: &[serde_json::Value]) {
    for value in matching {
        let found = check(yaml, value.clone());
        assert!(found.matches(), "{yaml} against {value}: {found:?}");
    }
    for value in differing {
        let found = check(yaml, value.clone());
        assert!(
            matches!(found, Check::Differs(_)),
            "{yaml} against {value}: {found:?}"
        );
    }
}

/// Whether a matcher holds of nothing at all.
fn holds_of_nothing(yaml: &str) -> bool {
    try_check(yaml, None, &[])
        .unwrap_or_else(|error| panic!("{yaml}: {error}"))
        .matches()
}

/// The mismatches as `pointer expected / actual`.
fn told(yaml: &str, actual: serde_json::Value) -> Vec<String> {
    match check(yaml, actual) {
        Check::Differs(mismatches) => mismatches
            .into_iter()
            .map(|mismatch| {
                format!(
                    "{} {} / {}",
                    mismatch.pointer, mismatch.expected, mismatch.actual
                )
            })
            .collect(),
        other => panic!("{yaml}: {other:?}"),
    }
}
