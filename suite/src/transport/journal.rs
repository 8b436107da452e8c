//! A transcript that transports write and steps wait on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

use crate::transcript::{Inbound, LinkInfo, Transcript};

use super::limits::LARGE;
use super::{Budget, inbound};

/// The transcript of one link while it is written.
#[derive(Debug)]
pub struct Journal {
    epoch: Instant,
    transcript: Mutex<Transcript>,
    changed: watch::Sender<u64>,
    room: Room,
}

/// How much memory is taken.
#[derive(Debug)]
struct Room {
    kept: AtomicUsize,
    budget: Arc<Budget>,
}

impl Journal {
    /// An empty journal with a budget of its own; times count from `epoch`, the beginning of the run.
    pub fn new(link: LinkInfo, epoch: Instant) -> Journal {
        Journal::bounded(link, epoch, Arc::default())
    }

    /// An empty journal that together with others keeps no more than `budget` allows.
    pub fn bounded(link: LinkInfo, epoch: Instant, budget: Arc<Budget>) -> Journal {
        Journal {
            epoch,
            transcript: Mutex::new(Transcript::new(link)),
            changed: watch::Sender::new(0),
            room: Room {
                kept: AtomicUsize::new(0),
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

    /// About how many bytes of memory it takes. They are given back when the journal is dropped.
    pub fn kept(&self) -> usize {
        self.room.kept.load(Ordering::Relaxed)
    }

    /// Waits until a message of this size may go on coming in, if it does not have a place yet.
    pub(super) async fn admit(&self, size: usize, place: &mut Option<OwnedSemaphorePermit>) {
        if size < LARGE {
            *place = None;
        } else if place.is_none() {
            *place = Some(self.room.budget.place().await);
        }
    }

    /// What can be kept of something that came: all of it, or only its beginning if the budget is used up.
    pub(super) fn fitting(&self, inbound: Inbound) -> Arc<Inbound> {
        let weight = inbound::weight(&inbound);
        if self.room.budget.take(weight) {
            self.room.kept.fetch_add(weight, Ordering::Relaxed);
            return Arc::new(inbound);
        }
        Arc::new(inbound::stub(&inbound))
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
