//! Filling templates in.

use mcpspec_wire::Value;

use super::{Data, SourcePath, Template};

/// What a piece of data comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved {
    /// Nothing, where `optional` permits it: the member or entry is left out.
    Absent,
    /// A plain `null`, written there or in the row it comes from: on the send side, remove.
    Remove,
    /// A value; `$(null)` gives JSON null.
    Value(Value),
}

impl Resolved {
    /// The value, if there is one.
    pub fn into_value(self) -> Option<Value> {
        match self {
            Resolved::Value(value) => Some(value),
            Resolved::Absent | Resolved::Remove => None,
        }
    }
}

/// Why a template could not be filled in. The case is then not observed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// A source resolves to nothing.
    #[error("$({path}) resolves to nothing")]
    Nothing {
        /// As written.
        path: String,
    },
    /// A filter does not fit its value.
    #[error("$({path}): {problem}")]
    Filter {
        /// As written.
        path: String,
        /// What is wrong.
        problem: String,
    },
}

/// Gives the values of sources during a run.
pub trait Scope {
    /// The value of a source, [`Resolved::Absent`] if it resolves to nothing.
    ///
    /// `null`, `byte`, `text` and `deep` never get here: they need no run.
    fn source(&self, path: &SourcePath) -> Resolved;
}

impl Data {
    /// The value with every placeholder filled in. Members and entries that are removed or absent are left out.
    pub fn resolve(&self, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        let _ = scope;
        todo!("template helper")
    }
}

impl Template {
    /// The value: of one placeholder alone with its type, else text.
    pub fn resolve(&self, scope: &dyn Scope) -> Result<Resolved, Unresolved> {
        let _ = scope;
        todo!("template helper")
    }

    /// The text as bytes, in which `$(byte HH)` may stand. Values that are no strings are inserted as JSON text.
    pub fn resolve_bytes(&self, scope: &dyn Scope) -> Result<Vec<u8>, Unresolved> {
        let _ = scope;
        todo!("template helper")
    }
}
