//! The terminal report.

use mcpspec::event::{EndedEarly, Event, ToolCalls, UncalledTool};
use mcpspec::report::{Format, RenderOptions, Verbosity, render};
use mcpspec::spec::Transport;
use mcpspec::verdict::Verdict;

use crate::sample::{self, SECRET};

fn rendered(events: &[Event], options: &RenderOptions) -> String {
    render(
        Format::Terminal,
        &sample::report_of(events, options.strict),
        options,
    )
}

fn with(verbosity: Verbosity) -> RenderOptions {
    RenderOptions {
        verbosity,
        ..RenderOptions::default()
    }
}

/// The last line of a run with so many passes and skips, and these verdicts besides.
fn last_line(passes: usize, skips: usize, others: &[Verdict], strict: bool) -> String {
    let verdicts = [
        vec![Verdict::Pass; passes],
        vec![Verdict::Skip; skips],
        others.to_vec(),
    ]
    .concat();
    let options = RenderOptions {
        strict,
        ..with(Verbosity::Quiet)
    };
    let text = rendered(&sample::run_of(&verdicts), &options);
    text.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn every_verdict_on_two_targets() {
    insta::assert_snapshot!(rendered(&sample::events(), &with(Verbosity::Normal)));
}

#[test]
fn quiet_tells_failures_and_the_last_line() {
    insta::assert_snapshot!(rendered(&sample::events(), &with(Verbosity::Quiet)));
}

#[test]
fn verbose_tells_every_case() {
    insta::assert_snapshot!(rendered(&sample::events(), &with(Verbosity::Verbose)));
}

#[test]
fn colour_repeats_what_the_words_say() {
    for verbosity in [Verbosity::Quiet, Verbosity::Normal, Verbosity::Verbose] {
        let plain = rendered(&sample::events(), &with(verbosity));
        let coloured = rendered(
            &sample::events(),
            &RenderOptions {
                color: true,
                ..with(verbosity)
            },
        );
        assert!(coloured.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    }
}

#[test]
fn nothing_hostile_secret_or_endless_is_shown() {
    let text = rendered(&sample::events(), &with(Verbosity::Verbose));
    assert!(
        !text
            .chars()
            .any(|character| character.is_control() && character != '\n')
    );
    assert!(!text.contains('\u{202e}'));
    assert!(!text.contains(SECRET));
    assert!(text.len() < 100_000, "{} bytes", text.len());
}

#[test]
fn prose_keeps_to_the_width() {
    let options = RenderOptions {
        width: 72,
        ..RenderOptions::default()
    };
    let text = rendered(
        &sample::run_of(&[Verdict::Pass, Verdict::Skip, Verdict::Fail]),
        &options,
    );
    // The last line is one line, whatever the width.
    for line in text.lines().rev().skip(1) {
        assert!(line.len() <= 88 || line.contains("https://"), "{line}");
    }
}

#[test]
fn the_last_line_says_how_the_run_went() {
    use Verdict::{Fail, Inconclusive, Warn};

    let lines = [
        last_line(20, 0, &[], false),
        last_line(20, 2, &[], false),
        last_line(20, 3, &[], false),
        last_line(1, 60, &[], false),
        last_line(20, 0, &[Warn], false),
        last_line(20, 0, &[Warn], true),
        last_line(0, 0, &[Warn], false),
        last_line(20, 0, &[Warn, Warn], false),
        last_line(20, 0, &[Fail, Warn, Warn], false),
        last_line(20, 5, &[Fail, Warn, Inconclusive], false),
        last_line(20, 5, &[Inconclusive], false),
        last_line(0, 5, &[], false),
        last_line(0, 0, &[], false),
    ];
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_run_that_was_mostly_skipped_is_not_green() {
    let verdicts = [vec![Verdict::Pass; 8], vec![Verdict::Skip; 2]].concat();
    let options = RenderOptions {
        color: true,
        ..with(Verbosity::Quiet)
    };
    let text = rendered(&sample::run_of(&verdicts), &options);
    assert!(text.contains("PASSED IN PART"));
    assert!(!text.contains("\u{1b}[32m"), "{text:?}");
}

#[test]
fn a_table_is_printed_once_and_a_slip_of_the_user_s_file_is_told_whatever_else_there_is() {
    let mut events = sample::run_of(&[Verdict::Skip; 26]);
    let table = "[triggers.slow-tool]\nmethod = \"tools/call\"";
    let mut number = 0;
    for event in &mut events {
        let Event::CaseFinished(case) = event else {
            continue;
        };
        number += 1;
        let (reason, add) = match number {
            1 | 2 => ("it waits for a slow tool", Some(table.to_owned())),
            3 => (
                "it waits for a counter",
                Some(format!(
                    "{table}\n[triggers.slow-tool.counter]\nmethod = \"tools/call\""
                )),
            ),
            26 => (
                "`error-tool` is known, but the tool ech may not be called: the server does not list it",
                None,
            ),
            _ => ("", None),
        };
        case.reason = Some(match reason {
            "" => format!("the server has nothing of kind {number}"),
            reason => reason.to_owned(),
        });
        case.add = add;
    }
    assert_eq!(number, 26);
    let text = rendered(&events, &with(Verbosity::Normal));
    let of = |part: &str| text.matches(part).count();
    assert_eq!(
        (
            of("[triggers.slow-tool]"),
            of("[triggers.slow-tool.counter]")
        ),
        (1, 1),
        "{text}"
    );
    let skipped: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("SKIP"))
        .collect();
    assert!(
        skipped[1].contains("`error-tool` is known, but the tool ech"),
        "{text}"
    );
    assert!(skipped[2].contains("it waits for a slow tool"), "{text}");
    assert!(text.contains("and 5 more reasons"), "{text}");

    // Where nothing of a profile is listed, no name of it was mistyped, and the most frequent reason stands first.
    let mut number = 0;
    for event in &mut events {
        if let Event::CaseFinished(case) = event {
            number += 1;
            case.reason = Some(match number {
                1..=6 => {
                    format!("the tool t{number} may not be called: the server does not list it")
                }
                _ => "the server declares no prompts".to_owned(),
            });
        }
    }
    let text = rendered(&events, &with(Verbosity::Normal));
    let first = text
        .lines()
        .skip_while(|line| !line.starts_with("SKIP"))
        .nth(1);
    assert!(first.is_some_and(|line| line.contains("20 × ")), "{text}");
}

#[test]
fn an_unusable_target_and_a_run_that_ended_early_are_told() {
    let mut unusable = sample::target(0, Transport::Stdio);
    unusable.survey = None;
    unusable.command = vec!["no-such-command".to_owned()];
    unusable.unusable = Some("cannot start no-such-command: No such file or directory".to_owned());
    let mut events = sample::run_of(&[Verdict::Pass]);
    events[0] = Event::RunStarted { cases: 5 };
    events[1] = Event::TargetReady(Box::new(unusable));
    let interrupted = Some(EndedEarly {
        reason: "the time for the whole run (10m) was over".to_owned(),
        by_user: false,
    });
    events.pop();
    events.push(Event::RunFinished { interrupted });
    insta::assert_snapshot!(rendered(&events, &with(Verbosity::Normal)));
}

#[test]
fn a_run_that_the_user_interrupted_says_so_whatever_was_found() {
    for verdicts in [&[Verdict::Pass][..], &[Verdict::Fail, Verdict::Pass]] {
        let mut events = sample::run_of(verdicts);
        events[0] = Event::RunStarted { cases: 5 };
        events.pop();
        events.push(Event::RunFinished {
            interrupted: Some(EndedEarly {
                reason: "the run was interrupted".to_owned(),
                by_user: true,
            }),
        });
        let report = sample::report_of(&events, false);
        assert_eq!(report.summary.exit_code, 130);
        let text = rendered(&events, &with(Verbosity::Normal));
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("INTERRUPTED  "), "{text}");
        assert!(last.ends_with("(exit code 130)"), "{text}");
        assert!(text.contains("\nINTERRUPTED  "), "{text}");
    }
}

#[test]
fn a_run_that_ended_early_with_every_result_misses_none() {
    let mut events = sample::run_of(&[Verdict::Pass]);
    events.pop();
    events.push(Event::RunFinished {
        interrupted: Some(EndedEarly {
            reason: "the run was interrupted".to_owned(),
            by_user: true,
        }),
    });
    let text = rendered(&events, &with(Verbosity::Normal));
    assert!(
        text.contains("\nINTERRUPTED  every case has a result\n"),
        "{text}"
    );
    assert!(
        text.contains("\nINTERRUPTED  ended early, with every result, "),
        "{text}"
    );
}

#[test]
fn a_tool_without_a_name_is_shown_as_one() {
    let mut events = sample::run_of(&[Verdict::Pass]);
    let uncalled = |tool: &str| UncalledTool {
        target: 0,
        tool: tool.to_owned(),
        why: "it is not known".to_owned(),
    };
    let finished = events
        .iter_mut()
        .find_map(|event| match event {
            Event::TargetFinished {
                calls, not_called, ..
            } => Some((calls, not_called)),
            _ => None,
        })
        .expect("the target is left");
    *finished.1 = ["a", "", " ", "b"].map(uncalled).to_vec();
    finished.0.push(ToolCalls {
        target: 0,
        tool: String::new(),
        count: 1,
        why: "it only reads".to_owned(),
    });
    let text = rendered(&events, &with(Verbosity::Normal));
    assert!(
        text.contains("\"\", \" \", a, b · it is not known"),
        "{text}"
    );
    assert!(text.contains("\"\" · 1 call · it only reads"), "{text}");
}
