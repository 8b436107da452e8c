//! HTTP requests and responses as a mutant sees them.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    response::Response,
};

/// An HTTP request with its body.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Its method.
    pub(crate) method: Method,
    /// The path of its URL.
    pub(crate) path: String,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// Its body; empty for all methods but POST.
    pub(crate) body: Vec<u8>,
}

impl Exchange {
    /// The text of a header; `None` if it is absent, or not plain text.
    pub(crate) fn header(&self, name: impl header::AsHeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// The body of a response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Nothing.
    Empty,
    /// All of it.
    Text(Vec<u8>),
    /// An event stream that has only begun.
    Events,
}

/// The head of a response, and its body.
#[derive(Debug)]
pub(crate) struct HttpReply {
    /// The status code.
    pub(crate) status: u16,
    /// The headers, beside those that HTTP itself needs.
    pub(crate) headers: HeaderMap,
    /// The body.
    pub(crate) body: Payload,
}

impl HttpReply {
    /// A response without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: Payload::Empty,
        }
    }

    /// One JSON text.
    pub(crate) fn json(status: u16, text: Vec<u8>) -> Self {
        let mut reply = Self {
            status,
            headers: HeaderMap::new(),
            body: Payload::Text(text),
        };
        reply.set(header::CONTENT_TYPE, "application/json");
        reply
    }

    /// The head of an event stream (`basic/transports/streamable-http#receiving-messages`).
    pub(crate) fn events(status: u16) -> Self {
        let mut reply = Self {
            status,
            headers: HeaderMap::new(),
            body: Payload::Events,
        };
        reply.set(header::CONTENT_TYPE, "text/event-stream");
        reply.set(header::CACHE_CONTROL, "no-cache");
        reply.set(HeaderName::from_static("x-accel-buffering"), "no");
        reply
    }

    /// Sets a header.
    pub(crate) fn set(&mut self, name: HeaderName, value: &'static str) {
        self.headers.insert(name, HeaderValue::from_static(value));
    }

    /// The response, with `events` for the body of an event stream.
    pub(super) fn into_response(self, events: impl FnOnce() -> Body) -> Response {
        let body = match self.body {
            Payload::Empty => Body::empty(),
            Payload::Text(text) => Body::from(text),
            Payload::Events => events(),
        };
        let mut response = Response::new(body);
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        *response.headers_mut() = self.headers;
        response
    }
}
