//! Turning a step's departures from a conforming message into something to be sent.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use mcpspec_wire::{Object, Value};

use crate::config::WholeRequest;
use crate::spec::{REVISION, Transport};
use crate::target::{Draft, post_headers};
use crate::transcript::{Altered, Era, HeaderLine, HttpSent, Sent, SentKind};
use crate::transport::{HttpRequest, Outgoing, WriteMode};

use super::headers::{self, HeaderChange};
use super::marked;

/// Prefix of the protocol's own `_meta` keys.
const META_PREFIX: &str = "io.modelcontextprotocol/";

/// Short names that stand for full `_meta` keys in cases.
const SHORT_META: [&str; 4] = [
    "protocolVersion",
    "clientInfo",
    "clientCapabilities",
    "logLevel",
];

/// What a step changes. Everything is resolved.
#[derive(Debug, Clone, Default)]
pub(super) struct Departures {
    pub(super) params: Change,
    pub(super) meta: Change,
    pub(super) capabilities: Change,
    pub(super) id: Change,
    pub(super) envelope: Change,
    pub(super) headers: Option<Vec<HeaderChange>>,
    pub(super) marked: Change,
}

/// What a step makes of one field.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Change {
    /// Nothing: it stays as made.
    #[default]
    Keep,
    /// It is left out.
    Remove,
    /// It becomes this.
    Replace(Value),
    /// Some of its members become this, or are left out.
    Members(Vec<(String, Option<Value>)>),
}

impl Change {
    /// The value that replaces the field whole, members being one too.
    fn whole(&self) -> Option<Value> {
        match self {
            Change::Keep | Change::Remove => None,
            Change::Replace(value) => Some(value.clone()),
            Change::Members(members) => {
                let kept = members
                    .iter()
                    .filter_map(|(name, value)| Some((name.as_str(), value.clone()?)));
                Some(Value::Object(kept.collect()))
            }
        }
    }
}

/// What is the same for everything that a row sends.
pub(super) struct Surroundings<'a> {
    pub(super) transport: Transport,
    pub(super) url: Option<&'a str>,
    pub(super) headers: &'a [(String, String)],
    pub(super) tools: &'a [Value],
    pub(super) origin: Arc<str>,
}

/// A message of a step before it is written.
#[derive(Debug, Clone)]
pub(super) struct Composed {
    pub(super) message: Value,
    pub(super) altered: BTreeSet<Altered>,
    pub(super) era: Era,
    headers: Vec<HeaderLine>,
    raw_headers: bool,
}

/// A request with its departures.
pub(super) fn request(
    whole: &WholeRequest,
    id: Value,
    departures: &Departures,
    around: &Surroundings<'_>,
) -> Composed {
    let declared = departures
        .capabilities
        .whole()
        .or_else(|| whole.capabilities.clone());
    let capabilities = declared.unwrap_or_else(|| Value::Object(Object::new()));
    let draft = Draft::request(id, &whole.method, &whole.params, &capabilities);
    let mut message = draft.message.clone();
    if departures.capabilities == Change::Remove {
        change_meta(&mut message, "clientCapabilities", None);
    }
    depart(&mut message, departures);
    if departures.marked != Change::Keep {
        let header = whole.header.as_deref();
        marked::change(
            &mut message,
            departures.marked.whole(),
            header,
            around.tools,
        );
    }
    finish(&draft.message, message, departures, around)
}

/// A notification with its departures.
pub(super) fn notification(
    method: &str,
    departures: &Departures,
    around: &Surroundings<'_>,
) -> Composed {
    let draft = Draft::notification(method, &Value::Object(Object::new()));
    let mut message = draft.message.clone();
    depart(&mut message, departures);
    finish(&draft.message, message, departures, around)
}

/// A message as older revisions wrote it: without `_meta`, and with the headers of their session.
pub(super) fn legacy(
    method: &str,
    id: Option<Value>,
    departures: &Departures,
    session: Vec<HeaderLine>,
    around: &Surroundings<'_>,
) -> Composed {
    let mut members = Object::new();
    members.insert("jsonrpc", "2.0");
    if let Some(id) = id {
        members.insert("id", id);
    }
    members.insert("method", method);
    let mut message = Value::Object(members);
    depart(&mut message, departures);
    let mut made = post_headers(around.headers);
    made.extend(session);
    let headers = headers::changed(made, departures.headers.as_deref().unwrap_or_default());
    let raw_headers = departures.headers.is_some();
    Composed {
        message,
        altered: BTreeSet::new(),
        era: Era::Legacy,
        headers,
        raw_headers,
    }
}

