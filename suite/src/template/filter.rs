//! The filters of placeholders (`cases/README.md`, section 3.1).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcpspec_wire::{Number, Value};

use super::bytes::text_to_bytes;
use super::duration::{duration, text_duration};
use crate::text::closest;

/// The names of all filters.
pub(super) const FILTERS: [&str; 12] = [
    "base64", "edit", "half", "json", "key", "lower", "newest", "optional", "plus", "swapcase",
    "times", "upper",
];

/// How far from the end `edit late` changes a character: before the padding and the last bits of a base64 text.
const LATE: usize = 9;

/// Checks a filter that holds no placeholder: its name and its argument.
pub(super) fn check_filter(filter: &str) -> Result<(), String> {
    let (name, argument) = split(filter);
    match name {
        "edit" => position(argument, 1).map(|_| ()),
        "key" => index(argument).map(|_| ()),
        "plus" => text_duration(argument)
            .map(|_| ())
            .map_err(|error| error.to_string()),
        "times" => factor(argument).map(|_| ()),
        "" => Err("no filter stands after `|`".to_owned()),
        _ if !FILTERS.contains(&name) => Err(unknown(name)),
        _ if !argument.is_empty() => Err(format!("the filter `{name}` takes no argument")),
        _ => Ok(()),
    }
}

/// What a filter makes of a value: nothing, where the value has no such part.
pub(super) fn apply(filter: &str, value: Value) -> Result<Option<Value>, String> {
    check_filter(filter)?;
    let (name, argument) = split(filter);
    Ok(match name {
        "base64" => {
            let bytes = match &value {
                Value::String(text) => text_to_bytes(text),
                other => other.to_json().into_bytes(),
            };
            Some(STANDARD.encode(bytes).into())
        }
        "json" => Some(value.to_json().into()),
        "upper" => Some(text(name, &value)?.to_uppercase().into()),
        "lower" => Some(text(name, &value)?.to_lowercase().into()),
        "swapcase" => Some(swap_case(text(name, &value)?).into()),
        "edit" => Some(edit(argument, text(name, &value)?)?.into()),
        "half" => {
            let text = text(name, &value)?;
            let half = text.chars().count() / 2;
            Some(text.chars().take(half).collect::<String>().into())
        }
        "key" => {
            let object = value
                .as_object()
                .ok_or_else(|| wrong_type(name, "an object", &value))?;
            let member = object.iter().nth(index(argument)?);
            member.map(|(name, _)| name.into())
        }
        "newest" => newest(&value)?,
        "plus" => {
            let base = duration(&value).map_err(|error| error.to_string())?;
            let more = text_duration(argument).map_err(|error| error.to_string())?;
            Some(milliseconds((base + more).as_secs_f64()))
        }
        "times" => {
            let base = duration(&value).map_err(|error| error.to_string())?;
            Some(milliseconds(base.as_secs_f64() * factor(argument)?))
        }
        _ => Some(value),
    })
}

fn unknown(name: &str) -> String {
    match closest(name, FILTERS) {
        Some(close) => format!("there is no filter `{name}`; did you mean `{close}`?"),
        None => format!(
            "there is no filter `{name}`; there are {}",
            FILTERS.join(", ")
        ),
    }
}

fn split(filter: &str) -> (&str, &str) {
    let filter = filter.trim();
    match filter.split_once(char::is_whitespace) {
        Some((name, argument)) => (name, argument.trim()),
        None => (filter, ""),
    }
}

fn index(argument: &str) -> Result<usize, String> {
    argument
        .parse()
        .map_err(|_| "the filter `key` is written `key N`, N counted from 0".to_owned())
}

fn factor(argument: &str) -> Result<f64, String> {
    argument
        .parse()
        .ok()
        .filter(|factor: &f64| factor.is_finite() && (0.0..=1e6).contains(factor))
        .ok_or_else(|| "the filter `times` takes a number from 0 to a million".to_owned())
}

/// Index of the character that `edit` changes in a text of `length` characters.
fn position(argument: &str, length: usize) -> Result<usize, String> {
    match argument {
        "start" => Ok(0),
        "middle" => Ok(length / 2),
        "late" => Ok(length.saturating_sub(LATE)),
        _ => Err("the filter `edit` takes start, middle or late".to_owned()),
    }
}

fn text<'a>(name: &str, value: &'a Value) -> Result<&'a str, String> {
    value
        .as_str()
        .ok_or_else(|| wrong_type(name, "a string", value))
}

fn wrong_type(name: &str, wanted: &str, value: &Value) -> String {
    format!(
        "the filter `{name}` takes {wanted}, not a value of type {}",
        value.type_name()
    )
}

fn swap_case(text: &str) -> String {
    let mut swapped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_uppercase() {
            swapped.extend(character.to_lowercase());
        } else {
            swapped.extend(character.to_uppercase());
        }
    }
    swapped
}

