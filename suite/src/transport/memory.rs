//! The reference server in this program, spoken to over pipes in memory. All its time is tokio time.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcpspec_refserver::{Exit, Options, Server};
use tokio::io::DuplexStream;
use tokio::sync::{Notify, watch};
use tokio::time::Instant as Moment;

use crate::transcript::ExitStatus;

use super::http::HttpLink;
use super::raw_http::{Dialer, RawClient};
use super::stdio::{Parts, Process};
use super::{Limits, Stopped};

/// How much a pipe holds, as one of Linux does.
const PIPE: usize = 64 << 10;

/// Number of the signal that ends a process at once.
const SIGKILL: i32 = 9;

/// The reference server as a process of its own.
pub(super) fn process(options: Options) -> Parts {
    let (input, server_input) = tokio::io::duplex(PIPE);
    let (output, server_output) = tokio::io::duplex(PIPE);
    let process = Arc::new(MemoryProcess {
        server: Arc::new(Server::new(options)),
        kill: Notify::new(),
    });
    let running = process.clone();
    let exit = async move {
        tokio::select! {
            biased;
            () = running.kill.notified() => ExitStatus { code: None, signal: Some(SIGKILL) },
            exit = running.server.clone().serve_stdio(server_input, server_output) => status(exit),
        }
    };
    Parts {
        input: Box::new(input),
        output: Box::new(output),
        exit: Box::pin(exit),
        process,
    }
}

struct MemoryProcess {
    server: Arc<Server>,
    kill: Notify,
}

impl Process for MemoryProcess {
    fn terminate(&self) {
        self.server.shut_down();
    }

    fn kill(&self) {
        self.kill.notify_one();
    }

    /// It has no children.
    fn sweep(&self) {}

    /// It writes nothing there.
    fn stderr_tail(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The reference server that all HTTP links of a target share. Links go on with the new one when it is started again.
#[derive(Clone)]
pub(crate) struct MemoryServer {
    options: Options,
    instance: Arc<Mutex<Instance>>,
}

/// One life of the server.
#[derive(Clone)]
struct Instance {
    server: Arc<Server>,
    /// How many connections are open.
    connections: watch::Sender<usize>,
}

impl Instance {
    fn new(options: Options) -> Instance {
        Instance {
            server: Arc::new(Server::new(options)),
            connections: watch::Sender::new(0),
        }
    }
}

impl MemoryServer {
    /// A server that was just started.
    pub(crate) fn new(options: Options) -> MemoryServer {
        MemoryServer {
            instance: Arc::new(Mutex::new(Instance::new(options.clone()))),
            options,
        }
    }

    /// A link of its own. All its requests go through the raw client.
    pub(super) fn link(&self, limits: Limits) -> HttpLink {
        HttpLink::new(
            None,
            RawClient::new(Dialer::Memory(self.clone())),
            limits,
            None,
        )
    }

    /// Opens a connection to an address of the host that it is said to run on.
    pub(super) fn connect(&self, address: &str) -> io::Result<DuplexStream> {
        let Instance {
            server,
            connections,
        } = self.instance().clone();
        if server.ended().is_some() {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionRefused,
                "the reference server is not running",
            ));
        }
        let is_loopback = address
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback());
        if !is_loopback && !server.is_exposed() {
            return Err(io::Error::new(
                io::ErrorKind::ConnectionRefused,
                "the reference server listens on a loopback address only",
            ));
        }
        let (stream, served) = tokio::io::duplex(PIPE);
        connections.send_modify(|open| *open += 1);
        tokio::spawn(async move {
            server.serve_http_connection(served).await;
            connections.send_modify(|open| *open -= 1);
        });
        Ok(stream)
    }

    /// Shuts it down as SIGTERM does and waits for its connections to end, at most `within`.
    pub(crate) async fn stop(&self, within: Duration) -> Stopped {
        let start = Moment::now();
        let instance = self.instance().clone();
        instance.server.shut_down();
        let mut connections = instance.connections.subscribe();
        let ended = tokio::time::timeout(within, connections.wait_for(|open| *open == 0))
            .await
            .is_ok();
        Stopped {
            status: self.status().filter(|_| ended),
            took: start.elapsed(),
        }
    }

    /// Starts it again, with nothing of what it had remembered.
    pub(crate) fn restart(&self) {
        *self.instance() = Instance::new(self.options.clone());
    }

    /// How it ended, if it did.
    pub(crate) fn status(&self) -> Option<ExitStatus> {
        self.instance().server.ended().map(status)
    }

    fn instance(&self) -> MutexGuard<'_, Instance> {
        self.instance.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for MemoryServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MemoryServer")
            .field("status", &self.status())
            .finish_non_exhaustive()
    }
}

fn status(exit: Exit) -> ExitStatus {
    match exit {
        Exit::Ended => ExitStatus {
            code: Some(0),
            signal: None,
        },
        Exit::Crashed { code } => ExitStatus {
            code: Some(code),
            signal: None,
        },
    }
}
