//! Checks of the headers that mirror the body (`basic/transports/streamable-http#request-metadata`, `#server-validation`).

use http::HeaderMap;
use serde_json::Value;

use super::{Rule, sentinel};
use crate::{
    call::Call,
    rpc::{Fault, Found, codes},
};

/// How a mirrored header came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mirrored {
    /// Not at all.
    Absent,
    /// With bytes that no header value may hold, or on several lines that differ.
    Malformed,
    /// As it stands.
    Plain(String),
    /// As a sentinel, with the text inside; `None` if that cannot be decoded.
    Encoded(Option<String>),
}

impl Mirrored {
    /// The text to compare with the body.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Plain(text) => Some(text),
            Self::Encoded(text) => text.as_deref(),
            Self::Absent | Self::Malformed => None,
        }
    }
}

/// Reads the header `name`, in any spelling.
pub(crate) fn mirrored(headers: &HeaderMap, name: &str) -> Mirrored {
    let mut lines = headers.get_all(name).iter();
    let Some(first) = lines.next() else {
        return Mirrored::Absent;
    };
    if lines.any(|line| line != first) {
        return Mirrored::Malformed;
    }
    match first.to_str() {
        Err(_) => Mirrored::Malformed,
        Ok(text) if sentinel::is_sentinel(text) => Mirrored::Encoded(sentinel::decode(text)),
        Ok(text) => Mirrored::Plain(text.to_owned()),
    }
}

/// An argument of a call that the tool's schema marks with `x-mcp-header`.
#[derive(Clone, Debug)]
pub(crate) struct MarkedParam {
    /// The whole header name, `Mcp-Param-…`, as the schema spells it.
    pub(crate) header: String,
    /// The property names that lead to it.
    pub(crate) path: Vec<String>,
    /// The argument; `None` if it is not there or null, so that no header is expected.
    pub(crate) value: Option<Value>,
}

fn mismatch(rule: Rule, message: String) -> Fault {
    Fault::new(rule, codes::HEADER_MISMATCH, message)
}

fn check(
    rule: Rule,
    name: &str,
    found: &Mirrored,
    due: &str,
    same: impl Fn(&str) -> bool,
) -> Found {
    let problem = match found {
        Mirrored::Absent => "is missing".to_owned(),
        Mirrored::Malformed => {
            "has characters that a header value cannot hold, or two values".to_owned()
        }
        Mirrored::Encoded(None) => "cannot be decoded".to_owned(),
        Mirrored::Plain(text) | Mirrored::Encoded(Some(text)) if same(text) => return Ok(()),
        Mirrored::Plain(text) | Mirrored::Encoded(Some(text)) => {
            format!("is {}, the body has {}", preview(text), preview(due))
        }
    };
    Err(mismatch(
        rule,
        format!("Header mismatch: {name} {problem}."),
    ))
}

/// A value in an error message, which has to stay one short sentence.
fn preview(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    format!("{short:?}")
}

pub(crate) fn check_version_header(call: &Call) -> Found {
    plain(
        call,
        Rule::VersionHeader,
        "MCP-Protocol-Version",
        call.version().unwrap_or_default(),
    )
}

pub(crate) fn check_method_header(call: &Call) -> Found {
    plain(call, Rule::MethodHeader, "Mcp-Method", call.method())
}

/// These two have no encoded form: a sentinel is a value like any other.
fn plain(call: &Call, rule: Rule, name: &str, due: &str) -> Found {
    let found = match mirrored(&call.headers, name) {
        Mirrored::Encoded(_) => {
            let text = call
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
                .unwrap_or_default();
            Mirrored::Plain(text.to_owned())
        }
        found => found,
    };
    check(rule, name, &found, due, |text| text == due)
}

/// What `Mcp-Name` mirrors, for the three methods that need it.
pub(crate) fn name_of(call: &Call) -> Option<&str> {
    let member = match call.method() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    call.param(member).and_then(Value::as_str)
}

pub(crate) fn check_name_header(call: &Call) -> Found {
    let Some(due) = name_of(call) else {
        return Ok(());
    };
    check(
        Rule::NameHeader,
        "Mcp-Name",
        &mirrored(&call.headers, "Mcp-Name"),
        due,
        |text| text == due,
    )
}

pub(crate) fn check_param_header(call: &Call, param: &MarkedParam) -> Found {
    let found = mirrored(&call.headers, &param.header);
    let Some(value) = &param.value else {
        // Nothing is expected; what is there all the same must at least be readable.
        return match found {
            Mirrored::Malformed | Mirrored::Encoded(None) => {
                check(Rule::ParamHeader, &param.header, &found, "", |_| true)
            }
            _ => Ok(()),
        };
    };
    let due = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    check(
        Rule::ParamHeader,
        &param.header,
        &found,
        &due,
        |text| match value {
            Value::Number(number) => number.to_string() == text || same_integer(number, text),
            _ => text == due,
        },
    )
}

/// Integers compare by value, so that `42.0` is `42`.
fn same_integer(number: &serde_json::Number, text: &str) -> bool {
    let Ok(found) = serde_json::from_str::<serde_json::Number>(text) else {
        return false;
    };
    match (number.as_i128(), found.as_i128()) {
        (Some(due), Some(found)) => due == found,
        // A float says which integer it is only inside the range in which each integer has its own.
        _ => number
            .as_f64()
            .zip(found.as_f64())
            .is_some_and(|(due, found)| due == found && due.abs() < 9_007_199_254_740_992.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &[u8])]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, http::HeaderValue::from_bytes(value).unwrap());
        }
        headers
    }

    #[test]
    fn a_header_is_plain_encoded_malformed_or_absent() {
        let headers = headers(&[
            ("plain", b"a"),
            ("encoded", b"=?base64?SGVsbG8=?="),
            ("undecodable", b"=?base64?SGVs!!!bG8?="),
            ("raw", b"\xc3\xa9"),
            ("twice", b"a"),
            ("twice", b"b"),
            ("same", b"a"),
            ("same", b"a"),
        ]);
        assert_eq!(mirrored(&headers, "PLAIN"), Mirrored::Plain("a".to_owned()));
        assert_eq!(
            mirrored(&headers, "encoded"),
            Mirrored::Encoded(Some("Hello".to_owned()))
        );
        assert_eq!(mirrored(&headers, "undecodable"), Mirrored::Encoded(None));
        assert_eq!(mirrored(&headers, "raw"), Mirrored::Malformed);
        assert_eq!(mirrored(&headers, "twice"), Mirrored::Malformed);
        assert_eq!(mirrored(&headers, "same"), Mirrored::Plain("a".to_owned()));
        assert_eq!(mirrored(&headers, "none"), Mirrored::Absent);
    }

    #[test]
    fn integers_compare_by_value() {
        let number = |text: &str| serde_json::from_str(text).unwrap();
        assert!(same_integer(&number("42"), "42.0"));
        assert!(!same_integer(&number("42"), "43"));
        assert!(!same_integer(&number("42"), "forty-two"));
        assert!(!same_integer(
            &number("9007199254740993"),
            "9007199254740992.0"
        ));
        assert!(!same_integer(
            &number("9007199254740993"),
            "9007199254740992"
        ));
    }
}
