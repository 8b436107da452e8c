//! The result in numbers, and the exit code that follows from it (`design`, verdicts). Pure functions over results.

use std::collections::BTreeMap;

use crate::event::{CaseResult, RequirementResult};
use crate::verdict::Verdict;

use super::baseline::Difference;
use super::model::{Report, RequirementCounts, VerdictCounts};

/// Nothing wrong was found.
pub(super) const CLEAN: u8 = 0;
/// A case failed, or warned under `--strict`, or an entry of the baseline no longer occurs.
pub(super) const VIOLATED: u8 = 1;
/// Something could not be judged.
pub(super) const NOT_JUDGED: u8 = 3;
/// No case was selected.
pub(super) const EMPTY: u8 = 4;
/// The user ended the run.
pub(super) const INTERRUPTED: u8 = 130;

/// What became of a requirement, from the weakest to the strongest statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    NotJudged,
    Held,
    Warned,
    Failed,
}

impl From<Verdict> for Standing {
    fn from(verdict: Verdict) -> Standing {
        match verdict {
            Verdict::Fail => Standing::Failed,
            Verdict::Warn => Standing::Warned,
            // A remark is never counted.
            Verdict::Pass => Standing::Held,
            Verdict::Inconclusive | Verdict::Skip => Standing::NotJudged,
        }
    }
}

/// Counts cases by verdict.
pub(super) fn verdicts<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> VerdictCounts {
    count(cases.into_iter().map(|case| case.verdict))
}

fn count(verdicts: impl Iterator<Item = Verdict>) -> VerdictCounts {
    let mut counts = VerdictCounts::default();
    for verdict in verdicts {
        let count = match verdict {
            Verdict::Pass => &mut counts.pass,
            Verdict::Fail => &mut counts.fail,
            Verdict::Warn => &mut counts.warn,
            Verdict::Inconclusive => &mut counts.inconclusive,
            Verdict::Skip => &mut counts.skip,
        };
        *count += 1;
    }
    counts
}

/// Counts requirements: violated if any case says so, held if judged and never violated, else not judged.
pub(super) fn requirements<'a>(
    cases: impl IntoIterator<Item = &'a CaseResult>,
) -> RequirementCounts {
    let mut standings: BTreeMap<&str, Standing> = BTreeMap::new();
    for requirement in cases.into_iter().flat_map(|case| &case.requirements) {
        let standing = Standing::from(requirement.verdict);
        let known = standings.entry(&requirement.id).or_insert(standing);
        *known = standing.max(*known);
    }
    let count = |wanted| {
        standings
            .values()
            .filter(|standing| **standing == wanted)
            .count()
    };
    RequirementCounts {
        held: count(Standing::Held),
        violated: count(Standing::Failed) + count(Standing::Warned),
        warned: count(Standing::Warned),
        not_judged: count(Standing::NotJudged),
    }
}

/// The exit code of a run whose report this is, the first that applies: 130 the user interrupted it; 1 a case failed (or
/// warned, if `strict`), or an entry of the baseline no longer occurs; 3 a target was unusable, the run ended early, a case
/// was inconclusive or nothing was judged; 4 no case was selected; 0. What the baseline expects counts as passed.
///
/// Errors of usage (2) leave no report.
pub fn exit_code(report: &Report, strict: bool) -> u8 {
    let counts = count(report.cases.iter().map(forgiven));
    let unusable = report
        .targets
        .iter()
        .any(|target| target.unusable.is_some());
    let interrupted = report.interrupted.as_ref();
    let is_gone = |difference: &Difference| !difference.gone.is_empty();
    if interrupted.is_some_and(|interruption| interruption.by_user) {
        INTERRUPTED
    } else if counts.fail > 0
        || (strict && counts.warn > 0)
        || report.baseline.as_ref().is_some_and(is_gone)
    {
        VIOLATED
    } else if unusable || interrupted.is_some() || counts.inconclusive > 0 {
        NOT_JUDGED
    } else if counts.total() == 0 {
        EMPTY
    } else if counts.judged() == 0 {
        NOT_JUDGED
    } else {
        CLEAN
    }
}

/// The verdict of a case without what the baseline expects of it.
fn forgiven(case: &CaseResult) -> Verdict {
    const WORST_FIRST: [Verdict; 4] = [
        Verdict::Fail,
        Verdict::Inconclusive,
        Verdict::Warn,
        Verdict::Pass,
    ];
    let requirements = || case.requirements.iter();
    if requirements().all(|requirement| requirement.known.is_none()) {
        return case.verdict;
    }
    let left = |requirement: &RequirementResult| match requirement.known {
        Some(_) => Verdict::Pass,
        None => requirement.verdict,
    };
    let is_left =
        |verdict: &Verdict| requirements().any(|requirement| left(requirement) == *verdict);
    let worst = WORST_FIRST.into_iter().find(is_left);
    worst.unwrap_or(case.verdict)
}
