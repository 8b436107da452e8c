//! What a kind, a predicate or a schema finds out about a value.

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    /// It is as it has to be.
    Holds,
    /// It is not.
    Breaks(Vec<Breach>),
    /// It cannot be told.
    Unknown(String),
}

/// Where a value breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Breach {
    /// JSON pointer inside the value.
    pub(super) pointer: String,
    /// What is due there; empty if the kind's name says it all.
    pub(super) rule: String,
}

impl Finding {
    /// Holds, or breaks as a whole.
    pub(super) fn of(holds: bool) -> Finding {
        if holds {
            Finding::Holds
        } else {
            Finding::breach(String::new(), String::new())
        }
    }

    /// One breach.
    pub(super) fn breach(pointer: String, rule: String) -> Finding {
        Finding::Breaks(vec![Breach { pointer, rule }])
    }

    /// Holds if there are no breaches.
    pub(super) fn of_breaches(breaches: Vec<Breach>) -> Finding {
        if breaches.is_empty() {
            Finding::Holds
        } else {
            Finding::Breaks(breaches)
        }
    }
}
