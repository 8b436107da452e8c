//! The values of sources: those that need no run are made here, the others come from the [`Scope`].

use mcpspec_wire::{MAX_DEPTH, Value};

use super::bytes::byte_character;
use super::resolve::Outside;
use super::{Resolved, Scope, SourcePath, Unresolved};

/// Longest text that `text N` makes, in letters.
const MAX_TEXT: usize = 16 * 1024 * 1024;

/// Deepest nesting that `deep N` makes as text; as a value it is at most [`MAX_DEPTH`].
const MAX_DEEP: usize = 4 * 1024 * 1024;

impl SourcePath {
    /// The value of the path's segments from `skip` on inside a value: members of objects, indexes of lists.
    pub fn descend<'a>(&self, value: &'a Value, skip: usize) -> Option<&'a Value> {
        descend(value, self.segments.get(skip..)?)
    }

    /// The nesting that `deep N` asks for.
    pub(super) fn deep(&self) -> Result<Option<usize>, String> {
        match (self.segments.as_slice(), &self.argument) {
            ([name], Some(argument)) if name == "deep" => count("deep", argument).map(Some),
            _ => Ok(None),
        }
    }

    pub(super) fn resolve(
        &self,
        scope: &dyn Scope,
        fails: &dyn Fn(String) -> Unresolved,
    ) -> Result<Resolved, Unresolved> {
        let name = self.segments[0].as_str();
        if let Some(row) = scope.row(name) {
            let value = row.resolve(&Outside(scope))?;
            return Ok(match value {
                Resolved::Value(value) => self
                    .descend(&value, 1)
                    .map_or(Resolved::Absent, |value| Resolved::Value(value.clone())),
                other if self.segments.len() == 1 => other,
                _ => Resolved::Absent,
            });
        }
        let value = match (name, self.argument.as_deref()) {
            ("null", None) if self.segments.len() == 1 => Value::Null,
            ("byte", Some(argument)) => byte_character(byte(argument).map_err(fails)?)
                .to_string()
                .into(),
            ("text", Some(argument)) => "x".repeat(count(name, argument).map_err(fails)?).into(),
            ("deep", Some(argument)) => {
                nested(count(name, argument).map_err(fails)?).map_err(fails)?
            }
            _ => return Ok(scope.source(self)),
        };
        Ok(Resolved::Value(value))
    }
}

/// The value that a path leads to inside a value: names of members, indexes of lists from 0.
pub(crate) fn descend<'a>(value: &'a Value, segments: &[String]) -> Option<&'a Value> {
    segments
        .iter()
        .try_fold(value, |value, segment| match value {
            Value::Object(object) => object.get(segment),
            Value::Array(items) => items.get(segment.parse::<usize>().ok()?),
            _ => None,
        })
}

/// `N` nested lists.
fn nested(depth: usize) -> Result<Value, String> {
    if depth > MAX_DEPTH {
        return Err(format!(
            "more than {MAX_DEPTH} nested lists can only be written as text: `deep {depth} | json`"
        ));
    }
    let innermost = Value::Array(Vec::new());
    Ok((1..depth).fold(innermost, |inner, _| Value::Array(vec![inner])))
}

/// The byte of `byte HH`.
pub(super) fn byte(argument: &str) -> Result<u8, String> {
    let two_digits = argument.len() == 2 && argument.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(argument, 16)
        .ok()
        .filter(|_| two_digits)
        .ok_or_else(|| format!("`{argument}` is no byte: write two hexadecimal digits"))
}

/// The number of `text N` and `deep N`.
pub(super) fn count(name: &str, argument: &str) -> Result<usize, String> {
    let least = usize::from(name == "deep");
    let most = if name == "deep" { MAX_DEEP } else { MAX_TEXT };
    argument
        .parse()
        .ok()
        .filter(|count| (least..=most).contains(count))
        .ok_or_else(|| {
            format!(
                "`{argument}` is no number that `{name}` takes: at least {least}, at most {most}"
            )
        })
}
