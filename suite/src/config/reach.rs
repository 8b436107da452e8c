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

/// What is wrong with a header. The value is not repeated, since it may be a secret.
pub fn header_problem(name: &str, value: &str) -> Option<&'static str> {
    let is_text = |byte: u8| byte == b'\t' || (b' '..=b'~').contains(&byte);
    if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
        Some("the name is no HTTP token")
    } else if !value.bytes().all(is_text) {
        Some("the value is not printable ASCII")
    } else {
        None
    }
}
