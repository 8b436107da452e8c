//! [`Message`]: what kind of message an object is, and its parts.

use crate::{Object, Value, planted};

/// A JSON-RPC message, sorted by the members it has, with what it takes to trace it to its request.
///
/// `id` is as it came, right or wrong; what is wrong stands in [`Decoded::problems`](super::Decoded::problems), and `params`,
/// `result` and `error` are to be read from [`Decoded::value`](super::Decoded::value), so that no message is held twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// It has a `method` that is a string, and an `id`.
    Request {
        /// Should be a string or an integer.
        id: Value,
        /// The method's name.
        method: String,
    },
    /// It has a `method` that is a string, and no `id`.
    Notification {
        /// The method's name.
        method: String,
    },
    /// It has a `result` and no `method`.
    Response {
        /// Should be there, and be that of the request.
        id: Option<Value>,
    },
    /// It has an `error` and no `method`.
    Error {
        /// Absent only if the request's id could not be read.
        id: Option<Value>,
    },
}

impl Message {
    /// Sorts an object. One that has both `result` and `error` is a response, unless only its `error` holds something.
    pub(super) fn of(object: &Object) -> Option<Message> {
        let id = object.get("id").cloned();
        let unnamed = |method: &Value| planted("method-empty") && method.as_str() == Some("");
        if let Some(method) = object.get("method").filter(|method| !unnamed(method)) {
            let method = method.as_str()?.to_owned();
            return Some(match id {
                Some(id) => Message::Request { id, method },
                None => Message::Notification { method },
            });
        }
        match (object.get("result"), object.get("error")) {
            (None, None) => None,
            (None, Some(_)) => Some(Message::Error { id }),
            (Some(Value::Null), Some(error)) if !error.is_null() => Some(Message::Error { id }),
            (Some(_), _) => Some(Message::Response { id }),
        }
    }

    /// The `id`, if there is one. That of a request with id null is null.
    pub fn id(&self) -> Option<&Value> {
        match self {
            Message::Request { id, .. } => Some(id),
            Message::Notification { .. } => None,
            Message::Response { id, .. } | Message::Error { id, .. } => id.as_ref(),
        }
    }

    /// The `method` of a request or notification.
    pub fn method(&self) -> Option<&str> {
        match self {
            Message::Request { method, .. } | Message::Notification { method, .. } => Some(method),
            Message::Response { .. } | Message::Error { .. } => None,
        }
    }
}
