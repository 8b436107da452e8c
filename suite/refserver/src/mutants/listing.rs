//! What the mutants of lists have in common.

use std::{
    collections::BTreeSet,
    hash::{BuildHasher, RandomState},
};

use serde_json::Value;

use super::{hooks::Hooks, memory::PerLink};
use crate::{call::Call, server::Outcome, server::Reply};

/// The items of a page, where the method is that of the list.
pub(super) fn with_items(
    call: &Call,
    outcome: Outcome,
    method: &str,
    change: impl FnOnce(&mut Vec<Value>),
) -> Outcome {
    outcome.map(|mut reply| {
        if call.method() == method
            && let Some(items) = items(&mut reply)
        {
            change(items);
        }
        reply
    })
}

/// The one list of a page.
fn items(reply: &mut Reply) -> Option<&mut Vec<Value>> {
    reply.result.values_mut().find_map(Value::as_array_mut)
}

/// A list has one more item, which is another for each connection.
pub(super) struct Varies {
    method: &'static str,
    item: fn(u64) -> Value,
    drawn: RandomState,
}

impl Varies {
    pub(super) fn new(method: &'static str, item: fn(u64) -> Value) -> Self {
        Self {
            method,
            item,
            drawn: RandomState::new(),
        }
    }
}

impl Hooks for Varies {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let is_first = call.param("cursor").is_none();
        with_items(call, outcome, self.method, |items| {
            if is_first {
                items.push((self.item)(self.drawn.hash_one(call.link.0) % 1_000_000));
            }
        })
    }
}

/// Names of what was had on a connection change the list there.
pub(super) struct Remembers {
    had: PerLink<BTreeSet<String>>,
    get: &'static str,
    named: &'static str,
    list: &'static str,
    change: fn(&BTreeSet<String>, bool, &mut Vec<Value>),
}

impl Remembers {
    /// `change` is told the names, and whether it is the first page.
    pub(super) fn new(
        [get, named, list]: [&'static str; 3],
        change: fn(&BTreeSet<String>, bool, &mut Vec<Value>),
    ) -> Self {
        Self {
            had: PerLink::default(),
            get,
            named,
            list,
            change,
        }
    }
}

impl Hooks for Remembers {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        if call.method() == self.get
            && outcome.is_ok()
            && let Some(name) = call.param(self.named).and_then(Value::as_str)
        {
            self.had.with(call.link, |had| had.insert(name.to_owned()));
        }
        let had = self.had.with(call.link, |had| had.clone());
        let is_first = call.param("cursor").is_none();
        with_items(call, outcome, self.list, |items| {
            (self.change)(&had, is_first, items);
        })
    }
}
