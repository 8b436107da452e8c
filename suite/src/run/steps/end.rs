//! `cancel` and `stop`: what the client ends.

use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::{Object, Value};

use crate::case::{Cancel, Step, Stop, StopHow};
use crate::judge::StepClass;
use crate::spec::Transport;
use crate::target::Link;
use crate::transcript::{ExchangeId, SentKind, What};
use crate::transport::{Stopped, WriteMode};

use super::super::draft::{self, Change, Departures};
use super::super::row::{Flow, Row, StepError};

/// How long a process may take to end.
const STOP: Duration = Duration::from_secs(5);

impl<'a> Row<'a> {
    pub(in super::super) async fn cancel(
        &mut self,
        step: &'a Step,
        cancel: &'a Cancel,
    ) -> Result<Flow, StepError> {
        let Some(named) = self.outcomes.get(&cancel.of).cloned() else {
            return Err(StepError::Other(format!(
                "{} was left out, so there is nothing to cancel",
                cancel.of
            )));
        };
        let link = self.link(&named.link).await?;
        let began = self.length(&named.link);
        self.pending
            .retain(|pending| pending.name.as_deref() != Some(cancel.of.as_str()));
        for id in &named.exchanges {
            if self.session.transport() == Transport::Http && !has_stream(&link, *id) {
                return Ok(self.not_observed(format!(
                    "{} has no event stream that could be closed",
                    cancel.of
                )));
            }
            self.withdraw(&link, *id).await;
        }
        self.name_outcome(
            step.name.as_deref(),
            &named.link,
            named.exchanges,
            named.value,
            began,
        );
        Ok(Flow::Next)
    }

    /// Ends an open request from the client's side: a notification on stdio, the end of its response on HTTP.
    pub(in super::super) async fn withdraw(&self, link: &Arc<Link>, id: ExchangeId) {
        if self.session.transport() == Transport::Stdio {
            let sent_id = link
                .journal()
                .read(|transcript| transcript.exchange(id).sent.id().cloned());
            if let Some(request_id) = sent_id {
                self.notify_cancelled(link, request_id).await;
            }
        }
        link.connection().cancel(id).await;
    }

    async fn notify_cancelled(&self, link: &Arc<Link>, request_id: Value) {
        let around = self.session.surroundings(&self.origin);
        let params = vec![("requestId".to_owned(), Some(request_id))];
        let departures = Departures {
            params: Change::Members(params),
            ..Departures::default()
        };
        let composed = draft::notification("notifications/cancelled", &departures, &around);
        let outgoing = composed.outgoing(SentKind::Notification, WriteMode::Whole, false, &around);
        // A link that is over needs no cancellation any more.
        let _ = link.send(outgoing).await;
    }

    pub(in super::super) async fn stop(
        &mut self,
        step: &'a Step,
        stop: Stop,
    ) -> Result<Flow, StepError> {
        let limit = self.session.scaled(self.limit(step, STOP)?);
        let stopped = match self.session.transport() {
            Transport::Stdio => {
                let link = self.link(&step.link).await?;
                link.journal()
                    .write(|transcript, now| transcript.give_up(now));
                link.connection()
                    .stop(stop.how, limit + self.start_to_come(&link))
                    .await
            }
            Transport::Http if stop.how == StopHow::Terminate => self.restart(limit).await?,
            Transport::Http => {
                return Err(StepError::Other(
                    "a server over HTTP can only be terminated".to_owned(),
                ));
            }
        };
        let value = stopped_value(&stopped);
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            Vec::new(),
            value.clone(),
            0,
        );
        Ok(self.judge_step(step, &value, StepClass::Free, None))
    }

    /// A process that is to end before it has begun may have its whole start before it, however slow it is by now.
    fn start_to_come(&self, link: &Link) -> Duration {
        if self.session.is_starting(link.journal()) {
            self.session.target.options().startup_timeout
        } else {
            Duration::ZERO
        }
    }

    /// Ends the server and starts it again. That it does not come up again is no fault that a later case could judge.
    async fn restart(&self, limit: Duration) -> Result<Stopped, StepError> {
        let restarted = self.session.target.restart(limit).await;
        if let Err(error) = &restarted {
            let how = format!("mcpspec ended the server and could not start it again: {error}");
            self.session.block(&self.case.id, how);
        }
        Ok(restarted?)
    }
}

/// The outcome of a `stop`.
fn stopped_value(stopped: &Stopped) -> Value {
    let mut members = Object::new();
    members.insert("exited", stopped.status.is_some());
    if let Some(status) = stopped.status {
        if let Some(code) = status.code {
            members.insert("code", code);
        }
        if let Some(signal) = status.signal {
            members.insert("signal", signal);
        }
    }
    Value::Object(members)
}

/// HTTP: whether an event stream has begun for an exchange.
fn has_stream(link: &Link, id: ExchangeId) -> bool {
    link.journal().read(|transcript| {
        transcript
            .entries_of(id)
            .any(|(_, entry)| match &entry.what {
                What::Head(head) => head.media_type().as_deref() == Some("text/event-stream"),
                _ => false,
            })
    })
}
