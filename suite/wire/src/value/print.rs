//! A value as JSON text.

use std::fmt;

use super::Value;
use crate::planted;

impl Value {
    /// Compact JSON text on one line: number tokens as they are, members in order, non-ASCII characters as themselves.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        print(self, &mut text);
        text
    }
}

/// The same text as [`Value::to_json`].
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_json())
    }
}

fn print(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(bool) => text.push_str(if *bool { "true" } else { "false" }),
        Value::Number(number) => text.push_str(number.as_str()),
        Value::String(string) => print_string(string, text),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                print(item, text);
            }
            text.push(']');
        }
        Value::Object(object) => {
            text.push('{');
            for (index, (name, member)) in object.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                print_string(name, text);
                text.push(':');
                print(member, text);
            }
            text.push('}');
        }
    }
}

/// Prints a string in quotes. What RFC 8259, section 7, wants escaped is escaped, and nothing else.
fn print_string(string: &str, text: &mut String) {
    text.push('"');
    let mut rest = string;
    loop {
        let (plain, special) = rest.split_at(plain_length(rest.as_bytes()));
        text.push_str(plain);
        let Some(&byte) = special.as_bytes().first() else {
            break;
        };
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            0x08 => text.push_str("\\b"),
            0x0c => text.push_str("\\f"),
            control => text.push_str(&format!("\\u{control:04x}")),
        }
        rest = &special[1..];
    }
    text.push('"');
}

/// Number of bytes before the first that a string holds only escaped: a quote, a backslash or a control character.
pub(crate) fn plain_length(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    // A quote behind the text ends it.
    let mut last = [b'"'; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).enumerate();
    let mut found = words.filter_map(|(index, word)| Some(index * 8 + first_special(*word)?));
    found.next().unwrap_or(text.len())
}

/// The place of the first quote, backslash or control character among eight bytes. The usual trick: subtracting 1 from each
/// byte sets the top bit of those that were 0 and had none, and perhaps of some behind the first of them.
fn first_special(bytes: [u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    let word = u64::from_le_bytes(bytes);
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word;
    let quote = below(word ^ (ONES * u64::from(b'"')), 1);
    let backslash = below(word ^ (ONES * u64::from(b'\\')), 1);
    let control = if planted("string-control") {
        below(word, b' ') >> 8
    } else {
        below(word, b' ')
    };
    let special = (control | quote | backslash) & TOPS;
    (special != 0).then(|| special.trailing_zeros() as usize / 8)
}
