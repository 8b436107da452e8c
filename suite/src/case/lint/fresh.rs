//! `fresh`: links on which nothing may have been sent before.

use super::super::{Body, Condition, Isolation, Step, StepKind};
use super::ground::Ground;
use crate::spec::Transport;
use crate::template::{Data, Kind, Location, Problem};
use crate::transcript::Era;

/// The link of steps that name none.
const MAIN: &str = "main";

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    let Body::Steps(body) = &ground.case.body else {
        return;
    };
    for (name, at) in names(ground.data.member("fresh"), &body.fresh) {
        if !body.steps.iter().any(|step| step.link == name) {
            problems.push(Problem::new(at, format!("no step uses the link `{name}`")));
        } else if name == MAIN && body.isolation == Isolation::Shared {
            problems.push(
                Problem::new(at, "other cases use `main` too, so it is never fresh")
                    .with_help("write `isolation: own` at the top level"),
            );
        }
    }
    for (step, data) in &ground.steps {
        let when: Vec<&Condition> = step.when.iter().collect();
        let is_fresh = body.fresh.contains(&step.link);
        if !is_fresh && begins_an_era(step) && ground.runs_on(Transport::Stdio, &when) {
            let message = "what was sent on a process before settles how it reads this";
            let help = format!("write `fresh: [{}]` at the top level", step.link);
            problems.push(Problem::new(data.at, message).with_help(help));
        }
    }
}

fn names<'a>(data: Option<&Data>, names: &'a [String]) -> Vec<(&'a str, Location)> {
    let Some(data) = data else {
        return Vec::new();
    };
    let place = |index: usize| match &data.kind {
        Kind::List(items) => items.get(index).map_or(data.at, |item| item.at),
        _ => data.at,
    };
    let placed = names.iter().enumerate();
    placed
        .map(|(index, name)| (name.as_str(), place(index)))
        .collect()
}

/// Whether a step says something that a server of several eras may take for the choice of one.
fn begins_an_era(step: &Step) -> bool {
    match &step.kind {
        StepKind::Send(send) => {
            send.era == Era::Legacy || send.what.literal() == Some("initialize")
        }
        StepKind::Notify(notify) => notify.era == Era::Legacy,
        _ => false,
    }
}
