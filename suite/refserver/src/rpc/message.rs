//! What the server sends.

use serde::{Serialize, Serializer, ser::SerializeMap, ser::SerializeSeq};
use serde_json::{Map, Value, json, value::RawValue};

use super::{Fault, Id};
use crate::admit::Rule;

/// What a message is, whatever a mutant makes of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A response with a result. It ends the request.
    Result,
    /// A response with an error. It ends the request.
    Error,
    /// A notification.
    Notification,
}

/// A message on its way to the client.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// What it was made as.
    pub(crate) kind: Kind,
    /// Its members.
    pub(crate) body: Map<String, Value>,
    /// The rule that an error is about.
    pub(crate) rule: Option<Rule>,
    /// The HTTP status that it takes if it is the only message of its response.
    pub(crate) status: u16,
    /// Numbers that `body` cannot hold as they are: JSON pointer, text.
    exact: Vec<(String, String)>,
}

impl Message {
    fn new(kind: Kind) -> Self {
        let mut body = Map::new();
        body.insert("jsonrpc".to_owned(), "2.0".into());
        Self {
            kind,
            body,
            rule: None,
            status: 200,
            exact: Vec::new(),
        }
    }

    /// The response that holds `result`.
    pub(crate) fn result(id: Option<&Id>, result: Map<String, Value>) -> Self {
        let mut message = Self::new(Kind::Result);
        message.set_id(id);
        message
            .body
            .insert("result".to_owned(), Value::Object(result));
        message
    }

    /// The response that holds the error of `fault`; without an id that could be read it has none.
    pub(crate) fn error(id: Option<&Id>, fault: &Fault) -> Self {
        let mut message = Self::new(Kind::Error);
        message.set_id(id);
        message
            .body
            .insert("error".to_owned(), Value::Object(fault.to_error()));
        message.rule = Some(fault.rule);
        message.status = fault.status;
        message
    }

    /// A notification.
    pub(crate) fn notification(method: &str, params: Value) -> Self {
        let mut message = Self::new(Kind::Notification);
        message.body.insert("method".to_owned(), method.into());
        message.body.insert("params".to_owned(), params);
        message
    }

    /// Sets the `id` member.
    pub(crate) fn set_id(&mut self, id: Option<&Id>) {
        if let Some(id) = id {
            self.set(&[], "id", id);
        }
    }

    /// Puts an id at `name` inside the objects named by `path`, which are made where they are missing.
    pub(crate) fn set(&mut self, path: &[&str], name: &str, id: &Id) {
        let mut object = &mut self.body;
        let mut pointer = String::new();
        for step in path {
            pointer.push('/');
            pointer.push_str(&escaped(step));
            let member = object
                .entry((*step).to_owned())
                .or_insert_with(|| json!({}));
            if !member.is_object() {
                *member = json!({});
            }
            object = member.as_object_mut().expect("it was made an object above");
        }
        object.insert(name.to_owned(), id.value.clone());
        if let Some(text) = id.exact() {
            self.exact
                .push((format!("{pointer}/{}", escaped(name)), text.to_owned()));
        }
    }

    /// Whether it is a response.
    pub(crate) fn is_response(&self) -> bool {
        self.kind != Kind::Notification
    }

    /// The method of a notification.
    pub(crate) fn method(&self) -> &str {
        self.body
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The `result` object of a response, if it is one.
    pub(crate) fn result_mut(&mut self) -> Option<&mut Map<String, Value>> {
        self.body.get_mut("result").and_then(Value::as_object_mut)
    }

    /// The `error` object of a response, if it is one.
    pub(crate) fn error_mut(&mut self) -> Option<&mut Map<String, Value>> {
        self.body.get_mut("error").and_then(Value::as_object_mut)
    }

    /// The JSON text, on one line.
    pub(crate) fn to_text(&self) -> Vec<u8> {
        let written = Written {
            value: ValueRef::Object(&self.body),
            pointer: String::new(),
            exact: &self.exact,
        };
        serde_json::to_vec(&written).expect("a tree of JSON values with string keys can be written")
    }
}

fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

enum ValueRef<'a> {
    Object(&'a Map<String, Value>),
    Other(&'a Value),
}

/// A value at a place in the message, which knows the numbers that have to be written from their text.
struct Written<'a> {
    value: ValueRef<'a>,
    pointer: String,
    exact: &'a [(String, String)],
}

impl Written<'_> {
    fn below<'b>(
        &self,
        step: &str,
        value: &'b Value,
        exact: &'b [(String, String)],
    ) -> Written<'b> {
        let value = match value {
            Value::Object(object) => ValueRef::Object(object),
            other => ValueRef::Other(other),
        };
        Written {
            value,
            pointer: format!("{}/{}", self.pointer, escaped(step)),
            exact,
        }
    }
}

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            ValueRef::Object(object) if self.exact.is_empty() => object.serialize(serializer),
            ValueRef::Object(object) => {
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (name, value) in object {
                    map.serialize_entry(name, &self.below(name, value, self.exact))?;
                }
                map.end()
            }
            ValueRef::Other(Value::Array(items)) if !self.exact.is_empty() => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for (index, value) in items.iter().enumerate() {
                    list.serialize_element(&self.below(&index.to_string(), value, self.exact))?;
                }
                list.end()
            }
            ValueRef::Other(value) => {
                // A mutant may have put something else there since.
                let exact = self.exact.iter().find(|(pointer, text)| {
                    *pointer == self.pointer
                        && serde_json::from_str::<Value>(text).is_ok_and(|exact| exact == *value)
                });
                match exact.and_then(|(_, text)| RawValue::from_string(text.clone()).ok()) {
                    Some(raw) => raw.serialize(serializer),
                    None => value.serialize(serializer),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_beyond_64_bits_is_written_as_it_was_read_wherever_it_stands() {
        let raw: Box<RawValue> =
            RawValue::from_string("123456789012345678901234567890".to_owned()).unwrap();
        let id = Id::read(&raw).unwrap();
        let mut message = Message::result(Some(&id), Map::new());
        message.set(&["result", "_meta"], "io.example/subscriptionId", &id);
        let text = String::from_utf8(message.to_text()).unwrap();
        assert_eq!(
            text,
            concat!(
                r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"#,
                r#""result":{"_meta":{"io.example/subscriptionId":123456789012345678901234567890}}}"#
            )
        );
    }

    #[test]
    fn a_string_is_written_in_utf_8() {
        let message = Message::result(Some(&Id::from(json!("é世\n"))), Map::new());
        assert_eq!(
            String::from_utf8(message.to_text()).unwrap(),
            r#"{"jsonrpc":"2.0","id":"é世\n","result":{}}"#
        );
    }
}
