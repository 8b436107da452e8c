//! How binding a requirement is, and what its violation counts as.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the specification states a requirement.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// MUST.
    Must,
    /// MUST NOT.
    MustNot,
    /// SHOULD.
    Should,
    /// SHOULD NOT.
    ShouldNot,
    /// A shape given by the schema.
    Schema,
    /// Prose without a keyword, or derived from such.
    Stated,
}

impl Level {
    /// The name in the registry and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::MustNot => "must-not",
            Level::Should => "should",
            Level::ShouldNot => "should-not",
            Level::Schema => "schema",
            Level::Stated => "stated",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The verdict of the plain violation of a requirement. The level explains, this decides.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Violated {
    /// A remark that is never counted.
    Note,
    /// A warning.
    Warn,
    /// A failure.
    Fail,
}
