//! The last line of the terminal report: one sentence on the whole run.

use crate::text::counted;
use crate::verdict::Verdict;

use super::model::{Report, RequirementCounts};
use super::page::{Page, Tone};
use super::tally;

/// A run in which more than one in this many requirements were not judged is not shown as plainly passed.
const ONE_IN: usize = 10;

/// Writes the last line.
pub(super) fn write(page: &mut Page, report: &Report, strict: bool) {
    let (tone, word) = word(report);
    let code = format!(" (exit code {})", report.summary.exit_code);
    let sentence = sentence(report, strict);
    page.line(&[
        (tone, word),
        (Tone::Plain, "  "),
        (Tone::Plain, &sentence),
        (Tone::Dim, &code),
    ]);
}

/// The word that says it.
fn word(report: &Report) -> (Tone, &'static str) {
    let counts = tally::requirements(&report.cases);
    match report.summary.exit_code {
        tally::INTERRUPTED => (Tone::Doubt, "INTERRUPTED"),
        tally::VIOLATED => (Tone::Bad, "FAILED"),
        tally::NOT_JUDGED => (Tone::Doubt, "NOT JUDGED"),
        tally::EMPTY => (Tone::Doubt, "EMPTY"),
        _ if known(report) > 0 => (Tone::Warn, "AS KNOWN"),
        _ if counts.not_judged * ONE_IN > counts.total() => (Tone::Warn, "PASSED IN PART"),
        _ => (Tone::Good, "PASSED"),
    }
}

/// Cases whose faults the baseline expects.
fn known(report: &Report) -> usize {
    let known = report.cases.iter().filter(|case| case.known().is_some());
    known.count()
}

/// Cases that count against the run and whose faults the baseline does not expect.
fn unknown(report: &Report, strict: bool) -> usize {
    let counts = |verdict| match verdict {
        Verdict::Fail | Verdict::Inconclusive => true,
        Verdict::Warn => strict,
        Verdict::Pass | Verdict::Skip => false,
    };
    let unknown = report
        .cases
        .iter()
        .filter(|case| counts(case.verdict) && case.known().is_none());
    unknown.count()
}

/// That violations only count as warnings, where they do: a run may pass with them.
fn as_warnings(counts: &RequirementCounts) -> String {
    match counts.warned {
        0 => String::new(),
        1 if counts.violated == 1 => ", as a warning only".to_owned(),
        warned if warned == counts.violated => ", all as warnings only".to_owned(),
        1 => ", 1 as a warning only".to_owned(),
        warned => format!(", {warned} as warnings only"),
    }
}

/// What was found, and how much was not looked at.
fn sentence(report: &Report, strict: bool) -> String {
    let verdicts = tally::verdicts(&report.cases);
    let requirements = tally::requirements(&report.cases);
    let mut parts = Vec::new();
    if verdicts.fail > 0 {
        parts.push(counted(verdicts.fail, "failure"));
    }
    if verdicts.warn > 0 {
        let strictly = if strict { " (counted by --strict)" } else { "" };
        parts.push(format!("{}{strictly}", counted(verdicts.warn, "warning")));
    }
    if verdicts.inconclusive > 0 {
        parts.push(format!("{} inconclusive", verdicts.inconclusive));
    }
    if known(report) > 0 {
        parts.push(format!("{} of these in the baseline", known(report)));
    }
    if let Some(difference) = &report.baseline {
        let new = unknown(report, strict);
        if new > 0 {
            parts.push(format!("{new} not in the baseline"));
        }
        match difference.gone.len() {
            0 => {}
            1 => parts.push("1 entry of the baseline no longer occurs".to_owned()),
            gone => parts.push(format!("{gone} entries of the baseline no longer occur")),
        }
    }
    let unusable = report
        .targets
        .iter()
        .filter(|target| target.unusable.is_some())
        .count();
    if unusable > 0 {
        parts.push(format!("{} unusable", counted(unusable, "target")));
    }
    if let Some(interruption) = &report.interrupted {
        parts.push(match interruption.missing {
            0 => "ended early, with every result".to_owned(),
            missing => format!("ended early without {}", counted(missing, "result")),
        });
    }
    if verdicts.total() == 0 {
        // Where a target is unusable, or the run ended early, that is why.
        if parts.is_empty() {
            parts.push("no case was selected".to_owned());
        }
    } else {
        let held = match (requirements.judged(), requirements.violated) {
            (0, _) => "no requirement was judged".to_owned(),
            (judged, 0) => format!("{} judged, all held", counted(judged, "requirement")),
            (judged, violated) => format!(
                "{violated} of {} violated{}",
                counted(judged, "judged requirement"),
                as_warnings(&requirements)
            ),
        };
        parts.push(held);
        if requirements.judged() > 0 && requirements.not_judged > 0 {
            parts.push(format!("{} not judged", requirements.not_judged));
        }
    }
    parts.join(", ")
}
