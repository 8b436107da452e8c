//! Calls that look for triggers: each one bounded, and all of them together, with the one that is under way when their time is over.

use std::time::Duration;

use mcpspec_wire::{Object, Value, same_id};
use tokio::time::Instant;

use crate::config::WholeRequest;
use crate::spec::{SLOW, Transport};
use crate::transcript::{Entry, ExchangeId, Transcript, What};

use super::asker::{Answer, Asker, Said};

/// How long all calls together may take at most. A run has more to do.
const MOST: Duration = Duration::from_secs(10);

/// How many times longer than a plain request a slow call takes. Where everything is slow, no tool is.
pub(super) const SLOWER: u32 = 10;

/// How long a target that left a call unanswered may take to show that it still serves.
const ALIVE: Duration = Duration::from_secs(2);

/// Asks a target for what it may do, within bounds.
pub(super) struct Caller<'c, 'a> {
    pub(super) asker: &'c Asker<'a>,
    began: Instant,
    /// When all calls together have to be over.
    until: Instant,
    /// How long one call may take.
    each: Duration,
    /// How long the first call of a tool may take, before others had theirs.
    brief: Duration,
    /// How many calls were made.
    made: u64,
    /// Whether the target no longer answers.
    is_lost: bool,
}

/// What came of a call.
pub(super) enum Came {
    /// An answer.
    Answer(Seen),
    /// None in time, though the target still serves.
    Withdrawn(Seen),
    /// Nothing that tells anything.
    Nothing,
}

/// What was seen of a call.
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
    /// A caller for as long as one answer may take, 10 s at most, each call three tenths of that. The first call of a tool gets a
    /// tenth, unless the target is slow at everything.
    pub(super) async fn new(asker: &'c Asker<'a>) -> Caller<'c, 'a> {
        let within = MOST.min(asker.timeout());
        let each = within * 3 / 10;
        let began = Instant::now();
        let mut caller = Caller {
            asker,
            began,
            until: began + within,
            each,
            brief: each,
            made: 0,
            is_lost: false,
        };
        if let Some(usual) = caller.usual().await {
            caller.brief = (usual * SLOWER).clamp(each / 3, each);
        }
        caller
    }

    /// Whether no more calls can be made. One that would be cut short tells nothing.
    pub(super) fn is_over(&self) -> bool {
        self.is_lost || !self.has_time_for(self.brief)
    }

    /// Why no more calls can be made, if so.
    pub(super) fn end(&self) -> Option<String> {
        let after = self.began.elapsed().as_secs_f64();
        if self.is_lost {
            return Some(format!(
                "the server no longer answered after {after:.1} s of it"
            ));
        }
        self.is_over()
            .then(|| format!("it was over after {after:.1} s"))
    }

    /// Makes a call that asks for progress and for log messages of every level. None: nothing came of it, and the same is not to be
    /// called again.
    pub(super) async fn call(&mut self, whole: &WholeRequest) -> Option<Seen> {
        if self.is_over() {
            return None;
        }
        match self.call_within(whole, self.each).await {
            Came::Answer(seen) => Some(seen),
            Came::Withdrawn(seen) if seen.progress >= 2 && seen.took >= SLOW => Some(seen),
            Came::Withdrawn(_) | Came::Nothing => None,
        }
    }

    /// Makes the first call of a tool, so that one which gives no answer keeps no other from being called.
    pub(super) async fn try_briefly(&mut self, whole: &WholeRequest) -> Came {
        self.call_within(whole, self.brief).await
    }

    /// Makes a call that was withdrawn before once more, if there is time for it.
    pub(super) async fn call_again(&mut self, whole: &WholeRequest) -> Option<Seen> {
        if !self.has_time_for(self.each) {
            return None;
        }
        self.call(whole).await
    }

    /// How much time is left for everything that is still to be done.
    pub(super) fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }

    fn has_time_for(&self, span: Duration) -> bool {
        span <= self.left()
    }

    async fn call_within(&mut self, whole: &WholeRequest, limit: Duration) -> Came {
        self.made += 1;
        let token = Value::from(format!("survey-{}", self.made));
        let whole = marked(whole, &token);
        let answer = self.asker.ask_until(&whole, limit, self.until).await;
        let code = |error: &Value| error.get("code").and_then(Value::as_i64);
        let (result, code) = match answer.what {
            Said::Result(result) => (Some(result), None),
            Said::Error(error) if code(&error).is_some() => (None, code(&error)),
            Said::Error(_) | Said::Acknowledged | Said::Other(_) | Said::Forbidden => {
                return Came::Nothing;
            }
            // What cannot be read, and what no answer came to, may have left a target that is no good any more.
            said => {
                self.is_lost = !self.is_alive().await;
                if self.is_lost || !matches!(said, Said::Silent) {
                    return Came::Nothing;
                }
                (None, None)
            }
        };
        let journal = self.asker.journal();
        let seen = answer
            .exchange
            .and_then(|exchange| journal.read(|transcript| seen(transcript, exchange, &token)));
        match seen {
            None => Came::Nothing,
            Some(seen) if result.is_none() && code.is_none() => Came::Withdrawn(Seen {
                is_withdrawn: true,
                ..seen
            }),
            Some(seen) => Came::Answer(Seen {
                result,
                code,
                ..seen
            }),
        }
    }

    /// How long a plain request takes, from when it goes out. None: it got no answer.
    pub(super) async fn usual(&self) -> Option<Duration> {
        let exchange = self.discover().await.exchange?;
        let journal = self.asker.journal();
        journal.read(|transcript| {
            let of = transcript.exchange(exchange);
            Some(of.answered_at?.saturating_sub(of.sent_at))
        })
    }

    /// Whether the target still answers, as far as there was time to see that.
    async fn is_alive(&self) -> bool {
        let said = self.discover().await.what;
        matches!(said, Said::Result(_) | Said::Error(_)) || self.left().is_zero()
    }

    async fn discover(&self) -> Answer {
        let whole = WholeRequest::new("server/discover", Value::Object(Object::new()));
        let within = ALIVE.min(self.asker.timeout());
        self.asker.ask_until(&whole, within, self.until).await
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
