//! The names of the tools that something would call on the most lenient server.

use mcpspec_wire::{Document, Object, Value, header_value};

use crate::transcript::Sent;

use super::policy::folded;

/// The method that calls tools.
const CALL: &str = "tools/call";

/// What could be called.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// Nothing: no `tools/call` is in it.
    Nothing,
    /// Tools of these names; none if a call names none.
    Names(Vec<String>),
    /// It cannot be read, and holds `tools/call`. The text is as much of it as could be read.
    Unreadable(String),
}

/// What a sent thing would call.
pub(super) fn called(sent: &Sent) -> Called {
    let body = in_body(&sent.bytes);
    let lines = sent
        .http
        .as_ref()
        .map(|http| http.headers.as_slice())
        .unwrap_or_default();
    let header = |name: &str| {
        let lines = lines
            .iter()
            .filter(|line| line.name.trim().eq_ignore_ascii_case(name))
            .collect::<Vec<_>>();
        lines.into_iter().map(|line| text(&line.value))
    };
    let header_calls = header("mcp-method").any(|method| folded(&method) == CALL);
    let mut names = match body {
        Called::Unreadable(text) => return Called::Unreadable(text),
        Called::Nothing if !header_calls => return Called::Nothing,
        Called::Nothing => Vec::new(),
        Called::Names(names) => names,
    };
    names.extend(header("mcp-name"));
    Called::Names(names)
}

/// The value of a header, decoded if it is in the encoded form.
fn text(value: &[u8]) -> String {
    let value = value.trim_ascii();
    match header_value::decode(value) {
        Ok(decoded) => decoded.into_owned(),
        Err(_) => String::from_utf8_lossy(value).into_owned(),
    }
}

fn in_body(bytes: &[u8]) -> Called {
    match Document::parse(bytes) {
        Ok(document) if matches!(document.root(), Value::Object(_) | Value::Array(_)) => {
            let mut names = None;
            message(document.root(), &mut names);
            names.map_or(Called::Nothing, Called::Names)
        }
        _ => {
            let text = lenient(bytes);
            if text.to_lowercase().contains(CALL) {
                Called::Unreadable(text)
            } else {
                Called::Nothing
            }
        }
    }
}

/// Collects the names in a message, or in each of a batch. Every one of several members of a name counts.
fn message(value: &Value, names: &mut Option<Vec<String>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| message(item, names)),
        Value::Object(members) if calls(members) => {
            let names = names.get_or_insert_default();
            for params in all(members, "params") {
                match params {
                    Value::Object(params) => {
                        all(params, "name").for_each(|name| names.extend(strings(name)));
                    }
                    other => names.extend(strings(other)),
                }
            }
        }
        _ => {}
    }
}

fn calls(message: &Object) -> bool {
    let mut methods = all(message, "method").flat_map(strings);
    methods.any(|method| folded(&method) == CALL)
}

/// The members of this name, letter case aside.
fn all<'a>(object: &'a Object, name: &'a str) -> impl Iterator<Item = &'a Value> {
    object
        .iter()
        .filter(move |(member, _)| folded(member) == name)
        .map(|(_, value)| value)
}

/// Every text that a value could become where a text is due.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Bool(_) | Value::Number(_) => vec![value.to_json()],
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(members) => members
            .iter()
            .flat_map(|(_, member)| strings(member))
            .collect(),
    }
}

