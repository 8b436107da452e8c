//! Mutants of pages and cursors (`server/utilities/pagination`).

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use serde_json::Value;

use super::{
    breaks::Breaks::{Call, Check, Message, Own},
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, Mutant},
};
use crate::{
    admit::{self, Rule},
    call,
    rpc::{self, Effect, Fault, Found, Kind},
};

const AREA: &str = "pagination";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "refuses-own-cursor",
        "cursors that the server has issued are refused",
        BOTH,
        Check(|check, _, found| match check.rule {
            Rule::Cursor => Err(refusal()),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "cursor-per-connection",
        "a cursor is good on the connection that it was issued on only",
        BOTH,
        Own(|| Box::<PerConnection>::default()),
    ),
    Mutant::new(
        AREA,
        "single-use-cursors",
        "a cursor is good once, until it is issued again",
        BOTH,
        Own(|| Box::<SingleUse>::default()),
    ),
    Mutant::new(
        AREA,
        "dies-on-bad-cursor",
        "a cursor that was never issued ends the process",
        BOTH,
        Check(|check, _, found| match check.rule {
            Rule::Cursor => found.map_err(|fault| fault.with_effect(Effect::Crash(101))),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "bad-cursor-restarts",
        "a text that was never issued as a cursor gets the first page",
        BOTH,
        Check(|check, call, found| {
            let text = call.param("cursor").is_some_and(Value::is_string);
            if check.rule == Rule::Cursor && text {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "accepts-number-cursor",
        "a cursor that is a number gets the first page",
        BOTH,
        Check(|check, call, found| {
            let number = call.param("cursor").is_some_and(Value::is_number);
            if check.rule == Rule::Cursor && number {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "null-next-cursor",
        "the last page of the prompts has nextCursor null",
        BOTH,
        Message(|call, message| {
            if is_last_page(call, message, "prompts/list")
                && let Some(result) = message.result_mut()
            {
                result.insert("nextCursor".to_owned(), Value::Null);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "cursor-ignored",
        "each page of the tools is the first",
        BOTH,
        Call(|call| {
            if call.method() == "tools/list"
                && let Some(params) = call.body.get_mut("params").and_then(Value::as_object_mut)
            {
                params.shift_remove("cursor");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "last-page-loops",
        "the last page of the prompts has its own cursor for the next one",
        BOTH,
        Message(|call, message| {
            let cursor = call
                .filter(|_| is_last_page(call, message, "prompts/list"))
                .and_then(|call| call.param("cursor"));
            if let (Some(cursor), Some(result)) = (cursor, message.result_mut()) {
                result.insert("nextCursor".to_owned(), cursor.clone());
            }
        }),
    ),
];

fn refusal() -> Fault {
    Fault::invalid_params(Rule::Cursor, "The cursor is unknown.")
}

fn is_last_page(call: Option<&call::Call>, message: &rpc::Message, method: &str) -> bool {
    call.is_some_and(|call| call.method() == method)
        && message.kind == Kind::Result
        && cursor_of(message).is_none()
}

/// The cursor of the next page.
fn cursor_of(message: &rpc::Message) -> Option<&str> {
    message.body.get("result")?.get("nextCursor")?.as_str()
}

/// The cursor that a call brings.
fn cursor_in(call: &call::Call) -> Option<&str> {
    call.param("cursor").and_then(Value::as_str)
}

/// `cursor-per-connection`.
#[derive(Default)]
struct PerConnection {
    issued: PerLink<BTreeSet<String>>,
}

impl Hooks for PerConnection {
    fn check(&self, check: &admit::Check<'_>, call: &call::Call, found: Found) -> Found {
        if check.rule != Rule::Cursor {
            return found;
        }
        let known = self.issued.with(call.link, |issued| {
            cursor_in(call).is_some_and(|cursor| issued.contains(cursor))
        });
        if known { found } else { Err(refusal()) }
    }

    fn deliver(&self, call: Option<&call::Call>, message: rpc::Message) -> Vec<rpc::Message> {
        if let (Some(call), Some(cursor)) = (call, cursor_of(&message)) {
            self.issued.with(call.link, |issued| {
                issued.insert(cursor.to_owned());
            });
        }
        vec![message]
    }
}

/// `single-use-cursors`.
#[derive(Default)]
struct SingleUse {
    used: Mutex<BTreeSet<String>>,
}

impl Hooks for SingleUse {
    fn check(&self, check: &admit::Check<'_>, call: &call::Call, found: Found) -> Found {
        if check.rule != Rule::Cursor {
            return found;
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let first = cursor_in(call).is_none_or(|cursor| used.insert(cursor.to_owned()));
        if first { found } else { Err(refusal()) }
    }

    fn deliver(&self, _call: Option<&call::Call>, message: rpc::Message) -> Vec<rpc::Message> {
        if let Some(cursor) = cursor_of(&message) {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            used.remove(cursor);
        }
        vec![message]
    }
}
