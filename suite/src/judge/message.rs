//! What watches see of single messages and lines (`cases/README.md`, section 8).

use mcpspec_wire::{Message, Object, Value};

use crate::spec::Transport;
use crate::template::bytes_to_text;
use crate::transcript::{Entry, Era, ExchangeId, Head, Inbound, SentKind, Transcript, What};

use super::outcome::{beyond_reading, request_view};

/// A message of the server, or a line, as a watch sees it.
#[derive(Debug, Clone)]
pub(super) struct MessageView {
    /// The view.
    pub(super) view: Value,
    /// Which generation it belongs to.
    pub(super) era: Era,
    /// The exchange it belongs to.
    pub(super) exchange: Option<ExchangeId>,
}

/// Every message from the server on a link that can be read, in order. They are made one by one, since a link may hold
/// as much as fits into memory.
pub(super) fn message_views(transcript: &Transcript) -> impl Iterator<Item = MessageView> {
    let era_of_link = era_of_link(transcript);
    transcript.entries().iter().filter_map(move |entry| {
        let inbound = message_of(transcript, entry)?;
        let exchange = entry.exchange.map(|id| transcript.exchange(id));
        let era = exchange.map_or(era_of_link, |exchange| exchange.sent.era);
        let mut view = Object::new();
        insert_parts(&mut view, inbound);
        view.insert("era", era.as_str());
        if let Some(exchange) = exchange {
            view.insert("request", request_view(&exchange.sent));
        }
        if let Some(head) = entry.exchange.and_then(|id| head_of(transcript, id)) {
            insert_head(&mut view, head);
        }
        Some(MessageView {
            view: Value::Object(view),
            era,
            exchange: entry.exchange,
        })
    })
}

/// Every line that a process wrote, in order, unless it is too long to be read.
pub(super) fn line_views(transcript: &Transcript) -> impl Iterator<Item = MessageView> {
    let era_of_link = era_of_link(transcript);
    let first_raw = first_raw(transcript);
    transcript
        .entries()
        .iter()
        .enumerate()
        .filter_map(move |(index, entry)| {
            let What::Line(inbound) = &entry.what else {
                return None;
            };
            if inbound.is_cut() {
                return None;
            }
            let exchange = entry.exchange.map(|id| transcript.exchange(id));
            let era = exchange.map_or(era_of_link, |exchange| exchange.sent.era);
            // What a raw line holds is not known, so an answer may belong to it.
            let follows_raw = first_raw.is_some_and(|raw| raw < index);
            let mut view = Object::new();
            view.insert("text", bytes_to_text(&inbound.bytes));
            view.insert("ending", inbound.ending.as_str());
            view.insert("kind", kind_of_line(entry, inbound, follows_raw));
            view.insert("era", era.as_str());
            if let Some(message @ Value::Object(_)) = &inbound.decoded.value {
                view.insert("message", message.clone());
            }
            Some(MessageView {
                view: Value::Object(view),
                era,
                exchange: entry.exchange,
            })
        })
}

/// The generation of what belongs to no request: legacy where an `initialize` was answered with a result.
fn era_of_link(transcript: &Transcript) -> Era {
    let is_legacy = transcript.exchanges().any(|(_, exchange)| {
        exchange.sent.method() == Some("initialize")
            && exchange.sent.era == Era::Legacy
            && exchange.responses > 0
    });
    if is_legacy { Era::Legacy } else { Era::Modern }
}

/// The bytes of an entry, if they stand for a message. On HTTP other bodies than JSON-RPC messages are legal where a
/// request is refused, so an object without `jsonrpc` counts only where an answer was due.
fn message_of<'t>(transcript: &Transcript, entry: &'t Entry) -> Option<&'t Inbound> {
    let (inbound, is_body) = match &entry.what {
        What::Line(inbound) | What::Event { inbound, .. } => (inbound, false),
        What::Body(inbound) => (inbound, true),
        _ => return None,
    };
    let value = inbound.decoded.value.as_ref()?;
    value.as_object()?;
    if beyond_reading(inbound).is_some() {
        return None;
    }
    if is_body {
        let id = entry.exchange?;
        let answer_due = transcript.exchange(id).sent.kind != SentKind::Http;
        let success = head_of(transcript, id).is_some_and(|head| (200..300).contains(&head.status));
        if !answer_due || !success && value.get("jsonrpc").is_none() {
            return None;
        }
    }
    Some(inbound)
}

fn insert_parts(view: &mut Object, inbound: &Inbound) {
    let Some(message) = &inbound.decoded.value else {
        return;
    };
    for name in ["method", "params", "id", "result", "error"] {
        if let Some(value) = message.get(name) {
            view.insert(name, value.clone());
        }
    }
    view.insert("message", message.clone());
    view.insert("text", bytes_to_text(&inbound.bytes));
}

fn insert_head(view: &mut Object, head: &Head) {
    view.insert("status", u32::from(head.status));
    if let Some(media_type) = head.media_type() {
        view.insert("type", media_type);
    }
    let mut headers = Object::new();
    for line in &head.headers {
        let name = line.name.to_ascii_lowercase();
        if let Some(value) = head.header(&name) {
            headers.insert(name, value);
        }
    }
    view.insert("headers", headers);
}

fn head_of(transcript: &Transcript, id: ExchangeId) -> Option<&Head> {
    transcript
        .entries_of(id)
        .find_map(|(_, entry)| match &entry.what {
            What::Head(head) => Some(head.as_ref()),
            _ => None,
        })
}

/// Where a line belongs: to a request, to nobody in particular, to an unreadable message, or nowhere.
fn kind_of_line(entry: &Entry, inbound: &Inbound, follows_raw: bool) -> &'static str {
    match &inbound.decoded.message {
        Some(Message::Notification { .. }) => "notification",
        Some(Message::Response { .. } | Message::Error { .. }) if entry.exchange.is_some() => {
            "response"
        }
        Some(Message::Error {
            id: None | Some(Value::Null),
            ..
        }) => "unreadable",
        Some(Message::Response { .. } | Message::Error { .. }) if follows_raw => "response",
        _ => "stray",
    }
}

/// Index of the entry of the first thing that was sent as it is.
fn first_raw(transcript: &Transcript) -> Option<usize> {
    let is_raw = |entry: &Entry| {
        matches!(entry.what, What::Sent)
            && entry
                .exchange
                .is_some_and(|id| transcript.exchange(id).sent.kind == SentKind::Raw)
    };
    transcript.entries().iter().position(is_raw)
}

impl MessageView {
    /// Whether it is a notification, an id that does not belong there aside.
    pub(super) fn is_notification(&self) -> bool {
        self.view.get("method").is_some()
            && (self.view.get("id").is_none()
                || self
                    .view
                    .get("method")
                    .and_then(Value::as_str)
                    .is_some_and(|method| method.starts_with("notifications/")))
    }

    /// Whether a result came in it.
    pub(super) fn is_result(&self) -> bool {
        self.view.get("method").is_none() && self.view.get("result").is_some()
    }

    /// Whether an error came in it.
    pub(super) fn is_error(&self) -> bool {
        self.view.get("method").is_none() && self.view.get("error").is_some()
    }
}

/// Whether the members of HTTP are to be ignored on a link.
pub(super) fn ignored_on(transport: Transport) -> &'static [&'static str] {
    match transport {
        Transport::Stdio => super::HTTP_MEMBERS,
        Transport::Http => &[],
    }
}
