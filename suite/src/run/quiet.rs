//! Which cases that run alone may do so at the same time.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::case::{Body, Case};
use crate::spec::TriggerKind;

/// Cases, each with what it is to run, that follow one another.
pub(super) type Queue<T> = Vec<(Arc<Case>, T)>;

/// Cases that run alone, in queues.
pub(super) struct Quiet<T> {
    /// The cases of one queue rest on kinds of triggers on which those of the others do not: they may run beside each other.
    pub(super) beside: Vec<Queue<T>>,
    /// Nothing at all may run beside these.
    pub(super) apart: Queue<T>,
}

/// Splits cases that run alone. What changes a list disturbs every case that watches lists, but none that counts the steps of
/// a slow tool. A case that rests on no trigger may rest on anything.
pub(super) fn queues<T>(cases: Queue<T>, is_apart: impl Fn(&Case) -> bool) -> Quiet<T> {
    let mut beside: Vec<(BTreeSet<&'static str>, Queue<T>)> = Vec::new();
    let mut apart = Vec::new();
    for (case, rows) in cases {
        let mut kinds = kinds(&case);
        if kinds.is_empty() || is_apart(&case) {
            apart.push((case, rows));
            continue;
        }
        let mut queue = Vec::new();
        let disturbs =
            |(others, _): &mut (BTreeSet<&'static str>, Queue<T>)| !others.is_disjoint(&kinds);
        let disturbed: Vec<_> = beside.extract_if(.., disturbs).collect();
        for (others, cases) in disturbed {
            kinds.extend(others);
            queue.extend(cases);
        }
        queue.push((case, rows));
        beside.push((kinds, queue));
    }
    Quiet {
        beside: beside.into_iter().map(|(_, queue)| queue).collect(),
        apart,
    }
}

/// The kinds of triggers that a case needs or uses where there are some.
fn kinds(case: &Case) -> BTreeSet<&'static str> {
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
    fn cases_that_rest_on_the_same_kind_of_trigger_follow_one_another() {
        let cases = vec![
            case("lists", "list-change.tools"),
            case("count", "slow-tool.counter"),
            case("update", "resource-update"),
            case("both", "resource-update.other, list-change"),
            case("none", "tools"),
            case("restarts", "slow-tool"),
        ];
        let quiet = queues(cases, |case| case.id.ends_with("restarts"));
        let mut beside: Vec<_> = quiet.beside.iter().map(ids).collect();
        beside.sort();
        assert_eq!(
            beside,
            [
                vec!["a/b/count"],
                vec!["a/b/lists", "a/b/update", "a/b/both"]
            ]
        );
        assert_eq!(ids(&quiet.apart), ["a/b/none", "a/b/restarts"]);
    }
}