impl Composed {
    /// Writes it for the transport.
    pub(super) fn outgoing(
        &self,
        kind: SentKind,
        write: WriteMode,
        crlf: bool,
        around: &Surroundings<'_>,
    ) -> Outgoing {
        let mut text = self.message.to_json();
        if around.transport == Transport::Stdio {
            text.push_str(if crlf { "\r\n" } else { "\n" });
        }
        let bytes = Bytes::from(text);
        outgoing(kind, Some(self.message.clone()), bytes, self, write, around)
    }
}

/// Bytes as they are: on HTTP with the headers of a conforming `server/discover`.
pub(super) fn raw(
    bytes: Vec<u8>,
    headers: Option<&[HeaderChange]>,
    id: Value,
    around: &Surroundings<'_>,
) -> Outgoing {
    let whole = WholeRequest::new("server/discover", Value::Object(Object::new()));
    let departures = Departures {
        headers: headers.map(<[HeaderChange]>::to_vec),
        ..Departures::default()
    };
    let mut composed = request(&whole, id, &departures, around);
    composed.altered.insert(Altered::Raw);
    outgoing(
        SentKind::Raw,
        None,
        Bytes::from(bytes),
        &composed,
        WriteMode::Whole,
        around,
    )
}

/// Any HTTP request, with the header lines given and nothing else.
pub(super) fn http(
    method: &str,
    url: &str,
    headers: Vec<HeaderLine>,
    body: Vec<u8>,
    origin: Arc<str>,
) -> Outgoing {
    let body = Bytes::from(body);
    let sent = Sent {
        kind: SentKind::Http,
        message: None,
        bytes: body.clone(),
        http: Some(HttpSent {
            method: method.to_owned(),
            url: url.to_owned(),
            headers: headers.clone(),
        }),
        era: Era::Modern,
        altered: Vec::new(),
        origin: Some(origin),
    };
    let http = HttpRequest {
        method: method.to_owned(),
        url: url.to_owned(),
        headers,
        body,
        raw: true,
    };
    Outgoing {
        sent,
        http: Some(http),
        write: WriteMode::Whole,
    }
}

fn outgoing(
    kind: SentKind,
    message: Option<Value>,
    bytes: Bytes,
    composed: &Composed,
    write: WriteMode,
    around: &Surroundings<'_>,
) -> Outgoing {
    let http = (around.transport == Transport::Http).then(|| HttpRequest {
        method: "POST".to_owned(),
        url: around.url.unwrap_or_default().to_owned(),
        headers: composed.headers.clone(),
        body: bytes.clone(),
        raw: composed.raw_headers,
    });
    let sent = Sent {
        kind,
        message,
        bytes,
        http: http.as_ref().map(|http| HttpSent {
            method: http.method.clone(),
            url: http.url.clone(),
            headers: http.headers.clone(),
        }),
        era: composed.era,
        altered: composed.altered.iter().copied().collect(),
        origin: Some(Arc::clone(&around.origin)),
    };
    Outgoing { sent, http, write }
}

/// Compares what became of a conforming message with what it was, and adds the headers that go with it.
fn finish(
    made: &Value,
    message: Value,
    departures: &Departures,
    around: &Surroundings<'_>,
) -> Composed {
    let mut altered = departures_of(&message, &departures.envelope);
    let mut lines = post_headers(around.headers);
    lines.extend(headers::mirrored(made, &message, around.tools));
    let changes = departures.headers.as_deref().unwrap_or_default();
    let headers = headers::changed(lines.clone(), changes);
    if around.transport == Transport::Http && headers::differ(&lines, &headers) {
        altered.insert(Altered::Headers);
    }
    Composed {
        message,
        altered,
        era: Era::Modern,
        headers,
        raw_headers: departures.headers.is_some(),
    }
}

