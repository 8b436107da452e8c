//! Comparing a report with the verdicts that are known.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::config::{Baseline, Known};
use crate::event::{RequirementResult, TargetInfo};
use crate::text::terminal_safe;
use crate::verdict::Verdict;

use super::model::Report;
use super::tally;

/// How a run differs from what is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Difference {
    /// How many verdicts are known and came again.
    pub known: usize,
    /// Verdicts that are not known.
    pub new: Vec<New>,
    /// Entries whose case ran on their target and did not come to their verdict.
    pub gone: Vec<Gone>,
}

/// A verdict that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct New {
    /// The verdict: `fail`, `warn` or `inconclusive`.
    pub verdict: Verdict,
    /// Id of the case.
    pub case: String,
    /// Id of the requirement.
    pub requirement: String,
    /// The target, as a baseline names it.
    pub target: String,
    /// The day until which it was known, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expired: Option<String>,
}

/// An entry that no longer occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Gone {
    /// The verdict that the baseline expects.
    pub verdict: Verdict,
    /// Id of the case.
    pub case: String,
    /// Id of the requirement.
    pub requirement: String,
    /// The target, as the baseline names it.
    pub target: String,
    /// Line of the entry in the baseline, from 1.
    pub line: usize,
}

/// Holds a report against what is known of its targets: marks the verdicts that are known, takes them out of its exit code,
/// and notes the difference.
///
/// An entry counts until the end of the day that it names, in UTC. Entries about other targets, or about cases that did
/// not run, are passed over.
pub fn compare(baseline: &Baseline, report: &mut Report, strict: bool) {
    let today = report.started_at.strftime("%Y-%m-%d").to_string();
    let mut new = Vec::new();
    let mut known = 0;
    for case in &mut report.cases {
        let Some(target) = report.targets.get(case.target) else {
            continue;
        };
        for requirement in case
            .requirements
            .iter_mut()
            .filter(|requirement| is_notable(requirement.verdict))
        {
            let entry = baseline
                .entries
                .iter()
                .find(|entry| is_about(entry, target, &case.id, requirement));
            // Dates of this form sort as text.
            let expired = entry
                .and_then(|entry| entry.until.clone())
                .filter(|until| *until < today);
            match entry.filter(|_| expired.is_none()) {
                Some(entry) => {
                    known += 1;
                    requirement.known = Some(entry.reason.clone());
                }
                None => new.push(New {
                    verdict: requirement.verdict,
                    case: case.id.clone(),
                    requirement: requirement.id.clone(),
                    target: label(target),
                    expired,
                }),
            }
        }
    }
    let gone = baseline
        .entries
        .iter()
        .filter(|entry| is_gone(entry, report))
        .map(Gone::from)
        .collect();
    report.baseline = Some(Difference { known, new, gone });
    report.summary.exit_code = tally::exit_code(report, strict);
}

/// Verdicts that a baseline can hold.
fn is_notable(verdict: Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Fail | Verdict::Warn | Verdict::Inconclusive
    )
}

fn is_about(
    entry: &Known,
    target: &TargetInfo,
    case: &str,
    requirement: &RequirementResult,
) -> bool {
    is_of(entry, target)
        && entry.case == case
        && entry.requirement == requirement.id
        && entry.verdict == requirement.verdict
}

fn is_of(entry: &Known, target: &TargetInfo) -> bool {
    entry.server == target.name && entry.transport == target.transport
}

fn is_gone(entry: &Known, report: &Report) -> bool {
    let mut ran = false;
    for (target, case) in report
        .targets
        .iter()
        .enumerate()
        .filter(|(_, target)| is_of(entry, target))
        .flat_map(|(index, target)| {
            report
                .cases_of(index)
                .filter(|case| case.id == entry.case)
                .map(move |case| (target, case))
        })
    {
        ran = true;
        if case
            .requirements
            .iter()
            .any(|requirement| is_about(entry, target, &case.id, requirement))
        {
            return false;
        }
    }
    ran
}

fn label(target: &TargetInfo) -> String {
    format!("{}/{}", target.name, target.transport)
}

impl From<&Known> for Gone {
    fn from(entry: &Known) -> Gone {
        Gone {
            verdict: entry.verdict,
            case: entry.case.clone(),
            requirement: entry.requirement.clone(),
            target: format!("{}/{}", entry.server, entry.transport),
            line: entry.line,
        }
    }
}

impl Difference {
    /// In numbers.
    pub(super) fn counts(&self) -> String {
        let (new, gone) = (self.new.len(), self.gone.len());
        format!("{} known, {new} new, {gone} gone", self.known)
    }
}

