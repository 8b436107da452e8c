//! How the processes of a target start: no more at once than there are cores, and how long one takes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::transcript::{Transcript, What};
use crate::transport::Journal;

/// How long a process counts as starting before any start was measured.
const UNKNOWN: Duration = Duration::from_secs(2);

/// Starts of a target's processes.
pub(super) struct Startup {
    slots: Arc<Semaphore>,
    longest: Mutex<Option<Duration>>,
}

impl Startup {
    /// Nothing has started yet.
    pub(super) fn new() -> Startup {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Startup {
            slots: Arc::new(Semaphore::new(cores)),
            longest: Mutex::new(None),
        }
    }

    /// The longest start that was measured; zero if none was.
    pub(super) fn longest(&self) -> Duration {
        self.lock().unwrap_or_default()
    }

    /// Takes note of how long a start took.
    pub(super) fn measured(&self, took: Duration) {
        let mut longest = self.lock();
        *longest = longest.max(Some(took));
    }

    /// Waits until another process may start: more at once than there are cores would make each of them slow, and slow starts
    /// look like deaf servers.
    pub(super) async fn slot(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.slots)
            .acquire_owned()
            .await
            .expect("the semaphore is never closed")
    }

    /// Keeps the slot until the process has written a line, has ended, or had the time that a start takes.
    pub(super) fn keep(&self, slot: OwnedSemaphorePermit, journal: Arc<Journal>) {
        let patience = self.lock().unwrap_or(UNKNOWN);
        tokio::spawn(async move {
            let deadline = Instant::now() + patience;
            journal
                .wait(deadline, |transcript| has_begun(transcript).then_some(()))
                .await;
            drop(slot);
        });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Duration>> {
        self.longest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has_begun(transcript: &Transcript) -> bool {
    transcript
        .entries()
        .iter()
        .any(|entry| matches!(entry.what, What::Line(_) | What::Exited(_)))
}

#[cfg(test)]
mod tests {
    use crate::spec::Transport;
    use crate::transcript::{ExitStatus, LinkInfo};

    use super::*;

    fn journal() -> Arc<Journal> {
        let info = LinkInfo {
            name: "main".to_owned(),
            transport: Transport::Stdio,
            exclusive: true,
        };
        Arc::new(Journal::new(info, Instant::now()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_slot_is_free_again_when_the_process_has_ended() {
        let startup = Startup::new();
        let free = startup.slots.available_permits();
        let journal = journal();
        startup.keep(startup.slot().await, Arc::clone(&journal));
        tokio::time::sleep(UNKNOWN / 2).await;
        assert_eq!(startup.slots.available_permits(), free - 1);
        let status = ExitStatus {
            code: Some(0),
            signal: None,
        };
        journal.write(|transcript, now| transcript.exited(now, status, Vec::new()));
        tokio::task::yield_now().await;
        assert_eq!(startup.slots.available_permits(), free);
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_process_keeps_its_slot_as_long_as_a_start_takes() {
        let startup = Startup::new();
        let free = startup.slots.available_permits();
        startup.measured(Duration::from_millis(300));
        startup.measured(Duration::from_millis(200));
        assert_eq!(startup.longest(), Duration::from_millis(300));
        startup.keep(startup.slot().await, journal());
        tokio::time::sleep(Duration::from_millis(299)).await;
        assert_eq!(startup.slots.available_permits(), free - 1);
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert_eq!(startup.slots.available_permits(), free);
    }
}
