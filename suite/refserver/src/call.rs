//! A message of the client, as the server looks at it.

use http::HeaderMap;
use serde_json::{Map, Value};

use crate::{
    admit::keys,
    options::Options,
    rpc::{Id, Reading},
};

/// The way a message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Standard input and output, or any pair of byte streams in their place.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// A connection: one pair of streams, or one HTTP connection. The conforming server only compares it to find the request that a
/// cancellation on the same streams names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Link(pub u64);

/// A log level, the lowest first (`server/utilities/logging#log-levels`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// `debug`
    Debug,
    /// `info`
    Info,
    /// `notice`
    Notice,
    /// `warning`
    Warning,
    /// `error`
    Error,
    /// `critical`
    Critical,
    /// `alert`
    Alert,
    /// `emergency`
    Emergency,
}

impl Level {
    /// All of them, the lowest first.
    pub(crate) const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// The level that a member names.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|level| value.as_str() == Some(level.name()))
    }
}

/// A request or a notification of the client. Nothing about it is known to be right until the checks are made, so each accessor
/// copes with anything.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The way it came.
    pub(crate) transport: Transport,
    /// The connection it came on.
    pub(crate) link: Link,
    /// Its number among all messages that this server received.
    pub(crate) serial: u64,
    /// Who sent it, on a protected server.
    pub(crate) principal: Option<String>,
    /// The headers; none on stdio.
    pub(crate) headers: HeaderMap,
    /// The whole message.
    pub(crate) body: Map<String, Value>,
    /// The `id` member, whatever its value. A message without one is a notification.
    pub(crate) id: Option<Id>,
    /// `params._meta.progressToken`.
    pub(crate) progress_token: Option<Id>,
    /// `params.requestId`, of a cancellation.
    pub(crate) request_id: Option<Id>,
    /// Whether it is served as an older revision would have it. Only a dual-era server does.
    pub(crate) legacy: bool,
}

/// What a transport knows of a message before it is read.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) transport: Transport,
    pub(crate) link: Link,
    pub(crate) serial: u64,
    pub(crate) principal: Option<String>,
    pub(crate) headers: HeaderMap,
    /// Whether it belongs to a session of an older revision.
    pub(crate) in_session: bool,
}

impl Call {
    pub(crate) fn new(origin: Origin, reading: Reading) -> Self {
        Self {
            transport: origin.transport,
            link: origin.link,
            serial: origin.serial,
            principal: origin.principal,
            headers: origin.headers,
            body: reading.body,
            id: reading.id,
            progress_token: reading.progress_token,
            request_id: reading.request_id,
            legacy: false,
        }
    }

    /// The method, empty if it is not a string.
    pub(crate) fn method(&self) -> &str {
        self.body
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The `params` member.
    pub(crate) fn params(&self) -> Option<&Value> {
        self.body.get("params")
    }

    /// A member of `params`.
    pub(crate) fn param(&self, name: &str) -> Option<&Value> {
        self.params()?.get(name)
    }

    /// `params._meta`.
    pub(crate) fn meta(&self) -> Option<&Value> {
        self.param("_meta")
    }

    /// A member of `params._meta`.
    pub(crate) fn meta_member(&self, key: &str) -> Option<&Value> {
        self.meta()?.get(key)
    }

    /// `params._meta` to be changed, made where it is missing.
    pub(crate) fn meta_mut(&mut self) -> &mut Map<String, Value> {
        let params = self
            .body
            .entry("params".to_owned())
            .or_insert_with(|| Value::Object(Map::new()));
        object(
            object(params)
                .entry("_meta".to_owned())
                .or_insert_with(|| Value::Object(Map::new())),
        )
    }

    /// The protocol version that the request names.
    pub(crate) fn version(&self) -> Option<&str> {
        self.meta_member(keys::VERSION).and_then(Value::as_str)
    }

    /// The client capabilities that the request declares.
    pub(crate) fn capabilities(&self) -> Map<String, Value> {
        self.meta_member(keys::CAPABILITIES)
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    }

    /// The lowest log level that the client wants; without one it wants no log messages.
    pub(crate) fn log_level(&self) -> Option<Level> {
        self.meta_member(keys::LOG_LEVEL).and_then(Level::of)
    }

    /// Whether it comes from a principal of less scope.
    pub(crate) fn is_low(&self) -> bool {
        self.principal.as_deref() == Some(Options::LOW_TOKEN)
    }

    /// Whether it comes from the principal who owns what is private. Where there are no principals, whoever is there does.
    pub(crate) fn is_owner(&self) -> bool {
        let principal = self.principal.as_deref();
        principal.is_none_or(|principal| principal == Options::TOKENS[0])
    }

    /// `params.arguments`, empty if there are none.
    pub(crate) fn arguments(&self) -> Map<String, Value> {
        self.param("arguments")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default()
    }
}

fn object(value: &mut Value) -> &mut Map<String, Value> {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut().expect("it was made an object above")
}
