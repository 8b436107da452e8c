//! What a request that asks for input is taken for.

use super::interview::{Input, Interview};

/// What a request that asks for something is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Input(Input),
    State,
    MultiRound { together: bool },
}

impl Role {
    /// All that an interview shows.
    pub(super) fn of(shown: &Interview) -> Vec<Role> {
        let mut roles = Vec::new();
        let input = shown.inputs.first().copied();
        if let Some(input) = input.filter(|input| shown.is(input.trigger())) {
            roles.push(Role::Input(input));
        }
        for role in [
            Role::State,
            Role::MultiRound {
                together: shown.is_together(),
            },
        ] {
            if shown.is(role.name()) {
                roles.push(role);
            }
        }
        roles
    }

    /// The trigger that it is.
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::Input(input) => input.trigger(),
            Role::State => "state-tool",
            Role::MultiRound { .. } => "multi-round-tool",
        }
    }
}
