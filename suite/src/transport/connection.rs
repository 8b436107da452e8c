//! One connection to a target, whatever its transport.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::case::StopHow;
use crate::transcript::{ExchangeId, ExitStatus, HeaderLine, Sent};

use super::Journal;

/// Something to be sent.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// What the transcript says of it; `sent.bytes` is the line with its ending, or the body.
    pub sent: Sent,
    /// HTTP: the request. None on stdio.
    pub http: Option<HttpRequest>,
    /// stdio: how the bytes are written.
    pub write: WriteMode,
}

/// An HTTP request to be sent.
#[derive(Debug, Clone)]
pub struct HttpRequest {
    /// HTTP method.
    pub method: String,
    /// Absolute URL.
    pub url: String,
    /// Header lines; the transport adds Host and, with a body, Content-Length.
    pub headers: Vec<HeaderLine>,
    /// The body.
    pub body: Bytes,
    /// Whether the bytes of method and headers have to go out exactly so, which needs the raw client.
    pub raw: bool,
}

/// stdio: how bytes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteMode {
    /// At once.
    #[default]
    Whole,
    /// In three chunks, 100 ms apart.
    Pieces,
    /// Kept back and written together with the next message.
    WithNext,
}

/// Why something could not be sent at all. What the target does is recorded in the journal, not here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The link was closed before: by a `stop`, or because its process ended.
    #[error("the link is closed")]
    Closed,
    /// The URL cannot be called.
    #[error("{url} cannot be called: {problem}")]
    Url {
        /// As given.
        url: String,
        /// What is wrong.
        problem: String,
    },
}

/// How a process ended when it was told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped {
    /// Its status; none if it was still there when the time was over (and was then killed).
    pub status: Option<ExitStatus>,
    /// How long it took.
    pub took: Duration,
}

/// One connection to a target.
pub struct Connection {
    journal: Arc<Journal>,
}

impl Connection {
    /// Its journal.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// Writes something and returns once it is written; what comes back is recorded as it comes.
    ///
    /// On stdio a process that no longer reads is recorded, not an error here.
    pub async fn send(&self, outgoing: Outgoing) -> Result<ExchangeId, SendError> {
        let _ = outgoing;
        todo!("transport helper")
    }

    /// Gives an exchange up: on HTTP its response stream is closed, on stdio only the transcript says so.
    pub async fn cancel(&self, exchange: ExchangeId) {
        let _ = exchange;
        todo!("transport helper")
    }

    /// stdio: ends the process and waits for its end at most `within`; afterwards the link is closed.
    pub async fn stop(&self, how: StopHow, within: Duration) -> Stopped {
        let _ = (how, within);
        todo!("transport helper")
    }

    /// stdio: the last lines that the process wrote to standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        todo!("transport helper")
    }

    /// Closes it: HTTP once every answered exchange is over (2 s at most); stdio by end of input, reading what still
    /// comes, then SIGTERM, then SIGKILL.
    pub async fn close(&self) {
        todo!("transport helper")
    }
}
