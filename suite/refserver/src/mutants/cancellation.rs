//! Mutants of cancellation (`basic/patterns/cancellation`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{HttpReply, Messages, Notification, Own},
    hooks::{Arrival, Hooks},
    memory::PerLink,
    mutant::{BOTH, HTTP, Mutant, STDIO},
    pick::{ends_subscription, listens},
};
use crate::{
    admit::Rule,
    call::{Call, Link, Transport},
    rpc::{Fault, Id, Message, codes},
};

const AREA: &str = "cancellation";
const CANCELLED: &str = "notifications/cancelled";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "errors-on-late-cancel",
        "the cancellation of a finished request is answered with an error",
        STDIO,
        Own(|| Box::<RefusesLate>::default()),
    ),
    Mutant::new(
        AREA,
        "dies-on-raced-cancel",
        "a cancellation in one read with its request ends the process",
        STDIO,
        Own(|| Box::new(DiesOnRaced)),
    ),
    Mutant::new(
        AREA,
        "errors-on-unknown-cancel",
        "the cancellation of a request that never came is answered with an error",
        STDIO,
        Own(|| Box::<RefusesUnknown>::default()),
    ),
    Mutant::new(
        AREA,
        "dies-on-malformed-cancel",
        "a cancellation without a usable requestId ends the process",
        STDIO,
        Own(|| Box::new(DiesOnMalformed)),
    ),
    Mutant::new(
        AREA,
        "malformed-cancel-500",
        "a posted cancellation without a usable requestId gets the status 500",
        HTTP,
        HttpReply(|answered, reply| {
            let malformed = answered
                .call
                .is_some_and(|call| call.method() == CANCELLED && is_malformed(call.params()));
            if malformed {
                reply.status = 500;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "echoes-cancelled",
        "a cancellation is answered with the same notification",
        BOTH,
        Notification(|call| {
            let id = call.request_id.as_ref()?;
            (call.method() == CANCELLED).then(|| cancelled(id))
        }),
    ),
    Mutant::new(
        AREA,
        "cancelled-without-request-id",
        "the cancellation that comes at the end of a subscription names its request as id",
        BOTH,
        Messages(|call, message| {
            let id = call.and_then(|call| call.id.as_ref());
            let first = id.filter(|_| ends_subscription(call, &message)).map(|id| {
                let mut cancelled = Message::notification(CANCELLED, json!({}));
                cancelled.set(&["params"], "id", id);
                cancelled
            });
            first.into_iter().chain([message]).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "cancels-wrong-subscription",
        "the cancellation that comes at the end of a subscription names another request",
        BOTH,
        Messages(|call, message| {
            let first = ends_subscription(call, &message)
                .then(|| cancelled(&Id::from(json!("another-subscription"))));
            first.into_iter().chain([message]).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "ignores-cancelled",
        "a cancelled request goes on, with its progress and its result",
        STDIO,
        Own(|| Box::<Ignores>::default()),
    ),
    Mutant::new(
        AREA,
        "works-on-after-cancel",
        "the work of a cancelled request goes on to its end, and nobody hears of it",
        STDIO,
        Own(|| Box::<WorksOn>::default()),
    ),
];

fn cancelled(id: &Id) -> Message {
    let mut message = Message::notification(CANCELLED, json!({}));
    message.set(&["params"], "requestId", id);
    message
}

fn is_malformed(params: Option<&Value>) -> bool {
    let id = params.and_then(|params| params.get("requestId"));
    !id.is_some_and(|id| id.is_string() || id.is_number())
}

fn refusal(id: &Id, why: &str) -> Message {
    let fault = Fault::new(Rule::Work, codes::INVALID_REQUEST, why);
    Message::error(Some(id), &fault)
}

/// The ids of requests, by connection.
#[derive(Debug, Default)]
struct Ids(PerLink<Vec<Id>>);

impl Ids {
    fn add(&self, call: &Call) {
        self.0.with(call.link, |ids| ids.extend(call.id.clone()));
    }

    fn hold(&self, link: Link, wanted: &Id) -> bool {
        self.0
            .with(link, |ids| ids.iter().any(|id| id.same_as(wanted)))
    }

    /// The request that a cancellation names, and whether it is one of these.
    fn cancelled_by<'a>(&self, call: &'a Call) -> Option<(&'a Id, bool)> {
        let id = call.request_id.as_ref()?;
        (call.method() == CANCELLED).then(|| (id, self.hold(call.link, id)))
    }
}

/// `errors-on-late-cancel`.
#[derive(Default)]
struct RefusesLate {
    answered: Ids,
}

impl Hooks for RefusesLate {
    fn notification(&self, call: &Call) -> Option<Message> {
        let (id, late) = self.answered.cancelled_by(call)?;
        late.then(|| refusal(id, "The request is finished."))
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        if let Some(call) = call.filter(|_| message.is_response()) {
            self.answered.add(call);
        }
        vec![message]
    }
}

/// `dies-on-raced-cancel`.
struct DiesOnRaced;

/// A line that stands behind a cancellation and its request.
const RACED: &[u8] = b"\0raced";

impl Hooks for DiesOnRaced {
    fn stdin(&self, bytes: &mut Vec<u8>) {
        let lines = bytes.split(|byte| *byte == b'\n');
        let messages: Vec<Value> = lines
            .map(|line| serde_json::from_slice(line).unwrap_or_default())
            .collect();
        let is_raced = messages.iter().any(|cancelled| {
            let id = &cancelled["params"]["requestId"];
            cancelled["method"] == CANCELLED
                && !id.is_null()
                && messages.iter().any(|request| request["id"] == *id)
        });
        if is_raced {
            bytes.extend(RACED);
            bytes.push(b'\n');
        }
    }

    fn bytes_in(&self, _transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        if bytes == RACED {
            Arrival::Crash(101)
        } else {
            Arrival::Read(bytes)
        }
    }
}

/// `errors-on-unknown-cancel`.
#[derive(Default)]
struct RefusesUnknown {
    seen: Ids,
}

impl Hooks for RefusesUnknown {
    fn call(&self, call: &mut Call) {
        self.seen.add(call);
    }

    fn notification(&self, call: &Call) -> Option<Message> {
        let (id, known) = self.seen.cancelled_by(call)?;
        (!known).then(|| refusal(id, "There is no such request."))
    }
}

/// `dies-on-malformed-cancel`.
struct DiesOnMalformed;

impl Hooks for DiesOnMalformed {
    fn bytes_in(&self, transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        let message: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let dies = transport == Transport::Stdio
            && message["method"] == CANCELLED
            && is_malformed(message.get("params"));
        if dies {
            Arrival::Crash(101)
        } else {
            Arrival::Read(bytes)
        }
    }
}

/// `ignores-cancelled`. Subscriptions can still be cancelled.
#[derive(Default)]
struct Ignores {
    requests: Ids,
}

impl Hooks for Ignores {
    fn call(&self, call: &mut Call) {
        if !listens(Some(call)) {
            self.requests.add(call);
        }
        if matches!(self.requests.cancelled_by(call), Some((_, true))) {
            call.request_id = None;
        }
    }
}

/// `works-on-after-cancel`.
#[derive(Default)]
struct WorksOn {
    cancelled: Ids,
}

impl Hooks for WorksOn {
    fn call(&self, call: &mut Call) {
        if call.method() == CANCELLED {
            let cancelled = call.request_id.take();
            self.cancelled
                .0
                .with(call.link, |ids| ids.extend(cancelled));
        }
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        let muted = call.is_some_and(|call| {
            let id = call.id.as_ref();
            id.is_some_and(|id| self.cancelled.hold(call.link, id))
        });
        if muted { Vec::new() } else { vec![message] }
    }
}
