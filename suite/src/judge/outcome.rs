//! The outcome of an exchange (`cases/README.md`, section 5).

use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::{Object, Value};

use crate::spec::Transport;
use crate::template::bytes_to_text;
use crate::transcript::{
    Altered, End, Entry, Exchange, ExchangeId, Inbound, Sent, SentKind, Transcript, What,
};

use super::challenge;

pub use crate::case::HTTP_MEMBERS;

const META_PREFIX: &str = "io.modelcontextprotocol/";
const SHORT_META: [&str; 4] = [
    "protocolVersion",
    "clientInfo",
    "clientCapabilities",
    "logLevel",
];

/// From which moment an exchange is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// At the end of the step that sent it: of a listen, the acknowledgement is the answer.
    Sending,
    /// At an `await`, or when everything is over.
    Later,
}

/// The answer to an exchange, if one came: for a raw one whatever came first.
pub fn answer_of(transcript: &Transcript, id: ExchangeId) -> Option<Arc<Inbound>> {
    answer_entry(transcript, id).map(|(_, inbound)| inbound)
}

/// Why the content of an exchange's answer cannot be judged: it is larger or deeper than mcpspec reads.
pub fn unreadable(transcript: &Transcript, id: ExchangeId) -> Option<String> {
    let exchange = transcript.exchange(id);
    if let Some((_, End::TooLarge)) = &exchange.ended
        && exchange.answered_at.is_none()
    {
        return Some("the response is larger than --max-message, or never ends".to_owned());
    }
    let own = inbounds(transcript, id).find_map(|(_, inbound)| beyond_reading(inbound));
    own.or_else(|| lost(transcript, id))
}

/// stdio: why the answer may be among what cannot be read.
fn lost(transcript: &Transcript, id: ExchangeId) -> Option<String> {
    let exchange = transcript.exchange(id);
    if exchange.answered_at.is_some() || transcript.link().transport != Transport::Stdio {
        return None;
    }
    if transcript.is_flooded() {
        return Some("the process was ended, since it wrote more than mcpspec keeps".to_owned());
    }
    let sent = *exchange.entries.first()?;
    let later = transcript.entries().iter().skip(sent + 1);
    later
        .filter(|entry| entry.exchange.is_none())
        .find_map(|entry| beyond_reading(inbound_of(entry)?))
}

/// Why the content of a message cannot be judged, if so.
pub(super) fn beyond_reading(inbound: &Inbound) -> Option<String> {
    if inbound.is_beyond_limits() {
        return Some(
            "a message is nested deeper, or holds more values, than mcpspec reads".to_owned(),
        );
    }
    inbound.is_cut().then(|| {
        format!(
            "a message of {} bytes is larger than --max-message",
            inbound.len
        )
    })
}

/// The outcome of an exchange as far as it went.
pub fn outcome(transcript: &Transcript, id: ExchangeId, moment: Moment) -> Value {
    let exchange = transcript.exchange(id);
    let mut members = Object::new();
    let answer = answer_entry(transcript, id);
    let answered_index = answer.as_ref().map(|(index, _)| *index);
    let ack = acknowledgement(transcript, id);
    let cut = match moment {
        Moment::Sending => ack.as_ref().map(|(index, _)| *index).or(answered_index),
        Moment::Later => answered_index,
    };

    if let Some((_, params)) = &ack {
        members.insert("ack", params.clone());
    }
    if let Some((_, inbound)) = &answer {
        insert_answer(&mut members, inbound);
    }
    insert_notifications(
        &mut members,
        transcript,
        id,
        cut,
        ack.map(|(index, _)| index),
    );
    members.insert("responses", exchange.responses);
    let acknowledged = moment == Moment::Sending && members.contains_key("ack");
    let answered = answer.is_some() || acknowledged;
    insert_state(&mut members, transcript, exchange, answered);
    insert_http(&mut members, transcript, id);
    insert_body(&mut members, transcript, id, answer.is_some());
    members.insert("cancelled", exchange.cancelled_at.is_some());
    members.insert("request", request_view(&exchange.sent));
    members.insert("peak_rate", peak_rate(transcript, id));
    if let Some(served) = exchange.served_after {
        members.insert("served_after", served);
    }
    Value::Object(members)
}

