//! A server under test over one transport.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use tokio::sync::{Mutex, OwnedSemaphorePermit};
use tokio::time::Instant;

use crate::event::{ToolCalls, UncalledTool};
use crate::spec::Transport;
use crate::text::redact_url;
use crate::transcript::{ExitStatus, LinkInfo};
use crate::transport::{
    Budget, ChildError, CommandLine, Connection, Journal, Limits, MemoryServer, Network, Pacer,
    Stopped,
};

use super::neighbours;
use super::server::{Server, said};
use super::startup::Startup;
use super::{CallTools, Link, Permit, is_safe_token};

/// The origin at which the reference server in this process is said to listen.
const MEMORY_ORIGIN: &str = "http://127.0.0.1";

/// Where it would be found by others, if it listened there.
const MEMORY_ELSEWHERE: &str = "http://192.0.2.1";

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
    /// How long the start of a process may take, up to its first answer over stdio, up to when it listens over HTTP
    /// (`--startup-timeout`).
    pub startup_timeout: Duration,
    /// How long an answer may take (`--timeout`).
    pub timeout: Duration,
    /// Whether any certificate is good for the host of the URL (`--insecure`).
    pub insecure: bool,
    /// What holds requests over HTTP back, if anything does (`--max-rate`).
    pub pacer: Option<Arc<Pacer>>,
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
            insecure: false,
            pacer: None,
            limits: Limits::default(),
            call_tools: CallTools::default(),
        }
    }
}

/// A server under test over one transport. Opens links.
pub struct Target {
    place: Place,
    other_urls: Vec<String>,
    options: TargetOptions,
    epoch: Instant,
    permit: Arc<Permit>,
    budget: Arc<Budget>,
    startup: Startup,
}

/// Where the target is.
enum Place {
    Process(CommandLine),
    Http {
        url: String,
        network: Network,
        server: Option<Box<Started>>,
    },
    MemoryProcess(mcpspec_refserver::Options),
    MemoryHttp {
        url: String,
        server: MemoryServer,
    },
}

/// The right to open a link now: over stdio a process starts for it, and no more start at once than there are cores.
pub struct Slot(Option<OwnedSemaphorePermit>);

/// A server that was started, and how it is started again.
struct Started {
    line: CommandLine,
    server: Mutex<Server>,
}

