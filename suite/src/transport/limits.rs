//! How much of what a target sends is kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// From this size on a message takes one of the places for large ones until it is complete.
pub(super) const LARGE: usize = 1 << 20;

/// How many messages may be large at once.
const LARGE_AT_ONCE: usize = 1;

/// Bounds on what is kept of one message and of one link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest message in bytes (`--max-message`); of a larger one only the beginning is kept.
    pub max_message: usize,
    /// Most that may come between two messages of the client, on HTTP for one request, in bytes of memory: messages and
    /// what was read out of them. What sends more floods.
    pub max_link: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_message: 16 << 20,
            max_link: 64 << 20,
        }
    }
}

impl Limits {
    /// How long a message may get before reading it is given up; what is beyond `max_message` is dropped.
    pub(super) fn endless(&self) -> u64 {
        16 * self.max_message as u64
    }
}

/// How many messages may come between two of the client, on HTTP for one request. To look at more would take longer than a
/// run may.
const MAX_MESSAGES: usize = 5_000;

/// What came since something was sent, or for one request.
#[derive(Debug, Default)]
pub(super) struct Influx {
    messages: AtomicUsize,
    bytes: AtomicUsize,
}

impl Influx {
    /// Counts a message that takes so many bytes of memory. False: it is too much.
    pub(super) fn counts(&self, bytes: usize, limits: &Limits) -> bool {
        let messages = self.messages.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = self
            .bytes
            .fetch_add(bytes, Ordering::Relaxed)
            .saturating_add(bytes);
        messages <= MAX_MESSAGES && bytes <= limits.max_link
    }

    /// Begins again.
    pub(super) fn reset(&self) {
        self.messages.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
    }
}

/// Bounds the memory that all links of a target take together. What comes when it is used up is recorded by its beginning
/// only.
#[derive(Debug)]
pub struct Budget {
    left: AtomicUsize,
    /// Places for messages that are large while they come in, before it is known what they are.
    large: Arc<Semaphore>,
}

impl Default for Budget {
    /// 48 MiB.
    fn default() -> Budget {
        Budget::new(48 << 20)
    }
}

impl Budget {
    /// A budget of so many bytes of memory.
    pub fn new(bytes: usize) -> Budget {
        Budget {
            left: AtomicUsize::new(bytes),
            large: Arc::new(Semaphore::new(LARGE_AT_ONCE)),
        }
    }

    /// Waits for one of the few places for large messages.
    pub(super) async fn place(&self) -> OwnedSemaphorePermit {
        let place = self.large.clone().acquire_owned().await;
        place.expect("the semaphore is never closed")
    }

    /// Takes bytes out, or says that there are not as many left.
    pub(super) fn take(&self, bytes: usize) -> bool {
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(bytes)
            })
            .is_ok()
    }

    /// Gives bytes back that were taken.
    pub(super) fn give(&self, bytes: usize) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }
}
