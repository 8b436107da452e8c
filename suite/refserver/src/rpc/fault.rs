//! Why a request is not served.

use serde_json::{Map, Value};

use crate::admit::Rule;

/// The error codes that this revision knows (`basic/index#error-codes`).
pub(crate) mod codes {
    /// The text is not JSON.
    pub(crate) const PARSE: i64 = -32700;
    /// The JSON is no request object.
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    /// The method, or the capability it belongs to, is not served.
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    /// The params, `_meta` included, are malformed, or name something that does not exist.
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    /// The work itself failed.
    pub(crate) const INTERNAL: i64 = -32603;
    /// A mirrored header is missing, malformed or unlike the body.
    pub(crate) const HEADER_MISMATCH: i64 = -32020;
    /// The request needs a client capability that it does not declare.
    pub(crate) const MISSING_CLIENT_CAPABILITY: i64 = -32021;
    /// The protocol version of the request is not served.
    pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;
}

/// What becomes of a request that is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It is answered with the error. The only one that the conforming server knows.
    Answer,
    /// It is never answered.
    Silence,
    /// The process ends with this exit code.
    Crash(i32),
}

/// What a check found.
pub(crate) type Found = Result<(), Fault>;

/// A refusal: the rule that was broken, and the error that says so.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// The check that failed.
    pub(crate) rule: Rule,
    /// The JSON-RPC error code.
    pub(crate) code: i64,
    /// One short sentence.
    pub(crate) message: String,
    /// Further details, if any.
    pub(crate) data: Option<Value>,
    /// The HTTP status that goes with it as long as no event stream has begun.
    pub(crate) status: u16,
    /// What the server does about it.
    pub(crate) effect: Effect,
}

impl Fault {
    /// A refusal with the HTTP status that belongs to `code`.
    pub(crate) fn new(rule: Rule, code: i64, message: impl Into<String>) -> Self {
        let status = match code {
            codes::METHOD_NOT_FOUND => 404,
            codes::INTERNAL => 500,
            _ => 400,
        };
        Self {
            rule,
            code,
            message: message.into(),
            data: None,
            status,
            effect: Effect::Answer,
        }
    }

    /// A refusal with [`codes::INVALID_PARAMS`].
    pub(crate) fn invalid_params(rule: Rule, message: impl Into<String>) -> Self {
        Self::new(rule, codes::INVALID_PARAMS, message)
    }

    /// The same refusal with `data`.
    #[must_use]
    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// The same refusal with another effect.
    #[must_use]
    pub(crate) fn with_effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// The `error` member of the response.
    pub(crate) fn to_error(&self) -> Map<String, Value> {
        let mut error = Map::new();
        error.insert("code".to_owned(), self.code.into());
        error.insert("message".to_owned(), self.message.clone().into());
        if let Some(data) = &self.data {
            error.insert("data".to_owned(), data.clone());
        }
        error
    }
}
