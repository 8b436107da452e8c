//! The time of day, by tokio's clock.

use std::{
    sync::LazyLock,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Milliseconds since the Unix epoch.
///
/// The system's clock is read once a process; from there tokio's clock counts. So a request state made by another process is
/// dated alike, and in a test that pauses the clock time passes as the test lets it.
pub(crate) fn now_ms() -> u64 {
    static START: LazyLock<(Instant, Duration)> = LazyLock::new(|| {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH);
        (Instant::now(), epoch.unwrap_or_default())
    });
    let (start, epoch) = *START;
    // A clock that was paused before the first call is behind.
    let now = tokio::time::Instant::now().into_std();
    let now = match now.checked_duration_since(start) {
        Some(ahead) => epoch + ahead,
        None => epoch.saturating_sub(start - now),
    };
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_paused_clock_is_followed() {
        let before = now_ms();
        tokio::time::advance(Duration::from_secs(3600)).await;
        let passed = now_ms() - before;
        assert!((3_600_000..3_601_000).contains(&passed), "{passed}");
    }
}
