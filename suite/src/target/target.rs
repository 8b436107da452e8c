//! A server under test over one transport.

use std::path::PathBuf;
use std::time::Duration;

use crate::spec::Transport;
use crate::transport::Limits;

use crate::event::ToolCalls;

use super::{CallTools, Link};

/// How a target is reached.
#[derive(Debug, Clone)]
pub enum Endpoint {
    /// A command whose process speaks stdio; every link is a process of its own.
    Command(Vec<String>),
    /// A URL, with the command that has to be started first if there is one.
    Url {
        /// The endpoint.
        url: String,
        /// Started once, waited for, and ended after the run.
        command: Option<Vec<String>>,
    },
    /// The built-in reference server in this process.
    Memory(mcpspec_refserver::Options, Transport),
}

impl Endpoint {
    /// The transport over which it is reached.
    pub fn transport(&self) -> Transport {
        match self {
            Endpoint::Command(_) => Transport::Stdio,
            Endpoint::Url { .. } => Transport::Http,
            Endpoint::Memory(_, transport) => *transport,
        }
    }
}

/// How a target is treated.
#[derive(Debug, Clone)]
pub struct TargetOptions {
    /// Environment variables added for a command.
    pub env: Vec<(String, String)>,
    /// Working directory of a command.
    pub cwd: Option<PathBuf>,
    /// Headers added to every HTTP request (`--header`), Authorization among them.
    pub headers: Vec<(String, String)>,
    /// How long a start may take.
    pub startup_timeout: Duration,
    /// How long an answer may take (`--timeout`).
    pub timeout: Duration,
    /// Bounds on what is kept.
    pub limits: Limits,
    /// Which tools may be called.
    pub call_tools: CallTools,
}

impl Default for TargetOptions {
    fn default() -> TargetOptions {
        TargetOptions {
            env: Vec::new(),
            cwd: None,
            headers: Vec::new(),
            startup_timeout: Duration::from_secs(20),
            timeout: Duration::from_secs(10),
            limits: Limits::default(),
            call_tools: CallTools::default(),
        }
    }
}

/// A server under test over one transport. Opens links.
pub struct Target {}

/// Why a target cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The command could not be started.
    #[error("cannot start {command}: {problem}")]
    Start {
        /// Its first word.
        command: String,
        /// What the system said.
        problem: String,
    },
    /// The endpoint could not be reached.
    #[error("cannot reach {url}: {problem}")]
    Reach {
        /// The endpoint, redacted.
        url: String,
        /// What happened.
        problem: String,
    },
}

impl Target {
    /// Prepares a target; a command beside a URL is started and waited for. Times count from `epoch`.
    pub async fn start(
        endpoint: Endpoint,
        options: TargetOptions,
        epoch: tokio::time::Instant,
    ) -> Result<Target, OpenError> {
        let _ = (endpoint, options, epoch);
        todo!("target helper")
    }

    /// Its transport.
    pub fn transport(&self) -> Transport {
        todo!("target helper")
    }

    /// HTTP: the endpoint's URL (in memory an invented one).
    pub fn url(&self) -> Option<&str> {
        todo!("target helper")
    }

    /// How it is treated.
    pub fn options(&self) -> &TargetOptions {
        todo!("target helper")
    }

    /// Whether mcpspec started it, so that it can be ended.
    pub fn is_stoppable(&self) -> bool {
        todo!("target helper")
    }

    /// Opens a link: a process (stdio) or a connection (HTTP).
    pub async fn open(&self, name: &str, exclusive: bool) -> Result<Link, OpenError> {
        let _ = (name, exclusive);
        todo!("target helper")
    }

    /// HTTP, where mcpspec started the server: ends it by SIGTERM, waits at most `within` and starts it again.
    pub async fn restart(&self, within: Duration) -> Result<crate::transport::Stopped, OpenError> {
        let _ = within;
        todo!("target helper")
    }

    /// Tools that were called so far.
    pub fn calls(&self) -> Vec<ToolCalls> {
        todo!("target helper")
    }

    /// Ends whatever was started and tells how it ended, if it ended by itself before.
    pub async fn finish(&self) -> Option<String> {
        todo!("target helper")
    }
}
