//! A line on standard error that tells how far a run is.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::event::Event;
use crate::text::counted;
use crate::verdict::Verdict;

/// Redraws a second, at most.
const HERTZ: u8 = 10;

/// The bar, the count and what was found so far.
const TEMPLATE: &str = "{bar:24} {pos}/{len} {wide_msg}";

/// Shows how far a run is while it goes on. Nothing is drawn unless standard error is a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    tally: Tally,
}

/// What the line says.
#[derive(Debug, Default)]
struct Tally {
    failures: usize,
    warnings: usize,
    inconclusive: usize,
    /// Cases that run now, the oldest first.
    running: Vec<(String, usize)>,
}

impl Progress {
    /// A progress line; one that is not `enabled` (`--no-progress`) draws nothing.
    pub fn new(enabled: bool) -> Progress {
        let target = if enabled {
            ProgressDrawTarget::stderr_with_hz(HERTZ)
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template(TEMPLATE).expect("the template is well-formed");
        let bar =
            ProgressBar::with_draw_target(None, target).with_style(style.progress_chars("━╸─"));
        Progress {
            bar,
            tally: Tally::default(),
        }
    }

    /// Takes one event of the run. At its end the line disappears.
    pub fn event(&mut self, event: &Event) {
        self.tally.event(event);
        match event {
            Event::RunStarted { cases } => self.bar.set_length(*cases as u64),
            Event::CaseFinished(_) => self.bar.inc(1),
            Event::RunFinished { .. } => {
                self.bar.finish_and_clear();
                return;
            }
            Event::TargetReady(_)
            | Event::CaseStarted { .. }
            | Event::Misnamed { .. }
            | Event::SurveyCalled { .. }
            | Event::RowRehearsed(_)
            | Event::TargetFinished { .. } => {}
        }
        self.bar.set_message(self.tally.message());
    }
}

impl Progress {
    /// Does something that writes to standard error, without the line.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // A run that breaks off must not leave half a line on the terminal.
        self.bar.finish_and_clear();
    }
}

impl Tally {
    fn event(&mut self, event: &Event) {
        match event {
            Event::CaseStarted { id, target } => self.running.push((id.clone(), *target)),
            Event::CaseFinished(case) => {
                self.running
                    .retain(|(id, target)| (id, *target) != (&case.id, case.target));
                match case.verdict {
                    Verdict::Fail => self.failures += 1,
                    Verdict::Warn => self.warnings += 1,
                    Verdict::Inconclusive => self.inconclusive += 1,
                    Verdict::Pass | Verdict::Skip => {}
                }
            }
            _ => {}
        }
    }

    /// What was found so far, and what runs longest.
    fn message(&self) -> String {
        let mut parts = Vec::new();
        if self.failures > 0 {
            parts.push(counted(self.failures, "failure"));
        }
        if self.warnings > 0 {
            parts.push(counted(self.warnings, "warning"));
        }
        if self.inconclusive > 0 {
            parts.push(format!("{} inconclusive", self.inconclusive));
        }
        parts.extend(self.running.first().map(|(id, _)| id.clone()));
        parts.join(" · ")
    }
}

#[cfg(test)]
mod tests {
    use crate::event::{CaseKind, CaseResult};
    use crate::spec::Transport;

    use super::*;

    fn finished(id: &str, verdict: Verdict) -> Event {
        Event::CaseFinished(Box::new(CaseResult {
            id: id.to_owned(),
            kind: CaseKind::Steps,
            summary: String::new(),
            why: None,
            target: 0,
            transport: Transport::Stdio,
            seconds: 0.0,
            verdict,
            blocked_by: None,
            notes: Vec::new(),
            requirements: Vec::new(),
            reason: None,
            add: None,
            exchanges: Vec::new(),
            reproduce: Vec::new(),
        }))
    }

    fn started(id: &str, target: usize) -> Event {
        Event::CaseStarted {
            id: id.to_owned(),
            target,
        }
    }

    #[test]
    fn the_line_tells_what_was_found_and_what_runs_longest() {
        let mut tally = Tally::default();
        let mut messages = Vec::new();
        for event in [
            started("a/b", 0),
            started("a/b", 1),
            started("c/d", 0),
            finished("a/b", Verdict::Fail),
            finished("c/d", Verdict::Warn),
            finished("e/f", Verdict::Inconclusive),
            finished("g/h", Verdict::Fail),
            finished("i/j", Verdict::Skip),
        ] {
            tally.event(&event);
            messages.push(tally.message());
        }
        assert_eq!(
            messages,
            [
                "a/b",
                "a/b",
                "a/b",
                "1 failure · a/b",
                "1 failure · 1 warning · a/b",
                "1 failure · 1 warning · 1 inconclusive · a/b",
                "2 failures · 1 warning · 1 inconclusive · a/b",
                "2 failures · 1 warning · 1 inconclusive · a/b",
            ]
        );
    }

    #[test]
    fn the_bar_counts_finished_cases() {
        let mut progress = Progress::new(false);
        progress.event(&Event::RunStarted { cases: 3 });
        progress.event(&started("a/b", 0));
        progress.event(&finished("a/b", Verdict::Pass));
        assert_eq!(
            (progress.bar.position(), progress.bar.length()),
            (1, Some(3))
        );
        progress.event(&Event::RunFinished { interrupted: None });
        assert!(progress.bar.is_finished());
    }
}
