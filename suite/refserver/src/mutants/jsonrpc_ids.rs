//! Mutants of the ids of responses and notifications.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Call, Message, Shape},
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};
use crate::{admit::Rule, rpc::Id};

const AREA: &str = "jsonrpc";

/// The largest integer that has no neighbour with the same value in a double.
const SAFE: u64 = (1 << 53) - 1;

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "null-id-on-refusals",
        "the refusal of a header, of an unknown method and of an unknown name has id null",
        BOTH,
        Message(|_, message| {
            const REFUSALS: [Rule; 5] = [
                Rule::MethodHeader,
                Rule::MethodKnown,
                Rule::ToolKnown,
                Rule::PromptKnown,
                Rule::ResourceKnown,
            ];
            if message.rule.is_some_and(|rule| REFUSALS.contains(&rule)) {
                message.body.insert("id".to_owned(), Value::Null);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "stringifies-large-ids",
        "an integer id beyond 2^53 comes back as a text",
        BOTH,
        Call(|call| {
            let number = call.id.as_ref().and_then(|id| id.value.as_u64());
            if let Some(number) = number.filter(|number| *number > SAFE) {
                call.id = Some(Id::from(json!(number.to_string())));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "id-on-acknowledgement",
        "the acknowledgement of a subscription has an id",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/subscriptions/acknowledged"),
            "/id",
            Do::Set("\"acknowledgement\""),
        )]),
    ),
];
