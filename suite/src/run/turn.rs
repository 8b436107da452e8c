//! A row's turn among those that run at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The right to keep the target busy. A row that only lets time pass hands it on meanwhile.
pub(super) struct Turn {
    permits: Arc<Semaphore>,
    held: Option<OwnedSemaphorePermit>,
    /// Whether another row may take the turn during a pause. Not where rows run one after the other.
    yields: bool,
}

impl Turn {
    /// Waits for a turn.
    pub(super) async fn wait(permits: Arc<Semaphore>, yields: bool) -> Turn {
        let held = Some(take(&permits).await);
        Turn {
            permits,
            held,
            yields,
        }
    }

    /// Lets time pass.
    pub(super) async fn pause(&mut self, pause: Duration) {
        if !self.yields {
            tokio::time::sleep(pause).await;
            return;
        }
        self.held = None;
        tokio::time::sleep(pause).await;
        self.held = Some(take(&self.permits).await);
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

    #[tokio::test(start_paused = true)]
    async fn a_turn_is_handed_on_during_a_pause_and_taken_back_after_it() {
        let permits = Arc::new(Semaphore::new(1));
        let mut turn = Turn::wait(Arc::clone(&permits), true).await;
        assert_eq!(permits.available_permits(), 0);
        let (_, during) = tokio::join!(turn.pause(Duration::from_secs(2)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            permits.available_permits()
        });
        assert_eq!((during, permits.available_permits()), (1, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_among_rows_one_after_the_other_is_kept() {
        let permits = Arc::new(Semaphore::new(1));
        let mut turn = Turn::wait(Arc::clone(&permits), false).await;
        let (_, during) = tokio::join!(turn.pause(Duration::from_secs(2)), async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            permits.available_permits()
        });
        assert_eq!(during, 0);
    }
}
