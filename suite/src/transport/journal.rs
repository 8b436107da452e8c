//! A transcript that transports write and steps wait on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::transcript::{LinkInfo, Transcript};

use super::{Budget, Limits};

/// The transcript of one link while it is written.
#[derive(Debug)]
pub struct Journal {
    epoch: Instant,
    transcript: Mutex<Transcript>,
    changed: watch::Sender<u64>,
    room: Room,
}

/// How many messages one link keeps. A server that sends more on one connection floods it: looking at all of them would
/// take longer than a run may.
const MAX_MESSAGES: usize = 20_000;

/// How much may still be kept.
#[derive(Debug)]
struct Room {
    max: usize,
    kept: AtomicUsize,
    messages: AtomicUsize,
    budget: Arc<Budget>,
}

impl Journal {
    /// An empty journal with the default limits; times count from `epoch`, the beginning of the run.
    pub fn new(link: LinkInfo, epoch: Instant) -> Journal {
        Journal::bounded(link, epoch, &Limits::default(), Arc::new(Budget::default()))
    }

    /// An empty journal that keeps at most `limits.max_link`, and that together with others no more than `budget` allows.
    pub fn bounded(
        link: LinkInfo,
        epoch: Instant,
        limits: &Limits,
        budget: Arc<Budget>,
    ) -> Journal {
        Journal {
            epoch,
            transcript: Mutex::new(Transcript::new(link)),
            changed: watch::Sender::new(0),
            room: Room {
                max: limits.max_link,
                kept: AtomicUsize::new(0),
                messages: AtomicUsize::new(0),
                budget,
            },
        }
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
    pub async fn wait<T>(
        &self,
        deadline: Instant,
        mut decide: impl FnMut(&Transcript) -> Option<T>,
    ) -> Option<T> {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(decided) = self.read(&mut decide) {
                return Some(decided);
            }
            if tokio::time::timeout_at(deadline, changed.changed())
                .await
                .is_err()
            {
                return self.read(&mut decide);
            }
        }
    }

    /// Makes room for a message that takes so many bytes. False: it must not be kept.
    pub(super) fn make_room(&self, bytes: usize) -> bool {
        if self.room.messages.fetch_add(1, Ordering::Relaxed) >= MAX_MESSAGES {
            return false;
        }
        let kept = self.room.kept.fetch_add(bytes, Ordering::Relaxed);
        if kept.saturating_add(bytes) > self.room.max || !self.room.budget.take(bytes) {
            self.room.kept.fetch_sub(bytes, Ordering::Relaxed);
            return false;
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Transcript> {
        self.transcript
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.room.budget.give(*self.room.kept.get_mut());
    }
}
