//! A server that is started to be reached at a URL.

use std::time::Duration;

use reqwest::Url;
use tokio::net::TcpStream;
use tokio::time::Instant;

use crate::text::redact_url;
use crate::transcript::ExitStatus;
use crate::transport::{Background, CommandLine, Stopped};

use super::OpenError;

/// The pause between two attempts to connect.
const PAUSE: Duration = Duration::from_millis(50);

/// How long one attempt to connect may take.
const ATTEMPT: Duration = Duration::from_secs(1);

/// How many of the last lines of a server stand in a message.
const LINES: usize = 5;

/// A started server and where it listens.
pub(super) struct Server {
    process: Background,
    /// Whether it was told to end.
    is_stopped: bool,
}

impl Server {
    /// Starts a server and waits until its URL accepts connections, at most `patience`.
    pub(super) async fn start(
        line: &CommandLine,
        url: &Url,
        patience: Duration,
    ) -> Result<Server, OpenError> {
        let shown = redact_url(url.as_str());
        if accepts(url).await {
            return Err(OpenError::Reach {
                url: shown,
                problem: "another server listens there already; end it, or leave the command out to judge it".to_owned(),
            });
        }
        let process = Background::start(line)?;
        let deadline = Instant::now() + patience;
        while !accepts(url).await {
            if let Some(status) = process.ended(Instant::now() + PAUSE).await {
                let problem = format!(
                    "it ended with {status} before it listened at {shown}{}",
                    said(&process.tail())
                );
                return Err(OpenError::Start {
                    command: line.words.first().cloned().unwrap_or_default(),
                    problem,
                });
            }
            if Instant::now() >= deadline {
                let patience = patience.as_secs_f64();
                let problem = format!(
                    "the command was started, but nothing listened there within {patience} s{}; a longer --startup-timeout may help",
                    said(&process.tail())
                );
                return Err(OpenError::Reach {
                    url: shown,
                    problem,
                });
            }
        }
        Ok(Server {
            process,
            is_stopped: false,
        })
    }

    /// Ends it by SIGTERM, and after `within` by SIGKILL.
    pub(super) async fn stop(&mut self, within: Duration) -> Stopped {
        self.is_stopped |= self.status().is_none();
        self.process.stop(within).await
    }

    /// Waits for its end, at most `within`.
    pub(super) async fn ended(&self, within: Duration) {
        self.process.ended(Instant::now() + within).await;
    }

    /// How it ended, if it did.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.process.status()
    }

    /// How it ended, if it did so by itself.
    pub(super) fn own_end(&self) -> Option<ExitStatus> {
        self.status().filter(|_| !self.is_stopped)
    }

    /// The last lines that it wrote.
    pub(super) fn tail(&self) -> Vec<String> {
        self.process.tail()
    }
}

/// The last lines of a process, for the end of a message.
pub(super) fn said(tail: &[String]) -> String {
    let last = &tail[tail.len().saturating_sub(LINES)..];
    if last.is_empty() {
        return ", without a word on standard error".to_owned();
    }
    let lines: Vec<String> = last
        .iter()
        .map(|line| crate::text::preview(line, 200).into_owned())
        .collect();
    format!("; it wrote last: {}", lines.join(" | "))
}

async fn accepts(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = url.port_or_known_default().unwrap_or_default();
    matches!(
        tokio::time::timeout(ATTEMPT, TcpStream::connect((host, port))).await,
        Ok(Ok(_))
    )
}
