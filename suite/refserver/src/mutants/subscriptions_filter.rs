//! Mutants of what a subscription is about (`basic/patterns/subscriptions#notification-filter`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Call, Check, Message, Told},
    mutant::{BOTH, Mutant, Variant},
    pick::{acknowledges, filter_mut, listens},
};
use crate::{
    admit::Rule,
    call,
    methods::notification_of,
    options::Capability,
    rpc::{self, Fault},
    world::Change,
};

const AREA: &str = "subscriptions";
const LISTS: [&str; 3] = [
    "toolsListChanged",
    "promptsListChanged",
    "resourcesListChanged",
];

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "acks-unsupported-types",
        "lists that are asked for are acknowledged, offered or not",
        BOTH,
        Message(acknowledge_all),
    )
    .on(Variant {
        without: &[Capability::PromptsListChanged],
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "acks-types-of-silent-server",
        "lists that are asked for are acknowledged by a server that tells no change at all",
        BOTH,
        Message(acknowledge_all),
    )
    .on(Variant {
        without: &[
            Capability::ToolsListChanged,
            Capability::PromptsListChanged,
            Capability::ResourcesListChanged,
            Capability::ResourcesSubscribe,
        ],
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "empty-filter-means-all",
        "an empty filter is taken for one of all lists",
        BOTH,
        Call(|call| {
            if let Some(filter) = filter_mut(call).filter(|filter| filter.is_empty()) {
                filter.extend(LISTS.map(|list| (list.to_owned(), true.into())));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "missing-filter-means-all",
        "a request without a filter is taken for one of all lists",
        BOTH,
        Call(|call| {
            if listens(Some(call)) && call.param("notifications").is_none() {
                let params = call.body.entry("params".to_owned()).or_insert(json!({}));
                if let Some(params) = params.as_object_mut() {
                    let all: Value = LISTS
                        .map(|list| (list.to_owned(), Value::from(true)))
                        .into_iter()
                        .collect();
                    params.insert("notifications".to_owned(), all);
                }
            }
        }),
    ),
    Mutant::new(
        AREA,
        "key-presence-is-opt-in",
        "a list is asked for by naming it, even as false",
        BOTH,
        Call(|call| {
            if let Some(filter) = filter_mut(call) {
                for list in LISTS {
                    if filter.contains_key(list) {
                        filter.insert(list.to_owned(), true.into());
                    }
                }
            }
        }),
    ),
    Mutant::new(
        AREA,
        "iterates-uri-string",
        "a text in place of the list of URIs is taken for the list of its letters",
        BOTH,
        Call(|call| {
            let uris = filter_mut(call).and_then(|filter| filter.get_mut("resourceSubscriptions"));
            if let Some(uris) = uris
                && let Some(text) = uris.as_str()
            {
                *uris = text.chars().map(String::from).collect();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-unknown-filter-member",
        "a filter with an unknown member is refused",
        BOTH,
        Check(|check, call, found| {
            let unknown = call
                .param("notifications")
                .and_then(Value::as_object)
                .is_some_and(|filter| filter.keys().any(|name| !is_known(name)));
            if check.rule == Rule::Filter && unknown {
                return Err(Fault::invalid_params(
                    check.rule,
                    "The filter has an unknown member.",
                ));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "broadcasts-changes",
        "every subscription is told of every changed list",
        BOTH,
        Told(|_, change, message| match change {
            Change::List(_) => Some(notification_of(change)),
            Change::Resource(_) => message,
        }),
    ),
    Mutant::new(
        AREA,
        "broadcasts-resource-updates",
        "a subscription to one resource is told of the changes of all",
        BOTH,
        Told(|call, change, message| match change {
            Change::Resource(_) if watches_any(call) => Some(notification_of(change)),
            _ => message,
        }),
    ),
];

/// Acknowledges the lists that are asked for, offered or not.
fn acknowledge_all(call: Option<&call::Call>, message: &mut rpc::Message) {
    let asked = call
        .filter(|_| acknowledges(message))
        .and_then(|call| call.param("notifications"));
    if let Some(asked) = asked {
        for list in LISTS {
            if asked[list] == true {
                message.body["params"]["notifications"][list] = true.into();
            }
        }
    }
}

fn is_known(name: &str) -> bool {
    LISTS.contains(&name) || name == "resourceSubscriptions"
}

fn watches_any(call: &call::Call) -> bool {
    call.param("notifications")
        .and_then(|filter| filter["resourceSubscriptions"].as_array())
        .is_some_and(|uris| !uris.is_empty())
}
