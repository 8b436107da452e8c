//! One connection to a target, whatever its transport.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use crate::case::StopHow;
use crate::transcript::{ExchangeId, ExitStatus, HeaderLine, Sent};

use super::http::{HttpLink, Network};
use super::memory::{self, MemoryServer};
use super::process::{Child, ChildError, CommandLine};
use super::stdio;
use super::{Journal, Limits};

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
    kind: Kind,
}

enum Kind {
    Stdio(stdio::Link),
    Http(HttpLink),
}

impl Connection {
    /// Starts a process and connects to it.
    pub(crate) fn to_process(
        command: &CommandLine,
        journal: Journal,
        limits: &Limits,
    ) -> Result<Connection, ChildError> {
        let child = Child::start(command)?;
        let parts = stdio::Parts {
            input: Box::new(child.input),
            output: Box::new(child.output),
            exit: child.exit,
            process: child.handle,
        };
        let journal = Arc::new(journal);
        let link = stdio::Link::new(parts, journal.clone(), limits);
        Ok(Connection {
            journal,
            kind: Kind::Stdio(link),
        })
    }

    /// Starts the reference server in this program and connects to it as to a process.
    pub(crate) fn to_memory(
        options: mcpspec_refserver::Options,
        journal: Journal,
        limits: &Limits,
    ) -> Connection {
        let journal = Arc::new(journal);
        let link = stdio::Link::new(memory::process(options), journal.clone(), limits);
        Connection {
            journal,
            kind: Kind::Stdio(link),
        }
    }

    /// Prepares a link over HTTP to the reference server in this program.
    pub(crate) fn over_memory(
        server: &MemoryServer,
        journal: Journal,
        limits: &Limits,
    ) -> Connection {
        let link = server.link(*limits);
        Connection {
            journal: Arc::new(journal),
            kind: Kind::Http(link),
        }
    }

    /// Prepares a link over HTTP; connections are made when they are needed.
    pub(crate) fn over_http(
        network: &Network,
        journal: Journal,
        limits: &Limits,
    ) -> Result<Connection, String> {
        let link = network.link(*limits)?;
        Ok(Connection {
            journal: Arc::new(journal),
            kind: Kind::Http(link),
        })
    }

    /// Its journal.
    pub fn journal(&self) -> &Arc<Journal> {
        &self.journal
    }

    /// Writes something and returns once it is written; what comes back is recorded as it comes.
    ///
    /// A process that does not read, or that has closed its input, is recorded as [`End::CutOff`] of the exchange; it is
    /// not an error here.
    pub async fn send(&self, outgoing: Outgoing) -> Result<ExchangeId, SendError> {
        match &self.kind {
            Kind::Stdio(link) => link.send(outgoing).await,
            Kind::Http(link) => link.send(&self.journal, outgoing).await,
        }
    }

    /// Gives an exchange up: on HTTP its response stream is closed, on stdio only the transcript says so.
    pub async fn cancel(&self, exchange: ExchangeId) {
        self.journal
            .write(|transcript, now| transcript.cancelled(now, exchange));
        if let Kind::Http(link) = &self.kind {
            link.end(&self.journal, exchange).await;
        }
    }

    /// stdio: ends the process and waits for its end at most `within`; afterwards the link is closed.
    ///
    /// On HTTP nothing is stopped, and no status is given.
    pub async fn stop(&self, how: StopHow, within: Duration) -> Stopped {
        match &self.kind {
            Kind::Stdio(link) => link.stop(how, within).await,
            Kind::Http(_) => Stopped {
                status: None,
                took: Duration::ZERO,
            },
        }
    }

    /// stdio: the last lines that the process wrote to standard error.
    pub fn stderr_tail(&self) -> Vec<String> {
        match &self.kind {
            Kind::Stdio(link) => link.stderr_tail(),
            Kind::Http(_) => Vec::new(),
        }
    }

    /// Closes it: HTTP once every answered exchange is over (2 s at most); stdio by end of input, reading what still
    /// comes, then SIGTERM, then SIGKILL.
    pub async fn close(&self) {
        match &self.kind {
            Kind::Stdio(link) => link.close().await,
            Kind::Http(link) => link.close(&self.journal).await,
        }
    }
}
