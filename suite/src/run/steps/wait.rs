//! `await` and `silence`.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use mcpspec_wire::{Object, Value};
use tokio::time::Instant;

use crate::case::{Alternative, Await, Condition, Silence, Since, Step};
use crate::judge::{Demands, Judgement, Judging, Moment, StepClass, alternatives};
use crate::matcher::{Check, Context, Matcher, Mismatch};
use crate::spec::Transport;
use crate::target::Link;
use crate::text::preview;
use crate::transcript::{End, Entry, ExchangeId, Transcript, What};
use crate::verdict::Fact;

use super::super::row::{Flow, Row, StepError};

/// How long `await … some` waits.
const SOME: Duration = Duration::from_secs(5);

/// How long `silence` lasts.
pub(in super::super) const SILENCE: Duration = Duration::from_millis(500);

/// What came of waiting for a message.
enum Waited {
    Message(usize, Value),
    Silent,
    Closed,
}

impl<'a> Row<'a> {
    pub(in super::super) async fn wait_for(
        &mut self,
        step: &'a Step,
        wait: &'a Await,
    ) -> Result<Flow, StepError> {
        match &wait.some {
            Some(some) => self.wait_for_message(step, wait, some).await,
            None => self.wait_for_answers(step, wait).await,
        }
    }

    async fn wait_for_answers(
        &mut self,
        step: &'a Step,
        wait: &'a Await,
    ) -> Result<Flow, StepError> {
        for name in &wait.names {
            if let Some(index) = self
                .pending
                .iter()
                .position(|pending| pending.name.as_ref() == Some(name))
            {
                let mut pending = self.pending.remove(index);
                if let Some(within) = &step.within {
                    let limit = self.duration(within)?;
                    let link = self.link(&pending.link).await?;
                    pending.deadline = self.session.deadline(link.journal(), limit);
                }
                if self.settle(pending).await == Flow::End {
                    return Ok(Flow::End);
                }
            } else {
                self.look_again(step, name).await?;
            }
            let value = self.outcomes.get(name).map(|named| named.value.clone());
            let Some(value) = value else {
                return Err(StepError::Other(format!(
                    "{name} was left out, so there is nothing to await"
                )));
            };
            if let Some(own) = &step.name {
                let named = self.outcomes[name].clone();
                self.name_outcome(
                    Some(own),
                    &named.link,
                    named.exchanges,
                    value.clone(),
                    named.began,
                );
            }
            if self.judge_step(step, &value, StepClass::Request, None) == Flow::End {
                return Ok(Flow::End);
            }
        }
        Ok(Flow::Next)
    }

    /// Waits for the final answer of something answered or acknowledged before, and takes its outcome anew.
    async fn look_again(&mut self, step: &Step, name: &str) -> Result<(), StepError> {
        let Some(named) = self.outcomes.get(name).cloned() else {
            return Ok(());
        };
        let Some(id) = named.exchanges.last().copied() else {
            return Ok(());
        };
        let limit = self.limit(step, SOME)?;
        let link = self.link(&named.link).await?;
        let deadline = self.session.deadline(link.journal(), limit);
        let mut value = self
            .await_outcome(&named.link, id, deadline, Moment::Later)
            .await?;
        if let (Value::Object(new), Some(all)) = (&mut value, named.value.get("all")) {
            new.insert("all", all.clone());
        }
        if let Some(named) = self.outcomes.get_mut(name) {
            named.value = value;
        }
        Ok(())
    }

    async fn wait_for_message(
        &mut self,
        step: &'a Step,
        wait: &'a Await,
        some: &'a Matcher,
    ) -> Result<Flow, StepError> {
        let name = wait.names.first().map(String::as_str).unwrap_or_default();
        let Some(named) = self.outcomes.get(name).cloned() else {
            return Err(StepError::Other(format!(
                "{name} was left out, so there is nothing to await"
            )));
        };
        self.awaited = named.last();
        let link = self.link(&named.link).await?;
        let limit = self.limit(step, SOME)?;
        let deadline = self.session.deadline(link.journal(), limit);
        let waited = self
            .next_message(&link, &named.exchanges, named.taken, some, deadline)
            .await?;
        let (flow, value) = match waited {
            Waited::Message(index, message) => {
                if let Some(named) = self.outcomes.get_mut(name) {
                    named.taken = index + 1;
                }
                let held = Judgement {
                    fact: Fact::Held,
                    note: None,
                    mismatches: Vec::new(),
                };
                (self.add(held), message)
            }
            Waited::Silent => self.judge_missing(wait, some, "silent")?,
            Waited::Closed => self.judge_missing(wait, some, "closed")?,
        };
        let began = named.began;
        self.name_outcome(
            step.name.as_deref(),
            &named.link,
            named.exchanges,
            value,
            began,
        );
        Ok(flow)
    }

