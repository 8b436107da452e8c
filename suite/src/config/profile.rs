//! Profiles: the triggers of a well-known server, read from `cases/profiles/*.toml`.

use std::collections::BTreeMap;

use super::Trigger;

/// The triggers of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Name for `--profile`.
    pub name: String,
    /// `serverInfo.name` of the server, exact.
    pub server: String,
    /// Its triggers by name.
    pub triggers: BTreeMap<String, Trigger>,
}

/// Why a profile could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{origin}:{line}:{column}: {message}")]
pub struct ProfileError {
    /// The file.
    pub origin: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}
