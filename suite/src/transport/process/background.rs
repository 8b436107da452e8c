//! A process that runs beside a target: nothing is said to it, and what it writes is kept for messages.

use std::sync::Arc;
use std::time::Duration;

use tokio::process::ChildStdin;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::transcript::ExitStatus;
use crate::transport::Stopped;
use crate::transport::stdio::Process;

use super::child::Handle;
use super::{Child, ChildError, CommandLine};

/// How long a process may take to be gone after SIGKILL.
const PATIENCE: Duration = Duration::from_secs(2);

/// A server that was started, to be reached by other means than its pipes.
pub(crate) struct Background {
    handle: Arc<Handle>,
    /// Held open, since some servers end when it closes.
    _input: ChildStdin,
    /// Its end, once it and what it left behind are gone.
    ended: watch::Receiver<Option<ExitStatus>>,
}

impl Background {
    /// Starts it.
    pub(crate) fn start(line: &CommandLine) -> Result<Background, ChildError> {
        let child = Child::start(line)?;
        child.handle.watch(child.output);
        let (end, ended) = watch::channel(None);
        let handle = child.handle.clone();
        tokio::spawn(async move {
            let status = child.exit.await;
            // It could only fail by a panic, and it has none.
            let _ = tokio::task::spawn_blocking(move || handle.sweep()).await;
            end.send_replace(Some(status));
        });
        Ok(Background {
            handle: child.handle,
            _input: child.input,
            ended,
        })
    }

    /// How it ended, if it did.
    pub(crate) fn status(&self) -> Option<ExitStatus> {
        *self.ended.borrow()
    }

    /// Waits for its end, at most until `deadline`.
    pub(crate) async fn ended(&self, deadline: Instant) -> Option<ExitStatus> {
        let mut ended = self.ended.clone();
        let status = tokio::time::timeout_at(deadline, ended.wait_for(Option::is_some)).await;
        status
            .ok()
            .and_then(|status| status.ok().and_then(|status| *status))
    }

    /// Ends it by SIGTERM, and after `within` by SIGKILL.
    pub(crate) async fn stop(&self, within: Duration) -> Stopped {
        let start = Instant::now();
        self.handle.terminate();
        let status = self.ended(start + within).await;
        let took = start.elapsed();
        if status.is_none() {
            self.handle.kill();
            self.ended(Instant::now() + PATIENCE).await;
        }
        Stopped { status, took }
    }

    /// The last lines that it wrote to standard output and standard error.
    pub(crate) fn tail(&self) -> Vec<String> {
        self.handle.stderr_tail()
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        if self.status().is_none() {
            self.handle.kill();
            self.handle.sweep();
        }
    }
}
