//! Whole requests and the triggers that are made of them (`cases/README.md`, section 11.2).

use std::collections::BTreeMap;

use mcpspec_wire::Value;

/// A request as a case can send it: method, params, and what it needs declared.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeRequest {
    /// The method.
    pub method: String,
    /// Its params without `_meta`, an object.
    pub params: Value,
    /// clientCapabilities that it needs.
    pub capabilities: Option<Value>,
    /// HTTP: the header that mirrors the argument which it is about.
    pub header: Option<String>,
    /// Its name in reports; the method by default.
    pub label: Option<String>,
}

impl WholeRequest {
    /// A request that needs nothing declared.
    pub fn new(method: impl Into<String>, params: Value) -> WholeRequest {
        WholeRequest {
            method: method.into(),
            params,
            capabilities: None,
            header: None,
            label: None,
        }
    }
}

/// A request that makes a target do something a case needs to see.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// What provokes it.
    pub action: TriggerAction,
    /// Variants of the request by name (`counter`, `other`, `string`, …), each with properties of its own.
    pub variants: BTreeMap<String, Trigger>,
    /// Properties by name (`lasts`, `cancellable`, `required`, …).
    pub properties: BTreeMap<String, Value>,
    /// Where it is known from: `configuration`, `profile NAME`, `survey`, or `survey (a call of …)` if that was seen to do it.
    pub source: String,
}

impl Trigger {
    /// What [`Trigger::source`] says of the triggers of `mcpspec.toml` that count for every target.
    pub(super) const OF_ALL: &str = "configuration";

    /// What it says of those of one target.
    pub(super) const OF_TARGET: &str = "configuration of the target";

    /// The table of `mcpspec.toml` that it stands in, if the user told it there.
    pub fn table(&self) -> Option<&'static str> {
        match self.source.as_str() {
            Trigger::OF_ALL => Some("triggers"),
            Trigger::OF_TARGET => Some("target.triggers"),
            _ => None,
        }
    }
}

/// What provokes a trigger.
#[derive(Debug, Clone, PartialEq)]
pub enum TriggerAction {
    /// A request.
    Request(WholeRequest),
    /// A shell command; only for `list-change` and `resource-update`.
    Command(String),
    /// Nothing of its own: only its variants do something.
    Variants,
}
