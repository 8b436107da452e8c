//! `compare: transports`: the same server over both transports (page `basic/transports`).

use mcpspec_wire::{Object, Value};

use crate::matcher::Mismatch;
use crate::target::Survey;
use crate::template::Location;
use crate::text::preview;
use crate::verdict::Fact;

use super::finding::Finding;

/// Whether two surveys are of one server: it names itself alike.
pub(super) fn is_same_server(left: &Survey, right: &Survey) -> bool {
    let name = |survey: &Survey| {
        survey
            .server_info
            .as_ref()
            .and_then(|info| info.get("name").cloned())
    };
    name(left).is_some() && name(left) == name(right)
}

/// Compares what two surveys of one server found.
pub(super) fn compare(stdio: &Survey, http: &Survey) -> Finding {
    let mut mismatches = Vec::new();
    let pairs = [
        (
            "/supportedVersions",
            modern_versions(stdio),
            modern_versions(http),
        ),
        (
            "/capabilities",
            stdio.capabilities.clone(),
            http.capabilities.clone(),
        ),
        ("/tools", items(&stdio.tools), items(&http.tools)),
        (
            "/resources",
            items(&stdio.resources),
            items(&http.resources),
        ),
        (
            "/resourceTemplates",
            items(&stdio.templates),
            items(&http.templates),
        ),
        ("/prompts", items(&stdio.prompts), items(&http.prompts)),
    ];
    for (pointer, over_stdio, over_http) in pairs {
        if over_stdio != over_http {
            mismatches.push(difference(pointer, &over_stdio, &over_http));
        }
    }
    let fact = if mismatches.is_empty() {
        Fact::Held
    } else {
        Fact::Violated
    };
    Finding {
        fact: Some(fact),
        observed: 6,
        mismatches,
        ..Finding::default()
    }
}

/// Versions as a set: which of them are listed, whatever their order.
fn modern_versions(survey: &Survey) -> Value {
    let mut versions = survey.supported_versions.clone();
    versions.sort();
    versions.dedup();
    versions
        .iter()
        .map(String::as_str)
        .map(Value::from)
        .collect()
}

/// Listed items as a set, by their names or URIs; `_meta` does not count.
fn items(items: &[Value]) -> Value {
    let mut sorted: Vec<Value> = items.iter().map(without_meta).collect();
    sorted.sort_by_key(|item| item.to_json());
    Value::from(sorted)
}

fn without_meta(item: &Value) -> Value {
    match item {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, _)| *name != "_meta");
            Value::Object(
                kept.map(|(name, value)| (name, value.clone()))
                    .collect::<Object>(),
            )
        }
        other => other.clone(),
    }
}

fn difference(pointer: &str, over_stdio: &Value, over_http: &Value) -> Mismatch {
    Mismatch {
        pointer: pointer.to_owned(),
        expected: format!("as over stdio: {}", shown(over_stdio)),
        actual: format!("over http: {}", shown(over_http)),
        at: Location::default(),
    }
}

/// Names of listed items, or the value itself.
fn shown(value: &Value) -> String {
    let name = |item: &Value| {
        ["name", "uri", "uriTemplate"]
            .iter()
            .find_map(|member| item.get(member)?.as_str().map(str::to_owned))
    };
    let text = match value {
        Value::Array(items) => items
            .iter()
            .map(|item| name(item).unwrap_or_else(|| item.to_json()))
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_json(),
    };
    preview(&text, 300).into_owned()
}