/// Why a target cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The command could not be started.
    #[error("cannot start {command}: {problem}")]
    Start {
        /// Its first word.
        command: String,
        /// What the system said, and what to do.
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

impl From<ChildError> for OpenError {
    fn from(error: ChildError) -> OpenError {
        OpenError::Start {
            command: error.command,
            problem: error.problem,
        }
    }
}

impl Target {
    /// Prepares a target; a command beside a URL is started and waited for. Times count from `epoch`.
    pub async fn start(
        endpoint: Endpoint,
        options: TargetOptions,
        epoch: Instant,
    ) -> Result<Target, OpenError> {
        let place = match endpoint {
            Endpoint::Command(words) => Place::Process(line(words, &options)),
            Endpoint::Url { url, command } => http(&url, command, &options).await?,
            Endpoint::Memory(server, Transport::Stdio) => Place::MemoryProcess(server),
            Endpoint::Memory(server, Transport::Http) => Place::MemoryHttp {
                url: format!("{MEMORY_ORIGIN}{}", mcpspec_refserver::HTTP_PATH),
                server: MemoryServer::new(server),
            },
        };
        let permit = Arc::new(Permit::new(options.call_tools));
        let other_urls = match &place {
            Place::Http { url, .. } => neighbours::other_urls(url),
            Place::MemoryHttp { .. } => {
                vec![format!(
                    "{MEMORY_ELSEWHERE}{}",
                    mcpspec_refserver::HTTP_PATH
                )]
            }
            Place::Process(_) | Place::MemoryProcess(_) => Vec::new(),
        };
        Ok(Target {
            place,
            other_urls,
            options,
            epoch,
            permit,
            budget: Arc::new(Budget::default()),
            startup: Startup::new(),
        })
    }

    /// Its transport.
    pub fn transport(&self) -> Transport {
        match self.place {
            Place::Process(_) | Place::MemoryProcess(_) => Transport::Stdio,
            Place::Http { .. } | Place::MemoryHttp { .. } => Transport::Http,
        }
    }

    /// HTTP: the endpoint's URL (in memory an invented one).
    pub fn url(&self) -> Option<&str> {
        match &self.place {
            Place::Http { url, .. } | Place::MemoryHttp { url, .. } => Some(url),
            Place::Process(_) | Place::MemoryProcess(_) => None,
        }
    }

    /// HTTP on a loopback address: the same endpoint on other addresses of this host, where it should not be found.
    pub fn other_urls(&self) -> &[String] {
        &self.other_urls
    }

    /// How it is treated.
    pub fn options(&self) -> &TargetOptions {
        &self.options
    }

    /// The gate that every link of it has.
    pub fn permit(&self) -> &Arc<Permit> {
        &self.permit
    }

    /// Whether mcpspec started it, so that it can be ended.
    pub fn is_stoppable(&self) -> bool {
        !matches!(self.place, Place::Http { server: None, .. })
    }

    /// How long the first answer on a fresh link may take. On stdio a process has to start for it.
    pub fn first_answer(&self) -> Duration {
        match self.transport() {
            Transport::Stdio => self.options.startup_timeout,
            Transport::Http => self.options.timeout,
        }
    }

    /// The longest start of a process of its own that was measured; zero if none was.
    pub fn startup(&self) -> Duration {
        self.startup.longest()
    }

    /// Takes note of how long a process of its own took from its start to its first answer.
    pub fn started_within(&self, took: Duration) {
        self.startup.measured(took);
    }

    /// Opens a link: a process (stdio) or a connection (HTTP).
    pub async fn open(&self, name: &str, exclusive: bool) -> Result<Link, OpenError> {
        let slot = self.slot().await;
        self.open_in(slot, name, exclusive)
    }

    /// Waits until a link may be opened.
    pub async fn slot(&self) -> Slot {
        match self.place {
            Place::Process(_) => Slot(Some(self.startup.slot().await)),
            Place::Http { .. } | Place::MemoryProcess(_) | Place::MemoryHttp { .. } => Slot(None),
        }
    }

    /// Opens a link when it may be.
    pub fn open_in(&self, slot: Slot, name: &str, exclusive: bool) -> Result<Link, OpenError> {
        let info = LinkInfo {
            name: name.to_owned(),
            transport: self.transport(),
            exclusive,
        };
        let limits = &self.options.limits;
        let journal = Journal::bounded(info, self.epoch, self.budget.clone());
        let connection = match &self.place {
            Place::Process(line) => {
                let connection = Connection::to_process(line, journal, limits)?;
                if let Slot(Some(slot)) = slot {
                    self.startup.keep(slot, Arc::clone(connection.journal()));
                }
                connection
            }
            Place::MemoryProcess(options) => {
                Connection::to_memory(options.clone(), journal, limits)
            }
            Place::MemoryHttp { server, .. } => Connection::over_memory(server, journal, limits),
            Place::Http { network, url, .. } => Connection::over_http(network, journal, limits)
                .map_err(|problem| OpenError::Reach {
                    url: redact_url(url),
                    problem,
                })?,
        };
        Ok(Link::new(connection, self.permit.clone()))
    }

    /// HTTP, where mcpspec started the server: ends it by SIGTERM, waits at most `within` and starts it again.
    ///
    /// Nothing happens where mcpspec did not start it, and on stdio, where each link has its own process.
    pub async fn restart(&self, within: Duration) -> Result<Stopped, OpenError> {
        match &self.place {
            Place::Http {
                url,
                server: Some(started),
                ..
            } => {
                let mut server = started.server.lock().await;
                let stopped = server.stop(within).await;
                let line = &started.line;
                *server = Server::start(line, &parse(url)?, self.options.startup_timeout).await?;
                Ok(stopped)
            }
            Place::MemoryHttp { server, .. } => {
                let stopped = server.stop(within).await;
                server.restart();
                Ok(stopped)
            }
            _ => Ok(Stopped {
                status: None,
                took: Duration::ZERO,
            }),
        }
    }

    /// HTTP, where mcpspec started the server: how it ended, if it did, and the last lines that it wrote.
    pub async fn server_state(&self) -> (Option<ExitStatus>, Vec<String>) {
        match &self.place {
            Place::Http {
                server: Some(started),
                ..
            } => {
                let server = started.server.lock().await;
                (server.status(), server.tail())
            }
            Place::MemoryHttp { server, .. } => (server.status(), Vec::new()),
            _ => (None, Vec::new()),
        }
    }

    /// HTTP, where mcpspec started the server: that and how it ended, if it has or does so at once, in words.
    pub async fn epitaph(&self) -> Option<String> {
        const MOMENT: Duration = Duration::from_millis(500);
        if let Place::Http {
            server: Some(started),
            ..
        } = &self.place
        {
            started.server.lock().await.ended(MOMENT).await;
        }
        let status = self.own_end().await?;
        let tail = self.server_state().await.1;
        Some(format!(
            "the server that was started ended with {status}{}",
            said(&tail)
        ))
    }

    /// How the server ended, if it did so by itself.
    async fn own_end(&self) -> Option<ExitStatus> {
        match &self.place {
            Place::Http {
                server: Some(started),
                ..
            } => started.server.lock().await.own_end(),
            _ => self.server_state().await.0,
        }
    }

    /// Tools that were called so far.
    pub fn calls(&self) -> Vec<ToolCalls> {
        self.permit.calls()
    }

    /// Listed tools that were not called, and why.
    pub fn not_called(&self) -> Vec<UncalledTool> {
        self.permit.not_called()
    }

    /// Ends whatever was started and tells how it ended, if it ended by itself before.
    pub async fn finish(&self) -> Option<String> {
        const PATIENCE: Duration = Duration::from_secs(2);
        let status = self.own_end().await;
        match &self.place {
            Place::Http {
                server: Some(started),
                ..
            } => drop(started.server.lock().await.stop(PATIENCE).await),
            Place::MemoryHttp { server, .. } => drop(server.stop(PATIENCE).await),
            _ => {}
        }
        status.map(|status| status.to_string())
    }
}

fn line(words: Vec<String>, options: &TargetOptions) -> CommandLine {
    CommandLine {
        words,
        env: options.env.clone(),
        cwd: options.cwd.clone(),
    }
}

async fn http(
    url: &str,
    command: Option<Vec<String>>,
    options: &TargetOptions,
) -> Result<Place, OpenError> {
    let parsed = parse(url)?;
    check_headers(&options.headers).map_err(|problem| OpenError::Reach {
        url: redact_url(url),
        problem,
    })?;
    let TargetOptions {
        timeout,
        insecure,
        pacer,
        ..
    } = options;
    let network =
        Network::new(parsed.clone(), *timeout, *insecure, pacer.clone()).map_err(|problem| {
            OpenError::Reach {
                url: redact_url(url),
                problem,
            }
        })?;
    let server = match command {
        Some(words) => {
            let line = line(words, options);
            let server = Server::start(&line, &parsed, options.startup_timeout).await?;
            let server = Mutex::new(server);
            Some(Box::new(Started { line, server }))
        }
        None => None,
    };
    Ok(Place::Http {
        url: url.to_owned(),
        network,
        server,
    })
}

/// Whether configured headers can be sent. The value of one that cannot is not told, since it may be a secret.
fn check_headers(headers: &[(String, String)]) -> Result<(), String> {
    for (name, value) in headers {
        if !is_safe_token(name) {
            return Err(format!("`{name}` is no name of a header"));
        }
        if value
            .bytes()
            .any(|byte| byte < b' ' && byte != b'\t' || byte == 0x7f)
        {
            return Err(format!(
                "the value of the header {name} holds a control character"
            ));
        }
    }
    Ok(())
}

fn parse(url: &str) -> Result<Url, OpenError> {
    let problem = |problem: String| OpenError::Reach {
        url: redact_url(url),
        problem,
    };
    let parsed: Url = url
        .parse()
        .map_err(|error| problem(format!("it is no URL: {error}")))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        scheme => Err(problem(format!(
            "it has the scheme `{scheme}`; write http:// or https:// before the host"
        ))),
    }
}