/// The text with one letter or digit changed to the next of its class: the one at the position, else the next after it,
/// else the last before it. A text without any gets another first character.
fn edit(argument: &str, text: &str) -> Result<String, String> {
    let mut characters: Vec<char> = text.chars().collect();
    let at = position(argument, characters.len())?;
    if characters.is_empty() {
        return Err("an empty string has no character to change".to_owned());
    }
    let is_changeable = |index: &usize| characters[*index].is_ascii_alphanumeric();
    let found = (at..characters.len())
        .find(is_changeable)
        .or_else(|| (0..at).rev().find(is_changeable));
    let index = found.unwrap_or(at);
    characters[index] = match characters[index] {
        'z' => 'a',
        'Z' => 'A',
        '9' => '0',
        character if character.is_ascii_alphanumeric() => {
            char::from_u32(u32::from(character) + 1).expect("ASCII has a next letter or digit")
        }
        'x' => 'y',
        _ => 'x',
    };
    Ok(characters.into_iter().collect())
}

fn newest(value: &Value) -> Result<Option<Value>, String> {
    let items = value
        .as_array()
        .ok_or_else(|| wrong_type("newest", "a list", value))?;
    let mut newest = None;
    for item in items {
        newest = newest.max(Some(text("newest", item)?));
    }
    Ok(newest.map(Value::from))
}

/// A duration as a number of milliseconds, rounded.
fn milliseconds(seconds: f64) -> Value {
    let rounded = (seconds * 1000.0).round();
    // `factor` and `duration` bound it far below 2^63.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounded and bounded far below 2^63"
    )]
    let integer = rounded as i64;
    Value::Number(Number::from(integer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn applied(
        filter: &str,
        value: serde_json::Value,
    ) -> Result<Option<serde_json::Value>, String> {
        let value = apply(filter, Value::from(value))?;
        Ok(value.map(|value| value.to_serde().expect("nothing is lost")))
    }

    #[test]
    fn each_filter_does_what_the_format_says() {
        for (filter, value, expected) in [
            ("base64", json!("Hello"), json!("SGVsbG8=")),
            (
                "base64",
                json!("Hello, 世界"),
                json!("SGVsbG8sIOS4lueVjA=="),
            ),
            ("base64", json!([1]), json!("WzFd")),
            ("json", json!({ "a": [1, "x"] }), json!(r#"{"a":[1,"x"]}"#)),
            ("json", json!("a\nb"), json!(r#""a\nb""#)),
            ("upper", json!("aBc-1"), json!("ABC-1")),
            ("lower", json!("aBc-1"), json!("abc-1")),
            ("swapcase", json!("aBc-1"), json!("AbC-1")),
            ("half", json!("abcdef"), json!("abc")),
            ("half", json!("abcde"), json!("ab")),
            ("key 0", json!({ "b": 1, "a": 2 }), json!("b")),
            ("key 1", json!({ "b": 1, "a": 2 }), json!("a")),
            (
                "newest",
                json!(["2025-06-18", "2026-07-28", "2024-11-05"]),
                json!("2026-07-28"),
            ),
            ("plus 1s", json!(500), json!(1500)),
            ("plus 500ms", json!("2s"), json!(2500)),
            ("times 0.9", json!(1000), json!(900)),
            ("times 2", json!("1m"), json!(120_000)),
            ("optional", json!(1), json!(1)),
        ] {
            assert_eq!(
                applied(filter, value.clone()),
                Ok(Some(expected)),
                "{value} | {filter}"
            );
        }
    }

    #[test]
    fn an_edit_changes_one_character_to_another_of_its_class() {
        for (argument, text, expected) in [
            ("start", "abc", "bbc"),
            ("start", "Zbc", "Abc"),
            ("start", "9bc", "0bc"),
            ("start", "-bc", "-cc"),
            ("start", "--", "x-"),
            ("start", "x", "y"),
            ("middle", "abcde", "abdde"),
            ("late", "0123456789abcdef", "0123456889abcdef"),
            ("late", "abc", "bbc"),
            ("middle", "ab..", "ac.."),
        ] {
            assert_eq!(
                edit(argument, text).as_deref(),
                Ok(expected),
                "{text} | edit {argument}"
            );
        }
    }

    #[test]
    fn what_a_value_does_not_have_is_nothing() {
        assert_eq!(applied("key 2", json!({ "a": 1 })), Ok(None));
        assert_eq!(applied("newest", json!([])), Ok(None));
    }

    #[test]
    fn a_value_of_another_type_is_an_error() {
        for (filter, value) in [
            ("upper", json!(1)),
            ("half", json!(null)),
            ("edit start", json!("")),
            ("edit start", json!([])),
            ("key 0", json!(["a"])),
            ("newest", json!("a")),
            ("newest", json!([1])),
            ("plus 1s", json!("soon")),
            ("times 2", json!([])),
        ] {
            assert!(
                applied(filter, value.clone()).is_err(),
                "{value} | {filter}"
            );
        }
    }
}
