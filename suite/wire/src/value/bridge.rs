//! To and from `serde_json::Value`, which JSON Schema validation and tests work with.

use super::{Number, Object, Value};

/// A value cannot become a `serde_json::Value` without a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LossyConversion {
    /// An object has a name twice; only one of the members would be kept.
    #[error("the object at `{pointer}` has the member `{name}` more than once")]
    DuplicateMember {
        /// JSON pointer of the object.
        pointer: String,
        /// The name.
        name: String,
    },
    /// Neither a 64-bit integer nor a double has the value of a number.
    #[error("the number `{token}` at `{pointer}` would change its value")]
    Number {
        /// JSON pointer of the number.
        pointer: String,
        /// The number as it was written.
        token: String,
    },
}

impl Value {
    /// Takes over a value of serde_json; nothing is lost.
    pub fn from_serde(value: serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(bool) => Value::Bool(bool),
            serde_json::Value::Number(number) => {
                Value::Number(Number::from_token(&number.to_string()))
            }
            serde_json::Value::String(string) => Value::String(string),
            serde_json::Value::Array(items) => items.into_iter().map(Value::from_serde).collect(),
            serde_json::Value::Object(members) => {
                let members = members
                    .into_iter()
                    .map(|(name, value)| (name, Value::from_serde(value)));
                Value::Object(members.collect::<Object>())
            }
        }
    }

    /// The same value for serde_json, or what would be lost. A number keeps its value, not its spelling.
    pub fn to_serde(&self) -> Result<serde_json::Value, LossyConversion> {
        to_serde(self, &mut String::new())
    }
}

impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Value {
        Value::from_serde(value)
    }
}

impl TryFrom<&Value> for serde_json::Value {
    type Error = LossyConversion;

    fn try_from(value: &Value) -> Result<serde_json::Value, LossyConversion> {
        value.to_serde()
    }
}

/// Converts the value at `pointer`, which is as it was again when this returns without an error.
fn to_serde(value: &Value, pointer: &mut String) -> Result<serde_json::Value, LossyConversion> {
    Ok(match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(bool) => (*bool).into(),
        Value::Number(number) => match exact(number) {
            Some(number) => serde_json::Value::Number(number),
            None => {
                return Err(LossyConversion::Number {
                    pointer: pointer.clone(),
                    token: number.as_str().to_owned(),
                });
            }
        },
        Value::String(string) => string.as_str().into(),
        Value::Array(items) => {
            let mut converted = Vec::with_capacity(items.len());
            for (index, item) in items.iter().enumerate() {
                converted.push(step(item, pointer, &index.to_string())?);
            }
            converted.into()
        }
        Value::Object(object) => {
            let mut converted = serde_json::Map::with_capacity(object.len());
            for (name, member) in object.iter() {
                let member = step(member, pointer, name)?;
                if converted.insert(name.to_owned(), member).is_some() {
                    return Err(LossyConversion::DuplicateMember {
                        pointer: pointer.clone(),
                        name: name.to_owned(),
                    });
                }
            }
            converted.into()
        }
    })
}

/// Converts the child that `token` leads to.
fn step(
    child: &Value,
    pointer: &mut String,
    token: &str,
) -> Result<serde_json::Value, LossyConversion> {
    let length = pointer.len();
    push_token(pointer, token);
    let converted = to_serde(child, pointer)?;
    pointer.truncate(length);
    Ok(converted)
}

/// Appends a token to a JSON pointer (RFC 6901).
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The number in one of serde_json's forms, if one has its value.
fn exact(number: &Number) -> Option<serde_json::Number> {
    let converted: serde_json::Number = serde_json::from_str(number.as_str()).ok()?;
    // A double stands for the shortest decimal that reads as it, so that 0.1 counts as exact.
    (Number::from_token(&converted.to_string()) == *number).then_some(converted)
}
