//! A case beside its data, and where it runs.

use super::super::load::Loaded;
use super::super::{Body, Case, Condition, Step};
use super::Sources;
use crate::spec::{Requirement, Transport};
use crate::template::{Data, Kind};

/// What the rules look at.
pub(super) struct Ground<'a> {
    pub(super) case: &'a Case,
    pub(super) data: &'a Data,
    pub(super) sources: Sources<'a>,
    /// Steps with their maps; none of a watch.
    pub(super) steps: Vec<(&'a Step, &'a Data)>,
}

impl<'a> Ground<'a> {
    pub(super) fn of(loaded: &'a Loaded, sources: Sources<'a>) -> Ground<'a> {
        let steps = match (&loaded.case.body, loaded.data.member("steps")) {
            (Body::Steps(steps), Some(data)) => match &data.kind {
                Kind::List(items) => steps.steps.iter().zip(items).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        Ground {
            case: &loaded.case,
            data: &loaded.data,
            sources,
            steps,
        }
    }

    /// The requirements of the case that there are.
    pub(super) fn requirements(&self) -> impl Iterator<Item = &'a Requirement> {
        let registry = self.sources.registry;
        let ids = self.case.requirements.iter();
        ids.filter_map(move |(id, _)| registry.get(id))
    }

    /// Whether something runs on a transport under these conditions, beside those of the whole case.
    pub(super) fn runs_on(&self, transport: Transport, when: &[&Condition]) -> bool {
        let mut conditions = self.case.needs.iter().chain(when.iter().copied());
        self.case.transports.contains(&transport)
            && self
                .requirements()
                .any(|requirement| requirement.transports.covers(transport))
            && conditions.all(|condition| !excludes(condition, transport))
    }
}

/// Whether a condition never holds on a transport.
fn excludes(condition: &Condition, transport: Transport) -> bool {
    let named = Transport::ALL
        .into_iter()
        .find(|transport| transport.as_str() == condition.word);
    named.is_some_and(|named| (named == transport) == condition.negated)
}
