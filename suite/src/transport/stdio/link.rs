//! A process and its three tasks.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::case::StopHow;
use crate::transcript::{End, ExchangeId, ExitStatus};
use crate::transport::limits::Influx;
use crate::transport::{Journal, Limits, Outgoing, SendError, Stopped};

use super::reader::{ReadEnd, Reader};
use super::writer::{Write, Writer};

/// How many messages wait at most for a process that reads slowly.
const QUEUE: usize = 32;

/// How long one end of a process may outlast the other: a child that keeps the pipe open, or a process that has closed its
/// output and goes on.
const GRACE: Duration = Duration::from_millis(500);

/// How long each of end of input, SIGTERM and SIGKILL may take at most when a link is closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// What stands behind the pipes.
pub(in crate::transport) trait Process: Send + Sync {
    /// Asks it to end (SIGTERM).
    fn terminate(&self);
    /// Ends it (SIGKILL).
    fn kill(&self);
    /// Ends what it left behind. It may block for some milliseconds.
    fn sweep(&self);
    /// The last lines that it wrote to standard error.
    fn stderr_tail(&self) -> Vec<String>;
}

/// A process that was started.
pub(in crate::transport) struct Parts {
    /// Its standard input.
    pub(in crate::transport) input: Box<dyn AsyncWrite + Send + Unpin>,
    /// Its standard output.
    pub(in crate::transport) output: Box<dyn AsyncRead + Send + Unpin>,
    /// Its end. Runs in a task of its own.
    pub(in crate::transport) exit: Pin<Box<dyn Future<Output = ExitStatus> + Send>>,
    /// The process itself.
    pub(in crate::transport) process: Arc<dyn Process>,
}

/// A process that is spoken to.
pub(in crate::transport) struct Link {
    journal: Arc<Journal>,
    /// None once the input has ended.
    queue: Mutex<Option<mpsc::Sender<Write>>>,
    process: Arc<dyn Process>,
    influx: Arc<Influx>,
    /// Why nothing comes any more though the process is still there.
    mute: Arc<OnceLock<End>>,
    /// Whether the client ends the process, so that a line may break off through no fault of its own.
    left: Arc<AtomicBool>,
    /// Whether the end of the process was recorded and nothing of it is left.
    ended: watch::Receiver<bool>,
}

impl Link {
    pub(in crate::transport) fn new(parts: Parts, journal: Arc<Journal>, limits: &Limits) -> Link {
        let (queue, writes) = mpsc::channel(QUEUE);
        tokio::spawn(Writer::new(parts.input, journal.clone()).run(writes));
        let (end, ended) = watch::channel(false);
        let influx = Arc::new(Influx::default());
        let left = Arc::new(AtomicBool::new(false));
        let reader = Reader::new(journal.clone(), limits, influx.clone(), left.clone());
        let mute = Arc::new(OnceLock::new());
        let supervisor = Supervisor {
            journal: journal.clone(),
            process: parts.process.clone(),
            mute: mute.clone(),
        };
        tokio::spawn(async move {
            supervisor.run(reader, parts.output, parts.exit).await;
            end.send_replace(true);
        });
        Link {
            journal,
            queue: Mutex::new(Some(queue)),
            process: parts.process,
            influx,
            mute,
            left,
            ended,
        }
    }

    pub(in crate::transport) async fn send(
        &self,
        outgoing: Outgoing,
    ) -> Result<ExchangeId, SendError> {
        let queue = self.queue().clone().ok_or(SendError::Closed)?;
        if self.journal.read(|transcript| transcript.exit().is_some()) {
            return Err(SendError::Closed);
        }
        let place = queue.reserve().await.map_err(|_| SendError::Closed)?;
        let (done, written) = oneshot::channel();
        let exchange = {
            // What is recorded first is written first.
            let _order = self.queue();
            let (bytes, mode) = (outgoing.sent.bytes.clone(), outgoing.write);
            let sent = Arc::new(outgoing.sent);
            self.influx.reset();
            let exchange = self
                .journal
                .write(|transcript, now| transcript.sent(now, sent));
            if self.mute.get() != Some(&End::TooLarge) {
                place.send(Write {
                    exchange,
                    bytes,
                    mode,
                    done,
                });
            }
            exchange
        };
        // The writer drops it when it gives up, which the journal tells.
        let _ = written.await;
        if let Some(end) = self.mute.get() {
            self.journal
                .write(|transcript, now| transcript.end(now, exchange, end.clone()));
        }
        Ok(exchange)
    }

