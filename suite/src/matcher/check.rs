//! Checking a value against a matcher.

use mcpspec_wire::Value;

use crate::spec::Shapes;
use crate::template::{Location, Scope, Unresolved};

use super::Matcher;

/// What a check may look at beside the value.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Gives the sources of placeholders.
    pub scope: &'a dyn Scope,
    /// The shapes that `$is` knows.
    pub shapes: &'a Shapes,
    /// Members of the outcome that are ignored at the top level, such as those of HTTP on stdio.
    pub ignored: &'a [&'a str],
}

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// The value matches.
    Matches,
    /// It does not: every reason, the first being the most telling.
    Differs(Vec<Mismatch>),
    /// It cannot be told, for instance because a schema has an unknown dialect.
    Unknown(String),
}

impl Check {
    /// Whether the value matches.
    pub fn matches(&self) -> bool {
        matches!(self, Check::Matches)
    }
}

/// One reason why a value does not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON pointer of the place in the value.
    pub pointer: String,
    /// What was expected, with its type.
    pub expected: String,
    /// What was there, with its type, bounded.
    pub actual: String,
    /// Where the matcher says so.
    pub at: Location,
}

impl Matcher {
    /// Checks a value, or its absence.
    pub fn check(&self, actual: Option<&Value>, context: Context<'_>) -> Result<Check, Unresolved> {
        let _ = (actual, context);
        todo!("matcher helper")
    }
}
