//! What may run beside cases that run alone.

use std::collections::BTreeSet;
use std::sync::Arc;

use mcpspec_wire::Value;

use crate::case::{Body, Case};
use crate::config::{Trigger, TriggerAction};
use crate::spec::TriggerKind;
use crate::target::Survey;

/// Names of kinds of triggers.
type Kinds = BTreeSet<&'static str>;

/// Cases, each with what it is to run, that follow one another.
pub(super) type Queue<T> = Vec<(Arc<Case>, T)>;

/// Cases by what may run beside them.
pub(super) struct Quiet<T> {
    /// Not beside the queues: these rest on the same kinds of triggers.
    pub(super) resting: Queue<T>,
    /// Beside everything.
    pub(super) free: Queue<T>,
    /// Cases that run alone. Those of one queue rest on kinds of triggers on which those of the others do not, so queues may run
    /// beside each other.
    pub(super) queues: Vec<Queue<T>>,
    /// Nothing at all may run beside these.
    pub(super) apart: Queue<T>,
}

/// Finds out what may run beside cases that run alone. What counts the steps of a slow tool is disturbed by every case that
/// calls it, and by no other. A case that rests on no trigger may rest on anything.
pub(super) fn split<T>(
    cases: Queue<T>,
    last: &Queue<T>,
    alone: Queue<T>,
    is_apart: impl Fn(&Case) -> bool,
) -> Quiet<T> {
    let busy: Kinds = last.iter().flat_map(|(case, _)| kinds(case)).collect();
    let (alone, apart): (Queue<T>, _) = alone.into_iter().partition(|(case, _)| {
        let kinds = kinds(case);
        !kinds.is_empty() && kinds.is_disjoint(&busy) && !is_apart(case)
    });
    let counted: Kinds = alone.iter().flat_map(|(case, _)| kinds(case)).collect();
    let (resting, free) = cases
        .into_iter()
        .partition(|(case, _)| !kinds(case).is_disjoint(&counted));
    Quiet {
        resting,
        free,
        queues: queues(alone),
        apart,
    }
}

fn queues<T>(cases: Queue<T>) -> Vec<Queue<T>> {
    let mut found: Vec<(Kinds, Queue<T>)> = Vec::new();
    for (case, rows) in cases {
        let mut kinds = kinds(&case);
        let mut queue = Vec::new();
        let disturbs = |(others, _): &mut (Kinds, Queue<T>)| !others.is_disjoint(&kinds);
        let disturbed: Vec<_> = found.extract_if(.., disturbs).collect();
        for (others, cases) in disturbed {
            kinds.extend(others);
            queue.extend(cases);
        }
        queue.push((case, rows));
        found.push((kinds, queue));
    }
    found.into_iter().map(|(_, queue)| queue).collect()
}

/// Whether a tool that a case's triggers call is called for other purposes too: by triggers of other kinds, or as the callable
/// tool. What counts its calls is then disturbed by cases that do not say so.
pub(super) fn shares_a_tool(case: &Case, survey: &Survey) -> bool {
    let own = kinds(case);
    let is_own = |name: &str| own.contains(name);
    let (mine, others): (Vec<_>, Vec<_>) =
        survey.triggers.iter().partition(|(name, _)| is_own(name));
    let mut called: Vec<&str> = others.iter().flat_map(|(_, one)| tools(one)).collect();
    let callable = survey.callable.as_ref();
    called.extend(callable.and_then(|(call, _)| call.params.get("name")?.as_str()));
    let mut mine = mine.iter().flat_map(|(_, one)| tools(one));
    mine.any(|name| called.contains(&name))
}

/// The tools that a trigger and its variants call.
fn tools(trigger: &Trigger) -> Vec<&str> {
    let mut found: Vec<&str> = trigger.variants.values().flat_map(tools).collect();
    if let TriggerAction::Request(whole) = &trigger.action
        && whole.method == "tools/call"
    {
        found.extend(whole.params.get("name").and_then(Value::as_str));
    }
    found
}

/// The kinds of triggers that a case needs or uses where there are some.
fn kinds(case: &Case) -> Kinds {
    let steps = match &case.body {
        Body::Steps(steps) => steps.steps.as_slice(),
        Body::Watch(_) | Body::Compare => &[],
    };
    let conditions = case
        .needs
        .iter()
        .chain(steps.iter().flat_map(|step| &step.when));
    conditions
        .filter(|condition| !condition.negated)
        .filter_map(|condition| condition.word.split('.').next())
        .filter_map(|name| Some(TriggerKind::of(name)?.name))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::case::{SuiteFile, load_case};

    use super::*;

    fn case(name: &str, needs: &str) -> (Arc<Case>, ()) {
        let file = SuiteFile {
            path: format!("a/b/{name}.yaml"),
            shown: name.to_owned(),
            text: format!(
                "summary: s\nrequirement: x.y\nneeds: [{needs}]\nisolation: alone\nsteps:\n  - send: server/discover\n    expect: {{}}\n"
            ),
        };
        (Arc::new(load_case(&file).expect("the case is right")), ())
    }

    fn ids(queue: &Queue<()>) -> Vec<&str> {
        queue.iter().map(|(case, ())| case.id.as_str()).collect()
    }

    #[test]
    fn cases_that_rest_on_the_same_kind_of_trigger_do_not_run_beside_each_other() {
        let cases = vec![
            case("calls-slow", "slow-tool"),
            case("other", "state-tool"),
            case("plain", "tools"),
        ];
        let last = vec![case("changes", "list-change.tools")];
        let alone = vec![
            case("logs", "logging-tool"),
            case("count", "slow-tool.counter"),
            case("progress", "progress-tool"),
            case("both", "logging-tool, progress-tool"),
            case("none", "tools"),
            case("restarts", "slow-tool"),
            case("lists", "list-change"),
        ];
        let quiet = split(cases, &last, alone, |case| case.id.ends_with("restarts"));
        assert_eq!(ids(&quiet.resting), ["a/b/calls-slow"]);
        assert_eq!(ids(&quiet.free), ["a/b/other", "a/b/plain"]);
        let mut queues: Vec<_> = quiet.queues.iter().map(ids).collect();
        queues.sort();
        assert_eq!(
            queues,
            [
                vec!["a/b/count"],
                vec!["a/b/logs", "a/b/progress", "a/b/both"]
            ]
        );
        assert_eq!(ids(&quiet.apart), ["a/b/none", "a/b/restarts", "a/b/lists"]);
    }
}
