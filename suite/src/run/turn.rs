//! A row's turn among those that run at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many rows may keep the target busy at once.
#[derive(Clone)]
pub(super) struct Turns {
    new: Arc<Semaphore>,
    /// For rows after a pause: behind all the new ones they would come too late for what they waited for.
    resumed: Arc<Semaphore>,
    /// Whether a row hands its turn on during a pause. Not where rows run one after the other.
    yields: bool,
}

/// The right of a row to keep the target busy.
pub(super) struct Turn {
    turns: Turns,
    held: Option<OwnedSemaphorePermit>,
    /// How long its row waited for links, in which nothing was judged.
    pub(super) waited: Duration,
}

impl Turns {
    /// So many rows at once, and at least one.
    pub(super) fn new(jobs: usize) -> Turns {
        Turns {
            new: Arc::new(Semaphore::new(jobs.max(1))),
            resumed: Arc::new(Semaphore::new(jobs.max(1))),
            yields: jobs > 1,
        }
    }

    /// Waits for a turn.
    pub(super) async fn wait(&self) -> Turn {
        Turn {
            held: Some(take(&self.new).await),
            turns: self.clone(),
            waited: Duration::ZERO,
        }
    }
}

impl Turn {
    /// Lets time pass, in which other rows may run.
    pub(super) async fn pause(&mut self, pause: Duration) {
        self.give(tokio::time::sleep(pause)).await;
    }

    /// Lets other rows run until something has come.
    pub(super) async fn give<T>(&mut self, something: impl Future<Output = T>) -> T {
        if self.turns.yields {
            self.held = None;
        }
        let something = something.await;
        if self.turns.yields {
            self.held = Some(take(&self.turns.resumed).await);
        }
        something
    }
}

async fn take(permits: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    Arc::clone(permits)
        .acquire_owned()
        .await
        .expect("the semaphore is never closed")
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn free_during_a_pause(jobs: usize) -> usize {
        let turns = Turns::new(jobs);
        let mut turn = turns.wait().await;
        let (_, free) = tokio::join!(turn.pause(Duration::from_secs(2)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            turns.new.available_permits()
        });
        free
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_is_handed_on_during_a_pause() {
        assert_eq!(free_during_a_pause(2).await, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_among_rows_one_after_the_other_is_kept() {
        assert_eq!(free_during_a_pause(1).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_row_after_a_pause_does_not_wait_for_new_ones() {
        let turns = Turns::new(2);
        let mut turn = turns.wait().await;
        let (_, others) = tokio::join!(turn.pause(Duration::from_secs(1)), async {
            [turns.wait().await, turns.wait().await]
        });
        assert_eq!(turns.new.available_permits(), 0);
        drop(others);
        assert!(turn.held.is_some());
    }
}
