//! Which calls and messages a mutant is about.

use serde_json::{Map, Value, json};

use crate::{
    admit::keys,
    call::Call,
    rpc::{Kind, Message},
};

/// Whether a call opens a subscription.
pub(super) fn listens(call: Option<&Call>) -> bool {
    call.is_some_and(|call| call.method() == "subscriptions/listen")
}

/// Whether a call is one of this tool.
pub(super) fn calls_tool(call: Option<&Call>, tool: &str) -> bool {
    call.is_some_and(|call| {
        call.method() == "tools/call" && call.param("name").is_some_and(|name| name == tool)
    })
}

/// Whether a message is the acknowledgement of a subscription.
pub(super) fn acknowledges(message: &Message) -> bool {
    message.kind == Kind::Notification
        && message.method() == "notifications/subscriptions/acknowledged"
}

/// Whether a message is the result of a call that opened a subscription.
pub(super) fn ends_subscription(call: Option<&Call>, message: &Message) -> bool {
    listens(call) && message.kind == Kind::Result
}

/// A notification of a subscription, with its id.
pub(super) fn of_subscription(call: &Call, mut message: Message) -> Message {
    if let Some(id) = &call.id {
        message.set(&["params", "_meta"], keys::SUBSCRIPTION, id);
    }
    message
}

/// The notification that the tools have changed, without the id of a subscription.
pub(super) fn tools_changed() -> Message {
    Message::notification("notifications/tools/list_changed", json!({}))
}

/// The filter that a call asks for, to be changed.
pub(super) fn filter_mut(call: &mut Call) -> Option<&mut Map<String, Value>> {
    if !listens(Some(call)) {
        return None;
    }
    call.body
        .get_mut("params")?
        .get_mut("notifications")?
        .as_object_mut()
}
