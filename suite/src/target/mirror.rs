//! Headers that mirror the arguments of a tool call (page `basic/transports/streamable-http`, custom headers from tool
//! parameters).

use mcpspec_wire::{Value, header_value, planted};

use crate::transcript::HeaderLine;

use super::is_safe_token;

/// Deepest property that is looked at.
const MAX_DEPTH: usize = 32;

/// A property of an input schema that is mirrored.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Annotation {
    /// The names that lead to the argument.
    pub(super) path: Vec<String>,
    /// The header's name.
    pub(super) header: String,
    /// The schema of the property.
    pub(super) schema: Value,
}

/// The annotations of an input schema that a conforming client follows: on plain property paths, with a name that is a
/// token.
pub(super) fn annotations(schema: &Value) -> Vec<Annotation> {
    let mut found = Vec::new();
    walk(schema, &mut Vec::new(), &mut found);
    found
}

fn walk(schema: &Value, path: &mut Vec<String>, found: &mut Vec<Annotation>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let Some(properties) = properties.filter(|_| path.len() < MAX_DEPTH) else {
        return;
    };
    for (name, property) in properties.iter() {
        path.push(name.to_owned());
        if let Some(header) = property.get("x-mcp-header").and_then(Value::as_str)
            && is_safe_token(header)
        {
            let header = format!("Mcp-Param-{header}");
            found.push(Annotation {
                path: path.clone(),
                header,
                schema: property.clone(),
            });
        }
        walk(property, path, found);
        path.pop();
    }
}

/// The header lines for the arguments of a call, in order of the annotations.
pub(super) fn lines(schema: &Value, arguments: Option<&Value>) -> Vec<HeaderLine> {
    let value_at = |path: &[String]| {
        path.iter()
            .try_fold(arguments?, |value, name| value.get(name))
    };
    let line = |annotation: Annotation| {
        let text = text(value_at(&annotation.path)?)?;
        Some(HeaderLine::new(
            annotation.header,
            header_value::encode(&text).as_bytes(),
        ))
    };
    annotations(schema).into_iter().filter_map(line).collect()
}

/// An argument as the text that a header carries; none for null and for what no header can carry.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(bool) => Some(bool.to_string()),
        // `1.0` and `1e2` are integers, and are written as such.
        Value::Number(number) if number.is_integer() => Some(
            number
                .as_i64()
                .map_or_else(|| number.as_str().to_owned(), |integer| integer.to_string()),
        ),
        Value::Null if planted("header-null") => Some("null".to_owned()),
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
