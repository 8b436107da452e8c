//! How matchers and values read in a mismatch: one line, bounded.

use std::fmt::{self, Write as _};

use mcpspec_wire::Value;

use super::check::Context;
use super::model::{Matcher, Operator, Pat, Pattern, Test};
use crate::template::{Data, Resolved};
use crate::text::Bounded;

/// Longest text about a value, in characters, the mark of a cut aside.
const LIMIT: usize = 200;

/// Longest text about a matcher. Its innermost member may be the one that matters, so only the length is bounded.
const MATCHER: usize = 400;

// Writing to a bounded text fails only where it is cut, and then everything is said; so these failures are let go.

/// A value with its type: `integer -32602`, `string "2.0"`.
pub(super) fn value(value: &Value) -> String {
    let name = match value {
        Value::Null => return "null".to_owned(),
        Value::Number(number) if number.is_integer() => "integer",
        other => other.type_name(),
    };
    let mut line = Bounded::new(LIMIT);
    let _ = write!(line, "{name} {value}");
    line.finish()
}

/// A value, or that there is none.
pub(super) fn actual(actual: Option<&Value>) -> String {
    actual.map_or_else(|| "absent".to_owned(), value)
}

/// A text cut to the length that mismatches have.
pub(super) fn bounded(text: &str) -> String {
    let mut line = Bounded::new(LIMIT);
    let _ = line.write_str(text);
    line.finish()
}

/// What a matcher expects.
pub(super) fn matcher(matcher: &Matcher, context: Context<'_>) -> String {
    let mut line = Bounded::new(MATCHER);
    let _ = write_matcher(&mut line, matcher, context);
    line.finish()
}

/// What an operator expects.
pub(super) fn operator(operator: &Operator, context: Context<'_>) -> String {
    let mut line = Bounded::new(MATCHER);
    let _ = write_operator(&mut line, operator, context);
    line.finish()
}

fn write_matcher(line: &mut Bounded, matcher: &Matcher, context: Context<'_>) -> fmt::Result {
    match &matcher.pattern {
        Pattern::Scalar(scalar) => line.write_str(&value(scalar)),
        Pattern::StatusClass(class) => write!(line, "{class}xx"),
        Pattern::Text { data, .. } => write_data(line, data, context),
        Pattern::List(items) if items.is_empty() => line.write_str("an empty array"),
        Pattern::List(items) => {
            line.write_str("array [")?;
            write_all(line, items, ", ", |line, item| {
                write_matcher(line, item, context)
            })?;
            line.write_char(']')
        }
        Pattern::Map { members, operators } if members.is_empty() && operators.is_empty() => {
            line.write_str("anything present")
        }
        Pattern::Map { operators, members } => {
            write_all(line, operators, " and ", |line, operator| {
                write_operator(line, operator, context)
            })?;
            if members.is_empty() {
                return Ok(());
            }
            if !operators.is_empty() {
                line.write_str(" and ")?;
            }
            line.write_str("object with { ")?;
            write_all(line, members, ", ", |line, (name, matcher)| {
                match name.resolve_text(context.scope) {
                    Ok(Some(name)) => write!(line, "{name}: ")?,
                    _ => line.write_str("$(…): ")?,
                }
                write_matcher(line, matcher, context)
            })?;
            line.write_str(" }")
        }
    }
}

fn write_operator(line: &mut Bounded, operator: &Operator, context: Context<'_>) -> fmt::Result {
    let deeper = |line: &mut Bounded, words: &str, matcher: &Matcher| {
        line.write_str(words)?;
        write_matcher(line, matcher, context)
    };
    let with_data = |line: &mut Bounded, words: &str, data: &Data| {
        line.write_str(words)?;
        write_data(line, data, context)
    };
    match &operator.test {
        Test::Eq(data) => with_data(line, "exactly ", data),
        Test::Not(inner) => deeper(line, "not ", inner),
        Test::Any(alternatives) => {
            line.write_str("one of: ")?;
            write_all(line, alternatives, "; ", |line, alternative| {
                write_matcher(line, alternative, context)
            })
        }
        Test::AnyOf { list, .. } => with_data(line, "one of ", list),
        Test::Absent => line.write_str("absent"),
        Test::Is(kind) => line.write_str(&kind.name()),
        Test::Regex(Pat::Ready(regex)) => write!(line, "text matching /{regex}/"),
        Test::Regex(Pat::Template(template)) => match template.resolve_text(context.scope) {
            Ok(Some(text)) => write!(line, "text matching /{text}/"),
            _ => line.write_str("text matching a $(…)"),
        },
        Test::Gte(data) => with_data(line, "at least ", data),
        Test::Lte(data) => with_data(line, "at most ", data),
        Test::Len(inner) => deeper(line, "length ", inner),
        Test::Each(inner) => deeper(line, "each: ", inner),
        Test::Some(inner) => deeper(line, "some: ", inner),
        Test::UniqueBy(path) if path.segments.is_empty() => line.write_str("no two equal items"),
        Test::UniqueBy(path) => write!(line, "no two items with the same {}", path.text),
        Test::IncreasingBy(path) => write!(line, "strictly increasing numbers at {}", path.text),
        Test::SameAs(data) => with_data(line, "the same as ", data),
        Test::SameItems(data) => with_data(line, "in any order the items of ", data),
        Test::Fits(data) => with_data(line, "valid under the schema ", data),
    }
}

/// What data comes to, or its placeholder if it comes to nothing.
fn write_data(line: &mut Bounded, data: &Data, context: Context<'_>) -> fmt::Result {
    match data.resolve_expected(context.scope) {
        Ok(Resolved::Value(resolved)) => line.write_str(&value(&resolved)),
        Ok(_) => line.write_str("absent"),
        Err(error) => write!(line, "{error}"),
    }
}

fn write_all<T>(
    line: &mut Bounded,
    items: &[T],
    between: &str,
    write: impl Fn(&mut Bounded, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            line.write_str(between)?;
        }
        write(line, item)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_reads_with_its_type() {
        for (json, text) in [
            (json!(null), "null"),
            (json!(-32602), "integer -32602"),
            (json!(1.5), "number 1.5"),
            (json!(true), "boolean true"),
            (json!("a\n\"b\""), r#"string "a\n\"b\"""#),
            (json!([1, "x"]), r#"array [1,"x"]"#),
            (json!({ "a": null }), r#"object {"a":null}"#),
        ] {
            assert_eq!(value(&Value::from(json)), text);
        }
        assert_eq!(actual(None), "absent");
    }

    #[test]
    fn a_long_value_is_cut() {
        let text = value(&Value::from("é".repeat(10_000)));
        assert_eq!(text.chars().count(), LIMIT + 1);
        assert!(text.ends_with('…'));
        assert_eq!(bounded("short"), "short");
    }
}