/// What was sent, as cases see it.
pub fn request_view(sent: &Sent) -> Value {
    let mut view = Object::new();
    if let Some(method) = sent.method() {
        view.insert("method", method);
    }
    if let Some(id) = sent.id() {
        view.insert("id", id.clone());
    }
    let params = sent
        .message
        .as_ref()
        .and_then(|message| message.get("params"));
    if let Some(params) = params {
        view.insert("params", params.clone());
    }
    if let Some(Value::Object(meta)) = params.and_then(|params| params.get("_meta")) {
        let short: Object = meta
            .iter()
            .map(|(key, value)| (short_key(key), value.clone()))
            .collect();
        if let Some(capabilities) = short.get("clientCapabilities") {
            view.insert("capabilities", capabilities.clone());
        }
        view.insert("meta", short);
    }
    let altered: Vec<&str> = sent
        .altered
        .iter()
        .map(|altered: &Altered| altered.as_str())
        .collect();
    view.insert("altered", altered);
    if let Some(http) = &sent.http {
        view.insert("http", http.method.as_str());
    }
    view.insert("era", sent.era.as_str());
    Value::Object(view)
}

fn short_key(key: &str) -> String {
    match key.strip_prefix(META_PREFIX) {
        Some(short) if SHORT_META.contains(&short) => short.to_owned(),
        _ => key.to_owned(),
    }
}

fn inbound_of(entry: &Entry) -> Option<&Arc<Inbound>> {
    match &entry.what {
        What::Line(inbound) | What::Body(inbound) | What::Event { inbound, .. } => Some(inbound),
        _ => None,
    }
}

fn inbounds(
    transcript: &Transcript,
    id: ExchangeId,
) -> impl Iterator<Item = (usize, &Arc<Inbound>)> {
    transcript
        .entries_of(id)
        .filter_map(|(index, entry)| Some((index, inbound_of(entry)?)))
}

fn is_answer(inbound: &Inbound) -> bool {
    inbound.decoded.value.as_ref().is_some_and(|message| {
        message.get("method").is_none()
            && (message.get("result").is_some() || message.get("error").is_some())
    })
}

fn answer_entry(transcript: &Transcript, id: ExchangeId) -> Option<(usize, Arc<Inbound>)> {
    let own = inbounds(transcript, id).find(|(_, inbound)| is_answer(inbound));
    if let Some((index, inbound)) = own {
        return Some((index, Arc::clone(inbound)));
    }
    let exchange = transcript.exchange(id);
    (exchange.sent.kind == SentKind::Raw && transcript.link().transport == Transport::Stdio)
        .then(|| first_stray_line(transcript, id))
        .flatten()
}

/// stdio: the first line after a raw one that answers no other request.
fn first_stray_line(transcript: &Transcript, id: ExchangeId) -> Option<(usize, Arc<Inbound>)> {
    let sent = *transcript.exchange(id).entries.first()?;
    transcript
        .entries()
        .iter()
        .enumerate()
        .skip(sent + 1)
        .find_map(|(index, entry)| match &entry.what {
            What::Line(inbound) if entry.exchange.is_none() => Some((index, Arc::clone(inbound))),
            _ => None,
        })
}

/// The acknowledgement of a listen and its params.
fn acknowledgement(transcript: &Transcript, id: ExchangeId) -> Option<(usize, Value)> {
    if !transcript.exchange(id).is_listen() {
        return None;
    }
    inbounds(transcript, id).find_map(|(index, inbound)| {
        let message = inbound.decoded.value.as_ref()?;
        (message.get("method")?.as_str()? == "notifications/subscriptions/acknowledged")
            .then(|| (index, message.get("params").cloned().unwrap_or(Value::Null)))
    })
}

fn insert_answer(members: &mut Object, inbound: &Inbound) {
    let Some(message) = &inbound.decoded.value else {
        return;
    };
    for name in ["result", "error", "id"] {
        if let Some(value) = message.get(name) {
            members.insert(name, value.clone());
        }
    }
}

fn insert_notifications(
    members: &mut Object,
    transcript: &Transcript,
    id: ExchangeId,
    cut: Option<usize>,
    ack: Option<usize>,
) {
    let mut before = Vec::new();
    let mut later = Vec::new();
    for (index, inbound) in inbounds(transcript, id) {
        let Some(message) = &inbound.decoded.value else {
            continue;
        };
        if Some(index) == ack {
            continue;
        }
        match cut {
            Some(cut) if index > cut => later.push(message.clone()),
            Some(cut) if index == cut => {}
            _ if message.get("method").is_some() => before.push(message.clone()),
            _ => {}
        }
    }
    members.insert("notifications", before);
    members.insert("later", later);
}

