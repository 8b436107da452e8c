//! Laws of the places of values.

use std::fmt::Write;
use std::ops::Range;

use mcpspec_wire::{Document, Value};

/// How many tokens of pointers are followed in one text: the pointers of a deep text are together as long as the square of it.
const MAX_TOKENS: usize = 24;

/// The span of a value that a pointer leads to begins and ends where a value of its kind does, holds the spans of what is in it
/// in order, with nothing but punctuation, blanks and names between them, and leads back. A number is spelt there as it is
/// kept.
pub(super) fn hold(document: &Document, text: &[u8]) {
    let mut walk = Walk {
        document,
        text,
        pointer: String::new(),
        tokens: 0,
    };
    let span = walk.span();
    assert!(only_blanks(&text[..span.start], document.has_bom()));
    assert!(only_blanks(&text[span.end..], false));
    walk.value(document.root(), &span, 1);
}

struct Walk<'a> {
    document: &'a Document,
    text: &'a [u8],
    pointer: String,
    tokens: usize,
}

impl Walk<'_> {
    fn span(&self) -> Range<usize> {
        let span = self.document.span_of(&self.pointer);
        let span = span.unwrap_or_else(|| panic!("no span at {}", self.pointer));
        assert!(!span.is_empty() && span.end <= self.text.len(), "{span:?}");
        span
    }

    fn value(&mut self, value: &Value, span: &Range<usize>, depth: usize) {
        self.tokens += depth;
        let pointer = &self.pointer;
        assert_eq!(self.document.pointer_at(span.end - 1), *pointer);
        if matches!(value, Value::Array(_) | Value::Object(_)) {
            assert_eq!(self.document.pointer_at(span.start), *pointer);
        } else {
            // Whatever leads here has led through all that holds it.
            let found = self.document.root().pointer(pointer);
            assert!(
                found.is_some_and(|found| std::ptr::eq(found, value)),
                "at {pointer}"
            );
        }
        let inside = &self.text[span.clone()];
        match value {
            Value::Null => assert_eq!(inside, b"null"),
            Value::Bool(bool) => assert_eq!(inside, bool.to_string().as_bytes()),
            Value::Number(number) => assert_eq!(inside, number.as_str().as_bytes()),
            Value::String(string) => {
                let inner = inside
                    .strip_prefix(b"\"")
                    .and_then(|rest| rest.strip_suffix(b"\""));
                let inner = inner.expect("a string stands in quotes");
                assert!(inner.contains(&b'\\') || inner == string.as_bytes());
            }
            Value::Array(items) => {
                assert!(inside.starts_with(b"[") && inside.ends_with(b"]"));
                let mut end = span.start;
                for (index, item) in items.iter().enumerate() {
                    if self.tokens > MAX_TOKENS {
                        return;
                    }
                    let length = self.pointer.len();
                    write!(self.pointer, "/{index}").expect("writing to a string cannot fail");
                    end = self.child(item, end, depth);
                    self.pointer.truncate(length);
                }
                self.between(end..span.end);
            }
            Value::Object(object) => {
                assert!(inside.starts_with(b"{") && inside.ends_with(b"}"));
                let mut end = span.start;
                let shadowed = |index: usize, name: &str| {
                    object
                        .iter()
                        .skip(index + 1)
                        .any(|(later, _)| later == name)
                };
                for (index, (name, member)) in object.iter().enumerate() {
                    if self.tokens > MAX_TOKENS {
                        return;
                    }
                    // A pointer leads to the last member of a name.
                    if shadowed(index, name) {
                        continue;
                    }
                    let length = self.pointer.len();
                    self.pointer.push('/');
                    for character in name.chars() {
                        match character {
                            '~' => self.pointer.push_str("~0"),
                            '/' => self.pointer.push_str("~1"),
                            _ => self.pointer.push(character),
                        }
                    }
                    end = self.child(member, end, depth);
                    self.pointer.truncate(length);
                }
            }
        }
    }

    /// Looks at a child that begins behind `end`. Gives its own end.
    fn child(&mut self, child: &Value, end: usize, depth: usize) -> usize {
        let span = self.span();
        assert!(end < span.start, "{span:?} begins before {end}");
        self.between(end..span.start);
        self.value(child, &span, depth + 1);
        span.end
    }

    /// What stands between two values is punctuation or the name of a member.
    fn between(&self, range: Range<usize>) {
        let between = self.text[range].trim_ascii();
        let is_punctuation = |byte: &u8| b"[]{},: \t\r\n".contains(byte);
        assert!(
            between.iter().all(is_punctuation) || between.ends_with(b":"),
            "between values: {}",
            String::from_utf8_lossy(between)
        );
    }
}

fn only_blanks(text: &[u8], bom: bool) -> bool {
    let text = if bom { &text[3..] } else { text };
    text.iter().all(|byte| b" \t\r\n".contains(byte))
}
