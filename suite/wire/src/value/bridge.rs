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
        Ok(match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(bool) => (*bool).into(),
            Value::Number(number) => exact(number)?.into(),
            Value::String(string) => string.as_str().into(),
            Value::Array(items) => {
                let converted = items.iter().enumerate().map(|(index, item)| {
                    item.to_serde()
                        .map_err(|lossy| lossy.inside(&index.to_string()))
                });
                serde_json::Value::Array(converted.collect::<Result<_, _>>()?)
            }
            Value::Object(object) => members(object)?.into(),
        })
    }
}

impl LossyConversion {
    /// The same, told by the value that holds the one it happened to as its child `token`.
    fn inside(mut self, token: &str) -> LossyConversion {
        let (LossyConversion::DuplicateMember { pointer, .. }
        | LossyConversion::Number { pointer, .. }) = &mut self;
        let mut longer = String::new();
        push_token(&mut longer, token);
        pointer.insert_str(0, &longer);
        self
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

fn members(object: &Object) -> Result<serde_json::Map<String, serde_json::Value>, LossyConversion> {
    let mut converted = serde_json::Map::with_capacity(object.len());
    for (name, member) in object.iter() {
        let member = member.to_serde().map_err(|lossy| lossy.inside(name))?;
        if converted.insert(name.to_owned(), member).is_some() {
            return Err(LossyConversion::DuplicateMember {
                pointer: String::new(),
                name: name.to_owned(),
            });
        }
    }
    Ok(converted)
}

/// Appends a token to a JSON pointer (RFC 6901).
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    if !(token.as_bytes().contains(&b'~') || token.as_bytes().contains(&b'/')) {
        pointer.push_str(token);
        return;
    }
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The number in one of serde_json's forms, if one has its value.
fn exact(number: &Number) -> Result<serde_json::Number, LossyConversion> {
    let converted = serde_json::from_str::<serde_json::Number>(number.as_str()).ok();
    // A double stands for the shortest decimal that reads as it, so that 0.1 counts as exact.
    let same = converted.filter(|converted| Number::from_token(&converted.to_string()) == *number);
    same.ok_or_else(|| LossyConversion::Number {
        pointer: String::new(),
        token: number.as_str().to_owned(),
    })
}
