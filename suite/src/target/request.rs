//! Conforming messages and the headers that mirror them (pages `basic/index` and `basic/transports/streamable-http`).

use std::sync::atomic::{AtomicU64, Ordering};

use mcpspec_wire::Value;

use crate::transcript::HeaderLine;

/// What mcpspec says of itself in `clientInfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Name.
    pub name: String,
    /// Version.
    pub version: String,
}

/// A conforming message, ready to be departed from.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The JSON-RPC message, an object.
    pub message: Value,
}

impl Draft {
    /// A conforming request: `jsonrpc`, the id, the method, params, and `_meta` with version, clientInfo and capabilities.
    pub fn request(id: Value, method: &str, params: &Value, capabilities: &Value) -> Draft {
        let _ = (id, method, params, capabilities);
        todo!("target helper")
    }

    /// A conforming notification.
    pub fn notification(method: &str, params: &Value) -> Draft {
        let _ = (method, params);
        todo!("target helper")
    }

    /// The headers of a conforming POST that mirror `message`: MCP-Protocol-Version, Mcp-Method, and where due Mcp-Name
    /// and `Mcp-Param-*` for the arguments that the tool's definition marks. A member that has no string to mirror gives no line.
    pub fn mirrored(message: &Value, tools: &[Value]) -> Vec<HeaderLine> {
        let _ = (message, tools);
        todo!("target helper")
    }
}

/// Ids of requests: a string and an integer in turn, each once for a target.
#[derive(Debug, Default)]
pub struct IdSource {
    next: AtomicU64,
}

impl IdSource {
    /// The first id is `r1`.
    pub fn new() -> IdSource {
        IdSource::default()
    }

    /// The next id.
    pub fn next_id(&self) -> Value {
        let number = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        if number % 2 == 1 {
            Value::from(format!("r{number}"))
        } else {
            Value::from(number)
        }
    }
}

/// Whether a text is an HTTP token (RFC 9110, section 5.6.2).
pub fn is_safe_token(text: &str) -> bool {
    let _ = text;
    todo!("target helper")
}
