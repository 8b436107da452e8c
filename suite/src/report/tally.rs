//! The result in numbers, and the exit code that follows from it (`design`, verdicts). Pure functions over results.

use std::collections::BTreeMap;

use crate::event::CaseResult;
use crate::verdict::Verdict;

use super::model::{Report, RequirementCounts, VerdictCounts};

/// Nothing wrong was found.
pub(super) const CLEAN: u8 = 0;
/// A case failed, or warned under `--strict`.
pub(super) const VIOLATED: u8 = 1;
/// Something could not be judged.
pub(super) const NOT_JUDGED: u8 = 3;
/// No case was selected.
pub(super) const EMPTY: u8 = 4;

/// What became of a requirement, from the weakest to the strongest statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    NotJudged,
    Held,
    Violated,
}

impl From<Verdict> for Standing {
    fn from(verdict: Verdict) -> Standing {
        match verdict {
            Verdict::Fail | Verdict::Warn => Standing::Violated,
            // A remark is never counted.
            Verdict::Pass => Standing::Held,
            Verdict::Inconclusive | Verdict::Skip => Standing::NotJudged,
        }
    }
}

/// Counts cases by verdict.
pub(super) fn verdicts<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> VerdictCounts {
    let mut counts = VerdictCounts::default();
    for case in cases {
        let count = match case.verdict {
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
        violated: count(Standing::Violated),
        not_judged: count(Standing::NotJudged),
    }
}

/// The exit code of a run whose report this is, the first that applies: 1 a case failed (or warned, if `strict`);
/// 3 a target was unusable, the run ended early, a case was inconclusive or nothing was judged; 4 no case was selected; 0.
///
/// Errors of usage (2) and an interruption by the user (130) leave no say to the report.
pub fn exit_code(report: &Report, strict: bool) -> u8 {
    let counts = verdicts(&report.cases);
    let unusable = report
        .targets
        .iter()
        .any(|target| target.unusable.is_some());
    if counts.fail > 0 || (strict && counts.warn > 0) {
        VIOLATED
    } else if unusable || report.interrupted.is_some() || counts.inconclusive > 0 {
        NOT_JUDGED
    } else if counts.total() == 0 {
        EMPTY
    } else if counts.judged() == 0 {
        NOT_JUDGED
    } else {
        CLEAN
    }
}
