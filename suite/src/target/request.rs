//! Conforming messages and the headers that mirror them (pages `basic/index` and `basic/transports/streamable-http`).

use bytes::Bytes;
use mcpspec_wire::{Object, Value, header_value, planted};

use crate::spec::{REVISION, Transport};
use crate::transcript::{Era, HeaderLine, HttpSent, Sent, SentKind};
use crate::transport::{HttpRequest, Outgoing, WriteMode};

use super::{Target, mirror};

/// What mcpspec says of itself in `clientInfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
}

impl Default for Identity {
    /// `mcpspec` and its own version.
    fn default() -> Identity {
        Identity {
            name: "mcpspec".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

impl Identity {
    /// As `clientInfo`.
    pub fn to_value(&self) -> Value {
        let members = [
            ("name", self.name.as_str()),
            ("version", self.version.as_str()),
        ];
        Value::Object(members.into_iter().collect::<Object>())
    }
}

/// A conforming message, ready to be departed from.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The JSON-RPC message, an object.
    pub message: Value,
}

impl Draft {
    /// A conforming request: `jsonrpc`, the id, the method, params, and `_meta` with version, clientInfo and capabilities.
    ///
    /// A `_meta` in `params` keeps its other members. Params that are no object count as none.
    pub fn request(id: Value, method: &str, params: &Value, capabilities: &Value) -> Draft {
        let mut message = Object::new();
        message.insert("jsonrpc", "2.0");
        message.insert("id", id);
        message.insert("method", method);
        message.insert("params", with_meta(params, capabilities));
        Draft {
            message: Value::Object(message),
        }
    }

    /// A conforming notification, with the same `_meta` and no capabilities declared.
    pub fn notification(method: &str, params: &Value) -> Draft {
        let mut message = Object::new();
        message.insert("jsonrpc", "2.0");
        message.insert("method", method);
        message.insert("params", with_meta(params, &Value::Object(Object::new())));
        Draft {
            message: Value::Object(message),
        }
    }

    /// The headers of a conforming POST that mirror `message`: MCP-Protocol-Version, Mcp-Method, and where due Mcp-Name
    /// and `Mcp-Param-*` for the arguments that the tool's definition marks. A member that has no string to mirror gives no line.
    pub fn mirrored(message: &Value, tools: &[Value]) -> Vec<HeaderLine> {
        let text = |pointer: &str| message.pointer(pointer).and_then(Value::as_str);
        let mut lines = Vec::new();
        if let Some(version) = text("/params/_meta/io.modelcontextprotocol~1protocolVersion") {
            lines.push(HeaderLine::new("MCP-Protocol-Version", version));
        }
        let method = text("/method");
        if let Some(method) = method {
            lines.push(HeaderLine::new("Mcp-Method", method));
        }
        let name = match method {
            Some("tools/call" | "prompts/get") => text("/params/name"),
            Some("resources/read") => text("/params/uri"),
            _ => None,
        };
        if let Some(name) = name {
            lines.push(HeaderLine::new(
                "Mcp-Name",
                header_value::encode(name).as_bytes(),
            ));
        }
        if method == Some("tools/call")
            && let Some(name) = name
            && let Some(tool) = tools
                .iter()
                .find(|tool| tool.get("name").and_then(Value::as_str) == Some(name))
            && let Some(schema) = tool.get("inputSchema")
        {
            lines.extend(mirror::lines(schema, message.pointer("/params/arguments")));
        }
        lines
    }
}

/// The headers of every conforming POST beside those that mirror its body, the configured ones last.
pub fn post_headers(configured: &[(String, String)]) -> Vec<HeaderLine> {
    let mut lines = vec![
        HeaderLine::new("Content-Type", "application/json"),
        HeaderLine::new("Accept", "application/json, text/event-stream"),
    ];
    lines.extend(
        configured
            .iter()
            .map(|(name, value)| HeaderLine::new(name.as_str(), value.as_bytes())),
    );
    lines
}

/// A conforming request, ready to go out on a link of the target.
pub fn conforming(
    target: &Target,
    id: Value,
    method: &str,
    params: &Value,
    capabilities: &Value,
    tools: &[Value],
) -> Outgoing {
    let message = Draft::request(id, method, params, capabilities).message;
    let mut headers = post_headers(&target.options().headers);
    headers.extend(Draft::mirrored(&message, tools));
    outgoing(target, SentKind::Request, message, headers, Era::Modern)
}

/// `notifications/cancelled` for a request, ready to go out on a link of the target (page `basic/patterns/cancellation`).
pub(super) fn cancelled(target: &Target, id: Value) -> Outgoing {
    let params: Object = [("requestId", id)].into_iter().collect();
    let message = Draft::notification("notifications/cancelled", &Value::Object(params)).message;
    let mut headers = post_headers(&target.options().headers);
    headers.extend(Draft::mirrored(&message, &[]));
    outgoing(
        target,
        SentKind::Notification,
        message,
        headers,
        Era::Modern,
    )
}

/// An `initialize` request as revisions up to 2025-11-25 have it, ready to go out on a link of the target.
pub(super) fn initialize(target: &Target, id: Value, version: &str) -> Outgoing {
    let mut params = Object::new();
    params.insert("protocolVersion", version);
    params.insert("capabilities", Object::new());
    params.insert("clientInfo", Identity::default().to_value());
    let mut message = Object::new();
    message.insert("jsonrpc", "2.0");
    message.insert("id", id);
    message.insert("method", "initialize");
    message.insert("params", params);
    let headers = post_headers(&target.options().headers);
    outgoing(
        target,
        SentKind::Request,
        Value::Object(message),
        headers,
        Era::Legacy,
    )
}

fn outgoing(
    target: &Target,
    kind: SentKind,
    message: Value,
    headers: Vec<HeaderLine>,
    era: Era,
) -> Outgoing {
    let mut text = message.to_json();
    if target.transport() == Transport::Stdio {
        text.push('\n');
    }
    let bytes = Bytes::from(text);
    let http = target.url().map(|url| HttpRequest {
        method: "POST".to_owned(),
        url: url.to_owned(),
        headers,
        body: bytes.clone(),
        raw: false,
    });
    let sent = Sent {
        kind,
        message: Some(message),
        bytes,
        http: http.as_ref().map(|http| HttpSent {
            method: http.method.clone(),
            url: http.url.clone(),
            headers: http.headers.clone(),
        }),
        era,
        altered: Vec::new(),
        origin: None,
    };
    Outgoing {
        sent,
        http,
        write: WriteMode::Whole,
    }
}

/// Whether a text is an HTTP token (RFC 9110, section 5.6.2).
pub fn is_safe_token(text: &str) -> bool {
    let is_token_character =
        |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let text = match text.strip_suffix('\n') {
        Some(line) if planted("name-newline") => line,
        _ => text,
    };
    !text.is_empty() && text.bytes().all(is_token_character)
}

fn with_meta(params: &Value, capabilities: &Value) -> Object {
    let mut made = params.as_object().cloned().unwrap_or_default();
    let mut meta = Object::new();
    meta.insert("io.modelcontextprotocol/protocolVersion", REVISION);
    meta.insert(
        "io.modelcontextprotocol/clientInfo",
        Identity::default().to_value(),
    );
    meta.insert(
        "io.modelcontextprotocol/clientCapabilities",
        capabilities.clone(),
    );
    for (name, value) in made
        .get("_meta")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Object::iter)
    {
        meta.insert(name, value.clone());
    }
    made.insert("_meta", meta);
    made
}

#[cfg(test)]
mod tests {
    use mcpspec_wire::Document;

