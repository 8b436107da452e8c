//! Writing to a process's input.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};

use crate::transcript::{End, ExchangeId};
use crate::transport::{Journal, WriteMode};

/// The pause between the chunks of [`WriteMode::Pieces`].
const PAUSE: Duration = Duration::from_millis(100);

/// How long one message may take to be written before the process counts as one that does not read.
const STALL: Duration = Duration::from_secs(10);

/// A message for the writer.
pub(super) struct Write {
    pub(super) exchange: ExchangeId,
    pub(super) bytes: Bytes,
    pub(super) mode: WriteMode,
    /// Told once it is written, kept back, or given up.
    pub(super) done: oneshot::Sender<()>,
}

/// The task that owns a process's input, until the queue is closed or the process no longer reads.
pub(super) struct Writer {
    input: Box<dyn AsyncWrite + Send + Unpin>,
    journal: Arc<Journal>,
    /// What waits for the next message.
    held: Vec<u8>,
}

impl Writer {
    pub(super) fn new(input: Box<dyn AsyncWrite + Send + Unpin>, journal: Arc<Journal>) -> Writer {
        Writer {
            input,
            journal,
            held: Vec::new(),
        }
    }

    /// Writes what the queue gives. Once the queue is closed, the input ends.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Write>) {
        while let Some(write) = queue.recv().await {
            let taken = self.take(&write).await;
            if let Err(problem) = taken {
                self.give_up(write.exchange, &problem);
                drop(write);
                drop(self.input);
                while let Some(late) = queue.recv().await {
                    self.journal.write(|transcript, now| {
                        transcript.end(now, late.exchange, End::CutOff(problem.clone()));
                    });
                }
                return;
            }
            // Nobody may wait any more.
            let _ = write.done.send(());
        }
        if !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            // Nothing waits for an answer to it that a later message does not show.
            let _ = tokio::time::timeout(STALL, self.input.write_all(&held)).await;
        }
    }

    async fn take(&mut self, write: &Write) -> Result<(), String> {
        self.held.extend_from_slice(&write.bytes);
        if write.mode == WriteMode::WithNext {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.held);
        if write.mode == WriteMode::Whole {
            return self.write(&bytes).await;
        }
        let third = bytes.len().div_ceil(3).max(1);
        for (index, piece) in bytes.chunks(third).enumerate() {
            if index > 0 {
                tokio::time::sleep(PAUSE).await;
            }
            self.write(piece).await?;
        }
        Ok(())
    }

    async fn write(&mut self, bytes: &[u8]) -> Result<(), String> {
        let written = async {
            self.input.write_all(bytes).await?;
            self.input.flush().await
        };
        match tokio::time::timeout(STALL, written).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(format!("the process closed its input ({error})")),
            Err(_) => Err(format!(
                "the process did not read its input for {} s",
                STALL.as_secs()
            )),
        }
    }

    fn give_up(&self, exchange: ExchangeId, problem: &str) {
        self.journal.write(|transcript, now| {
            transcript.end(now, exchange, End::CutOff(problem.to_owned()));
        });
    }
}
