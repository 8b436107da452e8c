//! Something the client sent, and all that belongs to it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpspec_wire::Value;

use super::HeaderLine;

/// Something the client sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// What it is.
    pub kind: SentKind,
    /// The JSON-RPC message in it; none where bytes were written as they are.
    pub message: Option<Value>,
    /// The line with its ending (stdio) or the body (HTTP), as written.
    pub bytes: Bytes,
    /// HTTP: the request line and headers.
    pub http: Option<HttpSent>,
    /// Whether it speaks this revision or an older one.
    pub era: Era,
    /// Where it departs from a conforming request.
    pub altered: Vec<Altered>,
    /// The case and step that sent it; none for the survey and for canaries.
    pub origin: Option<Arc<str>>,
}

impl Sent {
    /// The JSON-RPC method, if it has one that is a string.
    pub fn method(&self) -> Option<&str> {
        self.message.as_ref()?.get("method")?.as_str()
    }

    /// The request id, whatever its type; none for notifications.
    pub fn id(&self) -> Option<&Value> {
        self.message.as_ref()?.get("id")
    }

    /// A member of `params`.
    pub fn param(&self, name: &str) -> Option<&Value> {
        self.message.as_ref()?.get("params")?.get(name)
    }

    /// The members of `params` but `_meta`, if it is a map.
    pub fn params_without_meta(&self) -> Option<Value> {
        let params = self.message.as_ref()?.get("params")?.as_object()?;
        let others = params.iter().filter(|(name, _)| *name != "_meta");
        let others = others.map(|(name, value)| (name, value.clone()));
        Some(Value::Object(others.collect()))
    }

    /// A member of `params._meta`.
    pub fn meta(&self, key: &str) -> Option<&Value> {
        self.param("_meta")?.get(key)
    }
}

/// What a sent thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SentKind {
    /// A JSON-RPC request: an answer is due.
    Request,
    /// A JSON-RPC notification: on stdio nothing is due, on HTTP a bare response.
    Notification,
    /// Bytes as they are.
    Raw,
    /// Any HTTP request.
    Http,
}

/// Which protocol generation a sent thing speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Revision 2026-07-28.
    Modern,
    /// A revision that begins with `initialize`.
    Legacy,
}

impl Era {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        match self {
            Era::Modern => "modern",
            Era::Legacy => "legacy",
        }
    }
}

/// A departure from a conforming request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Altered {
    /// A member beside id and params.
    Envelope,
    /// The id is neither string nor integer.
    Id,
    /// `params` is not a map.
    Params,
    /// A required field of `_meta` is gone, of another type, or another version.
    Meta,
    /// A made header has another value or is gone, or an Origin was set.
    Headers,
    /// The bytes were written as they are.
    Raw,
}

impl Altered {
    /// The name in outcomes.
    pub fn as_str(self) -> &'static str {
        match self {
            Altered::Envelope => "envelope",
            Altered::Id => "id",
            Altered::Params => "params",
            Altered::Meta => "meta",
            Altered::Headers => "headers",
            Altered::Raw => "raw",
        }
    }
}

/// The HTTP part of a sent thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSent {
    /// HTTP method.
    pub method: String,
    /// Absolute URL.
    pub url: String,
    /// Header lines as written; Host, Content-Length and Connection are the transport's.
    pub headers: Vec<HeaderLine>,
}

/// A sent thing and the entries that belong to it.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// What was sent.
    pub sent: Arc<Sent>,
    /// When, since the run began; when last, if the server wanted it later (429 with `Retry-After`).
    pub sent_at: Duration,
    /// Indexes of its entries in the transcript, its own sending included, in order.
    pub entries: Vec<usize>,
    /// When the first answer with its id came.
    pub answered_at: Option<Duration>,
    /// How many answers came.
    pub responses: usize,
    /// When the client gave it up.
    pub cancelled_at: Option<Duration>,
    /// When the limit of its step was over.
    pub expired_at: Option<Duration>,
    /// HTTP: when and how the response ended.
    pub ended: Option<(Duration, super::End)>,
    /// Whether the target answered a plain `server/discover` after this exchange had ended without an answer.
    pub served_after: Option<bool>,
}

impl Exchange {
    /// Whether it still waits: neither answered, given up, over nor beyond its limit.
    pub fn is_open(&self) -> bool {
        let is_done =
            self.answered_at.is_some() || self.cancelled_at.is_some() || self.expired_at.is_some();
        !is_done && self.ended.is_none()
    }

    /// Whether this is a `subscriptions/listen`.
    pub fn is_listen(&self) -> bool {
        self.sent.method() == Some("subscriptions/listen")
    }
}
