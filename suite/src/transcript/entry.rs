//! One thing that happened on a link.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpspec_wire::{Decoded, ProblemKind};

use crate::text::{preview, size};

use super::ExchangeId;

/// Something that happened on a link, and when.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Time since the run began.
    pub at: Duration,
    /// The sent thing it belongs to; none for a message that fits no request.
    pub exchange: Option<ExchangeId>,
    /// What happened.
    pub what: What,
}

/// What happened on a link.
#[derive(Debug, Clone)]
pub enum What {
    /// The client sent something: the exchange that the entry names began.
    Sent,
    /// stdio: a line came on standard output.
    Line(Arc<Inbound>),
    /// HTTP: status and headers of a response came.
    Head(Arc<Head>),
    /// HTTP: an event of an event stream came.
    Event {
        /// Its data as a message.
        inbound: Arc<Inbound>,
        /// The event's type, `message` if it has none.
        event: String,
        /// The event's id field.
        id: Option<String>,
    },
    /// HTTP: the whole body of a response that is no event stream came. Empty bodies are recorded too.
    Body(Arc<Inbound>),
    /// HTTP: the response is over, or none will come.
    End(End),
    /// The client gave the exchange up.
    Cancelled,
    /// stdio: the process ended and everything it wrote was read.
    Exited(ExitStatus),
}

/// Bytes from the server that stand for one message, and what they mean.
#[derive(Debug, Clone)]
pub struct Inbound {
    /// The bytes as they came, without the line ending, cut at the message limit.
    pub bytes: Bytes,
    /// How many bytes there were, which is more than `bytes` holds where the limit cut them.
    pub len: u64,
    /// How a line ended.
    pub ending: LineEnd,
    /// The message in them, and what is wrong with it. Empty where the limit cut them.
    pub decoded: Decoded,
}

impl Inbound {
    /// Whether it is JSON with more levels or values than are read.
    pub fn is_beyond_limits(&self) -> bool {
        self.decoded.problems.iter().any(
            |problem| matches!(&problem.kind, ProblemKind::NotJson(error) if error.kind.is_limit()),
        )
    }

    /// Whether the message limit cut it, so that nothing can be said about its content.
    pub fn is_cut(&self) -> bool {
        self.len > self.bytes.len() as u64
    }

    /// The bytes as text, invalid UTF-8 replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The beginning of the text in at most `limit` bytes, ending in how long the whole is, as far as it was read.
    pub fn beginning(&self, limit: usize) -> String {
        if !self.is_cut() && self.bytes.len() <= limit {
            return self.text();
        }
        let beginning = &self.bytes[..self.bytes.len().min(limit)];
        let len = usize::try_from(self.len).unwrap_or(usize::MAX);
        let text = format!(
            "{}… ({} in all)",
            String::from_utf8_lossy(beginning),
            size(len)
        );
        preview(&text, limit).into_owned()
    }
}

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnd {
    /// LF.
    Lf,
    /// CR LF.
    CrLf,
    /// Not at all: the output ended first. Also of everything that is no line.
    None,
}

impl LineEnd {
    /// The name in the outcome of a `line` watch.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "lf",
            LineEnd::CrLf => "crlf",
            LineEnd::None => "none",
        }
    }
}

/// Status and headers of an HTTP response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Status code.
    pub status: u16,
    /// Header lines in order, names as they came.
    pub headers: Vec<HeaderLine>,
}

impl Head {
    /// The value of a header, its repeated lines joined by `, `; none if there is none.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<_> = self
            .headers
            .iter()
            .filter(|line| line.name.eq_ignore_ascii_case(name))
            .map(|line| String::from_utf8_lossy(&line.value).trim().to_owned())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The media type in lower case, without parameters.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(
            value
                .split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase(),
        )
    }
}

/// One HTTP header line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLine {
    /// Its name as spelt.
    pub name: String,
    /// Its value as bytes.
    pub value: Vec<u8>,
    /// Sent: no blank stands between the colon and the value.
    pub tight: bool,
}

impl HeaderLine {
    /// A line written the usual way.
    pub fn new(name: impl Into<String>, value: impl Into<Vec<u8>>) -> HeaderLine {
        HeaderLine {
            name: name.into(),
            value: value.into(),
            tight: false,
        }
    }
}

/// How an HTTP response ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The body is complete.
    Complete,
    /// The connection closed, or its framing broke, before the response was complete.
    CutOff(String),
    /// No connection could be made.
    Refused(String),
    /// The client closed it.
    ByClient,
    /// The response is larger than the limit, or never ends: the client gave up reading.
    TooLarge,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExitStatus {
    /// Exit code, if it ended by itself.
    pub code: Option<i32>,
    /// Number of the signal that ended it.
    pub signal: Option<i32>,
}

impl std::fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(f, "exit code {code}"),
            (None, Some(signal)) => write!(f, "signal {signal}"),
            (None, None) => f.write_str("an unknown status"),
        }
    }
}
