//! What a survey is to find out by calling tools.

use std::collections::BTreeSet;

use crate::spec::TRIGGERS;

/// What a survey is to find out by calling tools, beside what it is told. Nothing is called for what nobody needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sought {
    /// Names of triggers.
    pub triggers: BTreeSet<String>,
    /// Whether a tool that can be called, with arguments that it takes.
    pub callable: bool,
}

impl Sought {
    /// All that there is.
    pub fn everything() -> Sought {
        Sought {
            triggers: TRIGGERS.iter().map(|kind| kind.name.to_owned()).collect(),
            callable: true,
        }
    }
}
