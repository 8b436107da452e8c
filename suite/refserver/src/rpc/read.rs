//! What the client sends, read leniently: the checks come afterwards, one by one.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};

use super::{Fault, Id, codes};
use crate::admit::Rule;

/// A message of the client before any rule was applied to it.
#[derive(Debug)]
pub(crate) struct Reading {
    /// All its members.
    pub(crate) body: Map<String, Value>,
    /// Its `id`, if it has that member.
    pub(crate) id: Option<Id>,
    /// `params._meta.progressToken`, if it is there.
    pub(crate) progress_token: Option<Id>,
    /// `params.requestId`, if it is there.
    pub(crate) request_id: Option<Id>,
}

/// Reads one JSON-RPC message. The fault says whether the text is no JSON, or no object.
pub(crate) fn read(text: &[u8]) -> Result<Reading, Fault> {
    let value: Value = serde_json::from_slice(text).map_err(|error| {
        Fault::new(
            Rule::Json,
            codes::PARSE,
            format!("The message is not JSON: {error}"),
        )
    })?;
    let Value::Object(body) = value else {
        return Err(invalid("A message is one JSON object."));
    };
    // The value above is what is served; its members are read once more for the exact text of ids.
    let members: Members<'_> = serde_json::from_slice(text)
        .map_err(|error| invalid(format!("The message cannot be read: {error}")))?;
    let params = members.get("params").map(Members::of);
    let meta = params
        .as_ref()
        .and_then(|params| params.get("_meta"))
        .map(Members::of);
    Ok(Reading {
        body,
        id: members.get("id").and_then(Id::read),
        progress_token: meta
            .as_ref()
            .and_then(|meta| meta.get("progressToken"))
            .and_then(Id::read),
        request_id: params
            .as_ref()
            .and_then(|params| params.get("requestId"))
            .and_then(Id::read),
    })
}

fn invalid(message: impl Into<String>) -> Fault {
    Fault::new(Rule::Object, codes::INVALID_REQUEST, message)
}

/// The members of an object with the text of each, as long as no name occurs twice.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// The members of a value, none if it is no object.
    fn of(raw: &'a RawValue) -> Self {
        serde_json::from_str(raw.get()).unwrap_or(Self(Vec::new()))
    }

    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0
            .iter()
            .find(|(member, _)| member == name)
            .map(|(_, raw)| *raw)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members: Self::Value = Vec::new();
                while let Some((name, raw)) = map.next_entry::<String, &'de RawValue>()? {
                    if members.iter().any(|(member, _)| *member == name) {
                        return Err(de::Error::custom(format_args!("it has `{name}` twice")));
                    }
                    members.push((name, raw));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Reader).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (i64, Rule) {
        let fault = read(text.as_bytes()).unwrap_err();
        (fault.code, fault.rule)
    }

    #[test]
    fn a_cut_off_text_is_no_json_and_an_array_no_message() {
        assert_eq!(fault("{\"jsonrpc\":"), (codes::PARSE, Rule::Json));
        assert_eq!(fault("[]"), (codes::INVALID_REQUEST, Rule::Object));
        assert_eq!(
            fault("{\"id\":1,\"id\":2}"),
            (codes::INVALID_REQUEST, Rule::Object)
        );
    }

    #[test]
    fn ids_and_tokens_are_read_with_their_text() {
        let reading = read(br#"{"id":1e2,"params":{"_meta":{"progressToken":18446744073709551616},"requestId":null}}"#).unwrap();
        assert_eq!(reading.id.unwrap().exact(), Some("1e2"));
        assert_eq!(
            reading.progress_token.unwrap().exact(),
            Some("18446744073709551616")
        );
        assert!(reading.request_id.unwrap().value.is_null());
    }
}
