//! [`Value`] itself: its accessors, equality and conversions from Rust's types.

use std::borrow::Cow;

use super::{Number, Object};
use crate::planted;

/// A JSON value (RFC 8259). Numbers are equal by exact decimal value, objects whatever the order of their members.
///
/// A value that was read from text is at most [`MAX_DEPTH`](crate::MAX_DEPTH) levels deep, so that recursion over it is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, with its spelling.
    Number(Number),
    /// A string, its escapes resolved; a lone surrogate has become U+FFFD.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object, its members in order, duplicates kept.
    Object(Object),
}

impl Value {
    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(string) => Some(string),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(bool) => Some(*bool),
            _ => None,
        }
    }

    /// The number, if this is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The integer, if this is a number of integral value that an `i64` holds.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number().and_then(Number::as_i64)
    }

    /// The items, if this is an array.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The members, to be changed in place, if this is an object.
    pub fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The name that JSON Schema gives to the type: `null`, `boolean`, `number`, `string`, `array` or `object`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// The value of the last member of that name, if this is an object that has one.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.as_object()?.get(name)
    }

    /// The value that a JSON pointer (RFC 6901) leads to: `""` is the value itself. A name that occurs twice leads to its
    /// last member; a pointer that breaks the grammar leads nowhere.
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        pointer_tokens(pointer)?.try_fold(self, |value, token| value.child(&token))
    }

    /// The member of that name, or the item of that index, in the way of a token of a JSON pointer.
    fn child(&self, token: &str) -> Option<&Value> {
        match self {
            Value::Object(object) => object.get(token),
            Value::Array(items) => items.get(array_index(token)?),
            _ => None,
        }
    }
}

/// The tokens of a JSON pointer, unescaped; nothing if it neither is empty nor begins with a slash.
pub(crate) fn pointer_tokens(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    let mut parts = pointer.split('/');
    let first = parts.next().unwrap_or_default();
    first.is_empty().then(|| parts.map(unescaped))
}

fn unescaped(token: &str) -> Cow<'_, str> {
    if token.as_bytes().contains(&b'~') {
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}

/// The index that a token of a JSON pointer names: decimal digits without a leading zero.
pub(crate) fn array_index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with(['0', '+']);
    canonical.then(|| token.parse().ok())?
}

/// Whether two ids of JSON-RPC messages are the same: two strings with the same characters, or two numbers with the same
/// **spelling**. So `"1"` is not `1`, and `1.0` is not `1`, though they are equal as numbers: an id is echoed, not computed
/// with. No other value is an id, and none of them is the same as anything, not even `null` as `null`.
pub fn same_id(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => left.as_str() == right.as_str(),
        (Value::Number(number), Value::String(text)) if planted("id-text") => {
            number.as_str() == text
        }
        _ => false,
    }
}

impl From<()> for Value {
    fn from((): ()) -> Value {
        Value::Null
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Value {
        Value::Bool(bool)
    }
}

impl From<&str> for Value {
    fn from(string: &str) -> Value {
        Value::String(string.to_owned())
    }
}

impl From<String> for Value {
    fn from(string: String) -> Value {
        Value::String(string)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Value {
        Value::Number(number)
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Value {
        Value::Object(object)
    }
}

impl<V: Into<Value>> From<Vec<V>> for Value {
    fn from(items: Vec<V>) -> Value {
        items.into_iter().collect()
    }
}

impl<V: Into<Value>> FromIterator<V> for Value {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Value {
        Value::Array(items.into_iter().map(Into::into).collect())
    }
}

macro_rules! from_integer {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Value {
            fn from(integer: $integer) -> Value {
                Value::Number(integer.into())
            }
        }
    )*};
}

from_integer!(i32, u32, i64, u64, usize);
