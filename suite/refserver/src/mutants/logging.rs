//! Mutants of log messages (`server/utilities/logging`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Check, Message, Messages, Outcome, Own},
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, Mutant, Variant},
    pick::calls_tool,
};
use crate::{
    admit::{Rule, keys},
    call::{Call, Level},
    options::Capability,
    rpc,
    server::Reply,
};

const AREA: &str = "logging";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "logs-undeclared",
        "a call that names a level is logged without the logging capability",
        BOTH,
        Messages(|call, message| {
            let level = call
                .filter(|call| call.method() == "tools/call" && message.is_response())
                .and_then(Call::log_level);
            before(
                level.map(|level| logged(level, json!("A tool was called."))),
                message,
            )
        }),
    )
    .on(Variant {
        without: &[Capability::Logging],
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "logs-by-default",
        "a call of the tool log that names no level is logged at info",
        BOTH,
        Messages(|call, message| {
            let silent = logs(call, &message) && level_of(call).is_none();
            before(
                silent.then(|| logged(Level::Info, json!("Called."))),
                message,
            )
        }),
    ),
    Mutant::new(
        AREA,
        "ignores-bad-log-level",
        "a level that there is not is ignored",
        BOTH,
        Check(|check, call, found| {
            let level = call.meta_member(keys::LOG_LEVEL);
            let bad = level.is_some_and(|level| Level::of(level).is_none());
            if check.rule == Rule::MetaOptional && bad {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "remembers-log-level",
        "a level holds for all later requests of the connection that name none",
        BOTH,
        Own(|| Box::<Remembers>::default()),
    ),
    Mutant::new(
        AREA,
        "ignores-log-threshold",
        "a message of level info is sent whatever level is asked for",
        BOTH,
        Messages(|call, message| {
            let above =
                logs(call, &message) && level_of(call).is_some_and(|level| level > Level::Info);
            before(
                above.then(|| logged(Level::Info, json!("Called."))),
                message,
            )
        }),
    ),
    Mutant::new(
        AREA,
        "logs-after-response",
        "one more log message follows the result",
        BOTH,
        Messages(|call, message| {
            let late = level_of(call)
                .filter(|_| logs(call, &message))
                .map(|level| logged(level, json!("Done.")));
            [message].into_iter().chain(late).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "logs-whole-request",
        "a log message holds the request, metadata and headers included",
        BOTH,
        Messages(|call, message| {
            let whole = call
                .filter(|_| logs(call, &message))
                .and_then(|call| Some(logged(call.log_level()?, whole(call))));
            before(whole, message)
        }),
    ),
    Mutant::new(
        AREA,
        "uppercases-log-level",
        "levels are written in capitals",
        BOTH,
        Message(|_, message| {
            if message.method() == LOG
                && let Some(level) = message.body["params"]["level"].as_str()
            {
                message.body["params"]["level"] = level.to_uppercase().into();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "serves-set-level",
        "logging/setLevel is answered with an empty result",
        BOTH,
        Outcome(|call, outcome| {
            if call.method() == "logging/setLevel" {
                Ok(Reply::from(json!({})))
            } else {
                outcome
            }
        }),
    ),
];

const LOG: &str = "notifications/message";

/// Whether a message answers a call of the tool log.
fn logs(call: Option<&Call>, message: &rpc::Message) -> bool {
    calls_tool(call, "log") && message.is_response()
}

fn level_of(call: Option<&Call>) -> Option<Level> {
    call.and_then(Call::log_level)
}

fn logged(level: Level, data: Value) -> rpc::Message {
    rpc::Message::notification(LOG, json!({ "level": level.name(), "data": data }))
}

fn before(first: Option<rpc::Message>, message: rpc::Message) -> Vec<rpc::Message> {
    first.into_iter().chain([message]).collect()
}

fn whole(call: &Call) -> Value {
    let headers: Value = call
        .headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes());
            (name.to_string(), Value::from(value))
        })
        .collect();
    json!({ "message": call.body, "headers": headers })
}

/// `remembers-log-level`.
#[derive(Default)]
struct Remembers {
    levels: PerLink<Option<Value>>,
}

impl Hooks for Remembers {
    fn call(&self, call: &mut Call) {
        let named = call.meta_member(keys::LOG_LEVEL).cloned();
        let unnamed = named.is_none();
        let level = self.levels.with(call.link, |level| {
            *level = named.or(level.take());
            level.clone()
        });
        if let Some(level) = level.filter(|_| unnamed && call.meta().is_some()) {
            call.meta_mut().insert(keys::LOG_LEVEL.to_owned(), level);
        }
    }
}
