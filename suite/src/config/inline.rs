//! JSON values as TOML on one line.

use mcpspec_wire::{Number, Object, Value};
use toml_writer::ToTomlValue as _;

use crate::text::{toml_key, toml_string};

/// Deepest nesting that is written: readers of TOML refuse more than some eighty levels.
const MAX_DEPTH: usize = 32;

/// Why a value cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unsayable {
    /// JSON's null.
    #[error("it holds null, which TOML does not have")]
    Null,
    /// A number that is none in TOML.
    #[error("it holds a number that is too large for TOML")]
    Number,
    /// An object with two members of one name.
    #[error("it holds two members of one name")]
    Twice,
    /// Too many levels.
    #[error("it is nested too deep")]
    Depth,
    /// Too many bytes.
    #[error("it is too long to stand here")]
    Length,
}

/// A value as TOML on one line.
pub(super) fn inline(value: &Value) -> Result<String, Unsayable> {
    let mut text = String::new();
    write(value, &mut text, MAX_DEPTH)?;
    Ok(text)
}

fn write(value: &Value, text: &mut String, depth: usize) -> Result<(), Unsayable> {
    let depth = depth.checked_sub(1).ok_or(Unsayable::Depth)?;
    match value {
        Value::Null => return Err(Unsayable::Null),
        Value::Bool(flag) => text.push_str(&flag.to_string()),
        Value::Number(number) => text.push_str(&self::number(number)?),
        Value::String(string) => text.push_str(&toml_string(string)),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                write(item, text, depth)?;
            }
            text.push(']');
        }
        Value::Object(object) => members(object, text, depth)?,
    }
    Ok(())
}

fn members(object: &Object, text: &mut String, depth: usize) -> Result<(), Unsayable> {
    if object.is_empty() {
        text.push_str("{}");
        return Ok(());
    }
    for (index, (name, value)) in object.iter().enumerate() {
        if object.get_all(name).nth(1).is_some() {
            return Err(Unsayable::Twice);
        }
        text.push_str(if index == 0 { "{ " } else { ", " });
        text.push_str(&toml_key(name));
        text.push_str(" = ");
        write(value, text, depth)?;
    }
    text.push_str(" }");
    Ok(())
}

/// A number keeps its kind: what has a point or an exponent is a float.
fn number(number: &Number) -> Result<String, Unsayable> {
    if number.as_str().contains(['.', 'e', 'E']) {
        let float = number.as_f64().ok_or(Unsayable::Number)?;
        Ok(float.to_toml_value())
    } else {
        let integer = number.as_i64().ok_or(Unsayable::Number)?;
        Ok(integer.to_toml_value())
    }
}

#[cfg(test)]
mod tests {
    use mcpspec_wire::Document;

    use super::*;

    fn of(json: &str) -> Result<String, Unsayable> {
        let document = Document::parse(json.as_bytes()).expect("the test's JSON is right");
        inline(document.root())
    }

    #[test]
    fn values_keep_their_kind_and_order() {
        for (json, toml) in [
            (
                r#"{"b":1,"a":[true,-2,1.0,1e3]}"#,
                "{ b = 1, a = [true, -2, 1.0, 1000.0] }",
            ),
            (r#"{"a b":{},"c":[]}"#, r#"{ "a b" = {}, c = [] }"#),
            (r#""a\nb\u001b""#, r#""a\nb\u001B""#),
        ] {
            assert_eq!(of(json).as_deref(), Ok(toml), "{json}");
        }
    }

    #[test]
    fn what_toml_does_not_have_is_told() {
        let deep = format!("{}{}", "[".repeat(40), "]".repeat(40));
        for (json, problem) in [
            (r#"{"a":[null]}"#, Unsayable::Null),
            ("9223372036854775808", Unsayable::Number),
            (r#"{"a":1,"a":2}"#, Unsayable::Twice),
            (&deep, Unsayable::Depth),
        ] {
            assert_eq!(of(json), Err(problem), "{json}");
        }
    }
}
