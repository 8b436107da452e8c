//! What the client says it can take (`basic/transports/streamable-http#sending-messages`).

use axum::http::header;

use super::{exchange::Exchange, http::media_type};

/// The forms of an answer that an Accept header admits. Without the header it is both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    /// One JSON text.
    pub(super) json: bool,
    /// An event stream.
    pub(super) events: bool,
}

impl Accepted {
    pub(super) fn of(exchange: &Exchange) -> Self {
        let mut lines = exchange.headers.get_all(header::ACCEPT).iter().peekable();
        if lines.peek().is_none() {
            return Self {
                json: true,
                events: true,
            };
        }
        let types: Vec<String> = lines
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(','))
            .map(media_type)
            .collect();
        let admits = |names: [&str; 3]| types.iter().any(|kind| names.contains(&kind.as_str()));
        Self {
            json: admits(["application/json", "application/*", "*/*"]),
            events: admits(["text/event-stream", "text/*", "*/*"]),
        }
    }

    /// Whether there is a form that the client takes.
    pub(super) fn is_enough(self) -> bool {
        self.json || self.events
    }
}
