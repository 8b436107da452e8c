//! Predicates of whole messages, and the walk over what in a message is the protocol's.

use mcpspec_wire::Value;

use super::super::compare::child;
use super::super::finding::Finding;
use super::super::schema::of_shape;
use crate::spec::Shapes;

/// Members whose content is free data or a schema: what lies in them is not the protocol's, whatever it looks like.
const FREE: [&str; 9] = [
    "arguments",
    "data",
    "experimental",
    "extensions",
    "input",
    "inputSchema",
    "outputSchema",
    "requestedSchema",
    "structuredContent",
];

/// The member of a `_meta` whose content the specification defines.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// The members of all objects of a message that the specification defines: pointer, name and value.
pub(super) fn members(message: &Value) -> Vec<(String, &str, &Value)> {
    let mut found = Vec::new();
    collect(message, "", &mut found);
    found
}

fn collect<'a>(value: &'a Value, pointer: &str, found: &mut Vec<(String, &'a str, &'a Value)>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{pointer}/{index}"), found);
            }
        }
        Value::Object(object) => {
            for (name, member) in object.iter() {
                let pointer = child(pointer, name);
                found.push((pointer.clone(), name, member));
                match name {
                    "_meta" => {
                        if let Some(info) = member.get(SERVER_INFO) {
                            collect(info, &child(&pointer, SERVER_INFO), found);
                        }
                    }
                    name if FREE.contains(&name) => {}
                    _ => collect(member, &pointer, found),
                }
            }
        }
        _ => {}
    }
}

/// The result of an outcome, or of what a watch of messages looks at, is valid under the shape of its request's method.
/// Without a request, a result or a shape it holds.
pub(super) fn complete_result(value: &Value, shapes: &Shapes) -> Finding {
    let method = value
        .get("request")
        .and_then(|request| request.get("method")?.as_str());
    let (Some(method), Some(result)) = (method, value.get("result")) else {
        return Finding::Holds;
    };
    let result_type = result.get("resultType").and_then(Value::as_str);
    let Some(shape) = shapes.of_result(method, result_type) else {
        return Finding::Holds;
    };
    match of_shape(shape, result, shapes) {
        Finding::Breaks(mut breaches) => {
            for breach in &mut breaches {
                breach.pointer.insert_str(0, "/result");
                breach.rule.insert_str(0, &format!("{shape}: "));
            }
            Finding::Breaks(breaches)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn free_data_is_not_walked() {
        let message = Value::from(json!({
            "result": {
                "_meta": {
                    "com.example/x": { "icons": [] },
                    SERVER_INFO: { "icons": [] },
                },
                "structuredContent": { "_meta": 1 },
                "tools": [{ "_meta": {}, "inputSchema": { "_meta": 1 } }],
            },
        }));
        let pointers: Vec<String> = members(&message)
            .into_iter()
            .filter(|(_, name, _)| ["_meta", "icons"].contains(name))
            .map(|(pointer, ..)| pointer)
            .collect();
        assert_eq!(
            pointers,
            [
                "/result/_meta",
                "/result/_meta/io.modelcontextprotocol~1serverInfo/icons",
                "/result/tools/0/_meta",
            ]
        );
    }
}
