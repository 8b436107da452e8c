//! Mutants of how a change is told (`basic/patterns/subscriptions#receiving-notifications`).

use super::{
    breaks::Breaks::{Messages, Own, Shape},
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, Mutant, STDIO},
    pick::{calls_tool, listens, tools_changed},
    shape::{Do, Edit, On},
};
use crate::{call::Call, rpc::Id};

const AREA: &str = "subscriptions";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "misnames-tools-change",
        "a change of the tools is told as notifications/tools/listChanged",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/tools/list_changed"),
            "/method",
            Do::Set("\"notifications/tools/listChanged\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "misnames-prompts-change",
        "a change of the prompts is told as notifications/prompts/listChanged",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/prompts/list_changed"),
            "/method",
            Do::Set("\"notifications/prompts/listChanged\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "misnames-resources-change",
        "a change of the resources is told as notifications/resources/listChanged",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/resources/list_changed"),
            "/method",
            Do::Set("\"notifications/resources/listChanged\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "update-without-uri",
        "a change of a resource is told without its uri",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/resources/updated"),
            "/params/uri",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "list-changed-on-call-stream",
        "the call that changes a list is told of it before its result",
        BOTH,
        Messages(|call, message| {
            let told = (calls_tool(call, "bump") && message.is_response()).then(tools_changed);
            told.into_iter().chain([message]).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "ignores-listen-cancel",
        "a subscription goes on after its cancellation",
        STDIO,
        Own(|| Box::<IgnoresCancel>::default()),
    ),
];

/// `ignores-listen-cancel`.
#[derive(Default)]
struct IgnoresCancel {
    subscriptions: PerLink<Vec<Id>>,
}

impl Hooks for IgnoresCancel {
    fn call(&self, call: &mut Call) {
        let opened = call.id.clone().filter(|_| listens(Some(call)));
        let ignored = self.subscriptions.with(call.link, |ids| {
            ids.extend(opened);
            let named = call.request_id.as_ref();
            named.is_some_and(|named| ids.iter().any(|id| id.same_as(named)))
        });
        if ignored {
            call.request_id = None;
        }
    }
}