    pub(in crate::transport) async fn stop(&self, how: StopHow, within: Duration) -> Stopped {
        let start = Instant::now();
        match how {
            StopHow::CloseStdin => {}
            StopHow::Terminate => self.process.terminate(),
            StopHow::Kill => self.process.kill(),
        }
        if how == StopHow::CloseStdin {
            self.close_input();
        }
        let status = self.exit(start + within).await;
        let took = start.elapsed();
        self.close_input();
        if status.is_none() {
            self.process.kill();
            self.exit(Instant::now() + PATIENCE).await;
        }
        Stopped { status, took }
    }

    pub(in crate::transport) async fn close(&self) {
        self.close_input();
        let endings: [fn(&dyn Process); 3] = [
            |_| {},
            |process| process.terminate(),
            |process| process.kill(),
        ];
        for (index, end) in endings.into_iter().enumerate() {
            self.left.fetch_or(index > 0, Ordering::Relaxed);
            end(self.process.as_ref());
            if self.exit(Instant::now() + PATIENCE).await.is_some() {
                return;
            }
        }
    }

    pub(in crate::transport) fn stderr_tail(&self) -> Vec<String> {
        self.process.stderr_tail()
    }

    /// Waits for the end of the process.
    async fn exit(&self, deadline: Instant) -> Option<ExitStatus> {
        let mut ended = self.ended.clone();
        // An error would mean that the task that records the end is gone, and it outlives this.
        let _ = tokio::time::timeout_at(deadline, ended.wait_for(|ended| *ended)).await;
        self.journal
            .read(|transcript| transcript.exit())
            .map(|(_, status)| status)
    }

    /// What waits to be written still is; then the input ends.
    fn close_input(&self) {
        self.queue().take();
    }

    fn queue(&self) -> MutexGuard<'_, Option<mpsc::Sender<Write>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !*self.ended.borrow() {
            self.process.kill();
            self.process.sweep();
        }
    }
}

/// Waits for the end of a process and of its output, and records it.
struct Supervisor {
    journal: Arc<Journal>,
    process: Arc<dyn Process>,
    mute: Arc<OnceLock<End>>,
}

impl Supervisor {
    async fn run(
        &self,
        reader: Reader,
        output: Box<dyn AsyncRead + Send + Unpin>,
        mut exit: Pin<Box<dyn Future<Output = ExitStatus> + Send>>,
    ) {
        let (stop, stopped) = oneshot::channel();
        let mut reading = Box::pin(reader.run(output, stopped));
        let status = tokio::select! {
            status = &mut exit => {
                if tokio::time::timeout(GRACE, &mut reading).await.is_err() {
                    // A child holds the pipe. What came is recorded, an unfinished line too.
                    drop(stop);
                    reading.await;
                }
                status
            }
            (end, output) = &mut reading => {
                if end == ReadEnd::Flood {
                    self.silence(End::TooLarge);
                    self.process.kill();
                }
                // A process that is killed for flooding shall not end of a broken pipe first.
                drop(output);
                self.outlives_output(end, exit).await
            }
        };
        let last_words = self.process.stderr_tail();
        self.journal
            .write(|transcript, now| transcript.exited(now, status, last_words));
        let process = self.process.clone();
        // It could only fail by a panic, and it has none.
        let _ = tokio::task::spawn_blocking(move || process.sweep()).await;
    }

    /// The output is over, or is read no longer, and the process is still there.
    async fn outlives_output(
        &self,
        end: ReadEnd,
        mut exit: Pin<Box<dyn Future<Output = ExitStatus> + Send>>,
    ) -> ExitStatus {
        if end == ReadEnd::Over {
            if let Ok(status) = tokio::time::timeout(GRACE, &mut exit).await {
                return status;
            }
            self.silence(End::CutOff(
                "the process closed its output and goes on".to_owned(),
            ));
        }
        exit.await
    }

    /// Nothing can come any more: not for what is open, nor for what is sent later.
    fn silence(&self, end: End) {
        let end = self.mute.get_or_init(|| end);
        let is_flood = *end == End::TooLarge;
        self.journal.write(|transcript, now| {
            // The flood was the answer to what was given up meanwhile, too.
            let mut open: Vec<_> = transcript
                .exchanges()
                .filter(|(_, exchange)| {
                    exchange.is_open()
                        || is_flood && exchange.answered_at.is_none() && exchange.ended.is_none()
                })
                .map(|(id, _)| id)
                .collect();
            if open.is_empty() && is_flood {
                // What was sent last shows it, since the process is about to be ended for it.
                open.extend(transcript.exchanges().last().map(|(id, _)| id));
            }
            for id in open {
                transcript.end(now, id, end.clone());
            }
        });
    }
}
