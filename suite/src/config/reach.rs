//! What makes a URL or a header unfit for use, wherever it was written.

/// What is wrong with the URL of a server.
pub fn url_problem(text: &str) -> Option<String> {
    match reqwest::Url::parse(text) {
        Err(error) => Some(error.to_string()),
        Ok(url) => match url.scheme() {
            "http" | "https" => None,
            scheme => Some(format!("the scheme is {scheme}")),
        },
    }
}

/// What is wrong with a text that should be a token and is none.
pub const NO_TOKEN: &str = "holds something else than printable ASCII without blanks";

/// What is wrong with a bearer token.
pub fn token_problem(token: &str) -> Option<&'static str> {
    if token.is_empty() {
        Some("is empty")
    } else if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        Some(NO_TOKEN)
    } else {
        None
    }
}

/// What is wrong with a header that is not the user's to give.
pub const MIRRORED: &str =
    "mcpspec sets this header itself, since it repeats what is in the body of each request";

/// What is wrong with a header. The value is not repeated, since it may be a secret.
pub fn header_problem(name: &str, value: &str) -> Option<&'static str> {
    let is_text = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
        Some("the name is no HTTP token")
    } else if is_mirrored(name) {
        Some(MIRRORED)
    } else if !value.bytes().all(is_text) {
        Some("the value is not printable ASCII")
    } else {
        None
    }
}

/// Whether a header repeats a part of the body (page `basic/transports/streamable-http`).
fn is_mirrored(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["mcp-protocol-version", "mcp-method", "mcp-name"].contains(&name.as_str())
        || name.starts_with("mcp-param-")
}
