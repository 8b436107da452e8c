//! Durations as cases, options and configuration write them.

use std::time::Duration;

use mcpspec_wire::Value;

/// Why something is no duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no duration: write 500ms, 2s, 1m or 8h")]
pub struct DurationError(pub String);

/// `500ms`, `2s`, `1m`, `8h`, or a number taken as milliseconds.
pub fn duration(value: &Value) -> Result<Duration, DurationError> {
    let _ = value;
    todo!("template helper")
}
