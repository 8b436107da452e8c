//! A run: targets and rows side by side, watches as links close.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::case::{Body, Case, Isolation, StepKind};
use crate::event::{CaseKind, EndedEarly, Event, ToolCalls, UncalledTool};
use crate::judge::Watcher;
use crate::spec::Transport;
use crate::target::{ServedEra, Survey, SurveyError, Target, survey};

use super::compare;
use super::finding::{Finding, Place};
use super::info::target_info;
use super::lack::alone;
use super::misnamed::misnamed;
use super::order::longest_first;
use super::plan::{Planned, plan};
use super::principals::refused;
use super::quiet::{self, Quiet};
use super::request::{RunRequest, TargetRequest};
use super::rows::interrupted;
use super::session::Session;
use super::sought::sought;
use super::turn::Turns;
use super::unseen::never_seen;

/// Runs the chosen cases on every target, and sends what happens.
///
/// A receiver that is gone does not end the run.
pub async fn run(request: RunRequest, events: mpsc::UnboundedSender<Event>) {
    let run = Run::begin(request, events);
    // Targets are servers of their own, so each is as quiet as its cases ask for while the others are busy.
    let found = join_all((0..run.request.targets.len()).map(|index| run.judge_target(index))).await;
    let surveyed: Vec<Surveyed> = found.into_iter().flatten().collect();
    run.compare(&surveyed);
    run.end();
}

/// No limit to how many rows run at once but that of turns.
const ALL: usize = usize::MAX;

/// A run that is under way.
pub(super) struct Run {
    pub(super) request: RunRequest,
    events: mpsc::UnboundedSender<Event>,
    pub(super) ends: Instant,
}

/// A target that was judged, and what was learned of it.
struct Surveyed {
    index: usize,
    transport: Transport,
    survey: Survey,
}

impl Run {
    pub(super) fn begin(request: RunRequest, events: mpsc::UnboundedSender<Event>) -> Run {
        let run = Run {
            ends: Instant::now() + request.options.max_run,
            request,
            events,
        };
        run.send(Event::RunStarted {
            cases: run.request.cases.len() * run.request.targets.len(),
        });
        run
    }

    pub(super) fn end(&self) {
        let interrupted = self.is_interrupted().then(|| EndedEarly {
            reason: self.interruption(),
            by_user: self.is_ended_by_user(),
        });
        self.send(Event::RunFinished { interrupted });
    }

    pub(super) fn send(&self, event: Event) {
        // Nobody listens any more: the run goes on to leave the target in order.
        let _ = self.events.send(event);
    }

    fn is_interrupted(&self) -> bool {
        self.is_ended_by_user() || Instant::now() >= self.ends
    }

    fn is_ended_by_user(&self) -> bool {
        *self.request.options.interrupt.borrow()
    }

    pub(super) fn interruption(&self) -> String {
        if self.is_ended_by_user() {
            "the run was interrupted".to_owned()
        } else {
            format!(
                "the run was not over after --max-run {}s",
                self.request.options.max_run.as_secs()
            )
        }
    }

    /// Judges one target; gives its survey, if there is one.
    async fn judge_target(&self, index: usize) -> Option<Surveyed> {
        let session = Arc::new(self.session(index).await?);
        self.judge_cases(index, &session).await;
        session.close_all().await;
        self.judge_watches(index, &session);
        self.leave(index, &session).await;
        Some(Surveyed {
            index,
            transport: session.transport(),
            survey: session.survey.clone(),
        })
    }

    /// Surveys one target and tells what was learned.
    pub(super) async fn session(&self, index: usize) -> Option<Session> {
        let wanted = &self.request.targets[index];
        let epoch = Instant::now();
        let (target, found) = match self.prepare(wanted, epoch).await {
            Ok(prepared) => prepared,
            Err(problem) => {
                self.unusable(index, wanted, problem);
                return None;
            }
        };
        let info = target_info(index, wanted, target.transport(), Some(&found), None);
        self.send(Event::TargetReady(Box::new(info)));
        for text in misnamed(&wanted.triggers, &found) {
            self.send(Event::Misnamed { text });
        }
        let watches = self
            .request
            .cases
            .iter()
            .filter(|case| matches!(case.body, Body::Watch(_)))
            .cloned();
        let session = Session::new(
            Arc::clone(&self.request.suite),
            target,
            found,
            Watcher::new(watches),
            &self.request.options,
            wanted.credentials.clone(),
        );
        for journal in &session.survey.journals {
            journal.read(|transcript| session.look(transcript));
        }
        Some(session)
    }

