//! Counts and exit codes.

use mcpspec::event::{CaseResult, Event};
use mcpspec::report::{Report, RequirementCounts, exit_code};
use mcpspec::spec::Transport;
use mcpspec::verdict::{Fact, Grade, Verdict};

use crate::sample;

fn report(verdicts: &[Verdict]) -> Report {
    sample::report_of(&sample::run_of(verdicts), false)
}

#[test]
fn the_exit_code_is_the_first_that_applies() {
    use Verdict::{Fail, Inconclusive, Pass, Skip, Warn};

    for (verdicts, code, strict_code) in [
        (&[][..], 4, 4),
        (&[Pass], 0, 0),
        (&[Pass, Skip], 0, 0),
        (&[Pass, Warn], 0, 1),
        (&[Warn], 0, 1),
        (&[Skip], 3, 3),
        (&[Skip, Skip], 3, 3),
        (&[Pass, Inconclusive], 3, 3),
        (&[Inconclusive], 3, 3),
        (&[Warn, Inconclusive], 3, 1),
        (&[Fail], 1, 1),
        (&[Fail, Inconclusive, Skip], 1, 1),
    ] {
        let report = report(verdicts);
        assert_eq!(exit_code(&report, false), code, "{verdicts:?}");
        assert_eq!(
            exit_code(&report, true),
            strict_code,
            "{verdicts:?}, strict"
        );
    }
}

#[test]
fn an_unusable_target_could_not_be_judged_unless_another_one_failed() {
    for (verdicts, code) in [
        (&[Verdict::Pass][..], 3),
        (&[], 3),
        (&[Verdict::Skip], 3),
        (&[Verdict::Fail], 1),
    ] {
        let mut report = report(verdicts);
        report.targets[0].unusable = Some("cannot start".to_owned());
        assert_eq!(exit_code(&report, false), code, "{verdicts:?}");
    }
}

#[test]
fn a_run_that_ended_early_could_not_be_judged() {
    let mut events = sample::run_of(&[Verdict::Pass]);
    events[0] = Event::RunStarted { cases: 4 };
    let broken_off = sample::report_of(&events[..3], false);
    assert_eq!(
        broken_off.interrupted.as_ref().map(|it| it.missing),
        Some(3)
    );
    assert_eq!(exit_code(&broken_off, false), 3);
}

#[test]
fn the_summary_holds_the_exit_code_of_the_run() {
    let events = sample::run_of(&[Verdict::Warn]);
    assert_eq!(sample::report_of(&events, false).summary.exit_code, 0);
    assert_eq!(sample::report_of(&events, true).summary.exit_code, 1);
}

#[test]
fn a_requirement_is_violated_if_any_case_says_so_and_held_if_none_does() {
    use Verdict::{Fail, Inconclusive, Pass, Skip, Warn};

    for (first, second, (held, violated, warned, not_judged)) in [
        (Pass, Pass, (1, 0, 0, 0)),
        (Pass, Skip, (1, 0, 0, 0)),
        (Pass, Inconclusive, (1, 0, 0, 0)),
        (Pass, Fail, (0, 1, 0, 0)),
        (Warn, Pass, (0, 1, 1, 0)),
        (Warn, Fail, (0, 1, 0, 0)),
        (Fail, Skip, (0, 1, 0, 0)),
        (Skip, Skip, (0, 0, 0, 1)),
        (Skip, Inconclusive, (0, 0, 0, 1)),
    ] {
        let mut events = sample::run_of(&[first, second]);
        for event in &mut events {
            if let Event::CaseFinished(case) = event {
                case.requirements[0].id = "area.topic.rule".to_owned();
            }
        }
        let counts = sample::report_of(&events, false).summary.requirements;
        assert_eq!(
            counts,
            RequirementCounts {
                held,
                violated,
                warned,
                not_judged
            },
            "{first:?}, {second:?}"
        );
    }
}

#[test]
fn a_remark_is_no_violation() {
    let remark = sample::case("a/b/c", 0, Transport::Stdio, Fact::Violated, Verdict::Pass);
    let note = sample::case(
        "a/b/d",
        0,
        Transport::Stdio,
        Fact::Graded(Grade::Note),
        Verdict::Pass,
    );
    let events = [remark, note].map(|case: CaseResult| Event::CaseFinished(Box::new(case)));
    let counts = sample::report_of(&events, false).summary.requirements;
    assert_eq!(
        counts,
        RequirementCounts {
            held: 2,
            violated: 0,
            warned: 0,
            not_judged: 0
        }
    );
}

#[test]
fn the_order_of_events_does_not_show_in_the_report() {
    let events = sample::events();
    let mut reversed = events.clone();
    // The first tells how many cases come, and targets are told before they end.
    reversed[3..].reverse();
    assert_eq!(
        sample::report_of(&events, false),
        sample::report_of(&reversed, false)
    );
}
