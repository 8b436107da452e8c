//! Folds the events of a run into its report.

use std::time::Instant;

use jiff::{Timestamp, Unit};

use crate::event::{CaseResult, EndedEarly, Event, TargetInfo, ToolCalls, UncalledTool};
use crate::spec::REVISION;
use crate::text::Redactor;

use super::model::{FORMAT, Interruption, Report, RequirementCounts, Summary, Tool, VerdictCounts};
use super::scrub::Scrubber;
use super::tally;

/// What a report says of a run that no event tells.
#[derive(Debug, Clone)]
pub struct Meta {
    /// Digest of the cases and requirements.
    pub suite_digest: String,
    /// Seed of the random names.
    pub seed: u64,
    /// Whether warnings count as failures, for the exit code.
    pub strict: bool,
    /// The secrets that are kept out of the report.
    pub redactor: Redactor,
}

/// Takes the events of one run, in whatever order the cases end, and makes the report of them.
///
/// Every text is redacted and bounded here, so that nothing hostile, secret or endless enters a report.
#[derive(Debug)]
pub struct Folder {
    meta: Meta,
    started_at: Timestamp,
    clock: Instant,
    planned: usize,
    targets: Vec<TargetInfo>,
    cases: Vec<CaseResult>,
    calls: Vec<ToolCalls>,
    not_called: Vec<UncalledTool>,
    /// How the run ended, once it has.
    end: Option<Option<EndedEarly>>,
}

impl Folder {
    /// A folder for a run that begins now.
    pub fn new(meta: Meta) -> Folder {
        let now = Timestamp::now();
        Folder {
            meta,
            started_at: now.round(Unit::Millisecond).unwrap_or(now),
            clock: Instant::now(),
            planned: 0,
            targets: Vec::new(),
            cases: Vec::new(),
            calls: Vec::new(),
            not_called: Vec::new(),
            end: None,
        }
    }

    /// The secrets that are kept out.
    pub(super) fn redactor(&self) -> &Redactor {
        &self.meta.redactor
    }

    /// Takes one event.
    pub fn event(&mut self, event: &Event) {
        let scrubber = Scrubber(&self.meta.redactor);
        match event {
            Event::RunStarted { cases } => self.planned = *cases,
            Event::TargetReady(target) => {
                self.targets.push(scrubber.target(target));
            }
            Event::CaseStarted { .. }
            | Event::Misnamed { .. }
            | Event::SurveyCalled { .. }
            | Event::RowRehearsed(_) => {}
            Event::CaseFinished(case) => self.cases.push(scrubber.case(case)),
            Event::TargetFinished {
                target,
                exit,
                calls,
                not_called,
            } => {
                let exit = exit.as_deref().map(|exit| scrubber.text(exit));
                self.calls
                    .extend(calls.iter().map(|calls| scrubber.calls(calls)));
                self.not_called
                    .extend(not_called.iter().map(|tool| scrubber.not_called(tool)));
                if let Some(info) = self.targets.iter_mut().find(|info| info.index == *target) {
                    info.exit = exit;
                }
            }
            Event::RunFinished { interrupted } => {
                self.end = Some(interrupted.as_ref().map(|early| EndedEarly {
                    reason: scrubber.text(&early.reason),
                    by_user: early.by_user,
                }));
            }
        }
    }

    /// The report. A run whose end was never told counts as interrupted.
    pub fn finish(self) -> Report {
        let Folder {
            meta,
            started_at,
            clock,
            planned,
            mut targets,
            mut cases,
            mut calls,
            mut not_called,
            end,
        } = self;
        targets.sort_by_key(|target| target.index);
        cases.sort_by(|a, b| (&a.id, a.target).cmp(&(&b.id, b.target)));
        calls.sort_by(|a, b| (a.target, &a.tool).cmp(&(b.target, &b.tool)));
        not_called.sort_by(|a, b| (a.target, &a.tool).cmp(&(b.target, &b.tool)));
        let missing = planned.saturating_sub(cases.len());
        let broke_off = || EndedEarly {
            reason: "the run broke off".to_owned(),
            by_user: false,
        };
        let early = end.unwrap_or_else(|| Some(broke_off()));
        let mut report = Report {
            format: FORMAT,
            tool: Tool {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                suite_digest: meta.suite_digest,
            },
            revision: REVISION.to_owned(),
            started_at,
            seconds: (clock.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
            seed: meta.seed,
            interrupted: early.map(|EndedEarly { reason, by_user }| Interruption {
                reason,
                by_user,
                missing,
            }),
            targets,
            summary: Summary {
                verdicts: VerdictCounts::default(),
                requirements: RequirementCounts::default(),
                exit_code: 0,
            },
            cases,
            calls,
            not_called,
            baseline: None,
        };
        report.summary = Summary {
            verdicts: tally::verdicts(&report.cases),
            requirements: tally::requirements(&report.cases),
            exit_code: tally::exit_code(&report, meta.strict),
        };
        report
    }
}