    /// Stops a target and tells how it ended, and which tools were called.
    pub(super) async fn leave(&self, index: usize, session: &Session) {
        let calls = calls(index, session);
        let not_called = session
            .target
            .not_called()
            .into_iter()
            .map(|tool| UncalledTool {
                target: index,
                ..tool
            })
            .collect();
        let exit = session.target.finish().await;
        self.send(Event::TargetFinished {
            target: index,
            exit,
            calls,
            not_called,
        });
    }

    async fn prepare(
        &self,
        wanted: &TargetRequest,
        epoch: Instant,
    ) -> Result<(Target, Survey), String> {
        let start = Target::start(wanted.endpoint.clone(), wanted.options.clone(), epoch);
        let Some(started) = self.unless_interrupted(start).await else {
            return Err(self.interruption());
        };
        let target = started.map_err(|error| error.to_string())?;
        let sought = sought(&self.request.cases);
        let found = survey(&target, &wanted.profiles, &wanted.triggers, &sought);
        match self.unless_interrupted(found).await {
            Some(Ok(survey)) => {
                let refused = refused(&target, &survey, &wanted.credentials);
                let refused = self.unless_interrupted(refused).await;
                match refused.unwrap_or_else(|| Some(self.interruption())) {
                    None => Ok((target, survey)),
                    Some(problem) => {
                        target.finish().await;
                        Err(problem)
                    }
                }
            }
            Some(Err(error)) => {
                target.finish().await;
                Err(match error {
                    SurveyError::Open(error) => error.to_string(),
                    SurveyError::Unusable(problem) => problem,
                })
            }
            None => {
                target.finish().await;
                Err(self.interruption())
            }
        }
    }

    fn unusable(&self, index: usize, wanted: &TargetRequest, problem: String) {
        let transport = wanted.endpoint.transport();
        let info = target_info(index, wanted, transport, None, Some(problem));
        self.send(Event::TargetReady(Box::new(info)));
        self.send(Event::TargetFinished {
            target: index,
            exit: None,
            calls: Vec::new(),
            not_called: Vec::new(),
        });
    }

    /// Runs every case of a target that has steps, and skips those that do not apply.
    async fn judge_cases(&self, index: usize, session: &Arc<Session>) {
        let mut side_by_side = Vec::new();
        let mut last = Vec::new();
        let mut alone = Vec::new();
        for case in &self.request.cases {
            let Body::Steps(steps) = &case.body else {
                continue;
            };
            match plan(session, case) {
                Planned::Rows(rows)
                    if steps.isolation == Isolation::Alone
                        || ends_server(case, session.transport()) =>
                {
                    alone.push((Arc::clone(case), rows))
                }
                Planned::Rows(rows) if steps.isolation == Isolation::Last => {
                    last.push((Arc::clone(case), rows));
                }
                Planned::Rows(rows) => side_by_side.push((Arc::clone(case), rows)),
                Planned::Skip(reason) => {
                    self.report(index, session, case, Finding::skip(reason), Duration::ZERO)
                }
                Planned::NotObserved(reason) => {
                    self.report(
                        index,
                        session,
                        case,
                        Finding::not_observed(reason),
                        Duration::ZERO,
                    );
                }
                Planned::Later => {}
            }
        }
        longest_first(session, &mut side_by_side);
        longest_first(session, &mut last);
        let is_apart = |case: &Case| {
            ends_server(case, session.transport()) || quiet::shares_a_tool(case, &session.survey)
        };
        let Quiet {
            resting,
            free,
            queues,
            apart,
        } = quiet::split(side_by_side, &last, alone, is_apart);
        let turns = Turns::new(self.request.options.jobs);
        let run = |cases, at_once| self.run_rows(index, session, cases, &turns, at_once);
        let resting = run(resting, ALL).shared();
        tokio::join!(
            async {
                tokio::join!(run(free, ALL), resting.clone());
                run(last, ALL).await;
            },
            async {
                resting.clone().await;
                join_all(queues.into_iter().map(|queue| run(queue, 1))).await;
            },
        );
        run(apart, 1).await;
    }

