//! A transcript that transports write and steps wait on.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::transcript::{LinkInfo, Transcript};

/// Bounds on what is kept of one message and of one link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest message in bytes (`--max-message`); of a larger one the beginning is kept.
    pub max_message: usize,
    /// Largest sum of kept bytes on one link.
    pub max_link: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_message: 16 << 20, max_link: 64 << 20 }
    }
}

/// The transcript of one link while it is written.
#[derive(Debug)]
pub struct Journal {
    epoch: Instant,
    transcript: Mutex<Transcript>,
    changed: watch::Sender<u64>,
}

impl Journal {
    /// An empty journal; times count from `epoch`, the beginning of the run.
    pub fn new(link: LinkInfo, epoch: Instant) -> Journal {
        Journal { epoch, transcript: Mutex::new(Transcript::new(link)), changed: watch::Sender::new(0) }
    }

    /// Time since the run began.
    pub fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Reads the transcript.
    pub fn read<T>(&self, reader: impl FnOnce(&Transcript) -> T) -> T {
        reader(&self.lock())
    }

    /// Writes to the transcript, with the present time, and wakes those that wait.
    pub fn write<T>(&self, writer: impl FnOnce(&mut Transcript, Duration) -> T) -> T {
        let now = self.now();
        let result = writer(&mut self.lock(), now);
        self.changed.send_modify(|version| *version += 1);
        result
    }

    /// Waits until `decide` gives something, at most until `deadline`. It is asked at once and after every change.
    pub async fn wait<T>(&self, deadline: Instant, mut decide: impl FnMut(&Transcript) -> Option<T>) -> Option<T> {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(decided) = self.read(&mut decide) {
                return Some(decided);
            }
            if tokio::time::timeout_at(deadline, changed.changed()).await.is_err() {
                return self.read(&mut decide);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Transcript> {
        self.transcript.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
