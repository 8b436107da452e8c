//! Holding an outcome against `expect` and its alternatives.

use mcpspec_wire::Value;

use crate::case::{Alternative, Condition, Judged};
use crate::matcher::{Check, Context, Matcher, Mismatch};
use crate::template::Unresolved;
use crate::verdict::{Fact, Grade};

use super::Demands;

/// What a judgement may look at beside the outcome.
#[derive(Clone, Copy)]
pub struct Judging<'a> {
    /// Sources, shapes and ignored members.
    pub context: Context<'a>,
    /// The standing demands.
    pub demands: Demands,
    /// Whether a condition holds on this target.
    pub holds: &'a dyn Fn(&Condition) -> bool,
}

/// What an outcome is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The fact.
    pub fact: Fact,
    /// The remark of the alternative that matched, or why nothing can be said.
    pub note: Option<String>,
    /// What did not match, unless the fact is Held.
    pub mismatches: Vec<Mismatch>,
}

impl Judgement {
    fn of(fact: Fact) -> Judgement {
        Judgement {
            fact,
            note: None,
            mismatches: Vec::new(),
        }
    }

    fn unknown(reason: String) -> Judgement {
        Judgement {
            fact: Fact::NotObserved,
            note: Some(reason),
            mismatches: Vec::new(),
        }
    }
}

/// Whether an outcome matches, standing demands included.
pub fn matches(
    outcome: &Value,
    matcher: &Matcher,
    judging: Judging<'_>,
) -> Result<Check, Unresolved> {
    if let Some(unmet) = judging.demands.unmet(matcher, outcome) {
        return Ok(Check::Differs(vec![unmet]));
    }
    matcher.check(Some(outcome), judging.context)
}

/// Judges an outcome: `expect` first, then the alternatives in order; the first that matches decides; none: violated.
pub fn judge(
    outcome: &Value,
    judged: &Judged,
    judging: Judging<'_>,
) -> Result<Judgement, Unresolved> {
    let mismatches = match matches(outcome, &judged.expect, judging)? {
        Check::Matches => return Ok(Judgement::of(Fact::Held)),
        Check::Unknown(reason) => return Ok(Judgement::unknown(reason)),
        Check::Differs(mismatches) => mismatches,
    };
    if is_throttled(outcome) {
        return Ok(Judgement::unknown(THROTTLED.to_owned()));
    }
    alternatives(outcome, &judged.alternatives, mismatches, judging)
}

/// Judges an outcome that is not what was expected: the first alternative that matches decides; none: violated.
pub fn alternatives(
    outcome: &Value,
    alternatives: &[Alternative],
    mismatches: Vec<Mismatch>,
    judging: Judging<'_>,
) -> Result<Judgement, Unresolved> {
    let context = Context {
        brief: true,
        ..judging.context
    };
    let brief = Judging { context, ..judging };
    for alternative in alternatives
        .iter()
        .filter(|alternative| applies(alternative, judging))
    {
        match matches(outcome, &alternative.matcher, brief)? {
            Check::Matches => {
                let is_fine = matches!(alternative.grade, Grade::Pass | Grade::Note | Grade::Skip);
                let mismatches = if is_fine { Vec::new() } else { mismatches };
                return Ok(Judgement {
                    fact: Fact::Graded(alternative.grade),
                    note: alternative.note.clone(),
                    mismatches,
                });
            }
            Check::Unknown(reason) => return Ok(Judgement::unknown(reason)),
            Check::Differs(_) => {}
        }
    }
    Ok(Judgement {
        fact: Fact::Violated,
        note: None,
        mismatches,
    })
}

/// What is said of an answer that a limit of requests refused: it tells nothing about the rule.
const THROTTLED: &str =
    "the answer was 429: too many requests in too short a time; try again with fewer `--jobs`";

/// Whether a limit of requests refused it, or one of those that it is the last of.
pub(super) fn is_throttled(outcome: &Value) -> bool {
    let is_429 = |outcome: &Value| outcome.get("status").and_then(Value::as_i64) == Some(429);
    let all = outcome.get("all").and_then(Value::as_array);
    is_429(outcome) || all.is_some_and(|all| all.iter().any(is_429))
}

fn applies(alternative: &Alternative, judging: Judging<'_>) -> bool {
    alternative
        .when
        .iter()
        .all(|condition| (judging.holds)(condition))
}