    use super::*;

    fn value(text: &str) -> Value {
        Document::parse(text.as_bytes())
            .expect("the test's JSON is right")
            .into_value()
    }

    fn shown(lines: &[HeaderLine]) -> Vec<String> {
        lines
            .iter()
            .map(|line| format!("{}: {}", line.name, String::from_utf8_lossy(&line.value)))
            .collect()
    }

    /// The lines behind MCP-Protocol-Version and Mcp-Method.
    fn named(method: &str, params: &str, tools: &[Value]) -> Vec<String> {
        let draft = Draft::request(Value::from(1), method, &value(params), &value("{}"));
        shown(&Draft::mirrored(&draft.message, tools)).split_off(2)
    }

    #[test]
    fn a_request_has_the_required_metadata_and_keeps_what_it_was_given() {
        let params = value(r#"{"cursor":"c","_meta":{"progressToken":7}}"#);
        let draft = Draft::request(
            Value::from("r-1"),
            "tools/list",
            &params,
            &value(r#"{"roots":{}}"#),
        );
        let version = env!("CARGO_PKG_VERSION");
        let meta = format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"mcpspec","version":"{version}"}},"io.modelcontextprotocol/clientCapabilities":{{"roots":{{}}}},"progressToken":7}}"#
        );
        assert_eq!(
            draft.message.to_json(),
            format!(
                r#"{{"jsonrpc":"2.0","id":"r-1","method":"tools/list","params":{{"cursor":"c","_meta":{meta}}}}}"#
            )
        );
        assert!(
            Draft::notification("notifications/x", &Value::Null)
                .message
                .get("id")
                .is_none()
        );
    }

    #[test]
    fn only_three_methods_have_a_name() {
        assert_eq!(
            named("tools/call", r#"{"name":"a b"}"#, &[]),
            ["Mcp-Name: a b"]
        );
        assert_eq!(
            named("prompts/get", r#"{"name":"wörld"}"#, &[]),
            ["Mcp-Name: =?base64?d8O2cmxk?="]
        );
        assert_eq!(
            named("resources/read", r#"{"uri":"file:///x","name":"y"}"#, &[]),
            ["Mcp-Name: file:///x"]
        );
        assert!(named("completion/complete", r#"{"name":"x","uri":"y"}"#, &[]).is_empty());
        assert!(named("tools/call", r#"{"name":5}"#, &[]).is_empty());
    }

    #[test]
    fn what_has_no_string_to_mirror_gives_no_line() {
        assert!(Draft::mirrored(&value(r#"{"method":5,"params":[]}"#), &[]).is_empty());
        assert!(Draft::mirrored(&value("[]"), &[]).is_empty());
    }

    #[test]
    fn marked_arguments_are_mirrored_with_their_types_written_out() {
        let tool = value(
            r#"{"name":"t","inputSchema":{"type":"object","properties":{
                "s":{"type":"string","x-mcp-header":"S"},
                "i":{"type":"integer","x-mcp-header":"I"},
                "b":{"type":"boolean","x-mcp-header":"B"},
                "n":{"type":["string","null"],"x-mcp-header":"N"},
                "o":{"type":"object","properties":{"deep":{"type":"string","x-mcp-header":"Deep"}}},
                "bad":{"type":"string","x-mcp-header":"not a token"},
                "list":{"type":"array","items":{"type":"string","x-mcp-header":"Item"}}}}}"#,
        );
        let arguments =
            r#"{"s":" x ","i":42.0,"b":true,"n":null,"o":{"deep":"d"},"bad":"x","list":["x"]}"#;
        assert_eq!(
            named(
                "tools/call",
                &format!(r#"{{"name":"t","arguments":{arguments}}}"#),
                std::slice::from_ref(&tool)
            ),
            [
                "Mcp-Name: t",
                "Mcp-Param-S: =?base64?IHgg?=",
                "Mcp-Param-I: 42",
                "Mcp-Param-B: true",
                "Mcp-Param-Deep: d"
            ]
        );
        assert_eq!(
            named("tools/call", r#"{"name":"t"}"#, &[tool]),
            ["Mcp-Name: t"]
        );
    }

    #[test]
    fn a_token_has_no_blanks_and_no_separators() {
        for token in ["Region", "x-1", "!#$%&'*+-.^_`|~"] {
            assert!(is_safe_token(token), "{token}");
        }
        for text in ["", "a b", "a:b", "ä", "a\n", "(a)"] {
            assert!(!is_safe_token(text), "{text}");
        }
    }
}
