//! What watches see of single messages and lines (`cases/README.md`, section 8).

use mcpspec_wire::{Message, Object, Value};

use crate::spec::Transport;
use crate::template::bytes_to_text;
use crate::transcript::{Entry, Era, ExchangeId, Head, Inbound, SentKind, Transcript, What};

use super::outcome::request_view;

/// A message of the server, or a line, as a watch sees it.
#[derive(Debug, Clone)]
pub struct MessageView {
    /// The view.
    pub view: Value,
    /// Which generation it belongs to.
    pub era: Era,
    /// The exchange it belongs to.
    pub exchange: Option<ExchangeId>,
    /// Index of its entry in the transcript.
    pub entry: usize,
}

/// Every message from the server on a link, in order.
pub fn message_views(transcript: &Transcript) -> Vec<MessageView> {
    let legacy_link = serves_legacy(transcript);
    transcript
        .entries()
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| {
            let inbound = message_of(transcript, entry)?;
            let exchange = entry.exchange.map(|id| transcript.exchange(id));
            let era = exchange.map_or(
                if legacy_link {
                    Era::Legacy
                } else {
                    Era::Modern
                },
                |exchange| exchange.sent.era,
            );
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
                entry: index,
            })
        })
        .collect()
}

/// Every line that a process wrote, in order.
pub fn line_views(transcript: &Transcript) -> Vec<MessageView> {
    let legacy_link = serves_legacy(transcript);
    transcript
        .entries()
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| {
            let What::Line(inbound) = &entry.what else {
                return None;
            };
            let exchange = entry.exchange.map(|id| transcript.exchange(id));
            let era = exchange.map_or(
                if legacy_link {
                    Era::Legacy
                } else {
                    Era::Modern
                },
                |exchange| exchange.sent.era,
            );
            let mut view = Object::new();
            view.insert("text", bytes_to_text(&inbound.bytes));
            view.insert("ending", inbound.ending.as_str());
            view.insert("kind", kind_of_line(transcript, index, entry, inbound));
            view.insert("era", era.as_str());
            if let Some(message @ Value::Object(_)) = &inbound.decoded.value {
                view.insert("message", message.clone());
            }
            Some(MessageView {
                view: Value::Object(view),
                era,
                exchange: entry.exchange,
                entry: index,
            })
        })
        .collect()
}

/// Whether an `initialize` was answered with a result on this link.
fn serves_legacy(transcript: &Transcript) -> bool {
    transcript.exchanges().any(|(_, exchange)| {
        exchange.sent.method() == Some("initialize")
            && exchange.sent.era == Era::Legacy
            && exchange.responses > 0
    })
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
fn kind_of_line(
    transcript: &Transcript,
    index: usize,
    entry: &Entry,
    inbound: &Inbound,
) -> &'static str {
    match &inbound.decoded.message {
        Some(Message::Notification { .. }) => "notification",
        Some(Message::Response { .. } | Message::Error { .. }) if entry.exchange.is_some() => {
            "response"
        }
        Some(Message::Error {
            id: None | Some(Value::Null),
            ..
        }) => "unreadable",
        Some(Message::Response { .. } | Message::Error { .. })
            if follows_raw(transcript, index) =>
        {
            "response"
        }
        _ => "stray",
    }
}

/// Whether something raw was sent before: what it holds is not known, so an answer may belong to it.
fn follows_raw(transcript: &Transcript, index: usize) -> bool {
    transcript.entries()[..index].iter().any(|entry| {
        matches!(entry.what, What::Sent)
            && entry
                .exchange
                .is_some_and(|id| transcript.exchange(id).sent.kind == SentKind::Raw)
    })
}

impl MessageView {
    /// Whether it is a notification, an id that does not belong there aside.
    pub fn is_notification(&self) -> bool {
        self.view.get("method").is_some()
            && (self.view.get("id").is_none()
                || self
                    .view
                    .get("method")
                    .and_then(Value::as_str)
                    .is_some_and(|method| method.starts_with("notifications/")))
    }

    /// Whether a result came in it.
    pub fn is_result(&self) -> bool {
        self.view.get("method").is_none() && self.view.get("result").is_some()
    }

    /// Whether an error came in it.
    pub fn is_error(&self) -> bool {
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
