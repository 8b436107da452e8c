//! Mutants of the list of tools as a whole (`server/tools#capabilities`).

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks::{Check, Messages, Outcome, Own, Shape},
    checks::without_method,
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Rule, keys},
    call::Call,
    methods::server_info,
    options::Capability,
    server::{Outcome as Done, Reply},
};

const AREA: &str = "tools";

/// What a member of `params` says where a list begins anew.
const AGAIN: &str = "again";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "tools-undeclared",
        "tools/list works, and the capability is not declared",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["server/discover"]),
            "/result/capabilities/tools",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "empty-tool-list-undeclared",
        "tools/list gives an empty list, and the capability is not declared",
        BOTH,
        Outcome(|call, outcome| match outcome {
            Err(fault) if fault.rule == Rule::MethodKnown && call.method() == "tools/list" => {
                Ok(Reply::from(json!({
                    "resultType": "complete",
                    "tools": [],
                    "ttlMs": 0,
                    "cacheScope": "private",
                    "_meta": { keys::SERVER_INFO: server_info() },
                })))
            }
            outcome => outcome,
        }),
    )
    .on(Variant {
        without: &[Capability::Tools],
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "tools-list-not-implemented",
        "the capability is declared, and tools/list is an unknown method",
        BOTH,
        Check(|check, call, found| without_method("tools/list", check, call, found)),
    ),
    Mutant::new(
        AREA,
        "tools-change-not-notified",
        "listChanged is declared, and nobody is told of a change of the tools",
        BOTH,
        Messages(|_, message| {
            if message.method() == "notifications/tools/list_changed" {
                Vec::new()
            } else {
                vec![message]
            }
        }),
    ),
    Mutant::new(
        AREA,
        "unsorted-tools",
        "the tools of a page come in another order each time",
        BOTH,
        Own(|| Box::<Unsorted>::default()),
    ),
    Mutant::new(
        AREA,
        "tools-vary-per-connection",
        "one tool is called after a number drawn for the connection",
        BOTH,
        Own(|| Box::<Varies>::default()),
    ),
    Mutant::new(
        AREA,
        "call-reveals-tool",
        "a tools/call adds a tool to what its connection sees",
        BOTH,
        Own(|| Box::<Reveals>::default()),
    ),
    Mutant::new(
        AREA,
        "cursor-loops-to-first-page",
        "the last page of the tools has a cursor, which leads to the first",
        BOTH,
        Own(|| Box::new(Loops)),
    ),
];

/// The tools that an outcome lists.
fn tools_of<'a>(call: &Call, outcome: &'a mut Done) -> Option<&'a mut Vec<Value>> {
    let reply = outcome
        .as_mut()
        .ok()
        .filter(|_| call.method() == "tools/list")?;
    reply.result.get_mut("tools")?.as_array_mut()
}

/// `unsorted-tools`.
#[derive(Default)]
struct Unsorted {
    asked: AtomicUsize,
}

impl Hooks for Unsorted {
    fn outcome(&self, call: &Call, mut outcome: Done) -> Done {
        if let Some(tools) = tools_of(call, &mut outcome).filter(|tools| !tools.is_empty()) {
            let turn = self.asked.fetch_add(1, Ordering::Relaxed);
            let by = turn % tools.len();
            tools.rotate_left(by);
        }
        outcome
    }
}

/// `tools-vary-per-connection`. The tool is one that no trigger names.
#[derive(Default)]
struct Varies {
    drawn: PerLink<Option<u64>>,
}

impl Hooks for Varies {
    fn outcome(&self, call: &Call, mut outcome: Done) -> Done {
        let number = self.drawn.with(call.link, |drawn| {
            *drawn.get_or_insert_with(|| RandomState::new().build_hasher().finish())
        });
        for tool in tools_of(call, &mut outcome).into_iter().flatten() {
            if tool["name"] == "converse" {
                tool["name"] = json!(format!("converse_{number}"));
            }
        }
        outcome
    }
}

/// `call-reveals-tool`.
#[derive(Default)]
struct Reveals {
    called: PerLink<bool>,
}

impl Hooks for Reveals {
    fn outcome(&self, call: &Call, mut outcome: Done) -> Done {
        let called = self.called.with(call.link, |called| {
            *called |= call.method() == "tools/call";
            *called
        });
        let is_last = outcome
            .as_ref()
            .is_ok_and(|reply| !reply.result.contains_key("nextCursor"));
        if let Some(tools) = tools_of(call, &mut outcome).filter(|_| called && is_last) {
            tools.push(json!({
                "name": "revealed",
                "description": "Is there once a tool was called.",
                "inputSchema": { "type": "object" },
            }));
        }
        outcome
    }
}

/// `cursor-loops-to-first-page`.
struct Loops;

impl Hooks for Loops {
    fn call(&self, call: &mut Call) {
        let params = call.body.get_mut("params").and_then(Value::as_object_mut);
        if let Some(params) = params.filter(|params| params.get("cursor") == Some(&json!(AGAIN))) {
            Map::shift_remove(params, "cursor");
        }
    }

    fn outcome(&self, call: &Call, outcome: Done) -> Done {
        outcome.map(|mut reply| {
            if call.method() == "tools/list" {
                reply
                    .result
                    .entry("nextCursor".to_owned())
                    .or_insert_with(|| AGAIN.into());
            }
            reply
        })
    }
}
