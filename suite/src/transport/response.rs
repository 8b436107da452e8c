//! Recording the response to an HTTP request, whichever client reads it.

use std::sync::Arc;

use mcpspec_wire::sse::{self, Decoder, Item};
use mcpspec_wire::{Problem, ProblemKind, SyntaxError, SyntaxErrorKind};

use tokio::sync::OwnedSemaphorePermit;

use crate::text::preview;
use crate::transcript::{End, ExchangeId, Head, Inbound, LineEnd};

use super::limits::Influx;
use super::{Journal, Limits, inbound};

/// How much is kept of an event's type and of its id.
const MAX_FIELD: usize = 1024;

/// The response to one exchange while it comes in.
pub(super) struct Response {
    journal: Arc<Journal>,
    exchange: ExchangeId,
    limits: Limits,
    influx: Influx,
    place: Option<OwnedSemaphorePermit>,
    body: Option<Body>,
}

/// More came than may be kept.
#[derive(Debug)]
pub(super) struct Overflow;

enum Body {
    /// An event stream: each event is recorded as it comes.
    Events(Events),
    /// Anything else: recorded at its end.
    Whole { beginning: Vec<u8>, len: u64 },
}

struct Events {
    decoder: Decoder,
    /// Whether a line of the event in hand was no UTF-8.
    invalid: bool,
    /// How many bytes came since the last event: of one that does not end, or of comments.
    since_event: u64,
}

impl Response {
    pub(super) fn new(journal: Arc<Journal>, exchange: ExchangeId, limits: Limits) -> Response {
        Response {
            journal,
            exchange,
            limits,
            influx: Influx::default(),
            place: None,
            body: None,
        }
    }

    /// Records that the request went out once more, since the server wanted it later.
    pub(super) fn sent_again(&self) {
        let exchange = self.exchange;
        self.journal
            .write(|transcript, now| transcript.sent_again(now, exchange));
    }

    /// Records status and headers.
    pub(super) fn head(&mut self, head: Head) {
        let is_stream = head.media_type().as_deref() == Some("text/event-stream");
        self.body = Some(if is_stream {
            Body::Events(Events {
                decoder: Decoder::new(self.limits.max_message),
                invalid: false,
                since_event: 0,
            })
        } else {
            Body::Whole {
                beginning: Vec::new(),
                len: 0,
            }
        });
        let exchange = self.exchange;
        self.journal
            .write(|transcript, now| transcript.head(now, exchange, Arc::new(head)));
    }

    /// Takes the next bytes of the body. It waits while too many other large messages come in.
    pub(super) async fn chunk(&mut self, chunk: &[u8]) -> Result<(), Overflow> {
        let held = match &self.body {
            Some(Body::Whole { beginning, .. }) => beginning.len(),
            Some(Body::Events(events)) => events.decoder.held(),
            None => 0,
        };
        self.journal
            .admit(held + chunk.len(), &mut self.place)
            .await;
        match &mut self.body {
            None => Ok(()),
            Some(Body::Whole { beginning, len }) => {
                let max = self.limits.max_message;
                let was_within = *len <= max as u64;
                *len += chunk.len() as u64;
                if was_within {
                    let room = max - beginning.len();
                    beginning.extend_from_slice(&chunk[..chunk.len().min(room)]);
                }
                if was_within && *len > max as u64 {
                    inbound::shorten(beginning);
                }
                if *len > self.limits.endless() {
                    Err(Overflow)
                } else {
                    Ok(())
                }
            }
            Some(Body::Events(events)) => {
                events.since_event += chunk.len() as u64;
                if events.since_event > self.limits.endless() {
                    return Err(Overflow);
                }
                let mut items = Vec::new();
                events.decoder.push(chunk, &mut |item| items.push(item));
                items.into_iter().try_for_each(|item| self.item(item))
            }
        }
    }

    /// Records the body, if that was not done event by event, and how the response ended.
    pub(super) fn finish(self, mut end: End) {
        match self.body {
            None => {}
            Some(Body::Events(events)) => {
                let unfinished = events
                    .decoder
                    .finish()
                    .filter(|event| !event.data.is_empty());
                if unfinished.is_some() && end == End::Complete {
                    end = End::CutOff(
                        "the stream ended inside an event, which a client then drops".to_owned(),
                    );
                }
            }
            Some(Body::Whole { beginning, len }) => {
                let inbound = if len > beginning.len() as u64 {
                    inbound::cut(beginning, len)
                } else {
                    inbound::whole(beginning, LineEnd::None)
                };
                let kept = self.journal.fitting(inbound);
                let exchange = self.exchange;
                self.journal
                    .write(|transcript, now| transcript.body(now, exchange, kept));
            }
        }
        let exchange = self.exchange;
        self.journal
            .write(|transcript, now| transcript.end(now, exchange, end));
    }

    fn item(&mut self, item: Item) -> Result<(), Overflow> {
        let Some(Body::Events(events)) = &mut self.body else {
            unreachable!("only event streams have items");
        };
        match item {
            Item::InvalidUtf8 { .. } => {
                events.invalid = true;
                Ok(())
            }
            Item::Event(mut event) => {
                events.since_event = 0;
                let data = std::mem::take(&mut event.data).into_bytes();
                let mut inbound = inbound::whole(data, LineEnd::None);
                if std::mem::take(&mut events.invalid) {
                    inbound.decoded.problems.insert(0, not_utf8());
                }
                self.event(inbound, event)
            }
            Item::TooLong { .. } => {
                let cut = inbound::cut(Vec::new(), self.limits.max_message as u64 + 1);
                let event = sse::Event {
                    event: "message".to_owned(),
                    id: None,
                    data: String::new(),
                    retry: None,
                };
                self.event(cut, event)
            }
        }
    }

    fn event(&mut self, inbound: Inbound, event: sse::Event) -> Result<(), Overflow> {
        if !self.influx.counts(inbound::weight(&inbound), &self.limits) {
            return Err(Overflow);
        }
        let kept = self.journal.fitting(inbound);
        let name = preview(&event.event, MAX_FIELD).into_owned();
        let id = event.id.map(|id| preview(&id, MAX_FIELD).into_owned());
        let exchange = self.exchange;
        self.journal
            .write(|transcript, now| transcript.event(now, exchange, kept, name, id));
        Ok(())
    }
}

/// The decoder of events puts U+FFFD in place of what is no UTF-8; where that was in the data it does not tell.
fn not_utf8() -> Problem {
    let error = SyntaxError {
        kind: SyntaxErrorKind::InvalidUtf8,
        offset: 0,
    };
    Problem {
        kind: ProblemKind::NotJson(error),
        offset: 0,
    }
}
