//! Mutants that mix subscriptions up with each other, with other requests, or with connections
//! (`basic/patterns/subscriptions#multiple-concurrent-subscriptions`, `#graceful-closure`).

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    breaks::Breaks::{Message as Edited, Messages, Own},
    disk::Disk,
    hooks::Hooks,
    mutant::{BOTH, HTTP, Mutant},
    pick::{acknowledges, calls_tool, ends_subscription, listens, of_subscription, tools_changed},
};
use crate::{
    admit::{Check, Rule, keys},
    call::{Call, Link},
    rpc::{Effect, Fault, Found, Id, Message, codes::INVALID_REQUEST},
    server::Outcome,
    world::Change,
};

const AREA: &str = "subscriptions";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "one-listen-at-a-time",
        "a subscription is refused while another is open",
        BOTH,
        Own(|| Box::<OneAtATime>::default()),
    ),
    Mutant::new(
        AREA,
        "listen-blocks-requests",
        "server/discover gets no answer while a subscription is open",
        BOTH,
        Own(|| Box::<Blocks>::default()),
    ),
    Mutant::new(
        AREA,
        "one-close-ends-all",
        "the end of one subscription is that of all others that are open",
        HTTP,
        Own(|| Box::<EndsAll>::default()),
    ),
    Mutant::new(
        AREA,
        "logs-on-listen-stream",
        "log messages of other requests reach every subscription",
        HTTP,
        Own(|| Box::<Overhears>::default()),
    ),
    Mutant::new(
        AREA,
        "replays-subscriptions",
        "who changes the tools on a fresh connection is told for the subscription of an earlier one",
        BOTH,
        Own(|| Box::new(Replays::new())),
    ),
    Mutant::new(
        AREA,
        "closes-without-result",
        "a subscription that the server ends has no response",
        BOTH,
        Messages(|call, message| {
            if ends_subscription(call, &message) {
                Vec::new()
            } else {
                vec![message]
            }
        }),
    ),
    Mutant::new(
        AREA,
        "empty-completion-result",
        "a subscription that the server ends has the result {}",
        BOTH,
        Edited(|call, message| {
            if ends_subscription(call, message)
                && let Some(result) = message.result_mut()
            {
                result.clear();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "notifies-after-completion",
        "a change is told after the result that ends the subscription",
        BOTH,
        Messages(|call, message| {
            let late = call
                .filter(|_| ends_subscription(call, &message))
                .map(|call| of_subscription(call, tools_changed()));
            [message].into_iter().chain(late).collect()
        }),
    ),
];

/// The open subscriptions, by the serial numbers of their requests.
#[derive(Debug, Default)]
struct OpenOnes(Mutex<BTreeSet<u64>>);

impl OpenOnes {
    fn serials(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        // No code panics while it holds the lock half-way through a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, call: Option<&Call>, message: &Message) {
        if let Some(call) = call.filter(|_| acknowledges(message)) {
            self.serials().insert(call.serial);
        }
    }
}

/// `one-listen-at-a-time`.
#[derive(Default)]
struct OneAtATime(OpenOnes);

impl Hooks for OneAtATime {
    fn check(&self, check: &Check<'_>, _call: &Call, found: Found) -> Found {
        if check.rule == Rule::Filter && !self.0.serials().is_empty() {
            return Err(Fault::new(
                check.rule,
                INVALID_REQUEST,
                "A subscription is open already.",
            ));
        }
        found
    }

    fn unsubscribed(&self, call: &Call) {
        self.0.serials().remove(&call.serial);
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.0.note(call, &message);
        vec![message]
    }
}

/// `listen-blocks-requests`.
#[derive(Default)]
struct Blocks(OpenOnes);

impl Hooks for Blocks {
    fn instead(&self, call: &Call) -> Option<Outcome> {
        let waits = call.method() == "server/discover" && !self.0.serials().is_empty();
        waits.then(|| {
            let fault = Fault::new(Rule::Work, INVALID_REQUEST, "The server is busy.");
            Err(fault.with_effect(Effect::Silence))
        })
    }

    fn unsubscribed(&self, call: &Call) {
        self.0.serials().remove(&call.serial);
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.0.note(call, &message);
        vec![message]
    }
}

/// `one-close-ends-all`.
#[derive(Default)]
struct EndsAll(OpenOnes);

impl Hooks for EndsAll {
    fn told(&self, call: &Call, _change: &Change, message: Option<Message>) -> Option<Message> {
        message.filter(|_| self.0.serials().contains(&call.serial))
    }

    fn unsubscribed(&self, _call: &Call) {
        self.0.serials().clear();
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.0.note(call, &message);
        vec![message]
    }
}

/// `logs-on-listen-stream`.
#[derive(Default)]
struct Overhears {
    ears: Mutex<Vec<mpsc::UnboundedSender<Message>>>,
}

impl Hooks for Overhears {
    fn beside(&self, _call: &Call) -> Option<mpsc::UnboundedReceiver<Message>> {
        let (ear, messages) = mpsc::unbounded_channel();
        self.ears
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(ear);
        Some(messages)
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        if message.method() == "notifications/message" && !listens(call) {
            self.ears
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .retain(|ear| ear.send(message.clone()).is_ok());
        }
        vec![message]
    }
}

/// `replays-subscriptions`. They are kept as a database would keep them, beyond the process that has them.
struct Replays {
    disk: Disk,
    /// Whether each connection is a process of its own.
    is_process: AtomicBool,
    own: Mutex<Vec<(Link, Id)>>,
}

impl Replays {
    fn new() -> Self {
        Self {
            disk: Disk::of("replays"),
            is_process: AtomicBool::new(false),
            own: Mutex::default(),
        }
    }

    /// The subscription of another connection, of this process or of one that is gone.
    fn another(&self, own: &[(Link, Id)], link: Link) -> Option<Id> {
        if let Some((_, id)) = own.iter().rfind(|(other, _)| *other != link) {
            return Some(id.clone());
        }
        let left = self.disk.others().pop()?;
        let id = serde_json::from_str::<Value>(&left.text).ok()?;
        left.remove();
        Some(Id::from(id))
    }
}

impl Hooks for Replays {
    fn presence(&self) -> Option<Box<dyn Send>> {
        self.is_process.store(true, Ordering::Relaxed);
        None
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        let Some(call) = call else {
            return vec![message];
        };
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = call.id.clone().filter(|_| acknowledges(&message)) {
            if self.is_process.load(Ordering::Relaxed) {
                self.disk.keep(&id.value.to_string());
            }
            own.push((call.link, id));
        }
        let is_fresh = !own.iter().any(|(link, _)| *link == call.link);
        let replays = is_fresh && calls_tool(Some(call), "bump") && message.is_response();
        let replayed = replays
            .then(|| self.another(&own, call.link))
            .flatten()
            .map(|id| {
                let mut replayed = tools_changed();
                replayed.set(&["params", "_meta"], keys::SUBSCRIPTION, &id);
                replayed
            });
        replayed.into_iter().chain([message]).collect()
    }

    fn farewell(&self) -> Vec<u8> {
        self.disk.forget();
        Vec::new()
    }
}
