//! Mutants of progress (`basic/patterns/progress`).

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Call, Check, Messages, Own, Shape},
    hooks::Hooks,
    mutant::{BOTH, HTTP, Mutant},
    pick::calls_tool,
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Rule, keys},
    call,
    rpc::{self, Effect, Id},
    serve::Sink,
};

const AREA: &str = "progress";
const PROGRESS: &str = "notifications/progress";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "repeats-progress-value",
        "each progress is reported twice",
        BOTH,
        Messages(|_, message| {
            let again = is_progress(&message).then(|| message.clone());
            again.into_iter().chain([message]).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "mixes-progress-tokens",
        "of two requests that run at a time both report under the token of the first",
        BOTH,
        Own(|| Box::<Mixes>::default()),
    ),
    Mutant::new(
        AREA,
        "routes-progress-by-token",
        "progress goes to the newest request with its token",
        HTTP,
        Own(|| Box::<Routes>::default()),
    ),
    Mutant::new(
        AREA,
        "empty-progress-message",
        "the message of progress is empty",
        BOTH,
        Shape(&[Edit(
            On::Notification(PROGRESS),
            "/params/message",
            Do::Set("\"\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "progress-without-token",
        "a call without a token gets progress under a token of the server's own",
        BOTH,
        Messages(|call, message| {
            let own = calls_tool(call, "progress")
                && message.is_response()
                && call.is_some_and(|call| call.progress_token.is_none());
            let first = own.then(|| progress(&Id::from(json!("progress-1")), json!(1)));
            first.into_iter().chain([message]).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "progress-as-text",
        "progress is a text with a percent sign",
        BOTH,
        Shape(&[Edit(
            On::Notification(PROGRESS),
            "/params/progress",
            Do::Set("\"50%\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "floods-progress",
        "each step of progress is reported in a hundred smaller ones",
        BOTH,
        Messages(flood),
    ),
    Mutant::new(
        AREA,
        "progress-timer-runs-on",
        "progress goes on after the response",
        BOTH,
        Messages(|call, message| {
            let token = call.and_then(|call| call.progress_token.as_ref());
            let late = token.filter(|_| message.is_response()).map(|token| {
                [1_000_001, 1_000_002, 1_000_003].map(|value| progress(token, json!(value)))
            });
            [message]
                .into_iter()
                .chain(late.into_iter().flatten())
                .collect()
        }),
    ),
    Mutant::new(
        AREA,
        "stringifies-progress-token",
        "a token that is a number comes back as a text",
        BOTH,
        Call(|call| {
            let number = call.progress_token.as_ref().map(|token| &token.value);
            if let Some(number) = number.filter(|value| value.is_number()) {
                call.progress_token = Some(Id::from(json!(number.to_string())));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-falsy-token",
        "a token that is 0 or empty is refused",
        BOTH,
        Check(|check, call, found| {
            let token = call.meta_member(keys::PROGRESS_TOKEN);
            let is_falsy = token.is_some_and(|token| *token == 0 || *token == "");
            if check.rule == Rule::MetaOptional && is_falsy {
                let why = "progressToken is missing.";
                return Err(rpc::Fault::invalid_params(check.rule, why));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-object-token",
        "a token that is an object ends the process",
        BOTH,
        Check(|check, call, found| {
            let token = call.meta_member(keys::PROGRESS_TOKEN);
            let crashes = check.rule == Rule::MetaOptional && token.is_some_and(Value::is_object);
            found.map_err(|fault| {
                if crashes {
                    fault.with_effect(Effect::Crash(101))
                } else {
                    fault
                }
            })
        }),
    ),
];

fn is_progress(message: &rpc::Message) -> bool {
    message.method() == PROGRESS
}

fn progress(token: &Id, value: Value) -> rpc::Message {
    let mut message = rpc::Message::notification(PROGRESS, json!({ "progress": value }));
    message.set(&["params"], "progressToken", token);
    message
}

fn flood(_: Option<&call::Call>, message: rpc::Message) -> Vec<rpc::Message> {
    const PARTS: u32 = 100;
    let whole = message.body.get("params").map(|params| &params["progress"]);
    let Some(whole) = whole
        .and_then(Value::as_f64)
        .filter(|_| is_progress(&message))
    else {
        return vec![message];
    };
    let part = |part: u32| {
        let mut smaller = message.clone();
        let value = whole - 1.0 + f64::from(part) / f64::from(PARTS);
        smaller.body["params"]["progress"] = value.into();
        smaller
    };
    (1..=PARTS).map(part).collect()
}

/// `mixes-progress-tokens`.
#[derive(Default)]
struct Mixes {
    /// The requests that have reported and are not answered yet, by their serial numbers.
    running: Mutex<Vec<(u64, Id)>>,
}

impl Hooks for Mixes {
    fn deliver(&self, call: Option<&call::Call>, mut message: rpc::Message) -> Vec<rpc::Message> {
        let Some(call) = call else {
            return vec![message];
        };
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if message.is_response() {
            running.retain(|(serial, _)| *serial != call.serial);
        } else if let Some(token) = call
            .progress_token
            .clone()
            .filter(|_| is_progress(&message))
        {
            if !running.iter().any(|(serial, _)| *serial == call.serial) {
                running.push((call.serial, token));
            }
            message.set(&["params"], "progressToken", &running[0].1);
        }
        vec![message]
    }
}

/// `routes-progress-by-token`: the requests that are not answered yet, by their serial numbers, with their tokens and ways out.
#[derive(Default)]
struct Routes(Mutex<BTreeMap<u64, (Id, Sink)>>);

impl Routes {
    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, (Id, Sink)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the progress of a request goes instead.
    fn newer(&self, call: &call::Call) -> Option<Sink> {
        let token = call.progress_token.as_ref()?;
        let open = self.open();
        let (newest, (_, sink)) = open
            .iter()
            .rev()
            .find(|(_, (other, _))| other.same_as(token))?;
        (*newest != call.serial).then(|| sink.clone())
    }
}

impl Hooks for Routes {
    fn opened(&self, call: &Arc<call::Call>, sink: &Sink) {
        let token = call.progress_token.clone();
        if let Some(token) = token.filter(|_| call.transport == call::Transport::Http) {
            self.open().insert(call.serial, (token, sink.clone()));
        }
    }

    fn deliver(&self, call: Option<&call::Call>, message: rpc::Message) -> Vec<rpc::Message> {
        let Some(call) = call else {
            return vec![message];
        };
        if message.is_response() {
            self.open().remove(&call.serial);
        } else if is_progress(&message)
            && let Some(sink) = self.newer(call)
        {
            sink.send(message);
            return Vec::new();
        }
        vec![message]
    }
}
