//! Laws of JSON documents.

mod spans;

use std::collections::HashSet;

use mcpspec_wire::{Document, MAX_DEPTH, Number, Reading, SyntaxError, SyntaxErrorKind, Value};
use serde_json::Value as Json;

/// What serde_json goes down to.
const SERDE_DEPTH: usize = 127;

/// A text is accepted just if serde_json accepts it, known differences aside, and then holds the same; printing gives a text
/// with the same value; what is told of a text is true of it.
///
/// The known differences: mcpspec goes past a byte order mark and lone surrogates, which it notes; goes deeper; and takes
/// numbers beyond the range of a double.
///
/// # Panics
/// If one of that does not hold.
pub fn json(text: &[u8]) {
    let reading = Reading::of(text);
    read(&reading, &serde_json::from_slice(text), text);
    if let (Some(document), None) = (&reading.document, reading.error) {
        let printed = printed(document.root());
        let again = Document::parse(printed.as_bytes()).expect("what is printed is JSON");
        reads_back(document, &again);
    }
}

/// What has to hold of a text that was read. Tells whether serde_json keeps the whole value.
pub(crate) fn read(
    reading: &Reading,
    serde: &Result<Json, serde_json::Error>,
    text: &[u8],
) -> bool {
    match (&reading.document, reading.error) {
        (Some(document), None) => {
            notes(document, text);
            spans::hold(document, text);
            agreement(document, serde)
        }
        (None, None) => panic!("neither a value nor an error"),
        (_, Some(error)) => {
            assert!(
                error.offset <= text.len(),
                "{error} in {} bytes",
                text.len()
            );
            match serde {
                Ok(_) => panic!("serde_json accepts: {error}"),
                Err(serde) => stops(error, serde, text),
            }
            if error.kind == SyntaxErrorKind::TooDeep {
                let openers = text.iter().filter(|byte| b"[{".contains(byte)).count();
                assert!(openers > MAX_DEPTH, "{openers} openers are not too deep");
            }
            if error.kind == SyntaxErrorKind::InvalidUtf8 {
                let valid = std::str::from_utf8(text)
                    .expect_err("the text is not UTF-8")
                    .valid_up_to();
                assert_eq!(valid, error.offset);
            }
            false
        }
    }
}

/// Where a text cannot go on, serde_json stops too: at the same byte, or one before or behind it.
fn stops(error: SyntaxError, serde: &serde_json::Error, text: &[u8]) {
    let at_a_token = matches!(
        error.kind,
        SyntaxErrorKind::UnexpectedByte(_) | SyntaxErrorKind::TrailingText
    );
    // serde_json takes a byte order mark for the fault.
    if !at_a_token || text.starts_with("\u{feff}".as_bytes()) {
        return;
    }
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let before: usize = lines.by_ref().take(serde.line() - 1).map(<[u8]>::len).sum();
    let stopped = before + serde.column();
    if !(stopped.saturating_sub(2)..=stopped + 1).contains(&error.offset) {
        // What mcpspec goes past, but for the depth, which serde_json limits sooner.
        let reason = serde.to_string();
        let forgiven = ["surrogate", "recursion", "out of range", "hex escape"];
        assert!(
            stopped < error.offset && forgiven.iter().any(|forgiven| reason.contains(forgiven)),
            "{error}, but serde_json stops at {stopped}: {reason}"
        );
    }
}

fn agreement(document: &Document, serde: &Result<Json, serde_json::Error>) -> bool {
    let root = document.root();
    match serde {
        Ok(serde) => same(root, serde),
        Err(error) => {
            let forgiven = document.has_bom() || !document.lone_surrogates().is_empty();
            let beyond = document.depth() > SERDE_DEPTH || any(root, &|value| infinite(value));
            assert!(forgiven || beyond, "serde_json refuses: {error}");
            false
        }
    }
}