    /// Nothing that fits came: an alternative may say what that is worth.
    fn judge_missing(
        &mut self,
        wait: &Await,
        some: &Matcher,
        how: &str,
    ) -> Result<(Flow, Value), StepError> {
        let value = Value::Object([(how, true)].into_iter().collect::<Object>());
        let mismatch = Mismatch {
            pointer: String::new(),
            expected: "a message that matches".to_owned(),
            actual: if how == "closed" {
                "the end of the stream".to_owned()
            } else {
                "none in time".to_owned()
            },
            at: some.at,
        };
        let judgement = self.judge_free(&value, &wait.alternatives, mismatch)?;
        Ok((self.add(judgement), value))
    }

    async fn next_message(
        &self,
        link: &Arc<Link>,
        exchanges: &[ExchangeId],
        from: usize,
        some: &Matcher,
        deadline: Instant,
    ) -> Result<Waited, StepError> {
        let mut failure = None;
        let mut seen = from;
        let waited = link.journal().wait(deadline, |transcript| {
            for (index, message) in messages_of(transcript, exchanges, seen) {
                seen = index + 1;
                match self.check(&message, some, StepClass::Free) {
                    Ok(Check::Matches) => return Some(Waited::Message(index, message)),
                    Ok(_) => {}
                    Err(error) => {
                        failure = Some(error);
                        return Some(Waited::Silent);
                    }
                }
            }
            over(transcript, exchanges)
        });
        let waited = waited.await.unwrap_or(Waited::Silent);
        failure.map_or(Ok(waited), Err)
    }

    pub(in super::super) async fn silence(
        &mut self,
        step: &'a Step,
        silence: &'a Silence,
    ) -> Result<Flow, StepError> {
        let span = match &silence.span {
            Some(span) => self.duration(span)?,
            None => SILENCE,
        };
        let grace = match &silence.grace {
            Some(grace) => self.duration(grace)?,
            None => Duration::ZERO,
        };
        let mut watched = Vec::new();
        let mut longest = Duration::ZERO;
        for name in &silence.names {
            let place = self.place(name, silence).await?;
            longest = longest.max(self.session.grace(place.link.journal()));
            watched.push(place);
        }
        let deadline = Instant::now() + self.session.scaled(span) + longest;
        let over = join_all(watched.iter().map(|place| place.until_over(deadline)));
        self.turn.give(over).await;
        for place in watched {
            if self.judge_silence(step, silence, &place, grace)? == Flow::End {
                return Ok(Flow::End);
            }
        }
        Ok(Flow::Next)
    }

    fn judge_silence(
        &mut self,
        step: &Step,
        silence: &Silence,
        place: &Place,
        grace: Duration,
    ) -> Result<Flow, StepError> {
        let (mut messages, closed) = place
            .link
            .journal()
            .read(|transcript| place.seen(transcript, grace));
        let names_closed = silence.of.as_ref().is_some_and(|of| of.names("closed"));
        if closed && names_closed {
            messages.push(Value::Object(
                [("closed", true)].into_iter().collect::<Object>(),
            ));
        }
        for message in messages {
            let counts = match &silence.of {
                Some(of) => self.check(&message, of, StepClass::Free)?.matches(),
                None => true,
            };
            if !counts {
                continue;
            }
            let mismatch = Mismatch {
                pointer: String::new(),
                expected: "silence".to_owned(),
                actual: preview(&message.to_json(), 200).into_owned(),
                at: step.at,
            };
            let judgement = self.judge_free(&message, &silence.alternatives, mismatch)?;
            if self.add(judgement) == Flow::End {
                return Ok(Flow::End);
            }
        }
        let held = Judgement {
            fact: Fact::Held,
            note: None,
            mismatches: Vec::new(),
        };
        Ok(self.add(held))
    }

    /// Judges something that should not be: by the alternatives alone.
    fn judge_free(
        &self,
        value: &Value,
        choices: &[Alternative],
        mismatch: Mismatch,
    ) -> Result<Judgement, StepError> {
        let scope = self.scope();
        let holds = |condition: &Condition| self.holds(condition);
        let transport = self.session.transport();
        let judging = Judging {
            context: Context {
                scope: &scope,
                shapes: self.session.suite.shapes(),
                ignored: &[],
                brief: false,
            },
            demands: Demands {
                class: StepClass::Free,
                transport,
            },
            holds: &holds,
        };
        Ok(alternatives(value, choices, vec![mismatch], judging)?)
    }

