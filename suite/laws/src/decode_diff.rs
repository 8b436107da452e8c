//! The reader of JSON texts held against another one.

use jiter::{JsonErrorType, JsonValue};
use mcpspec_wire::{Document, Message, Number, SyntaxErrorKind, Value};

/// A text is accepted just if the crate `jiter` accepts it, and then holds the same values, members that occur twice
/// included.
///
/// The accepted differences, each because a judge has to go on where a library need not:
///
/// | text | mcpspec | jiter |
/// |---|---|---|
/// | byte order mark | notes it | refuses |
/// | lone surrogate | notes it | refuses |
/// | deeper than 200 | reads up to 512 levels | refuses |
/// | number beyond a double, or of more than 4300 digits | keeps the token | gives infinity, or refuses |
/// | more than 512 levels, or than 250,000 values | refuses | knows no such limit of values |
///
/// And held against itself: blanks before a text move what is found and change nothing else, and a value is the same after
/// it was one of serde_json's.
///
/// # Panics
/// If something else differs.
pub fn decode_diff(text: &[u8]) {
    let ours = Document::parse(text);
    let theirs = JsonValue::parse(text, false);
    match (&ours, &theirs) {
        (Ok(document), Ok(value)) => same(document.root(), value),
        (Ok(document), Err(error)) => {
            let forgiven = document.has_bom() || !document.lone_surrogates().is_empty();
            let beyond = matches!(
                error.error_type,
                JsonErrorType::RecursionLimitExceeded | JsonErrorType::NumberOutOfRange
            );
            assert!(forgiven || beyond, "jiter refuses: {error:?}");
        }
        (Err(error), Ok(_)) => assert!(
            error.kind == SyntaxErrorKind::TooManyValues,
            "jiter accepts: {error}"
        ),
        (Err(_), Err(_)) => {}
    }
    if let Ok(document) = &ours {
        crate::bridge::hold(document, text);
    }
    indented(text);
}

fn indented(text: &[u8]) {
    if text.starts_with("\u{feff}".as_bytes()) {
        return;
    }
    let (before, after) = (
        Message::decode(text),
        Message::decode(&[b" \n", text].concat()),
    );
    assert_eq!(after.message, before.message);
    assert_eq!(after.value, before.value);
    let before = before.problems.iter().map(|problem| problem.offset + 2);
    let after = after.problems.iter().map(|problem| problem.offset);
    assert!(after.eq(before), "in {}", String::from_utf8_lossy(text));
}

fn same(ours: &Value, theirs: &JsonValue<'_>) {
    let equal = match (ours, theirs) {
        (Value::Null, JsonValue::Null) => true,
        (Value::Bool(ours), JsonValue::Bool(theirs)) => ours == theirs,
        (Value::Number(ours), theirs) => same_number(ours, theirs),
        (Value::String(ours), JsonValue::Str(theirs)) => ours == theirs,
        (Value::Array(ours), JsonValue::Array(theirs)) => {
            for (ours, theirs) in ours.iter().zip(theirs.iter()) {
                same(ours, theirs);
            }
            ours.len() == theirs.len()
        }
        (Value::Object(ours), JsonValue::Object(theirs)) => {
            for ((our_name, ours), (their_name, theirs)) in ours.iter().zip(theirs.iter()) {
                assert_eq!(our_name, their_name);
                same(ours, theirs);
            }
            ours.len() == theirs.len()
        }
        _ => false,
    };
    assert!(equal, "{ours} is {theirs:?} to jiter");
}

fn same_number(ours: &Number, theirs: &JsonValue<'_>) -> bool {
    match theirs {
        JsonValue::Int(integer) => {
            ours.as_i64() == Some(*integer) && *ours == Number::from(*integer)
        }
        JsonValue::BigInt(integer) => ours.is_integer() && ours.as_str() == integer.to_string(),
        JsonValue::Float(double) if double.is_infinite() => ours.as_f64().is_none(),
        JsonValue::Float(double) => ours.as_f64() == Some(*double),
        _ => false,
    }
}
