//! Names: of outcomes, links and variables.

use std::collections::BTreeMap;

use super::super::{Since, Step, StepKind};
use super::ground::Ground;
use super::sources::{is_variable, unknown, variables};
use super::uses::{of_step, outside_steps};
use crate::template::{Data, Kind, Location, Problem};
use crate::text::closest;

/// Members that outcomes have (`cases/README.md`, section 5).
const OUTCOME: [&str; 33] = [
    "ack",
    "all",
    "answers",
    "bad_answers",
    "body",
    "cancelled",
    "challenge",
    "closed",
    "code",
    "ended_after",
    "error",
    "events",
    "exited",
    "headers",
    "id",
    "items",
    "json",
    "later",
    "method",
    "notifications",
    "params",
    "peak_rate",
    "request",
    "responses",
    "result",
    "served_after",
    "signal",
    "silent",
    "status",
    "text",
    "type",
    "walk",
    "_meta",
];

/// The link of steps that name none.
const MAIN: &str = "main";

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    for found in outside_steps(ground) {
        if let Some((message, help)) = unknown(found.placeholder) {
            problems.push(told(found.at, message, help));
        }
    }
    let mut names = Names::default();
    for (index, (step, data)) in ground.steps.iter().enumerate() {
        names.read(ground, index, problems);
        names.define(step, data, problems);
    }
    names.clashes(ground, problems);
    names.unread(problems);
}

/// Names seen so far.
#[derive(Default)]
struct Names<'a> {
    /// Outcomes: where each is named, and whether something reads it.
    outcomes: BTreeMap<&'a str, (Location, bool)>,
    /// Links: where each is used first.
    links: BTreeMap<&'a str, Location>,
}

impl<'a> Names<'a> {
    /// Checks what a step reads.
    fn read(&mut self, ground: &Ground<'a>, index: usize, problems: &mut Vec<Problem>) {
        let (step, data) = ground.steps[index];
        for found in of_step(ground, index) {
            if is_variable(ground, found.placeholder) {
                continue;
            }
            let segments = &found.placeholder.source.segments;
            if self.mark(&segments[0]) {
                let member = segments.get(1);
                if let Some(member) = member.filter(|member| !OUTCOME.contains(&member.as_str())) {
                    let help =
                        closest(member, OUTCOME).map(|close| format!("did you mean `{close}`?"));
                    problems.push(told(
                        found.at,
                        format!("outcomes have no member `{member}`"),
                        help,
                    ));
                }
                continue;
            }
            if let Some((message, help)) = unknown(found.placeholder) {
                problems.push(match self.later(ground, index, &segments[0]) {
                    true => Problem::new(
                        found.at,
                        format!("`{}` is used before its `as`", segments[0]),
                    ),
                    false => told(found.at, message, help),
                });
            }
        }
        let may_be_link = matches!(step.kind, StepKind::Silence(_));
        for (name, at) in referred(step, data) {
            let is_link = may_be_link && (name == MAIN || self.links.contains_key(name));
            if self.mark(name) || is_link {
                continue;
            }
            problems.push(if self.later(ground, index, name) {
                Problem::new(at, format!("`{name}` is used before its `as`"))
            } else {
                let known = self.outcomes.keys().copied();
                let help = closest(name, known).map(|close| format!("did you mean `{close}`?"));
                told(
                    at,
                    format!("no step before this one is named `{name}`"),
                    help,
                )
            });
        }
    }

    /// Notes that an outcome is read; says whether there is one of this name.
    fn mark(&mut self, name: &str) -> bool {
        match self.outcomes.get_mut(name) {
            Some((_, is_read)) => {
                *is_read = true;
                true
            }
            None => false,
        }
    }

    /// Whether this step or one after it is so named.
    fn later(&self, ground: &Ground<'_>, index: usize, name: &str) -> bool {
        ground.steps[index..]
            .iter()
            .any(|(step, _)| step.name.as_deref() == Some(name))
    }

    fn define(&mut self, step: &'a Step, data: &Data, problems: &mut Vec<Problem>) {
        if let Some(link) = data.member("link") {
            self.links.entry(&step.link).or_insert(link.at);
        }
        if let (Some(name), Some(data)) = (&step.name, data.member("as")) {
            if self.outcomes.contains_key(name.as_str()) {
                problems.push(Problem::new(
                    data.at,
                    format!("another step is named `{name}` too"),
                ));
            }
            self.outcomes.insert(name, (data.at, false));
        }
    }

    /// A name stands for one thing.
    fn clashes(&self, ground: &Ground<'_>, problems: &mut Vec<Problem>) {
        let variables = variables(ground);
        for (name, (at, _)) in &self.outcomes {
            let other = if *name == MAIN || self.links.contains_key(name) {
                "a link"
            } else if variables.contains(name) {
                "a variable"
            } else {
                continue;
            };
            problems.push(Problem::new(
                *at,
                format!("`{name}` names an outcome and {other}"),
            ));
        }
    }

    fn unread(&self, problems: &mut Vec<Problem>) {
        for (name, (at, is_read)) in &self.outcomes {
            if !is_read {
                problems.push(
                    Problem::new(*at, format!("nothing reads `{name}`"))
                        .with_help("leave `as` out, or read it in a later step"),
                );
            }
        }
    }
}

/// Names that a step refers to outside of placeholders, and where.
fn referred<'s>(step: &'s Step, data: &Data) -> Vec<(&'s str, Location)> {
    let mut found: Vec<(&str, Location)> = Vec::new();
    let at = |field: &str| data.member(field).map_or(data.at, |data| data.at);
    let mut all = |names: &'s [String], field: &str| {
        for (index, name) in names.iter().enumerate() {
            let item = match data.member(field).map(|data| &data.kind) {
                Some(Kind::List(items)) => items.get(index).map(|item| item.at),
                _ => None,
            };
            found.push((name, item.unwrap_or_else(|| at(field))));
        }
    };
    match &step.kind {
        StepKind::Retry(retry) => found.push((&retry.of, at("retry"))),
        StepKind::Await(waited) => all(&waited.names, "await"),
        StepKind::Silence(silence) => {
            all(&silence.names, "silence");
            if let Some(Since::Step(name)) = &silence.since {
                found.push((name, at("since")));
            }
        }
        StepKind::Cancel(cancel) => found.push((&cancel.of, at("cancel"))),
        _ => {}
    }
    found
}

fn told(at: Location, message: String, help: Option<String>) -> Problem {
    let problem = Problem::new(at, message);
    match help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}
