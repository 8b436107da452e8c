//! A value as JSON text.

use std::fmt::{self, Write};

use super::Value;

impl Value {
    /// Compact JSON text on one line: number tokens as they are, members in order, non-ASCII characters as themselves.
    pub fn to_json(&self) -> String {
        self.to_string()
    }
}

/// The same text as [`Value::to_json`].
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => formatter.write_str("null"),
            Value::Bool(bool) => write!(formatter, "{bool}"),
            Value::Number(number) => formatter.write_str(number.as_str()),
            Value::String(string) => write_string(formatter, string),
            Value::Array(items) => {
                write_list(formatter, ['[', ']'], items.iter(), |formatter, item| {
                    write!(formatter, "{item}")
                })
            }
            Value::Object(object) => write_list(
                formatter,
                ['{', '}'],
                object.iter(),
                |formatter, (name, value)| {
                    write_string(formatter, name)?;
                    write!(formatter, ":{value}")
                },
            ),
        }
    }
}

fn write_list<'a, T>(
    formatter: &mut fmt::Formatter<'a>,
    [open, close]: [char; 2],
    items: impl Iterator<Item = T>,
    write_item: impl Fn(&mut fmt::Formatter<'a>, T) -> fmt::Result,
) -> fmt::Result {
    formatter.write_char(open)?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            formatter.write_char(',')?;
        }
        write_item(formatter, item)?;
    }
    formatter.write_char(close)
}

/// Writes a string in quotes. What RFC 8259, section 7, wants escaped is escaped, and nothing else.
fn write_string(formatter: &mut fmt::Formatter<'_>, string: &str) -> fmt::Result {
    formatter.write_char('"')?;
    let mut rest = string;
    while let Some(at) =
        rest.find(|character: char| character < ' ' || matches!(character, '"' | '\\'))
    {
        formatter.write_str(&rest[..at])?;
        match rest.as_bytes()[at] {
            b'"' => formatter.write_str("\\\"")?,
            b'\\' => formatter.write_str("\\\\")?,
            b'\n' => formatter.write_str("\\n")?,
            b'\r' => formatter.write_str("\\r")?,
            b'\t' => formatter.write_str("\\t")?,
            0x08 => formatter.write_str("\\b")?,
            0x0c => formatter.write_str("\\f")?,
            control => write!(formatter, "\\u{control:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    formatter.write_str(rest)?;
    formatter.write_char('"')
}