impl fmt::Display for New {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let New {
            verdict,
            case,
            requirement,
            target,
            expired,
        } = self;
        let (verdict, target) = (verdict.as_str(), terminal_safe(target));
        write!(f, "{verdict} {case} ({requirement}) on {target}")?;
        match expired {
            Some(until) => write!(f, ", known until {until}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gone {
            verdict,
            case,
            requirement,
            target,
            line,
        } = self;
        let (verdict, target) = (verdict.as_str(), terminal_safe(target));
        write!(
            f,
            "{verdict} {case} ({requirement}) on {target}, line {line}"
        )
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "baseline: {}", self.counts())?;
        for new in &self.new {
            write!(f, "\nnew:  {new}")?;
        }
        for gone in &self.gone {
            write!(f, "\ngone: {gone}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::event::{CaseKind, CaseResult, Event};
    use crate::report::{Folder, Interruption, Meta};
    use crate::spec::{Level, Transport};
    use crate::text::Redactor;
    use crate::verdict::Fact;

    use super::*;

    /// A report of one HTTP target, `a`, in which each case has one requirement, `x.CASE`, with this verdict.
    fn report(cases: &[(&str, Verdict)]) -> Report {
        let mut folder = Folder::new(Meta {
            suite_digest: String::new(),
            seed: 0,
            strict: false,
            redactor: Redactor::new(),
        });
        folder.event(&Event::RunStarted { cases: cases.len() });
        folder.event(&Event::TargetReady(Box::new(TargetInfo {
            index: 0,
            name: "a".to_owned(),
            transport: Transport::Http,
            command: Vec::new(),
            url: None,
            survey: None,
            insecure: false,
            unusable: None,
            exit: None,
        })));
        for (id, verdict) in cases {
            folder.event(&Event::CaseFinished(Box::new(case(id, *verdict))));
        }
        folder.event(&Event::RunFinished { interrupted: None });
        let mut report = folder.finish();
        report.started_at = "2026-11-30T23:00:00Z".parse().expect("it is a time");
        report
    }

    fn case(id: &str, verdict: Verdict) -> CaseResult {
        CaseResult {
            id: id.to_owned(),
            kind: CaseKind::Steps,
            summary: String::new(),
            why: None,
            target: 0,
            transport: Transport::Http,
            seconds: 0.0,
            verdict,
            blocked_by: None,
            notes: Vec::new(),
            requirements: vec![RequirementResult {
                id: format!("x.{id}"),
                level: Level::Must,
                page: String::new(),
                anchor: String::new(),
                statement: String::new(),
                fact: Fact::Held,
                verdict,
                observed: 1,
                mismatches: Vec::new(),
                known: None,
            }],
            reason: None,
            add: None,
            exchanges: Vec::new(),
            reproduce: Vec::new(),
        }
    }

    fn entry(case: &str, verdict: &str, more: &str) -> String {
        format!(
            "- {{ case: {case}, target: a/http, requirement: x.{case}, verdict: {verdict}, reason: r, page: p, \
             anchor: a{more} }}\n"
        )
    }

    /// A difference, and the exit code that it leaves.
    struct Compared {
        known: usize,
        new: Vec<New>,
        gone: Vec<Gone>,
        exit_code: u8,
    }

    fn difference(entries: &str, cases: &[(&str, Verdict)], strict: bool) -> (Difference, Report) {
        let baseline = Baseline::read("b.yaml", entries).expect("the baseline is right");
        let mut report = report(cases);
        compare(&baseline, &mut report, strict);
        let difference = report.baseline.clone().expect("it was compared");
        (difference, report)
    }

    fn compared(entries: &str, cases: &[(&str, Verdict)], strict: bool) -> Compared {
        let (Difference { known, new, gone }, report) = difference(entries, cases, strict);
        let exit_code = report.summary.exit_code;
        Compared {
            known,
            new,
            gone,
            exit_code,
        }
    }

    #[test]
    fn a_known_verdict_is_marked_with_its_reason_and_stays_what_it_is() {
        let cases = [("c", Verdict::Fail), ("d", Verdict::Fail)];
        let (_, report) = difference(&entry("c", "fail", ""), &cases, false);
        let known: Vec<_> = report.cases.iter().map(CaseResult::known).collect();
        assert_eq!(known, [Some("r"), None]);
        assert!(
            report
                .cases
                .iter()
                .all(|case| case.verdict == Verdict::Fail)
        );
        assert_eq!(report.summary.verdicts.fail, 2);
    }

    #[test]
    fn a_known_failure_does_not_fail_the_run() {
        let difference = compared(
            &entry("c", "fail", ""),
            &[("c", Verdict::Fail), ("d", Verdict::Pass)],
            true,
        );
        assert_eq!((difference.known, difference.exit_code), (1, 0));
        assert_eq!((difference.new.len(), difference.gone.len()), (0, 0));
    }

    #[test]
    fn a_failure_that_is_not_known_fails_the_run() {
        let difference = compared(
            &entry("c", "fail", ""),
            &[("c", Verdict::Fail), ("d", Verdict::Fail)],
            false,
        );
        assert_eq!(difference.exit_code, 1);
        assert_eq!(
            difference
                .new
                .iter()
                .map(|new| new.case.as_str())
                .collect::<Vec<_>>(),
            ["d"]
        );
    }

    #[test]
    fn a_warning_that_is_not_known_fails_a_strict_run_only() {
        for (strict, exit_code) in [(false, 0), (true, 1)] {
            let difference = compared("", &[("c", Verdict::Warn)], strict);
            assert_eq!((difference.new.len(), difference.exit_code), (1, exit_code));
        }
    }

    #[test]
    fn an_entry_that_no_longer_occurs_fails_the_run() {
        for verdict in [Verdict::Pass, Verdict::Skip] {
            let difference = compared(
                &entry("c", "fail", ""),
                &[("c", verdict), ("d", Verdict::Pass)],
                false,
            );
            assert_eq!(
                (difference.gone.len(), difference.exit_code),
                (1, 1),
                "{verdict:?}"
            );
        }
    }

    #[test]
    fn another_verdict_than_the_known_one_is_new_and_the_known_one_is_gone() {
        let difference = compared(&entry("c", "warn", ""), &[("c", Verdict::Fail)], false);
        assert_eq!(
            (
                difference.known,
                difference.new.len(),
                difference.gone.len()
            ),
            (0, 1, 1)
        );
        assert_eq!(difference.exit_code, 1);
    }

    #[test]
    fn an_entry_about_what_did_not_run_is_passed_over() {
        let elsewhere = entry("c", "fail", "").replace("a/http", "a/stdio");
        for entries in [entry("other", "fail", ""), elsewhere] {
            let difference = compared(&entries, &[("c", Verdict::Pass)], false);
            assert_eq!(
                (difference.gone.len(), difference.exit_code),
                (0, 0),
                "{entries}"
            );
        }
    }

    #[test]
    fn whatever_is_gone_an_interrupted_run_is_interrupted() {
        let baseline = entry("c", "fail", "");
        let baseline = Baseline::read("b.yaml", &baseline).expect("the baseline is right");
        let mut report = report(&[("c", Verdict::Pass)]);
        report.interrupted = Some(Interruption {
            reason: "it was interrupted".to_owned(),
            by_user: true,
            missing: 0,
        });
        compare(&baseline, &mut report, false);
        assert_eq!(report.summary.exit_code, tally::INTERRUPTED);
    }

    #[test]
    fn an_entry_counts_until_the_end_of_its_day() {
        for (until, exit_code) in [("2026-11-29", 1), ("2026-11-30", 0), ("2027-01-01", 0)] {
            let entries = entry("c", "fail", &format!(", until: {until}"));
            let difference = compared(
                &entries,
                &[("c", Verdict::Fail), ("d", Verdict::Pass)],
                false,
            );
            assert_eq!(difference.exit_code, exit_code, "{until}");
            assert_eq!(difference.gone, [], "{until}");
        }
    }

    #[test]
    fn a_known_inconclusive_verdict_lets_the_run_be_clean() {
        let cases = [("c", Verdict::Inconclusive), ("d", Verdict::Pass)];
        assert_eq!(
            compared(&entry("c", "inconclusive", ""), &cases, false).exit_code,
            0
        );
        assert_eq!(compared("", &cases, false).exit_code, 3);
    }

    #[test]
    fn a_difference_is_told_line_by_line() {
        let entries = entry("c", "fail", "") + &entry("d", "warn", ", until: 2026-11-01");
        let cases = [("c", Verdict::Pass), ("d", Verdict::Warn)];
        let (difference, _) = difference(&entries, &cases, false);
        let expected = "baseline: 0 known, 1 new, 1 gone\n\
                        new:  warn d (x.d) on a/http, known until 2026-11-01\n\
                        gone: fail c (x.c) on a/http, line 1";
        assert_eq!(difference.to_string(), expected);
    }
}
