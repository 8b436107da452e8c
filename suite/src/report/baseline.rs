//! Comparing a report with the verdicts that are known.

use std::fmt;

use crate::config::{Baseline, Known};
use crate::event::{CaseResult, RequirementResult, TargetInfo};
use crate::text::terminal_safe;
use crate::verdict::Verdict;

use super::model::Report;
use super::tally;

/// How a run differs from what is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// How many verdicts are known and came again.
    pub known: usize,
    /// Verdicts that are not known.
    pub new: Vec<New>,
    /// Entries whose case ran on their target and did not come to their verdict.
    pub gone: Vec<Known>,
}

/// A verdict that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub expired: Option<String>,
}

/// Holds a report against what is known of its targets: marks the verdicts that are known, and takes them out of its exit code.
///
/// An entry counts until the end of the day that it names, in UTC. Entries about other targets, or about cases that did
/// not run, are passed over.
pub fn compare(baseline: &Baseline, report: &mut Report, strict: bool) -> Difference {
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
    let gone: Vec<Known> = baseline
        .entries
        .iter()
        .filter(|entry| is_gone(entry, report))
        .cloned()
        .collect();
    report.summary.exit_code = if gone.is_empty() {
        tally::exit_code(&forgiven(report), strict)
    } else {
        tally::VIOLATED
    };
    Difference { known, new, gone }
}

/// What the report would have been without the known verdicts.
fn forgiven(report: &Report) -> Report {
    let mut forgiven = report.clone();
    for case in &mut forgiven.cases {
        for requirement in &mut case.requirements {
            if requirement.known.is_some() {
                requirement.verdict = Verdict::Pass;
            }
        }
        case.verdict = worst(case);
    }
    forgiven
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

/// The worst verdict of a case whose requirements were changed.
fn worst(case: &CaseResult) -> Verdict {
    const WORST_FIRST: [Verdict; 4] = [
        Verdict::Fail,
        Verdict::Inconclusive,
        Verdict::Warn,
        Verdict::Pass,
    ];
    WORST_FIRST
        .into_iter()
        .find(|verdict| {
            case.requirements
                .iter()
                .any(|requirement| requirement.verdict == *verdict)
        })
        .unwrap_or(case.verdict)
}

fn label(target: &TargetInfo) -> String {
    format!("{}/{}", target.name, target.transport)
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "baseline: {} known, {} new, {} gone",
            self.known,
            self.new.len(),
            self.gone.len()
        )?;
        for New {
            verdict,
            case,
            requirement,
            target,
            expired,
        } in &self.new
        {
            let target = terminal_safe(target);
            write!(
                f,
                "\nnew:  {} {case} ({requirement}) on {target}",
                verdict.as_str()
            )?;
            if let Some(until) = expired {
                write!(f, ", known until {until}")?;
            }
        }
        for Known {
            verdict,
            case,
            requirement,
            server,
            transport,
            line,
            ..
        } in &self.gone
        {
            let verdict = verdict.as_str();
            write!(
                f,
                "\ngone: {verdict} {case} ({requirement}) on {server}/{transport}, line {line}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::event::{CaseKind, Event};
    use crate::report::{Folder, Meta};
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
        gone: Vec<Known>,
        exit_code: u8,
    }

    fn difference(entries: &str, cases: &[(&str, Verdict)], strict: bool) -> (Difference, Report) {
        let baseline = Baseline::read("b.yaml", entries).expect("the baseline is right");
        let mut report = report(cases);
        (compare(&baseline, &mut report, strict), report)
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