fn insert_state(
    members: &mut Object,
    transcript: &Transcript,
    exchange: &Exchange,
    answered: bool,
) {
    if answered {
        return;
    }
    match transcript.link().transport {
        Transport::Stdio => {
            if exchange.sent.kind == SentKind::Notification {
                return;
            }
            members.insert(
                if transcript.exit().is_some() {
                    "closed"
                } else {
                    "silent"
                },
                true,
            );
        }
        Transport::Http => match &exchange.ended {
            None => {
                members.insert("silent", true);
            }
            Some((_, End::Refused(_) | End::CutOff(_))) => {
                members.insert("closed", true);
            }
            Some((_, End::Complete)) if is_stream_without_answer(transcript, exchange) => {
                members.insert("closed", true);
            }
            Some((_, End::ByClient)) => {
                members.insert("silent", true);
            }
            Some((_, End::Complete | End::TooLarge)) => {}
        },
    }
}

/// A request whose event stream ended before its answer was closed instead of answered.
fn is_stream_without_answer(transcript: &Transcript, exchange: &Exchange) -> bool {
    exchange.sent.kind == SentKind::Request
        && exchange
            .entries
            .iter()
            .any(|&index| match &transcript.entries()[index].what {
                What::Head(head) => {
                    head.media_type().as_deref() == Some("text/event-stream")
                        && (200..300).contains(&head.status)
                }
                _ => false,
            })
}

fn insert_http(members: &mut Object, transcript: &Transcript, id: ExchangeId) {
    let exchange = transcript.exchange(id);
    let head = transcript
        .entries_of(id)
        .find_map(|(_, entry)| match &entry.what {
            What::Head(head) => Some(head),
            _ => None,
        });
    let Some(head) = head else {
        return;
    };
    members.insert("status", u32::from(head.status));
    let mut headers = Object::new();
    for line in &head.headers {
        let name = line.name.to_ascii_lowercase();
        if let Some(value) = head.header(&name) {
            headers.insert(name, value);
        }
    }
    members.insert("headers", headers);
    if let Some(media_type) = head.media_type() {
        if media_type == "text/event-stream" {
            members.insert("events", events(transcript, id));
        }
        members.insert("type", media_type);
    }
    if let Some(value) = head.header("www-authenticate") {
        members.insert("challenge", challenge::parse(&value));
    }
    if let (Some(answered), Some((ended, End::Complete))) = (exchange.answered_at, &exchange.ended)
    {
        members.insert("ended_after", milliseconds(ended.saturating_sub(answered)));
    }
}

fn events(transcript: &Transcript, id: ExchangeId) -> Vec<Value> {
    transcript
        .entries_of(id)
        .filter_map(|(_, entry)| match &entry.what {
            What::Event { inbound, event, id } => {
                let mut members = Object::new();
                members.insert("event", event.as_str());
                if let Some(id) = id {
                    members.insert("id", id.as_str());
                }
                members.insert("data", bytes_to_text(&inbound.bytes));
                Some(Value::Object(members))
            }
            _ => None,
        })
        .collect()
}

/// Text that came in place of a JSON-RPC message.
fn insert_body(members: &mut Object, transcript: &Transcript, id: ExchangeId, answered: bool) {
    let text = match answer_entry(transcript, id) {
        Some((_, inbound)) if !is_answer(&inbound) => Some(inbound),
        _ if answered => None,
        _ => transcript
            .entries_of(id)
            .find_map(|(_, entry)| match &entry.what {
                What::Body(inbound) => Some(Arc::clone(inbound)),
                _ => None,
            }),
    };
    let Some(inbound) = text else {
        return;
    };
    members.insert("body", bytes_to_text(&inbound.bytes));
    if let Some(json) = &inbound.decoded.value {
        members.insert("json", json.clone());
    }
}

/// Most notifications within any one second.
fn peak_rate(transcript: &Transcript, id: ExchangeId) -> u64 {
    let times: Vec<Duration> = transcript
        .entries_of(id)
        .filter(|(_, entry)| {
            inbound_of(entry)
                .and_then(|inbound| inbound.decoded.value.as_ref())
                .is_some_and(|message| message.get("method").is_some())
        })
        .map(|(_, entry)| entry.at)
        .collect();
    let window = Duration::from_secs(1);
    let mut first = 0;
    let mut peak = 0;
    for (last, time) in times.iter().enumerate() {
        while *time - times[first] >= window {
            first += 1;
        }
        peak = peak.max(last - first + 1);
    }
    peak as u64
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
