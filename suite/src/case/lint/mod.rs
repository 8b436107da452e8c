//! Holding a case against itself, the registry and the shapes.

use super::load::Loaded;
use crate::spec::{Registry, Shapes};
use crate::template::Problem;

/// What a case is held against.
#[derive(Clone, Copy)]
#[expect(dead_code, reason = "the rules to come read all of it")]
pub(super) struct Sources<'a> {
    /// The text of its file.
    pub(super) text: &'a str,
    pub(super) registry: &'a Registry,
    pub(super) shapes: &'a Shapes,
}

/// Everything that is wrong with a case that loads.
pub(super) fn lint(loaded: &Loaded, sources: Sources<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (id, at) in &loaded.case.requirements {
        if sources.registry.get(id).is_none() {
            problems.push(Problem::new(*at, format!("there is no requirement `{id}`")));
        }
    }
    problems
}
