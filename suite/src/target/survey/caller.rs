//! Calls that look for triggers: each one bounded, all of them together bounded.

use std::time::Duration;

use mcpspec_wire::{Object, Value, same_id};
use tokio::time::Instant;

use crate::config::WholeRequest;
use crate::spec::Transport;
use crate::transcript::{Entry, ExchangeId, Transcript, What};

use super::asker::{Asker, Said};
use super::shown::SLOW;

/// How long all calls together may take at most. A run has more to do.
const MOST: Duration = Duration::from_secs(10);

/// How long a target that left a call unanswered may take to show that it still serves.
const ALIVE: Duration = Duration::from_secs(2);

/// Asks a target for what it may do, within bounds.
pub(super) struct Caller<'c, 'a> {
    pub(super) asker: &'c Asker<'a>,
    /// When nothing more is asked.
    deadline: Instant,
    /// How long one call may take.
    each: Duration,
    /// How many calls were made.
    made: u64,
    /// Whether the target no longer answers.
    is_lost: bool,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    /// The result; none of a call that was refused.
    pub(super) result: Option<Value>,
    /// The code of the error, if it is one.
    pub(super) code: Option<i64>,
    /// From the call to its answer, or to when it was withdrawn.
    pub(super) took: Duration,
    /// Whether it was withdrawn since no answer came in time, though there was progress.
    pub(super) is_withdrawn: bool,
    /// How often progress for this call came before its answer.
    pub(super) progress: usize,
    /// Whether a log message for this call came before its answer.
    pub(super) has_logs: bool,
}

impl<'c, 'a> Caller<'c, 'a> {
    /// A caller for as long as one answer may take, 10 s at most, each call three tenths of that.
    pub(super) fn new(asker: &'c Asker<'a>) -> Caller<'c, 'a> {
        let within = MOST.min(asker.timeout());
        Caller {
            asker,
            deadline: Instant::now() + within,
            each: within * 3 / 10,
            made: 0,
            is_lost: false,
        }
    }

    /// Whether no more calls can be made. One that would be cut short tells nothing.
    pub(super) fn is_over(&self) -> bool {
        self.is_lost || Instant::now() + self.each > self.deadline
    }

    /// Makes a call that asks for progress and for log messages of every level. None: nothing came of it, and the same is not to be
    /// called again.
    pub(super) async fn call(&mut self, whole: &WholeRequest) -> Option<Seen> {
        if self.is_over() {
            return None;
        }
        self.made += 1;
        let token = Value::from(format!("survey-{}", self.made));
        let whole = marked(whole, &token);
        let answer = self.asker.ask_within(&whole, self.each).await;
        let (result, code) = match answer.what {
            Said::Result(result) => (Some(result), None),
            Said::Error(error) => (None, Some(error.get("code")?.as_i64()?)),
            Said::Acknowledged | Said::Other(_) | Said::Forbidden => return None,
            // What cannot be read, and what no answer came to, may have left a target that is no good any more.
            said => {
                self.is_lost = !self.is_alive().await;
                if self.is_lost || !matches!(said, Said::Silent) {
                    return None;
                }
                (None, None)
            }
        };
        let exchange = answer.exchange?;
        let journal = self.asker.journal();
        let mut seen = journal.read(|transcript| seen(transcript, exchange, &token))?;
        seen.is_withdrawn = result.is_none() && code.is_none();
        if seen.is_withdrawn && (seen.progress < 2 || seen.took < SLOW) {
            return None;
        }
        Some(Seen {
            result,
            code,
            ..seen
        })
    }

    /// How long a plain request takes.
    pub(super) async fn usual(&self) -> Duration {
        let began = Instant::now();
        self.is_alive().await;
        began.elapsed()
    }

    async fn is_alive(&self) -> bool {
        let whole = WholeRequest::new("server/discover", Value::Object(Object::new()));
        let within = ALIVE.min(self.asker.timeout());
        let answer = self.asker.ask_within(&whole, within).await;
        matches!(answer.what, Said::Result(_) | Said::Error(_))
    }
}

/// A request with `capabilities` declared.
pub(super) fn declaring(whole: &WholeRequest, capabilities: Value) -> WholeRequest {
    WholeRequest {
        capabilities: Some(capabilities),
        ..whole.clone()
    }
}

/// A request with another member in its params.
pub(super) fn with_param(whole: &WholeRequest, name: &str, value: Value) -> WholeRequest {
    let mut params = whole.params.as_object().cloned().unwrap_or_default();
    params.insert(name, value);
    WholeRequest {
        params: Value::Object(params),
        ..whole.clone()
    }
}

fn marked(whole: &WholeRequest, token: &Value) -> WholeRequest {
    let mut meta = Object::new();
    meta.insert("progressToken", token.clone());
    meta.insert("io.modelcontextprotocol/logLevel", "debug");
    with_param(whole, "_meta", Value::Object(meta))
}

/// What came between a call and its answer.
fn seen(transcript: &Transcript, exchange: ExchangeId, token: &Value) -> Option<Seen> {
    let of = transcript.exchange(exchange);
    let first = *of.entries.first()?;
    let is_answer =
        |entry: &&Entry| entry.exchange == Some(exchange) && message(entry).is_some_and(is_answer);
    let before = transcript.entries()[first..]
        .iter()
        .take_while(|entry| !is_answer(entry));
    // On stdio a log message names no request: this is the only one that is open.
    let is_stdio = transcript.link().transport == Transport::Stdio;
    let own = before.filter(|entry| is_stdio || entry.exchange == Some(exchange));
    let messages: Vec<&Value> = own.filter_map(message).collect();
    let count = |method: &str, fits: &dyn Fn(&Value) -> bool| {
        let messages = messages.iter();
        let messages = messages
            .filter(|message| message.get("method").and_then(Value::as_str) == Some(method));
        messages.filter(|message| fits(message)).count()
    };
    let has_token = |message: &Value| {
        let told = message.pointer("/params/progressToken");
        told.is_some_and(|told| same_id(told, token))
    };
    let end = of.answered_at.or(of.cancelled_at)?;
    Some(Seen {
        result: None,
        code: None,
        took: end.saturating_sub(of.sent_at),
        is_withdrawn: false,
        progress: count("notifications/progress", &has_token),
        has_logs: count("notifications/message", &|_| true) > 0,
    })
}

/// The message in an entry.
pub(super) fn message(entry: &Entry) -> Option<&Value> {
    match &entry.what {
        What::Line(inbound) | What::Body(inbound) | What::Event { inbound, .. } => {
            inbound.decoded.value.as_ref()
        }
        _ => None,
    }
}

fn is_answer(message: &Value) -> bool {
    message.get("method").is_none()
}
