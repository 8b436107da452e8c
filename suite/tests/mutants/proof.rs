//! What the committed kill matrix has to say of every case and of every mutant.

use std::collections::BTreeSet;
use std::sync::Arc;

use libtest_mimic::Failed;
use mcpspec::case::Case;
use mcpspec::spec::{Requirement, Transport};
use mcpspec_refserver::{find_mutant, mutants};

use super::support::mutants::Known;

/// Case and requirement of which no mutant is known that the case catches, and why.
const UNPROVEN: [(&str, &str, &str); 6] = [
    (
        "ext/deprecated/input-requests",
        "ext.deprecated.not-adopted",
        "the reference server asks for both itself, and without the tools that do so it asks for nothing",
    ),
    (
        "jsonrpc/encoding/utf8-output-bodies",
        "jsonrpc.encoding.utf8-output",
        "it looks at what the reference server refuses without an id, of which no mutant is written yet",
    ),
    (
        "jsonrpc/encoding/utf8-output-charset",
        "jsonrpc.encoding.utf8-output",
        "the reference server names no charset, so the case never holds on it",
    ),
    (
        "mrtr/retry/first-stream-ends",
        "mrtr.retry.first-request-closed",
        "the reference server asks in JSON and on no event stream, so the case never holds on it",
    ),
    (
        "schema/message/task-results",
        "schema.message.valid",
        "the reference server has no tasks, so the case never holds on it",
    ),
    (
        "stdio/responses/answered-at-eof",
        "stdio.responses.correlated",
        "whatever a process leaves unanswered as it ends is let pass with a remark",
    ),
];

/// Areas beyond the core protocol, whose mutants are still to be written.
const WITHOUT_MUTANTS: [&str; 3] = ["auth", "legacy", "tasks"];

/// How many requirements of others a mutant may break without a reason.
const COLLATERAL: usize = 5;

/// Mutants that break more of them, and why nothing narrower would do.
const COLLATERAL_OF: [(&str, &str); 0] = [];

/// The cases that name a requirement and run on a transport.
pub(crate) fn cases_of<'a>(
    known: &'a Known,
    requirement: &'a Requirement,
    transport: Transport,
) -> impl Iterator<Item = &'a Arc<Case>> {
    known.suite.cases().iter().filter(move |case| {
        let mut named = case.requirements.iter();
        case.transports.contains(&transport) && named.any(|(id, _)| *id == requirement.id)
    })
}

/// Each case was seen to fail: it catches, on each of its transports, a mutant of each requirement that it names.
pub(crate) fn hold_cases(known: &Known) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    let mut excepted = BTreeSet::new();
    for requirement in known.suite.registry().iter() {
        let area = requirement.id.split('.').next().unwrap_or_default();
        if requirement.mutant_name().is_none() || WITHOUT_MUTANTS.contains(&area) {
            continue;
        }
        let bound = Transport::ALL.into_iter();
        for transport in bound.filter(|on| requirement.transports.covers(*on)) {
            let catchers = known.committed.catchers(requirement, transport);
            for case in cases_of(known, requirement, transport) {
                let (case, id) = (case.id.as_str(), requirement.id.as_str());
                if catchers.contains(case) {
                    continue;
                }
                if is_excepted(case, id) {
                    excepted.insert((case, id));
                } else {
                    wrong.push(format!("{case} over {transport}: no mutant of {id}"));
                }
            }
        }
    }
    for (case, id, _) in UNPROVEN {
        if !excepted.contains(&(case, id)) {
            wrong.push(format!(
                "{case} catches a mutant of {id}, or is gone: it is no exception any more"
            ));
        }
    }
    told(&wrong)
}

/// Of a mutant that breaks many requirements of others it is said why, and of no other.
pub(crate) fn hold_collateral(known: &Known) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for mutant in mutants() {
        let mut others = known.committed.broken_by(mutant.name);
        for own in known.requirements_of(mutant) {
            others.remove(own.id.as_str());
        }
        let has_reason = COLLATERAL_OF.iter().any(|(name, _)| *name == mutant.name);
        if others.len() > COLLATERAL && !has_reason {
            wrong.push(format!(
                "{} breaks {} requirements of others, and nothing says why: {others:?}",
                mutant.name,
                others.len()
            ));
        }
        if others.len() <= COLLATERAL && has_reason {
            wrong.push(format!(
                "{} breaks only {} requirements of others, which needs no reason",
                mutant.name,
                others.len()
            ));
        }
    }
    for (name, _) in COLLATERAL_OF {
        if find_mutant(name).is_none() {
            wrong.push(format!("there is no mutant {name}"));
        }
    }
    told(&wrong)
}

/// Whether a case is known to catch no mutant of a requirement.
pub(crate) fn is_excepted(case: &str, requirement: &str) -> bool {
    UNPROVEN
        .iter()
        .any(|(excepted, id, _)| *excepted == case && *id == requirement)
}

/// What is wrong, if anything is.
fn told(wrong: &[String]) -> Result<(), Failed> {
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}