/// Where a message departs from a conforming one, headers aside.
fn departures_of(message: &Value, envelope: &Change) -> BTreeSet<Altered> {
    let mut altered = BTreeSet::new();
    if *envelope != Change::Keep {
        altered.insert(Altered::Envelope);
    }
    if message.get("id").is_some_and(|id| !is_request_id(id)) {
        altered.insert(Altered::Id);
    }
    match message.get("params") {
        Some(params @ Value::Object(_)) => {
            if !has_conforming_meta(params.get("_meta")) {
                altered.insert(Altered::Meta);
            }
        }
        Some(_) => {
            altered.insert(Altered::Params);
        }
        None => {
            altered.insert(Altered::Meta);
        }
    }
    altered
}

fn is_request_id(id: &Value) -> bool {
    match id {
        Value::String(_) => true,
        Value::Number(number) => number.is_integer(),
        _ => false,
    }
}

/// Whether a request's `_meta` has what this revision requires, each of its type (page `basic/index`).
fn has_conforming_meta(meta: Option<&Value>) -> bool {
    let member = |name: &str| meta.and_then(|meta| meta.get(&full_key(name)));
    let version = member("protocolVersion").and_then(Value::as_str) == Some(REVISION);
    let capabilities = match member("clientCapabilities") {
        Some(Value::Object(declared)) => KNOWN_CAPABILITIES.iter().all(|name| {
            declared
                .get(name)
                .is_none_or(|capability| capability.as_object().is_some())
        }),
        _ => false,
    };
    let info = member("clientInfo").is_none_or(|info| {
        ["name", "version"]
            .iter()
            .all(|name| info.get(name).is_some_and(|value| value.as_str().is_some()))
    });
    version && capabilities && info
}

/// Client capabilities that the schema defines; each is an object.
const KNOWN_CAPABILITIES: [&str; 5] = [
    "elicitation",
    "sampling",
    "roots",
    "experimental",
    "extensions",
];

/// Applies what a step changes in the message itself.
fn depart(message: &mut Value, departures: &Departures) {
    change_params(message, &departures.params);
    match &departures.meta {
        Change::Keep => {}
        Change::Remove => change_param(message, "_meta", None),
        Change::Replace(value) => change_param(message, "_meta", Some(value.clone())),
        Change::Members(changes) => {
            for (name, value) in changes {
                change_meta(message, name, value.clone());
            }
        }
    }
    let Value::Object(members) = message else {
        return;
    };
    match &departures.id {
        Change::Keep => {}
        Change::Remove => {
            members.remove("id");
        }
        id => {
            members.insert("id", id.whole().unwrap_or(Value::Null));
        }
    }
    if let Change::Members(changes) = &departures.envelope {
        for (name, value) in changes {
            set(members, name, value.clone());
        }
    }
}

fn change_params(message: &mut Value, change: &Change) {
    let Value::Object(members) = message else {
        return;
    };
    match change {
        Change::Keep => {}
        Change::Remove => {
            members.remove("params");
        }
        Change::Replace(value) => {
            members.insert("params", value.clone());
        }
        Change::Members(changes) => {
            if members
                .get("params")
                .is_none_or(|params| params.as_object().is_none())
            {
                members.insert("params", Object::new());
            }
            for (name, value) in changes {
                change_param(message, name, value.clone());
            }
        }
    }
}

fn change_param(message: &mut Value, name: &str, value: Option<Value>) {
    if let Some(params) = params_of(message) {
        set(params, name, value);
    }
}

fn change_meta(message: &mut Value, name: &str, value: Option<Value>) {
    let Some(params) = params_of(message) else {
        return;
    };
    if params
        .get("_meta")
        .is_none_or(|meta| meta.as_object().is_none())
    {
        params.insert("_meta", Object::new());
    }
    if let Some(Value::Object(meta)) = params.get_mut("_meta") {
        set(meta, &full_key(name), value);
    }
}

fn set(members: &mut Object, name: &str, value: Option<Value>) {
    match value {
        Some(value) => {
            members.insert(name, value);
        }
        None => {
            members.remove(name);
        }
    }
}

fn params_of(message: &mut Value) -> Option<&mut Object> {
    message.as_object_mut()?.get_mut("params")?.as_object_mut()
}

fn full_key(name: &str) -> String {
    if SHORT_META.contains(&name) {
        format!("{META_PREFIX}{name}")
    } else {
        name.to_owned()
    }
}
