//! How many requests a second a server is asked at most.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The span in which requests are counted: a second, and what one may be longer under way than another, for the server counts when they
/// arrive.
const SPAN: Duration = Duration::from_millis(1100);

/// Lets at most so many requests go within any second. What goes at once may still go at once, as far as the rate has room
/// for it.
#[derive(Debug)]
pub struct Pacer {
    rate: usize,
    turns: Mutex<Turns>,
}

#[derive(Debug, Default)]
struct Turns {
    /// When the last of them go, at most as many as may go in a second.
    last: VecDeque<Instant>,
    /// How long at least one request waited, all spans together.
    held: Duration,
    /// Up to when that is counted.
    counted: Option<Instant>,
}

impl Pacer {
    /// So many requests a second.
    pub fn new(rate: NonZeroU32) -> Pacer {
        Pacer {
            rate: usize::try_from(rate.get()).unwrap_or(usize::MAX),
            turns: Mutex::default(),
        }
    }

    /// Waits until the next request may go. Requests go in the order in which they asked.
    pub(super) async fn turn(&self) {
        let at = self.next(Instant::now());
        tokio::time::sleep_until(at).await;
    }

    /// For how long requests were held back so far.
    pub fn held(&self) -> Duration {
        self.turns().held
    }

    fn next(&self, now: Instant) -> Instant {
        let mut turns = self.turns();
        let earliest = if turns.last.len() < self.rate {
            now
        } else {
            turns.last.pop_front().map_or(now, |first| first + SPAN)
        };
        let at = earliest.max(now);
        turns.last.push_back(at);
        let from = turns.counted.map_or(now, |counted| counted.max(now));
        if let Some(more) = at.checked_duration_since(from) {
            turns.held += more;
            turns.counted = Some(at);
        }
        at
    }

    fn turns(&self) -> std::sync::MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pacer(rate: u32) -> Pacer {
        Pacer::new(NonZeroU32::new(rate).expect("it is not zero"))
    }

    #[tokio::test(start_paused = true)]
    async fn no_second_sees_more_requests_than_the_rate() {
        let pacer = pacer(3);
        let began = Instant::now();
        let mut gone = Vec::new();
        for pause in [0, 0, 0, 0, 0, 0, 400, 0, 2_000, 0, 0, 0] {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            pacer.turn().await;
            gone.push(began.elapsed());
        }
        for window in gone.windows(4) {
            assert!(window[3] - window[0] >= SPAN, "{gone:?}");
        }
        // A burst goes at once, and what comes late is not held back for what came before.
        assert!(gone[2] < Duration::from_millis(2), "{gone:?}");
        assert!(gone[10] - gone[8] < Duration::from_millis(2), "{gone:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_wait_together_are_held_back_once() {
        let pacer = pacer(1);
        let began = Instant::now();
        futures_util::future::join_all((0..5).map(|_| pacer.turn())).await;
        assert_eq!(began.elapsed().as_secs(), 4);
        assert_eq!(pacer.held().as_secs(), 4);
        tokio::time::sleep(Duration::from_secs(10)).await;
        pacer.turn().await;
        assert_eq!(pacer.held().as_secs(), 4);
    }
}
