//! Mutants of requests that come close together on one pair of streams (`basic/transports/stdio#receiving-messages`).

use std::sync::Arc;

use serde_json::Value;

use super::{
    breaks::Breaks::Own,
    hooks::Hooks,
    memory::PerLink,
    mutant::{Mutant, STDIO},
    pick::calls_tool,
};
use crate::{
    admit::Rule,
    call::{Call, Transport},
    rpc::{Effect, Fault, codes},
    serve::Sink,
    server::Outcome,
};

const AREA: &str = "stdio";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "refuses-while-slow",
        "the request that comes after a call of slow is refused while that is running",
        STDIO,
        Own(|| Box::<RefusesWhileSlow>::default()),
    ),
    Mutant::new(
        AREA,
        "drops-tenth-large-request",
        "every tenth request of more than 16 KiB is never answered",
        STDIO,
        Own(|| Box::<DropsLarge>::default()),
    ),
];

/// `refuses-while-slow`: the number of the call that is running. A cancelled one refuses nobody for ever.
#[derive(Default)]
struct RefusesWhileSlow {
    running: PerLink<Option<u64>>,
}

impl Hooks for RefusesWhileSlow {
    fn opened(&self, call: &Arc<Call>, _sink: &Sink) {
        if call.transport == Transport::Stdio && calls_tool(Some(call), "slow") {
            self.running
                .with(call.link, |running| *running = Some(call.serial));
        }
    }

    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let running = self.running.with(call.link, Option::take);
        if running.is_some_and(|serial| serial != call.serial) {
            let why = "Another request is running.";
            return Err(Fault::new(Rule::Work, codes::INTERNAL, why));
        }
        outcome
    }
}

/// `drops-tenth-large-request`: how many there were.
#[derive(Default)]
struct DropsLarge {
    seen: PerLink<u32>,
}

impl DropsLarge {
    const LARGE: usize = 16 * 1024;
}

impl Hooks for DropsLarge {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let size = call.params().map(Value::to_string).map(|text| text.len());
        if call.transport != Transport::Stdio || size.unwrap_or_default() < Self::LARGE {
            return outcome;
        }
        let times = self.seen.with(call.link, |seen| {
            *seen += 1;
            *seen
        });
        if times.is_multiple_of(10) {
            let fault = Fault::new(Rule::Work, codes::INTERNAL, "This is never sent.");
            return Err(fault.with_effect(Effect::Silence));
        }
        outcome
    }
}
