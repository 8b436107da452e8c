//! Waiting for what was sent to be answered, and judging it.

use std::sync::Arc;

use mcpspec_wire::{Object, Value};
use tokio::time::Instant;

use crate::arguments::answers;
use crate::case::Step;
use crate::judge::{Moment, StepClass, answer_of, outcome};
use crate::matcher::Matcher;
use crate::spec::Transport;
use crate::target::Link;
use crate::transcript::{End, ExchangeId, SentKind, Transcript};
use crate::transport::Outgoing;

use super::super::links::Attempt;
use super::super::row::{Flow, Named, Pending, Row, StepError};
use super::super::session::Blocked;

impl<'a> Row<'a> {
    /// Sends something on a link and remembers that this row did.
    pub(super) async fn dispatch(
        &mut self,
        link_name: &str,
        outgoing: Outgoing,
    ) -> Result<ExchangeId, StepError> {
        let link = self.link(link_name).await?;
        let sent = link.send(outgoing).await.map_err(StepError::from);
        // The shared process has ended meanwhile, by what another row did or by what this one did before.
        let is_lost = sent.as_ref().is_err_and(StepError::is_closed) && self.is_shared(link_name);
        if is_lost {
            self.try_again(Attempt::Apart);
        }
        let id = sent?;
        self.sent.push((link_name.to_owned(), id));
        Ok(id)
    }

    /// Waits until an exchange is settled or the limit is over, and gives its outcome.
    pub(super) async fn await_outcome(
        &mut self,
        link_name: &str,
        id: ExchangeId,
        deadline: Instant,
        moment: Moment,
    ) -> Result<Value, StepError> {
        self.awaited = Some((link_name.to_owned(), id));
        let link = self.link(link_name).await?;
        let settled = link
            .journal()
            .wait(deadline, |transcript| {
                is_settled(transcript, id, moment).then_some(())
            })
            .await;
        if settled.is_none() {
            link.journal()
                .write(|transcript, now| transcript.expired(now, id));
        }
        if let Some(reason) = self.too_large(&link, &[id]) {
            self.note_lost(&link);
            return Err(StepError::Other(reason));
        }
        self.check_alive(&link, id).await;
        // Meanwhile more may have come than is kept, and the process was ended for it.
        if let Some(reason) = self.too_large(&link, &[id]) {
            return Err(StepError::Other(reason));
        }
        if let Some(blocked) = self.refused(&link, id) {
            return Err(StepError::Blocked(blocked));
        }
        Ok(link
            .journal()
            .read(|transcript| with_answers(outcome(transcript, id, moment))))
    }

    /// After a request that nothing answered: whether the target still serves at all.
    async fn check_alive(&mut self, link: &Arc<Link>, id: ExchangeId) {
        let suspicious = link.journal().read(|transcript| {
            let exchange = transcript.exchange(id);
            let view = outcome(transcript, id, Moment::Sending);
            let closed = view.get("closed").is_some();
            let silent = view.get("silent").is_some() && exchange.sent.kind == SentKind::Request;
            exchange.cancelled_at.is_none() && exchange.served_after.is_none() && (closed || silent)
        });
        self.note_given_up(link, id);
        if suspicious {
            self.note_lost(link);
            self.session.check_alive(link, id, &self.case.id).await;
        }
    }

    /// Notes if what this row waited for came to nothing because the shared process was given up for what another row did: how that
    /// process then ended is our own doing.
    fn note_given_up(&mut self, link: &Arc<Link>, id: ExchangeId) {
        let is_given_up = link.journal().read(|transcript| {
            let is_unanswered = transcript.exchange(id).answered_at.is_none();
            transcript.is_given_up() && is_unanswered
        });
        if is_given_up && self.is_shared_link(link) {
            self.try_again(Attempt::Apart);
        }
    }

    /// Notes if the process that this row shares is over, which another row may have caused.
    fn note_lost(&mut self, link: &Arc<Link>) {
        let is_over = link
            .journal()
            .read(|transcript| transcript.exit().is_some() || transcript.is_flooded());
        if is_over && self.is_shared_link(link) {
            self.try_again(Attempt::Apart);
        }
    }

    /// HTTP: why a request that was not even taken shows nothing: the target was lost before. A row with something else that
    /// went unanswered may be the one that lost it.
    fn refused(&self, link: &Link, id: ExchangeId) -> Option<Blocked> {
        let is_refused = link
            .journal()
            .read(|transcript| matches!(transcript.exchange(id).ended, Some((_, End::Refused(_)))));
        let is_suspect = self.sent.iter().any(|(name, earlier)| {
            self.opened(name).is_some_and(|link| {
                link.journal().read(|transcript| {
                    let exchange = transcript.exchange(*earlier);
                    let refused = matches!(exchange.ended, Some((_, End::Refused(_))));
                    exchange.answered_at.is_none() && !refused
                })
            })
        });
        self.session.blocked().filter(|_| is_refused && !is_suspect)
    }

