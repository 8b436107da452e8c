//! The mutants of the reference server, and what is known of the cases that catch them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcpspec::case::{KillMatrix, Suite};
use mcpspec::event::CaseKind;
use mcpspec::spec::{Requirement, Transport, Violated};
use mcpspec::verdict::{Fact, Grade};
use mcpspec_refserver::{Mutant, Options, Variant};

use super::{Outcome, is_violation};

/// Case and requirement.
pub(crate) type Pair = (String, String);

/// The suite, and the kill matrix as it is committed.
pub(crate) struct Known {
    /// The suite.
    pub(crate) suite: Arc<Suite>,
    /// Which cases caught which mutant.
    pub(crate) committed: KillMatrix,
}

impl Known {
    /// Reads both.
    pub(crate) fn read() -> Known {
        let text = std::fs::read_to_string(matrix_path()).expect("the kill matrix is committed");
        Known {
            suite: super::suite(),
            committed: KillMatrix::read("cases/kill-matrix.yaml", &text)
                .expect("the kill matrix is read"),
        }
    }

    /// The requirements that name a mutant.
    pub(crate) fn requirements_of<'a>(
        &'a self,
        mutant: &Mutant,
    ) -> impl Iterator<Item = &'a Requirement> {
        let name = mutant.name;
        self.suite
            .registry()
            .iter()
            .filter(move |requirement| requirement.mutant_names().any(|named| named == name))
    }

    /// Each requirement that names a mutant, and each transport on which both are.
    pub(crate) fn due<'a>(
        &'a self,
        mutant: &'a Mutant,
    ) -> impl Iterator<Item = (&'a Requirement, Transport)> {
        let on = |requirement: &'a Requirement| {
            let shown = Transport::ALL
                .into_iter()
                .filter(|on| shows_on(mutant, *on));
            shown
                .filter(|transport| requirement.transports.covers(*transport))
                .map(move |transport| (requirement, transport))
        };
        self.requirements_of(mutant).flat_map(on)
    }

    /// Cases that are known to suffice to catch a mutant: few, then all that are known to notice it. What a watch sees outside every
    /// exchange names no case during which it came.
    pub(crate) fn sufficient(&self, mutant: &Mutant) -> [BTreeSet<&str>; 2] {
        let is_own = |id: &str| self.requirements_of(mutant).any(|own| own.id == id);
        [
            self.committed.enough(mutant.name, is_own),
            self.committed.listed(mutant.name),
        ]
    }

    /// What of the suite saw a requirement broken by a mutant over a transport. Of a further mutant a warning is enough: some cases
    /// never do more.
    pub(crate) fn broken(
        &self,
        outcome: &Outcome,
        transport: Transport,
        mutant: &Mutant,
    ) -> BTreeSet<Pair> {
        let mut broken = BTreeSet::new();
        for case in of_transport(outcome, transport) {
            for found in &case.requirements {
                let Some(requirement) = self.suite.registry().get(&found.id) else {
                    continue;
                };
                let mut further = requirement.mutant_names().skip(1);
                let is_warned = found.fact == Fact::Graded(Grade::Warn)
                    && further.any(|further| further == mutant.name);
                let violated = requirement.violated.unwrap_or(Violated::Note);
                if is_warned || is_violation(found.fact, violated) {
                    broken.insert((case.id.clone(), found.id.clone()));
                }
            }
        }
        broken
    }
}

/// The results of one transport, and those that compare it with the other.
pub(crate) fn of_transport(
    outcome: &Outcome,
    transport: Transport,
) -> impl Iterator<Item = &mcpspec::event::CaseResult> {
    outcome
        .cases
        .iter()
        .filter(move |case| case.transport == transport || case.kind == CaseKind::Compare)
}

/// Where the kill matrix is.
pub(crate) fn matrix_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/kill-matrix.yaml")
}

/// Whether a mutant shows on a transport.
fn shows_on(mutant: &Mutant, transport: Transport) -> bool {
    mutant.transports.contains(&match transport {
        Transport::Stdio => mcpspec_refserver::Transport::Stdio,
        Transport::Http => mcpspec_refserver::Transport::Http,
    })
}

/// The server that a mutant differs from.
pub(crate) fn clean_options_of(mutant: &Mutant) -> Options {
    let Variant {
        era,
        without,
        protected,
    } = mutant.variant;
    Options {
        era,
        without: without.iter().copied().collect(),
        protected,
        ..Options::default()
    }
}
