//! Conforming messages and the headers that mirror them (pages `basic/index` and `basic/transports/streamable-http`).

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

/// Whether a text is an HTTP token (RFC 9110, section 5.6.2).
pub fn is_safe_token(text: &str) -> bool {
    let _ = text;
    todo!("target helper")
}