    /// Names an outcome for later steps.
    pub(super) fn name_outcome(
        &mut self,
        name: Option<&str>,
        link: &str,
        exchanges: Vec<ExchangeId>,
        value: Value,
        began: usize,
    ) {
        let Some(name) = name else {
            return;
        };
        let taken = self.outcomes.get(name).map_or(0, |named| named.taken);
        let named = Named {
            link: link.to_owned(),
            exchanges,
            value,
            began,
            taken,
        };
        self.outcomes.insert(name.to_owned(), named);
    }

    /// Leaves a request open: its answer is judged at an `await` or at the end of the case.
    pub(super) fn leave_open(
        &mut self,
        step: &'a Step,
        id: ExchangeId,
        deadline: Instant,
        began: usize,
    ) {
        self.name_outcome(step.name.as_deref(), &step.link, vec![id], closed(), began);
        self.pending.push(Pending {
            step,
            name: step.name.clone(),
            link: step.link.clone(),
            exchanges: vec![id],
            deadline,
            repeated: false,
        });
    }

    /// Length of a link's transcript now, 0 for one that is not open yet.
    pub(super) fn length(&self, link: &str) -> usize {
        self.opened(link).map_or(0, |link| {
            link.journal().read(|transcript| transcript.entries().len())
        })
    }

    /// Waits for an open request and judges it.
    pub(in super::super) async fn settle(&mut self, pending: Pending<'a>) -> Flow {
        match self.settled_outcome(&pending).await {
            Ok(value) => {
                let began = pending
                    .name
                    .as_ref()
                    .and_then(|name| self.outcomes.get(name))
                    .map_or(0, |named| named.began);
                self.name_outcome(
                    pending.name.as_deref(),
                    &pending.link,
                    pending.exchanges,
                    value.clone(),
                    began,
                );
                self.judge_step(pending.step, &value, StepClass::Request, None)
            }
            Err(error) => self.failed(error),
        }
    }

    async fn settled_outcome(&mut self, pending: &Pending<'a>) -> Result<Value, StepError> {
        let mut all = Vec::new();
        for id in &pending.exchanges {
            all.push(
                self.await_outcome(&pending.link, *id, pending.deadline, Moment::Later)
                    .await?,
            );
        }
        Ok(if pending.repeated {
            with_all(all)
        } else {
            all.pop().unwrap_or_else(closed)
        })
    }

    /// What a step without `given` and `expect` expects of an outcome.
    pub(super) fn implied(&self, is_listen: bool) -> &'a Matcher {
        let session = self.session;
        if is_listen {
            &session.defaults.ack
        } else {
            &session.defaults.result
        }
    }
}

/// Whether there is nothing more to wait for.
fn is_settled(transcript: &Transcript, id: ExchangeId, moment: Moment) -> bool {
    let exchange = transcript.exchange(id);
    if exchange.ended.is_some() || transcript.exit().is_some() || exchange.cancelled_at.is_some() {
        return true;
    }
    let answered = match transcript.link().transport {
        Transport::Http => {
            exchange.answered_at.is_some() && exchange.sent.kind == SentKind::Request
        }
        Transport::Stdio => answer_of(transcript, id).is_some(),
    };
    let acknowledged = moment == Moment::Sending
        && exchange.is_listen()
        && outcome(transcript, id, moment).get("ack").is_some();
    answered || acknowledged
}

/// The last of several outcomes, with all of them.
pub(super) fn with_all(all: Vec<Value>) -> Value {
    let mut last = all
        .last()
        .cloned()
        .unwrap_or_else(|| Value::Object(Object::new()));
    if let Value::Object(members) = &mut last {
        members.insert("all", all);
    }
    last
}

/// The outcome of something that could not be sent, because its link is over.
pub(super) fn closed() -> Value {
    let members: Object = [
        ("closed", Value::from(true)),
        ("cancelled", Value::from(false)),
    ]
    .into_iter()
    .collect();
    Value::Object(members)
}

/// Adds the made answers to an outcome that asks for input.
fn with_answers(mut value: Value) -> Value {
    let asked = value.pointer("/result/inputRequests").cloned();
    if let (Some(asked), Value::Object(members)) = (asked, &mut value) {
        members.insert("answers", answers::made(&asked));
        members.insert("bad_answers", answers::bad(&asked));
    }
    value
}
