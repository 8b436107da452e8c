//! Holding a case against itself, the registry and the shapes (`cases/README.md`, section 13).
//!
//! Each rule reads the case beside the data of its file, which knows where everything stands.

mod cover;
mod fresh;
mod ground;
mod matchers;
mod members;
mod names;
mod requirements;
mod sources;
mod steps;
mod uses;

use super::load::Loaded;
use crate::spec::{Registry, Shapes};
use crate::template::{Location, Problem};

use self::ground::Ground;

/// What a case is held against.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    /// The text of its file.
    pub(super) text: &'a str,
    pub(super) registry: &'a Registry,
    pub(super) shapes: &'a Shapes,
}

/// Everything that is wrong with a case that loads, in order of its lines.
pub(super) fn lint(loaded: &Loaded, sources: Sources<'_>) -> Vec<Problem> {
    let ground = Ground::of(loaded, sources);
    let mut problems = Vec::new();
    requirements::check(&ground, &mut problems);
    steps::check(&ground, &mut problems);
    fresh::check(&ground, &mut problems);
    names::check(&ground, &mut problems);
    sources::check(&ground, &mut problems);
    matchers::check(&ground, &mut problems);
    members::check(&ground, &mut problems);
    if !sources.text.ends_with('\n') {
        problems.push(Problem::new(
            end_of(sources.text),
            "the file does not end in a newline",
        ));
    }
    problems.sort_by_key(|problem| problem.at);
    problems
}

/// The place behind the last character.
fn end_of(text: &str) -> Location {
    let last = text.rsplit('\n').next().unwrap_or_default();
    Location {
        line: text.matches('\n').count() + 1,
        column: last.chars().count() + 1,
    }
}
