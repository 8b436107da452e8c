//! Mutants of the opening of a subscription (`basic/patterns/subscriptions#acknowledgment`).

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::http::header;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    breaks::Breaks::{Check, HttpReply, Message, Messages, Own, Shape},
    checks::without_method,
    hooks::Hooks,
    mutant::{BOTH, HTTP, Mutant},
    pick::{acknowledges, calls_tool, listens, of_subscription, tools_changed},
    shape::{Do, Edit, On},
};
use crate::{
    admit::keys,
    call::Call,
    rpc::{self, Id, Kind},
    serve::Payload,
};

const AREA: &str = "subscriptions";
const ACK: On = On::Notification("notifications/subscriptions/acknowledged");

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "advertises-without-listen",
        "subscriptions/listen is an unknown method, whatever is advertised",
        BOTH,
        Check(|check, call, found| without_method("subscriptions/listen", check, call, found)),
    ),
    Mutant::new(
        AREA,
        "acks-on-first-change",
        "the acknowledgement is kept back until the first change",
        BOTH,
        Own(|| Box::<AcksLate>::default()),
    ),
    Mutant::new(
        AREA,
        "notifies-before-ack",
        "a change of the tools up to 50 ms before the acknowledgement is told ahead of it",
        BOTH,
        Own(|| Box::<NotifiesFirst>::default()),
    ),
    Mutant::new(
        AREA,
        "ack-without-filter",
        "the acknowledgement has no params.notifications",
        BOTH,
        Shape(&[Edit(ACK, "/params/notifications", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "acks-unrequested-types",
        "the acknowledgement names all three lists, whatever was asked for",
        BOTH,
        Shape(&[
            Edit(
                ACK,
                "/params/notifications/toolsListChanged",
                Do::Set("true"),
            ),
            Edit(
                ACK,
                "/params/notifications/promptsListChanged",
                Do::Set("true"),
            ),
            Edit(
                ACK,
                "/params/notifications/resourcesListChanged",
                Do::Set("true"),
            ),
        ]),
    ),
    Mutant::new(
        AREA,
        "ack-without-subscription-id",
        "the acknowledgement has no _meta",
        BOTH,
        Shape(&[Edit(ACK, "/params/_meta", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "makes-own-subscription-ids",
        "messages of a subscription carry a UUID instead of the id of its request",
        BOTH,
        Message(|call, message| {
            if let Some(call) = call.filter(|call| listens(Some(call))) {
                let made = Id::from(json!(format!(
                    "3f1c7a52-8d0e-4b6a-9c55-{:012x}",
                    call.serial
                )));
                let part = match message.kind {
                    Kind::Notification => "params",
                    _ => "result",
                };
                message.set(&[part, "_meta"], keys::SUBSCRIPTION, &made);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "tags-ack-only",
        "notifications of changes have no subscription id",
        BOTH,
        Message(|call, message| {
            let is_change =
                listens(call) && message.kind == Kind::Notification && !acknowledges(message);
            let params = message.body.get_mut("params");
            if let (true, Some(params)) = (is_change, params.and_then(Value::as_object_mut)) {
                params.shift_remove("_meta");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "tags-progress",
        "progress carries a subscription id",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/progress"),
            "/params/_meta/io.modelcontextprotocol~1subscriptionId",
            Do::Set("\"none\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "listen-as-json",
        "the event stream of a subscription is labelled application/json",
        HTTP,
        HttpReply(|answered, reply| {
            if listens(answered.call) && reply.body == Payload::Events {
                reply.set(header::CONTENT_TYPE, "application/json");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "ends-listen-at-once",
        "the result follows the acknowledgement immediately, and nothing comes after it",
        BOTH,
        Messages(
            |call, message| match call.filter(|call| listens(Some(call))) {
                Some(call) if acknowledges(&message) => vec![message, ended(call)],
                Some(_) if message.kind != Kind::Error => Vec::new(),
                _ => vec![message],
            },
        ),
    ),
];

fn ended(call: &Call) -> rpc::Message {
    let result = [("resultType".to_owned(), Value::from("complete"))];
    let mut message = rpc::Message::result(call.id.as_ref(), result.into_iter().collect());
    if let Some(id) = &call.id {
        message.set(&["result", "_meta"], keys::SUBSCRIPTION, id);
    }
    message
}

/// `acks-on-first-change`.
#[derive(Default)]
struct AcksLate {
    /// The acknowledgements kept back, by the serial numbers of their requests.
    kept: Mutex<BTreeMap<u64, rpc::Message>>,
}

impl Hooks for AcksLate {
    fn deliver(&self, call: Option<&Call>, message: rpc::Message) -> Vec<rpc::Message> {
        let Some(call) = call.filter(|call| listens(Some(call))) else {
            return vec![message];
        };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if acknowledges(&message) {
            kept.insert(call.serial, message);
            return Vec::new();
        }
        let first = kept.remove(&call.serial);
        first.into_iter().chain([message]).collect()
    }
}

/// `notifies-before-ack`.
#[derive(Default)]
struct NotifiesFirst {
    changed: Mutex<Option<Instant>>,
}

impl Hooks for NotifiesFirst {
    fn deliver(&self, call: Option<&Call>, message: rpc::Message) -> Vec<rpc::Message> {
        const RECENT: Duration = Duration::from_millis(50);
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if calls_tool(call, "bump") {
            *changed = Some(Instant::now());
        }
        let early = call
            .filter(|call| listens(Some(call)) && acknowledges(&message))
            .filter(|_| changed.is_some_and(|changed| changed.elapsed() < RECENT))
            .map(|call| of_subscription(call, tools_changed()));
        early.into_iter().chain([message]).collect()
    }
}
