//! Matchers: shapes that they name, what they ask on stdio, and alternatives that can be reached and are fair.

use super::super::{Alternative, Body, Condition, HTTP_MEMBERS, Repeat, StepKind};
use super::cover::covers;
use super::ground::Ground;
use crate::matcher::Matcher;
use crate::spec::{Transport, Violated};
use crate::template::{Data, Kind, Problem};
use crate::text::closest;
use crate::verdict::Grade;

/// Keys of an alternative that are no members of its matcher.
const OF_ALTERNATIVE: [&str; 3] = ["grade", "note", "when"];

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    for (matcher, when) in matchers(ground) {
        shapes(ground, matcher, problems);
        if ground.runs_on(Transport::Stdio, &when) && matcher.asks_only_for(HTTP_MEMBERS) {
            problems.push(
                Problem::new(
                    matcher.at,
                    "on stdio there is nothing of this, so it never matches",
                )
                .with_help("write `transports: [http]`, or `when: http` beside it"),
            );
        }
    }
    match &ground.case.body {
        Body::Watch(watch) => {
            let data = (ground.data.member("expect"), ground.data.member("else"));
            judged(ground, data, &watch.judged.alternatives, problems);
        }
        Body::Steps(_) => {
            for (step, data) in &ground.steps {
                let data = (data.member("expect"), data.member("else"));
                judged(ground, data, step.alternatives(), problems);
            }
        }
        Body::Compare => {}
    }
}

/// All matchers of outcomes in a case, with the conditions beside those of the whole case.
fn matchers<'a>(ground: &Ground<'a>) -> Vec<(&'a Matcher, Vec<&'a Condition>)> {
    let mut found = Vec::new();
    if let Body::Watch(watch) = &ground.case.body {
        found.extend(watch.filter.as_ref().map(|filter| (filter, Vec::new())));
        found.push((&watch.judged.expect, Vec::new()));
        for alternative in &watch.judged.alternatives {
            found.push((&alternative.matcher, alternative.when.iter().collect()));
        }
    }
    for (step, _) in &ground.steps {
        let when: Vec<&Condition> = step.when.iter().collect();
        let mut add = |matcher: Option<&'a Matcher>| {
            found.extend(matcher.map(|matcher| (matcher, when.clone())));
        };
        add(step.given.as_ref());
        add(step.judged.as_ref().map(|judged| &judged.expect));
        match &step.kind {
            StepKind::Send(send) => {
                if let Some(Repeat::Until(until)) = &send.repeat {
                    add(Some(until));
                }
            }
            StepKind::Await(waited) => add(waited.some.as_ref()),
            StepKind::Silence(silence) => add(silence.of.as_ref()),
            _ => {}
        }
        for alternative in step.alternatives() {
            let when = when.iter().copied().chain(&alternative.when).collect();
            found.push((&alternative.matcher, when));
        }
    }
    found
}

fn shapes(ground: &Ground<'_>, matcher: &Matcher, problems: &mut Vec<Problem>) {
    for (name, at) in matcher.shapes() {
        let shapes = ground.sources.shapes;
        if !shapes.contains(name) {
            let problem = Problem::new(at, format!("there is no shape `{name}`"));
            problems.push(match closest(name, shapes.names()) {
                Some(close) => problem.with_help(format!("did you mean `{close}`?")),
                None => problem,
            });
        }
    }
}

fn judged(
    ground: &Ground<'_>,
    (expect, others): (Option<&Data>, Option<&Data>),
    alternatives: &[Alternative],
    problems: &mut Vec<Problem>,
) {
    let items = match others.map(|others| &others.kind) {
        Some(Kind::List(items)) => items.as_slice(),
        _ => &[],
    };
    let mut earlier: Vec<(Data, &[Condition])> = Vec::new();
    earlier.extend(expect.map(|expect| (expect.clone(), &[][..])));
    for (alternative, item) in alternatives.iter().zip(items) {
        fair(ground, alternative, item, problems);
        let matcher = without(item, &OF_ALTERNATIVE);
        let shadow = earlier.iter().find(|(before, when)| {
            when.iter()
                .all(|condition| alternative.when.iter().any(|own| same(own, condition)))
                && covers(before, &matcher)
        });
        if let Some((before, _)) = shadow {
            problems.push(Problem::new(
                item.at,
                format!(
                    "this is never reached: line {} matches all of it before",
                    before.at.line
                ),
            ));
        }
        earlier.push((matcher, &alternative.when));
    }
}

fn same(left: &Condition, right: &Condition) -> bool {
    left.word == right.word && left.negated == right.negated
}

/// A grade is never harsher than what the registry says of the plain violation.
fn fair(ground: &Ground<'_>, alternative: &Alternative, item: &Data, problems: &mut Vec<Problem>) {
    let grade = match alternative.grade {
        Grade::Fail => Violated::Fail,
        Grade::Warn => Violated::Warn,
        Grade::Note => Violated::Note,
        Grade::Pass | Grade::Inconclusive | Grade::Skip => return,
    };
    let harshest = ground
        .requirements()
        .filter_map(|requirement| requirement.violated)
        .max();
    if harshest.is_some_and(|harshest| grade > harshest) {
        let at = item.member("grade").map_or(item.at, |grade| grade.at);
        problems.push(Problem::new(
            at,
            "the grade is harsher than the plain violation, which the registry says under `violated`",
        ));
    }
}

/// A map without some of its members.
fn without(data: &Data, names: &[&str]) -> Data {
    let kind = match &data.kind {
        Kind::Map(members) => Kind::Map(
            members
                .iter()
                .filter(|(key, _)| !key.text.literal().is_some_and(|name| names.contains(&name)))
                .cloned()
                .collect(),
        ),
        other => other.clone(),
    };
    Data { kind, at: data.at }
}
