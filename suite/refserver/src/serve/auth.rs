//! Bearer tokens of a protected server (`basic/authorization/index`).

use axum::http::{HeaderValue, header};
use serde_json::json;

use super::exchange::{Exchange, HttpReply};
use crate::options::Options;

/// Where the metadata of the protected resource is, for the endpoint at [`HTTP_PATH`](super::HTTP_PATH) (RFC 9728).
pub(super) const METADATA_PATH: &str = "/.well-known/oauth-protected-resource/mcp";

/// Who sends a request: nobody in particular on an open server, the owner of the token on a protected one.
pub(super) fn principal(
    options: &Options,
    exchange: &Exchange,
) -> Result<Option<String>, Box<HttpReply>> {
    if !options.protected {
        return Ok(None);
    }
    let token = exchange.header(header::AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let is_known = |token: &&str| Options::TOKENS.contains(token) || *token == Options::LOW_TOKEN;
    match token.filter(is_known) {
        Some(token) => Ok(Some(token.to_owned())),
        None => Err(Box::new(challenge(exchange, token.is_some()))),
    }
}

fn challenge(exchange: &Exchange, refused: bool) -> HttpReply {
    let error = if refused {
        ", error=\"invalid_token\""
    } else {
        ""
    };
    let challenge = format!(
        "Bearer resource_metadata=\"{}{METADATA_PATH}\", scope=\"mcp\"{error}",
        root(exchange)
    );
    let mut reply = HttpReply::empty(401);
    // A Host header that is a header value gives a challenge that is one.
    if let Ok(challenge) = HeaderValue::from_str(&challenge) {
        reply.headers.insert(header::WWW_AUTHENTICATE, challenge);
    }
    reply
}

fn root(exchange: &Exchange) -> String {
    format!(
        "http://{}",
        exchange.header(header::HOST).unwrap_or("localhost")
    )
}

/// The metadata document. The authorization server that it names is not run: the tokens are fixed.
pub(super) fn metadata(exchange: &Exchange) -> HttpReply {
    let document = json!({
        "resource": format!("{}{}", root(exchange), super::HTTP_PATH),
        "authorization_servers": ["https://auth.example.com"],
        "scopes_supported": ["mcp"],
        "bearer_methods_supported": ["header"],
    });
    HttpReply::json(200, document.to_string().into_bytes())
}