/// Holds that serde_json read the same, of members with one name the last. Tells whether nothing was lost there: no member and
/// no digit.
fn same(ours: &Value, serde: &Json) -> bool {
    let (equal, whole) = match (ours, serde) {
        (Value::Null, Json::Null) => (true, true),
        (Value::Bool(ours), Json::Bool(serde)) => (ours == serde, true),
        (Value::String(ours), Json::String(serde)) => (ours == serde, true),
        (Value::Number(ours), Json::Number(serde)) => {
            let exact = serde.is_i64() || serde.is_u64() || *ours == shortest(serde);
            let again = serde_json::from_str::<serde_json::Number>(ours.as_str());
            (again.is_ok_and(|again| again == *serde), exact)
        }
        (Value::Array(ours), Json::Array(serde)) => {
            let pairs = ours.iter().zip(serde);
            let whole = pairs.fold(true, |whole, (ours, serde)| same(ours, serde) && whole);
            (ours.len() == serde.len(), whole)
        }
        (Value::Object(ours), Json::Object(serde)) => {
            let mut whole = ours.len() == serde.len();
            let mut left = serde.len();
            for (name, member) in ours.iter().rev() {
                let is_last = ours
                    .get(name)
                    .is_some_and(|last| std::ptr::eq(last, member));
                if is_last {
                    let serde = serde.get(name).expect("serde_json has read the member too");
                    whole &= same(member, serde);
                    left -= 1;
                }
            }
            (left == 0, whole)
        }
        _ => (false, false),
    };
    assert!(equal, "{ours} is {serde} to serde_json");
    whole
}

/// A double stands for the shortest decimal that reads as it, so that 0.1 counts as exact.
pub(crate) fn shortest(double: &serde_json::Number) -> Number {
    Number::parse(&double.to_string()).expect("serde_json prints numbers")
}

fn infinite(value: &Value) -> bool {
    value
        .as_number()
        .is_some_and(|number| number.as_f64().is_none())
}

/// Whether `test` holds for a value or one in it.
fn any(value: &Value, test: &impl Fn(&Value) -> bool) -> bool {
    test(value)
        || match value {
            Value::Array(items) => items.iter().any(|item| any(item, test)),
            Value::Object(object) => object.iter().any(|(_, member)| any(member, test)),
            _ => false,
        }
}

fn notes(document: &Document, text: &[u8]) {
    assert_eq!(document.has_bom(), text.starts_with("\u{feff}".as_bytes()));
    assert_eq!(document.depth(), depth(document.root()));
    assert!(document.depth() <= MAX_DEPTH);
    assert_eq!(document.duplicates().len(), repeated(document.root()));
    assert!(document.duplicates().is_sorted());
    assert!(
        document
            .duplicates()
            .iter()
            .all(|&offset| text[offset] == b'"')
    );
    assert!(document.lone_surrogates().is_sorted());
    assert!(
        document
            .lone_surrogates()
            .iter()
            .all(|&offset| text[offset..].starts_with(b"\\u"))
    );
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(object) => {
            1 + object
                .iter()
                .map(|(_, member)| depth(member))
                .max()
                .unwrap_or(0)
        }
        _ => 0,
    }
}

/// How many members have a name that occurred before in their object.
fn repeated(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(repeated).sum(),
        Value::Object(object) => {
            let inside: usize = object.iter().map(|(_, member)| repeated(member)).sum();
            let names = || object.iter().map(|(name, _)| name);
            let repeated = if object.len() < 8 {
                let occurred = |(index, name)| names().take(index).any(|earlier| earlier == name);
                names().enumerate().filter(|named| occurred(*named)).count()
            } else {
                object.len() - names().collect::<HashSet<_>>().len()
            };
            repeated + inside
        }
        _ => 0,
    }
}

/// The text that a value is printed as.
pub(crate) fn printed(root: &Value) -> String {
    let printed = root.to_json();
    assert!(
        printed.bytes().all(|byte| byte >= b' '),
        "{printed} is not on one line"
    );
    printed
}

/// A value that was printed and read is what it was: number for number as they are spelt, member for member in order. So it
/// would be printed the same.
pub(crate) fn reads_back(document: &Document, again: &Document) {
    let (before, after) = (document.root(), again.root());
    assert!(identical(before, after), "{before} and {after}");
    assert_eq!(again.duplicates().len(), document.duplicates().len());
    assert_eq!(again.depth(), document.depth());
    assert!(!again.has_bom() && again.lone_surrogates().is_empty());
}

fn identical(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => left.as_str() == right.as_str(),
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| identical(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let members = || left.iter().zip(right.iter());
            left.len() == right.len()
                && members().all(|(left, right)| left.0 == right.0 && identical(left.1, right.1))
        }
        _ => false,
    }
}
