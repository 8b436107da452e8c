//! Mutants of event streams and of clients that close them (`basic/transports/streamable-http#receiving-messages`,
//! `#cancellation`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::http::HeaderName;

use super::{
    breaks::Breaks::{self, BytesOut, HttpReply, Own},
    hooks::{Hooks, Orphan},
    mutant::{HTTP, Mutant},
    pick::calls_tool,
};
use crate::{
    call::{Call, Transport},
    rpc::Message,
    serve::Sink,
};

const AREA: &str = "http";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "two-messages-per-event",
        "two progress notifications share one data field",
        HTTP,
        BytesOut(|call, text| {
            if over_http(call) && contains(text, b"\"notifications/progress\"") {
                let again = text.clone();
                text.push(b' ');
                text.extend(again);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "omits-x-accel-buffering",
        "event streams have no X-Accel-Buffering header",
        HTTP,
        HttpReply(|_, reply| {
            let name = HeaderName::from_static("x-accel-buffering");
            reply.headers.remove(name);
        }),
    ),
    Mutant::new(
        AREA,
        "leaves-stream-open",
        "the event stream of a call stays open after the response",
        HTTP,
        Own(|| Box::<LeavesStreamOpen>::default()),
    ),
    Mutant::new(
        AREA,
        "drops-streamed-response",
        "the event stream of a call that reports progress ends without its response",
        HTTP,
        Breaks::Messages(|call, message| {
            let is_streamed = over_http(call)
                && calls_tool(call, "progress")
                && call.is_some_and(|call| call.progress_token.is_some());
            if is_streamed && message.is_response() {
                Vec::new()
            } else {
                vec![message]
            }
        }),
    ),
    Mutant::new(
        AREA,
        "broadcasts-progress",
        "progress goes to all open streams",
        HTTP,
        Own(|| Box::<BroadcastsProgress>::default()),
    ),
    orphan(
        "works-on-after-disconnect",
        "the work on a request goes on to its end after its stream was closed",
        || Box::new(Fate(Orphan::GoesOn)),
    ),
    orphan(
        "stops-late-after-disconnect",
        "the work on a request stops ten seconds after its stream was closed",
        || Box::new(Fate(Orphan::StopsAfter(Duration::from_secs(10)))),
    ),
    orphan(
        "dies-on-disconnect",
        "the process ends when a client closes the stream of a subscription while another is open",
        || Box::<DiesOnDisconnect>::default(),
    ),
    orphan(
        "reroutes-orphaned-result",
        "the result of a request whose stream was closed is sent on the newest subscription",
        || Box::<Reroutes>::default(),
    ),
];

const fn orphan(name: &'static str, about: &'static str, make: fn() -> Box<dyn Hooks>) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::Own(make))
}

fn over_http(call: Option<&Call>) -> bool {
    call.is_some_and(|call| call.transport == Transport::Http)
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    text.windows(wanted.len()).any(|window| window == wanted)
}

fn locked<T>(memory: &Mutex<T>) -> MutexGuard<'_, T> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `leaves-stream-open`. A stream ends once nobody can send on it any more.
#[derive(Default)]
struct LeavesStreamOpen(Mutex<Vec<Sink>>);

impl Hooks for LeavesStreamOpen {
    fn opened(&self, call: &Arc<Call>, sink: &Sink) {
        if over_http(Some(call)) && call.method() == "tools/call" {
            locked(&self.0).push(sink.clone());
        }
    }
}

/// `broadcasts-progress`: the open streams by the number of their request.
#[derive(Default)]
struct BroadcastsProgress(Mutex<BTreeMap<u64, Sink>>);

impl Hooks for BroadcastsProgress {
    fn opened(&self, call: &Arc<Call>, sink: &Sink) {
        if over_http(Some(call)) {
            locked(&self.0).insert(call.serial, sink.clone());
        }
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        let Some(call) = call else {
            return vec![message];
        };
        if message.is_response() {
            locked(&self.0).remove(&call.serial);
        } else if is_progress_of(call, &message) {
            let others = locked(&self.0).clone();
            for (_, sink) in others.iter().filter(|(serial, _)| **serial != call.serial) {
                sink.send(message.clone());
            }
        }
        vec![message]
    }
}

/// Whether a message is progress of this request, and not of another that is passed on.
fn is_progress_of(call: &Call, message: &Message) -> bool {
    let token = call.progress_token.as_ref().map(|token| &token.value);
    message.method() == "notifications/progress"
        && token
            == message
                .body
                .get("params")
                .map(|params| &params["progressToken"])
}

/// `works-on-after-disconnect`, `stops-late-after-disconnect`.
struct Fate(Orphan);

impl Hooks for Fate {
    fn orphaned(&self, call: &Call) -> Orphan {
        if call.method() == "tools/call" {
            self.0
        } else {
            Orphan::Stops
        }
    }
}

/// `dies-on-disconnect`: the open subscriptions by the number of their request.
#[derive(Default)]
struct DiesOnDisconnect(Mutex<BTreeSet<u64>>);

impl Hooks for DiesOnDisconnect {
    fn opened(&self, call: &Arc<Call>, _sink: &Sink) {
        if over_http(Some(call)) && call.method() == "subscriptions/listen" {
            locked(&self.0).insert(call.serial);
        }
    }

    fn orphaned(&self, call: &Call) -> Orphan {
        let mut open = locked(&self.0);
        if open.remove(&call.serial) && !open.is_empty() {
            Orphan::Crashes(141)
        } else {
            Orphan::Stops
        }
    }
}

/// `reroutes-orphaned-result`.
#[derive(Default)]
struct Reroutes {
    newest: Mutex<Option<Sink>>,
    orphans: Mutex<BTreeSet<u64>>,
}

impl Hooks for Reroutes {
    fn opened(&self, call: &Arc<Call>, sink: &Sink) {
        if over_http(Some(call)) && call.method() == "subscriptions/listen" {
            *locked(&self.newest) = Some(sink.clone());
        }
    }

    fn orphaned(&self, call: &Call) -> Orphan {
        if call.method() != "tools/call" {
            return Orphan::Stops;
        }
        locked(&self.orphans).insert(call.serial);
        Orphan::GoesOn
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        let is_orphaned = call.is_some_and(|call| locked(&self.orphans).contains(&call.serial));
        if is_orphaned && message.is_response() {
            let newest = locked(&self.newest).clone();
            if let Some(subscription) = newest {
                subscription.send(message.clone());
            }
        }
        vec![message]
    }
}
