//! Request ids and progress tokens, kept as they were written.

use serde_json::{Value, value::RawValue};

/// A request id, a progress token or a subscription id, as the client wrote it.
///
/// The raw text is kept because a number need not fit 64 bits and has to come back unchanged (`basic/index#responses`).
#[derive(Clone, Debug)]
pub(crate) struct Id {
    /// The value; of a number beyond 64 bits only the nearest float.
    pub(crate) value: Value,
    raw: String,
}

impl Id {
    /// Reads an id from the JSON text of a member. `None` if the text holds no value that serde_json can hold, such as a lone
    /// surrogate.
    pub(crate) fn read(raw: &RawValue) -> Option<Self> {
        let value = serde_json::from_str(raw.get()).ok()?;
        Some(Self {
            value,
            raw: raw.get().to_owned(),
        })
    }

    /// Whether it is a string or an integer, as ids and tokens have to be; `1.0` is an integer.
    pub(crate) fn is_valid(&self) -> bool {
        match &self.value {
            Value::String(_) => true,
            Value::Number(number) => number
                .as_f64()
                .is_some_and(|float| float.is_finite() && float.fract() == 0.0),
            _ => false,
        }
    }

    /// The number as it was written, where [`Id::value`] would not print it like that.
    pub(crate) fn exact(&self) -> Option<&str> {
        let printed = self.value.to_string();
        (self.value.is_number() && printed != self.raw).then_some(self.raw.as_str())
    }

    /// Whether both are the same id: strings by content, numbers by spelling.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Number(_), Value::Number(_)) => self.raw == other.raw,
            (mine, theirs) => mine == theirs,
        }
    }
}

impl From<Value> for Id {
    fn from(value: Value) -> Self {
        let raw = value.to_string();
        Self { value, raw }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> Id {
        Id::read(serde_json::from_str(text).unwrap()).unwrap()
    }

    #[test]
    fn strings_and_integers_are_ids_and_nothing_else_is() {
        for text in [
            "\"\"",
            "\"1\"",
            "0",
            "-1",
            "1.0",
            "9007199254740993",
            "123456789012345678901234567890",
        ] {
            assert!(id(text).is_valid(), "{text}");
        }
        for text in ["null", "true", "1.5", "[]", "{}"] {
            assert!(!id(text).is_valid(), "{text}");
        }
    }

    #[test]
    fn a_number_that_would_print_otherwise_keeps_its_text() {
        assert_eq!(id("9007199254740993").exact(), None);
        assert_eq!(
            id("123456789012345678901234567890").exact(),
            Some("123456789012345678901234567890")
        );
        assert_eq!(id("1e2").exact(), Some("1e2"));
    }

    #[test]
    fn ids_agree_by_type_and_content() {
        assert!(id("\"é\"").same_as(&id("\"\\u00e9\"")));
        assert!(!id("1").same_as(&id("\"1\"")));
        assert!(
            !id("123456789012345678901234567890").same_as(&id("123456789012345678901234567891"))
        );
    }
}