    /// What `silence` looks at, and from where.
    async fn place(&mut self, name: &str, silence: &Silence) -> Result<Place, StepError> {
        let named = self.outcomes.get(name).cloned();
        if let Some(named) = &named {
            self.awaited = named.last();
        }
        let link_name = named
            .as_ref()
            .map_or_else(|| name.to_owned(), |named| named.link.clone());
        let link = self.link(&link_name).await?;
        // What came before the row had the link is not for it.
        let begin = link.journal().read(Transcript::begin);
        let before = self.marks.get(&link_name).copied().unwrap_or(begin);
        let exchanges = named.as_ref().map(|named| named.exchanges.clone());
        let from = match &silence.since {
            Some(Since::Start) => begin,
            Some(Since::Step(step)) => {
                let step = self.outcomes.get(step);
                step.map_or(before, |named| named.began.max(begin))
            }
            None => match &exchanges {
                Some(ids) => link
                    .journal()
                    .read(|transcript| settled_at(transcript, ids))
                    .unwrap_or(before),
                None => before,
            },
        };
        let starts = link.journal().now();
        Ok(Place {
            link,
            exchanges,
            from,
            starts,
        })
    }
}

/// Where `silence` listens.
struct Place {
    link: Arc<Link>,
    /// The exchanges it is about; none for the whole link.
    exchanges: Option<Vec<ExchangeId>>,
    /// Index of the first entry that counts.
    from: usize,
    /// When the step began.
    starts: Duration,
}

impl Place {
    /// Waits until nothing more can come here, at most until the deadline.
    async fn until_over(&self, deadline: Instant) {
        let over = |transcript: &Transcript| self.is_over(transcript).then_some(());
        self.link.journal().wait(deadline, over).await;
    }

    /// Whether nothing more can come: the process has ended, or over HTTP every response.
    fn is_over(&self, transcript: &Transcript) -> bool {
        let ended = |id: ExchangeId| transcript.exchange(id).ended.is_some();
        let all_ended = || match &self.exchanges {
            Some(ids) => ids.iter().copied().all(ended),
            None => transcript.exchanges().all(|(id, _)| ended(id)),
        };
        let over_http = transcript.link().transport == Transport::Http;
        transcript.exit().is_some() || over_http && all_ended()
    }

    /// The messages that came, and whether the connection closed without the client's doing.
    fn seen(&self, transcript: &Transcript, grace: Duration) -> (Vec<Value>, bool) {
        let begin = transcript
            .entries()
            .get(self.from)
            .map_or(self.starts, |entry| entry.at)
            .min(self.starts);
        let counts = |entry: &Entry| grace.is_zero() || entry.at.saturating_sub(begin) >= grace;
        let mut messages = Vec::new();
        let mut closed = false;
        for entry in transcript
            .entries()
            .iter()
            .skip(self.from)
            .filter(|entry| counts(entry))
        {
            let mine = match &self.exchanges {
                Some(ids) => entry.exchange.is_some_and(|id| ids.contains(&id)),
                None => true,
            };
            if let What::Exited(_) = entry.what {
                closed = true;
            }
            if !mine {
                continue;
            }
            closed |= matches!(&entry.what, What::End(end) if *end != End::ByClient);
            messages.extend(message_of(entry));
        }
        (messages, closed)
    }
}

fn message_of(entry: &Entry) -> Option<Value> {
    match &entry.what {
        What::Line(inbound) | What::Event { inbound, .. } | What::Body(inbound) => {
            if inbound.bytes.is_empty() {
                return None;
            }
            Some(
                inbound
                    .decoded
                    .value
                    .clone()
                    .unwrap_or_else(|| Value::from(inbound.text())),
            )
        }
        _ => None,
    }
}

/// Messages of some exchanges from an index on, the acknowledgement of a listen among them.
fn messages_of(
    transcript: &Transcript,
    exchanges: &[ExchangeId],
    from: usize,
) -> Vec<(usize, Value)> {
    let mut found: Vec<(usize, Value)> = exchanges
        .iter()
        .flat_map(|id| transcript.entries_of(*id))
        .filter(|(index, _)| *index >= from)
        .filter_map(|(index, entry)| Some((index, message_of(entry)?)))
        .collect();
    found.sort_by_key(|(index, _)| *index);
    found
}

/// After the final answer nothing more is waited for.
fn over(transcript: &Transcript, exchanges: &[ExchangeId]) -> Option<Waited> {
    let answered = exchanges
        .iter()
        .all(|id| transcript.exchange(*id).answered_at.is_some());
    if answered {
        return Some(Waited::Silent);
    }
    let ended = exchanges
        .iter()
        .all(|id| transcript.exchange(*id).ended.is_some());
    (ended || transcript.exit().is_some()).then_some(Waited::Closed)
}

/// Index after the answer, or the acknowledgement, of the last of some exchanges.
fn settled_at(transcript: &Transcript, exchanges: &[ExchangeId]) -> Option<usize> {
    exchanges
        .iter()
        .filter_map(|id| {
            transcript.entries_of(*id).find_map(|(index, entry)| {
                let message = message_of(entry)?;
                let is_ack = message.get("method").and_then(Value::as_str)
                    == Some("notifications/subscriptions/acknowledged");
                let is_answer = message.get("method").is_none()
                    && (message.get("result").is_some() || message.get("error").is_some());
                (is_ack || is_answer).then_some(index + 1)
            })
        })
        .max()
}
