//! Compiling matchers.

use crate::template::Location;

/// Why a matcher is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompileError {
    /// What is wrong, and what to write instead.
    pub message: String,
    /// Where.
    pub at: Location,
}
