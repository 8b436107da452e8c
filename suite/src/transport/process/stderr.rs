//! The end of what a process writes to standard error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::watch;

use crate::text::telling_lines;

/// How many lines are told.
const LINES: usize = 50;

/// How many bytes are kept.
const BYTES: usize = 64 << 10;

/// Keeps the end of a stream. Reading never stops, so that a process that writes much is not held up.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    /// Whether the stream has ended.
    ended: watch::Sender<bool>,
}

impl Tail {
    /// Reads a stream to its end.
    pub(super) async fn read(self, mut stream: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 8 << 10];
        while let Ok(length @ 1..) = stream.read(&mut chunk).await {
            let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
            let excess = (bytes.len() + length).saturating_sub(BYTES);
            bytes.drain(..excess);
            bytes.extend(&chunk[..length]);
        }
        self.ended.send_replace(true);
    }

    /// Waits for the end of the stream, which a process that goes on may hold open, so at most for `patience`.
    pub(super) async fn ended(&self, patience: Duration) {
        let mut ended = self.ended.subscribe();
        // Late, or never: what came so far is what there is.
        let _ = tokio::time::timeout(patience, ended.wait_for(|ended| *ended)).await;
    }

    /// The last lines that tell something, invalid UTF-8 replaced.
    pub(super) fn lines(&self) -> Vec<String> {
        let bytes: Vec<u8> = self
            .bytes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .copied()
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines = telling_lines(&text, LINES).into_iter();
        lines.map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_last_lines_are_kept_and_the_rest_is_dropped() {
        let tail = Tail::default();
        let text: String = (0..100_000)
            .map(|number| format!("line {number}\n"))
            .collect();
        tail.clone().read(text.as_bytes()).await;
        let lines = tail.lines();
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[LINES - 1], "line 99999");
        assert_eq!(lines[0], "line 99950");
    }

    #[tokio::test]
    async fn a_backtrace_does_not_push_out_what_it_follows() {
        let tail = Tail::default();
        let frames: String = (0..LINES)
            .map(|number| format!("  {number}: main\n"))
            .collect();
        let text = format!("thread 'main' panicked at main.rs:1:1:\nno\n{frames}");
        tail.clone().read(text.as_bytes()).await;
        assert_eq!(
            tail.lines(),
            ["thread 'main' panicked at main.rs:1:1:", "no"]
        );
    }

    #[tokio::test]
    async fn one_endless_line_is_bounded() {
        let tail = Tail::default();
        tail.clone().read(vec![b'x'; 1 << 20].as_slice()).await;
        assert_eq!(
            tail.lines().iter().map(String::len).collect::<Vec<_>>(),
            [BYTES]
        );
    }
}