    /// What a future comes to; none if the run is to end before.
    pub(super) async fn unless_interrupted<F: Future>(&self, future: F) -> Option<F::Output> {
        let mut interrupt = self.request.options.interrupt.clone();
        tokio::select! {
            biased;
            () = interrupted(&mut interrupt) => None,
            () = tokio::time::sleep_until(self.ends) => None,
            output = future => Some(output),
        }
    }

    fn judge_watches(&self, index: usize, session: &Arc<Session>) {
        for watch in session.take_watcher().finish() {
            let case = Arc::clone(&watch.case);
            let near = watch.near.clone();
            let finding = match plan(session, &case) {
                Planned::Skip(reason) => Finding::skip(reason),
                _ => Finding::of_watch(watch, || {
                    never_seen(&session.conditions(), &session.suite, &case, &near)
                }),
            };
            self.report(index, session, &case, finding, Duration::ZERO);
        }
    }

    pub(super) fn report(
        &self,
        index: usize,
        session: &Session,
        case: &Arc<Case>,
        finding: Finding,
        took: Duration,
    ) {
        let kind = match case.body {
            Body::Steps(_) => CaseKind::Steps,
            Body::Watch(_) => CaseKind::Watch,
            Body::Compare => CaseKind::Compare,
        };
        let place = self.place(index, session.transport());
        self.send(Event::CaseFinished(Box::new(
            finding.result(case, kind, took, place),
        )));
    }

    fn place(&self, target: usize, transport: Transport) -> Place<'_> {
        let reproduce = &self.request.targets[target].reproduce;
        Place {
            target,
            transport,
            registry: self.request.suite.registry(),
            reproduce,
        }
    }

    /// Compares targets that are one server over different transports.
    fn compare(&self, surveyed: &[Surveyed]) {
        let is_comparison = |case: &&Arc<Case>| matches!(case.body, Body::Compare);
        let over = |wanted| {
            let modern = |one: &&Surveyed| one.survey.era != ServedEra::Legacy;
            let of_transport = move |one: &&Surveyed| one.transport == wanted;
            surveyed.iter().filter(modern).filter(of_transport)
        };
        for case in self.request.cases.iter().filter(is_comparison) {
            let mut is_compared = false;
            for stdio in over(Transport::Stdio) {
                let same = |http: &&Surveyed| compare::is_same_server(&stdio.survey, &http.survey);
                for http in over(Transport::Http).filter(same) {
                    is_compared = true;
                    let finding = compare::compare(&stdio.survey, &http.survey);
                    self.report_comparison(case, http, finding);
                }
            }
            if !is_compared {
                for one in surveyed {
                    let reason = alone(one.transport);
                    self.report_comparison(case, one, Finding::skip(reason));
                }
            }
        }
    }

    fn report_comparison(&self, case: &Arc<Case>, surveyed: &Surveyed, finding: Finding) {
        let place = self.place(surveyed.index, surveyed.transport);
        let result = finding.result(case, CaseKind::Compare, Duration::ZERO, place);
        self.send(Event::CaseFinished(Box::new(result)));
    }
}

/// The calls of tools so far. A target does not know its place among the others.
pub(super) fn calls(index: usize, session: &Session) -> Vec<ToolCalls> {
    let calls = session.target.calls().into_iter();
    let placed = calls.map(|calls| ToolCalls {
        target: index,
        ..calls
    });
    placed.collect()
}

/// Whether a case ends the server for every case: over HTTP there is only one.
fn ends_server(case: &Case, transport: Transport) -> bool {
    let Body::Steps(steps) = &case.body else {
        return false;
    };
    let mut kinds = steps.steps.iter().map(|step| &step.kind);
    transport == Transport::Http && kinds.any(|kind| matches!(kind, StepKind::Stop(_)))
}
