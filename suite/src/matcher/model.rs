//! The model of a matcher.

use crate::template::{Data, Location};

use super::CompileError;

/// What a value has to look like.
#[derive(Debug, Clone)]
pub struct Matcher {
    /// Where it stands.
    pub at: Location,
}

impl Matcher {
    /// Compiles a matcher; unknown operators and operands of a wrong kind are errors.
    pub fn compile(data: &Data) -> Result<Matcher, CompileError> {
        let _ = data;
        todo!("matcher helper")
    }

    /// Whether the matcher names this member at its top level, also inside `$any` and `$not`.
    pub fn names(&self, member: &str) -> bool {
        let _ = member;
        todo!("matcher helper")
    }
}