/// Bytes as text, with NUL left out (as in UTF-16) and the escapes of JSON for a slash and for single characters read.
fn lenient(bytes: &[u8]) -> String {
    let bytes: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    let mut read = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('\\') {
        read.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let escaped = rest.strip_prefix('u').and_then(|rest| rest.get(..4));
        if let Some(character) = escaped
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .and_then(char::from_u32)
        {
            read.push(character);
            rest = &rest[5..];
        }
    }
    read.push_str(rest);
    read
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::transcript::{Era, HeaderLine, HttpSent, SentKind};

    fn sent(body: &[u8], headers: Vec<HeaderLine>) -> Sent {
        Sent {
            kind: SentKind::Raw,
            message: None,
            bytes: Bytes::copy_from_slice(body),
            http: Some(HttpSent {
                method: "POST".to_owned(),
                url: "http://h/".to_owned(),
                headers,
            }),
            era: Era::Modern,
            altered: Vec::new(),
            origin: None,
        }
    }

    fn names(body: &str) -> Vec<String> {
        match called(&sent(body.as_bytes(), Vec::new())) {
            Called::Names(names) => names,
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn every_name_that_a_lenient_server_could_take_is_found() {
        for (body, expected) in [
            (
                r#"{"method":"tools/call","params":{"name":"a"}}"#,
                vec!["a"],
            ),
            (
                r#"{"method":"x","params":{"name":"a"},"method":"tools/call","params":{"name":"b","name":"c"}}"#,
                vec!["a", "b", "c"],
            ),
            (
                r#"{"method":"tools/call","method":"x","params":{"name":"a"}}"#,
                vec!["a"],
            ),
            (
                r#"[{"method":"x"},[{"method":"tools/call","params":{"name":"a"}}]]"#,
                vec!["a"],
            ),
            (
                r#"{"Method":" TOOLS/call","PARAMS":{"Name":"a"}}"#,
                vec!["a"],
            ),
            (
                r#"{"method":"tools\/\u0063all","params":{"n\u0061me":"a"}}"#,
                vec!["a"],
            ),
            (
                r#"{"method":"tools/call","params":["a",{"x":"b"}]}"#,
                vec!["a", "b"],
            ),
            (
                r#"{"method":"tools/call","params":{"name":["a",5,true,null]}}"#,
                vec!["a", "5", "true"],
            ),
            (
                r#"{"method":["tools/call"],"params":{"name":"a"}}"#,
                vec!["a"],
            ),
            (r#"{"method":"tools/call"}"#, vec![]),
        ] {
            assert_eq!(names(body), expected, "{body}");
        }
    }

    #[test]
    fn what_holds_no_call_calls_nothing() {
        for body in [
            r#"{"method":"tools/list","params":{"name":"a"}}"#,
            r#"{"method":"prompts/get","params":{"name":"tools/call"}}"#,
            r#"{"method":"tools/li"#,
            "",
            "\n",
        ] {
            assert_eq!(
                called(&sent(body.as_bytes(), Vec::new())),
                Called::Nothing,
                "{body}"
            );
        }
    }

    #[test]
    fn what_cannot_be_read_is_searched_for_a_call() {
        for body in [
            r#"{"method":"tools/call","params":{"name":"a""#,
            r#"{"method":"tools\/call""#,
            r#"{"method":"\u0074ools/call""#,
            r#"{"method":"Tools/Call"} trailing"#,
            "\"{\\\"method\\\":\\\"tools/call\\\"}\"",
            "t\0o\0o\0l\0s\0/\0c\0a\0l\0l\0",
        ] {
            assert!(
                matches!(
                    called(&sent(body.as_bytes(), Vec::new())),
                    Called::Unreadable(_)
                ),
                "{body}"
            );
        }
    }

    #[test]
    fn headers_count_where_a_call_is_made() {
        let headers = |method: &str| {
            vec![
                HeaderLine::new("mcp-method", method),
                HeaderLine::new("MCP-NAME", "=?base64?YQ==?="),
            ]
        };
        let call = br#"{"method":"tools/call","params":{"name":"b"}}"#;
        let list = br#"{"method":"tools/list"}"#;
        assert_eq!(
            called(&sent(call, headers("x"))),
            Called::Names(vec!["b".to_owned(), "a".to_owned()])
        );
        assert_eq!(
            called(&sent(list, headers("tools/call"))),
            Called::Names(vec!["a".to_owned()])
        );
        assert_eq!(called(&sent(list, headers("tools/list"))), Called::Nothing);
    }
}
