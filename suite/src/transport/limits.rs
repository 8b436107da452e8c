//! How much of what a target sends is kept.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bounds on what is kept of one message and of one link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Largest message in bytes (`--max-message`); of a larger one only the beginning is kept.
    pub max_message: usize,
    /// Largest sum of what one link keeps, in bytes of memory: messages and what was read out of them.
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
        (256 << 20).max(2 * self.max_message as u64)
    }
}

/// Bounds what all links of a target keep together, so that many links cannot hold what one may not.
#[derive(Debug)]
pub struct Budget {
    left: AtomicUsize,
}

impl Default for Budget {
    /// 96 MiB.
    fn default() -> Budget {
        Budget::new(96 << 20)
    }
}

impl Budget {
    /// A budget of so many bytes of memory.
    pub fn new(bytes: usize) -> Budget {
        Budget {
            left: AtomicUsize::new(bytes),
        }
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
