//! A dry run: what the rows of the cases would send, found out without sending it.

use futures_util::future::join_all;
use tokio::sync::mpsc;

use crate::case::{Body, Case, Http, Repeat, Send, Step, StepKind, Steps, StopHow};
use crate::event::{Event, Rehearsed, RehearsedRow, Times};
use crate::judge::record_sent;
use crate::spec::Transport;
use crate::template::{Data, Resolved, Unresolved};
use crate::transport::Outgoing;

use super::plan::{Planned, PlannedRow, plan};
use super::request::RunRequest;
use super::row::{Row, StepError};
use super::run::{Run, calls};
use super::session::Session;
use super::steps::What;
use super::turn::Turns;

/// Surveys every target, and tells what a run with the same request would send it then. Nothing of that is sent.
///
/// Watches send nothing. What a run sends beside its cases is not told: `server/discover` where it has to be seen whether a
/// server still answers, and the cancellation of what is left open.
pub async fn rehearse(request: RunRequest, events: mpsc::UnboundedSender<Event>) {
    let run = Run::begin(request, events);
    join_all((0..run.request.targets.len()).map(|index| run.rehearse_target(index))).await;
    run.end();
}

impl Run {
    async fn rehearse_target(&self, index: usize) {
        let Some(session) = self.session(index).await else {
            return;
        };
        self.send(Event::SurveyCalled {
            calls: calls(index, &session),
        });
        for case in &self.request.cases {
            let Planned::Rows(rows) = plan(&session, case) else {
                continue;
            };
            let Body::Steps(steps) = &case.body else {
                continue;
            };
            for row in rows {
                let actions = rehearse_row(&session, case, steps, &row).await;
                self.send(Event::RowRehearsed(Box::new(RehearsedRow {
                    id: case.id.clone(),
                    target: index,
                    row: row.label,
                    actions,
                })));
            }
        }
        self.leave(index, &session).await;
    }
}

async fn rehearse_row(
    session: &Session,
    case: &Case,
    steps: &Steps,
    planned: &PlannedRow,
) -> Vec<Rehearsed> {
    let mut turn = Turns::new(1).wait().await;
    let label = planned.label.as_deref();
    let mut row = Row::new(session, case, steps, label, &planned.variables, &mut turn);
    let mut actions = Vec::new();
    for step in &steps.steps {
        if !step.when.iter().all(|condition| row.holds(condition)) {
            continue;
        }
        actions.extend(row.rehearse(step));
        row.rehearsed.extend(step.name.as_deref());
    }
    actions
}

impl Row<'_> {
    /// What a step would do.
    fn rehearse(&self, step: &Step) -> Vec<Rehearsed> {
        let actions = match &step.kind {
            StepKind::Send(send) => self.rehearse_send(step, send),
            StepKind::Notify(notify) => self.one(self.notification(step, notify)),
            StepKind::Raw(raw) => self.one(self.raw_bytes(raw)),
            StepKind::Http(http) => self.rehearse_http(http),
            StepKind::Retry(retry) => Ok(vec![again(&retry.of, retry.rounds)]),
            StepKind::Cancel(cancel) => Ok(vec![self.cancels(&cancel.of)]),
            StepKind::Stop(stop) => Ok(vec![stops(stop.how)]),
            StepKind::Await(_) | StepKind::Silence(_) => Ok(Vec::new()),
        };
        actions.unwrap_or_else(|error| vec![words(self.untold(&error))])
    }

    /// Why it cannot be told what a step would send.
    fn untold(&self, error: &StepError) -> String {
        let told = error.to_string();
        let is_source = |step: &&&str| {
            let mut sources = told.split("$(").skip(1);
            sources.any(|source| source.split(['.', ' ', ')']).next() == Some(step))
        };
        if let Some(step) = self.rehearsed.iter().find(is_source) {
            return format!("what goes out here depends on what is answered to `{step}`");
        }
        match error {
            StepError::Unresolved(Unresolved::Nothing { path }) => {
                format!("nothing: the server has nothing for $({path})")
            }
            _ => format!("nothing: {told}"),
        }
    }

    fn rehearse_send(&self, step: &Step, send: &Send) -> Result<Vec<Rehearsed>, StepError> {
        let whole = match self.what(&send.what)? {
            What::Request(request) => request.whole,
            What::Command(command) => {
                return Ok(vec![words(format!("runs the command `{command}`"))]);
            }
        };
        let departures = self.departures_of_send(send)?;
        let outgoing = self.compose(step, send, &whole, &departures);
        let times = match &send.repeat {
            Some(repeat) => self.times(repeat),
            None => Times::Exactly(1),
        };
        Ok(vec![self.sends(outgoing, times)])
    }

    fn rehearse_http(&self, http: &Http) -> Result<Vec<Rehearsed>, StepError> {
        let urls = self.urls(http)?;
        let requests = urls
            .iter()
            .map(|url| Ok(self.sends(self.http_request(http, url)?, Times::Exactly(1))));
        requests.collect()
    }

    fn one(&self, outgoing: Result<Outgoing, StepError>) -> Result<Vec<Rehearsed>, StepError> {
        Ok(vec![self.sends(outgoing?, Times::Exactly(1))])
    }

    /// Something to be sent so often, if the gate lets it through, which counts it among the calls.
    fn sends(&self, outgoing: Outgoing, times: Times) -> Rehearsed {
        for _ in 0..times.least() {
            if let Err(refused) = self.session.target.permit().check(&outgoing.sent) {
                return words(format!("nothing: {refused}"));
            }
        }
        let (head, sent) = record_sent(&outgoing.sent);
        Rehearsed::Send { head, sent, times }
    }

    fn times(&self, repeat: &Repeat) -> Times {
        let number = |data: &Data| match self.resolve(data) {
            Ok(Resolved::Value(value)) => value.as_i64().and_then(|times| times.try_into().ok()),
            _ => None,
        };
        let words = match repeat {
            Repeat::Times(times) | Repeat::Every { times, .. } => match number(times) {
                Some(times) => return Times::Exactly(times),
                None => "several times",
            },
            Repeat::Pages => "once for each page",
            Repeat::Until(_) => "until what is waited for has come",
        };
        Times::AtLeastOnce(words.to_owned())
    }

    fn cancels(&self, of: &str) -> Rehearsed {
        words(match self.session.transport() {
            Transport::Stdio => format!("notifications/cancelled with the id of `{of}`"),
            Transport::Http => format!("closes the event stream of `{of}`"),
        })
    }
}

fn words(text: String) -> Rehearsed {
    Rehearsed::Words(text)
}

fn again(of: &str, rounds: bool) -> Rehearsed {
    let often = if rounds {
        ", and so on while it asks"
    } else {
        ""
    };
    words(format!(
        "the request of `{of}` again, with answers to what it asks, if it asks{often}"
    ))
}

fn stops(how: StopHow) -> Rehearsed {
    words(
        match how {
            StopHow::CloseStdin => "closes the standard input of the server",
            StopHow::Terminate => "ends the server by SIGTERM",
            StopHow::Kill => "ends the server by SIGKILL",
        }
        .to_owned(),
    )
}
