//! Request ids that no other request of a run has.

use std::sync::atomic::{AtomicU64, Ordering};

use mcpspec_wire::Value;

/// Gives ids: a string and an integer in turn, so that a server meets both kinds all the time.
#[derive(Debug, Default)]
pub struct IdSource {
    given: AtomicU64,
}

impl IdSource {
    /// A source that begins with `r-1`.
    pub fn new() -> IdSource {
        IdSource::default()
    }

    /// The next id: `"r-1"`, `2`, `"r-3"`, `4`, …
    pub fn next_id(&self) -> Value {
        let number = self.given.fetch_add(1, Ordering::Relaxed) + 1;
        if number % 2 == 1 {
            Value::from(format!("r-{number}"))
        } else {
            Value::from(number)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_integers_take_turns() {
        let ids = IdSource::new();
        let given: Vec<String> = (0..4).map(|_| ids.next_id().to_json()).collect();
        assert_eq!(given, ["\"r-1\"", "2", "\"r-3\"", "4"]);
    }
}
