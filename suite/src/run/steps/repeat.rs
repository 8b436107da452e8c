//! `repeat` of a `send`: counted, paged, polled.

use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::{Object, Value};
use tokio::time::Instant;

use crate::case::{Repeat, Send, Step};
use crate::judge::{Moment, StepClass};
use crate::matcher::Matcher;
use crate::template::{Data, Resolved};
use crate::transcript::ExchangeId;

use super::super::row::{Flow, Pending, Row, StepError};
use super::send::Request;
use super::settle::{closed, with_all};

/// Most pages that are followed.
const MAX_PAGES: usize = 1_000;

/// How long `repeat: { until }` goes on in all.
const UNTIL: Duration = Duration::from_secs(30);

/// Pause of `repeat: { until }` where the server names none.
const POLL: Duration = Duration::from_millis(500);

impl<'a> Row<'a> {
    pub(super) async fn send_repeated(
        &mut self,
        step: &'a Step,
        send: &'a Send,
        request: Request,
        repeat: &'a Repeat,
    ) -> Result<Flow, StepError> {
        let began = self.length(&step.link);
        let (exchanges, value) = match repeat {
            Repeat::Times(times) if send.open => {
                let count = self.count(times)?;
                return self.open_at_once(step, send, &request, count).await;
            }
            Repeat::Every { times, every } if send.open => {
                let (count, pause) = (self.count(times)?, self.duration(every)?);
                return self
                    .open_in_background(step, send, &request, count, pause)
                    .await;
            }
            Repeat::Times(times) => {
                let count = self.count(times)?;
                self.one_after_another(step, send, &request, count, Duration::ZERO)
                    .await?
            }
            Repeat::Every { times, every } => {
                let (count, pause) = (self.count(times)?, self.duration(every)?);
                self.one_after_another(step, send, &request, count, pause)
                    .await?
            }
            Repeat::Pages => self.pages(step, send, &request).await?,
            Repeat::Until(matcher) => self.until(step, send, &request, matcher).await?,
        };
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            exchanges,
            value.clone(),
            began,
        );
        let implied = self.implied(request.is_listen());
        Ok(self.judge_step(step, &value, StepClass::Request, Some(implied)))
    }

    /// Sends it once more and waits for the answer.
    async fn round(
        &mut self,
        step: &Step,
        send: &Send,
        request: &Request,
        exchanges: &mut Vec<ExchangeId>,
    ) -> Result<Value, StepError> {
        let limit = match send.repeat {
            Some(Repeat::Until(_)) => request.usual_limit(),
            _ => self.limit(step, request.usual_limit())?,
        };
        let id = match self.send_once(step, send, &request.whole).await {
            Ok(id) => id,
            Err(error) if error.is_closed() => return Ok(closed()),
            Err(error) => return Err(error),
        };
        exchanges.push(id);
        let link = self.link(&step.link).await?;
        let deadline = self.session.deadline(link.journal(), limit);
        self.await_outcome(&step.link, id, deadline, Moment::Sending)
            .await
    }

    /// One after another, until one gets no answer: the next would only wait as long again.
    async fn one_after_another(
        &mut self,
        step: &Step,
        send: &Send,
        request: &Request,
        count: usize,
        pause: Duration,
    ) -> Result<(Vec<ExchangeId>, Value), StepError> {
        let mut exchanges = Vec::new();
        let mut all = Vec::new();
        for index in 0..count {
            if index > 0 {
                self.turn.pause(pause).await;
            }
            let value = self.round(step, send, request, &mut exchanges).await?;
            let is_over = value.get("silent").is_some() || value.get("closed").is_some();
            all.push(value);
            if is_over {
                break;
            }
        }
        Ok((exchanges, with_all(all)))
    }

    async fn open_at_once(
        &mut self,
        step: &'a Step,
        send: &Send,
        request: &Request,
        count: usize,
    ) -> Result<Flow, StepError> {
        let limit = self.limit(step, request.usual_limit())?;
        let began = self.length(&step.link);
        let mut exchanges = Vec::new();
        for _ in 0..count {
            exchanges.push(self.send_once(step, send, &request.whole).await?);
        }
        let link = self.link(&step.link).await?;
        let deadline = self.session.deadline(link.journal(), limit);
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            exchanges.clone(),
            closed(),
            began,
        );
        self.pending.push(Pending {
            step,
            name: step.name.clone(),
            link: step.link.clone(),
            exchanges,
            deadline,
            repeated: true,
        });
        Ok(Flow::Next)
    }

    /// Sends one each `pause` while the row goes on. Its answers are not judged, so `expect` has no place there.
    async fn open_in_background(
        &mut self,
        step: &'a Step,
        send: &Send,
        request: &Request,
        count: usize,
        pause: Duration,
    ) -> Result<Flow, StepError> {
        let departures = self.departures_of_send(send)?;
        let all: Vec<_> = (0..count)
            .map(|_| self.compose(step, send, &request.whole, &departures))
            .collect();
        let link = Arc::clone(&self.link(&step.link).await?);
        tokio::spawn(async move {
            for outgoing in all {
                if link.send(outgoing).await.is_err() {
                    return;
                }
                tokio::time::sleep(pause).await;
            }
        });
        Ok(Flow::Next)
    }

    /// Follows nextCursor until it is absent, comes twice, or there are too many pages.
    async fn pages(
        &mut self,
        step: &Step,
        send: &Send,
        request: &Request,
    ) -> Result<(Vec<ExchangeId>, Value), StepError> {
        let mut exchanges = Vec::new();
        let mut all = Vec::new();
        let mut items: Vec<Value> = Vec::new();
        let mut cursors: Vec<Value> = Vec::new();
        let mut whole = request.whole.clone();
        let walk = loop {
            let page = request.with(whole.clone());
            let value = self.round(step, send, &page, &mut exchanges).await?;
            items.extend(listed(&value));
            let next = value.pointer("/result/nextCursor").cloned();
            let failed = value.get("result").is_none();
            all.push(value);
            let Some(cursor) = next else {
                break if failed { None } else { Some("complete") };
            };
            if cursors.contains(&cursor) {
                break Some("loop");
            }
            if all.len() >= MAX_PAGES {
                break Some("cap");
            }
            if let Value::Object(params) = &mut whole.params {
                params.insert("cursor", cursor.clone());
            }
            cursors.push(cursor);
        };
        let mut value = with_all(all);
        if let Value::Object(members) = &mut value {
            members.insert("items", items);
            if let Some(walk) = walk {
                members.insert("walk", walk);
            }
        }
        Ok((exchanges, value))
    }

    async fn until(
        &mut self,
        step: &Step,
        send: &Send,
        request: &Request,
        matcher: &Matcher,
    ) -> Result<(Vec<ExchangeId>, Value), StepError> {
        let end = Instant::now() + self.session.scaled(self.limit(step, UNTIL)?);
        let mut exchanges = Vec::new();
        let mut all = Vec::new();
        loop {
            let value = self.round(step, send, request, &mut exchanges).await?;
            let matched = self.check(&value, matcher, StepClass::Request)?.matches();
            let interval = value
                .pointer("/result/pollIntervalMs")
                .and_then(Value::as_i64);
            let pause = interval
                .and_then(|pause| u64::try_from(pause).ok())
                .map_or(POLL, Duration::from_millis);
            all.push(value);
            if matched || Instant::now() + pause > end {
                return Ok((exchanges, with_all(all)));
            }
            self.turn.pause(pause).await;
        }
    }

    fn count(&self, data: &Data) -> Result<usize, StepError> {
        match self.resolve(data)? {
            Resolved::Value(value) => value
                .as_i64()
                .and_then(|count| usize::try_from(count).ok())
                .ok_or_else(|| StepError::Other(format!("{value} is no count"))),
            _ => Err(StepError::Other("a count is missing".to_owned())),
        }
    }
}

/// The items of a page: the one list that a list result has.
fn listed(value: &Value) -> Vec<Value> {
    let names = ["tools", "resources", "resourceTemplates", "prompts"];
    let result = value
        .get("result")
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_else(Object::new);
    let list = names.iter().find_map(|name| result.get(name)?.as_array());
    list.map(<[Value]>::to_vec).unwrap_or_default()
}
