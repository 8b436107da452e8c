//! `retry`: an input-required request once more, with answers (page `basic/patterns/mrtr`).

use mcpspec_wire::{Object, Value};

use crate::arguments::answers;
use crate::case::{Retry, Step};
use crate::config::WholeRequest;
use crate::judge::{Moment, StepClass};
use crate::transcript::{ExchangeId, SentKind};
use crate::transport::WriteMode;

use super::super::draft::{self, Change};
use super::super::row::{Flow, Row, StepError};
use super::send::ANSWER;
use super::settle::with_all;

/// Most rounds that are answered.
const MAX_ROUNDS: usize = 10;

impl<'a> Row<'a> {
    pub(in super::super) async fn retry(
        &mut self,
        step: &'a Step,
        retry: &'a Retry,
    ) -> Result<Flow, StepError> {
        let began = self.length(&step.link);
        let named = self.outcomes.get(&retry.of).ok_or_else(|| {
            StepError::Other(format!(
                "{} was left out, so there is nothing to retry",
                retry.of
            ))
        })?;
        let (first, of) = (named.value.clone(), named.exchanges.clone());
        if !asks(&first) {
            let mut value = first;
            if let Value::Object(members) = &mut value {
                members.insert("all", Vec::<Value>::new());
            }
            self.name_outcome(step.name.as_deref(), &step.link, of, value.clone(), began);
            let implied = self.implied(false);
            return Ok(self.judge_step(step, &value, StepClass::Request, Some(implied)));
        }
        if retry.open {
            return self.open_retry(step, retry, &first, began).await;
        }
        let limit = self.limit(step, ANSWER)?;
        let mut exchanges = Vec::new();
        let mut all = Vec::new();
        let mut value = first;
        loop {
            let id = match self.send_retry(step, retry, &value).await {
                Ok(id) => id,
                Err(error) if error.is_closed() => {
                    let due = &self.session.defaults.answer;
                    return self.judge_closed(step, Some(due));
                }
                Err(error) => return Err(error),
            };
            exchanges.push(id);
            let link = self.link(&step.link).await?;
            let deadline = self.session.deadline(link.journal(), limit);
            value = self
                .await_outcome(&step.link, id, deadline, Moment::Sending)
                .await?;
            all.push(value.clone());
            if !retry.rounds || !asks(&value) || all.len() >= MAX_ROUNDS {
                break;
            }
        }
        let value = if retry.rounds { with_all(all) } else { value };
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            exchanges,
            value.clone(),
            began,
        );
        let implied = self.implied(false);
        Ok(self.judge_step(step, &value, StepClass::Request, Some(implied)))
    }

    async fn open_retry(
        &mut self,
        step: &'a Step,
        retry: &Retry,
        first: &Value,
        began: usize,
    ) -> Result<Flow, StepError> {
        let id = self.send_retry(step, retry, first).await?;
        let limit = self.limit(step, ANSWER)?;
        let link = self.link(&step.link).await?;
        let deadline = self.session.deadline(link.journal(), limit);
        self.leave_open(step, id, deadline, began);
        Ok(Flow::Next)
    }

    /// Sends the request of an outcome again, with answers to what that outcome asks.
    async fn send_retry(
        &mut self,
        step: &Step,
        retry: &Retry,
        asked: &Value,
    ) -> Result<ExchangeId, StepError> {
        let mut params = again(asked);
        match self.answers(retry, asked)? {
            Change::Remove | Change::Keep => {}
            Change::Replace(answers) => {
                params.insert("inputResponses", answers);
            }
            Change::Members(members) => {
                let kept = members
                    .into_iter()
                    .filter_map(|(key, answer)| Some((key, answer?)));
                params.insert("inputResponses", kept.collect::<Object>());
            }
        }
        match self.change_whole(retry.state.as_ref())? {
            Change::Keep => {
                if let Some(state) = asked.pointer("/result/requestState") {
                    params.insert("requestState", state.clone());
                }
            }
            Change::Replace(state) => {
                params.insert("requestState", state);
            }
            Change::Remove | Change::Members(_) => {}
        }
        let method = asked
            .pointer("/request/method")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let whole = WholeRequest {
            method: method.to_owned(),
            params: Value::Object(params),
            capabilities: asked.pointer("/request/capabilities").cloned(),
            header: None,
            label: None,
        };
        let departures = self.departures_of_retry(retry)?;
        let around = self.session.surroundings(&self.origin);
        let composed = draft::request(&whole, self.session.ids.next_id(), &departures, &around);
        let outgoing = composed.outgoing(SentKind::Request, WriteMode::Whole, false, &around);
        self.dispatch(&step.link, outgoing).await
    }

    /// inputResponses: the made answers with the step's overlay, or what replaces them.
    fn answers(&self, retry: &Retry, asked: &Value) -> Result<Change, StepError> {
        let made = match asked.pointer("/result/inputRequests") {
            Some(requests) => answers::made(requests),
            None => Value::Object(Object::new()),
        };
        match self.change(retry.answers.as_ref())? {
            Change::Keep => Ok(Change::Replace(made)),
            Change::Members(overlay) => {
                let made = made.as_object().cloned().unwrap_or_default();
                Ok(Change::Replace(Value::Object(overlaid(made, overlay))))
            }
            other => Ok(other),
        }
    }
}

/// Whether an outcome asks for input.
fn asks(value: &Value) -> bool {
    value.pointer("/result/resultType").and_then(Value::as_str) == Some("input_required")
}

/// The params of the request once more, without `_meta` and without what an earlier retry added.
fn again(asked: &Value) -> Object {
    let params = asked
        .pointer("/request/params")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    params
        .iter()
        .filter(|(name, _)| !["_meta", "inputResponses", "requestState"].contains(name))
        .map(|(name, value)| (name, value.clone()))
        .collect()
}

/// `"*"` overlays every asked key, another key its own; nothing drops it.
fn overlaid(mut answers: Object, overlay: Vec<(String, Option<Value>)>) -> Object {
    let asked: Vec<String> = answers.iter().map(|(key, _)| key.to_owned()).collect();
    for (key, answer) in overlay {
        let keys = if key == "*" { asked.clone() } else { vec![key] };
        for key in keys {
            match &answer {
                Some(answer) => {
                    answers.insert(key, answer.clone());
                }
                None => {
                    answers.remove(&key);
                }
            }
        }
    }
    answers
}
