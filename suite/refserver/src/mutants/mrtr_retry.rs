//! Mutants of how a call goes on (`basic/patterns/mrtr#basic-workflow`).

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;

use super::{
    breaks::Breaks,
    hooks::Hooks,
    mutant::{BOTH, Mutant},
    pick::calls_tool,
    rounds::{Rounds, asked, is_final, state_of},
};
use crate::{
    admit::{Check, Rule},
    call::{Call, Link},
    rpc::{Effect, Fault, Found, Id, Message, codes},
    server::Outcome,
};

const AREA: &str = "mrtr";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "restarts-on-retry",
        "a retry is answered like a first call, for ever",
        BOTH,
        Breaks::Call(forget_retry),
    ),
    Mutant::new(
        AREA,
        "answers-retry-with-first-id",
        "an error about inputResponses has the id of the first request",
        BOTH,
        Breaks::Own(|| Box::new(AnswersWithFirstId::default())),
    ),
    Mutant::new(
        AREA,
        "answers-bad-state-with-first-id",
        "an error about requestState has the id of the last request that was asked something",
        BOTH,
        Breaks::Own(|| Box::new(AnswersWithLastId::default())),
    ),
    Mutant::new(
        AREA,
        "answers-first-id-again",
        "the final result is sent for the id of the first request as well",
        BOTH,
        Breaks::Own(|| Box::new(AnswersFirstAgain::default())),
    ),
    Mutant::new(
        AREA,
        "continuation-per-connection",
        "the tool unlock goes on only on the connection that began it",
        BOTH,
        Breaks::Own(|| Box::new(ContinuesOnConnection::default())),
    ),
    Mutant::new(
        AREA,
        "knows-last-question-only",
        "of the calls of the tool ask only the last can be continued",
        BOTH,
        Breaks::Own(|| Box::new(KnowsLastQuestion::default())),
    ),
    Mutant::new(
        AREA,
        "leaks-pending-slots",
        "calls that are never continued use up slots of their connection until further ones block",
        BOTH,
        Breaks::Own(|| Box::new(LeaksSlots::default())),
    ),
];

fn forget_retry(call: &mut Call) {
    let is_retry =
        state_of(call).is_some() && call.param("inputResponses").is_some_and(Value::is_object);
    let params = call.body.get_mut("params").and_then(Value::as_object_mut);
    if let Some(params) = params.filter(|_| is_retry) {
        params.shift_remove("inputResponses");
        params.shift_remove("requestState");
    }
}

#[derive(Default)]
struct AnswersWithFirstId {
    rounds: Rounds,
}

impl Hooks for AnswersWithFirstId {
    fn deliver(&self, call: Option<&Call>, mut message: Message) -> Vec<Message> {
        self.rounds.note(call, &message);
        if matches!(message.rule, Some(Rule::InputResponses | Rule::Answer))
            && let Some(round) = call.and_then(|call| self.rounds.continued_by(call))
        {
            message.set_id(round.id.as_ref());
        }
        vec![message]
    }
}

#[derive(Default)]
struct AnswersWithLastId {
    last: Mutex<Option<Id>>,
}

impl Hooks for AnswersWithLastId {
    fn deliver(&self, call: Option<&Call>, mut message: Message) -> Vec<Message> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if message
            .result_mut()
            .is_some_and(|result| asked(result).is_some())
        {
            *last = call.and_then(|call| call.id.clone());
        } else if matches!(message.rule, Some(Rule::StateSeal | Rule::StateType)) {
            message.set_id(last.as_ref());
        }
        vec![message]
    }
}

#[derive(Default)]
struct AnswersFirstAgain {
    rounds: Rounds,
}

impl Hooks for AnswersFirstAgain {
    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.rounds.note(call, &message);
        let round = call.and_then(|call| self.rounds.continued_by(call));
        match round.filter(|_| is_final(&message)) {
            Some(round) => {
                let mut again = message.clone();
                again.set_id(round.id.as_ref());
                vec![message, again]
            }
            None => vec![message],
        }
    }
}

/// Only one tool does so: a client that keeps a pool of connections could not continue any call otherwise.
#[derive(Default)]
struct ContinuesOnConnection {
    rounds: Rounds,
}

impl Hooks for ContinuesOnConnection {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        found?;
        let is_bound = check.rule == Rule::StateBound
            && call.param("name").is_some_and(|name| name == "unlock");
        let is_here = || {
            self.rounds
                .continued_by(call)
                .is_some_and(|round| round.link == call.link)
        };
        if is_bound && !is_here() {
            return Err(Fault::invalid_params(
                Rule::StateBound,
                "There is nothing to continue on this connection.",
            ));
        }
        Ok(())
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.rounds.note(call, &message);
        vec![message]
    }
}

#[derive(Default)]
struct KnowsLastQuestion {
    last: Mutex<Option<String>>,
}

impl KnowsLastQuestion {
    fn last(&self) -> MutexGuard<'_, Option<String>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hooks for KnowsLastQuestion {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        found?;
        let is_forgotten = check.rule == Rule::StateBound
            && calls_tool(Some(call), "ask")
            && self.last().as_deref() != state_of(call);
        if is_forgotten {
            return Err(Fault::invalid_params(
                Rule::StateBound,
                "There is nothing to continue.",
            ));
        }
        Ok(())
    }

    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let reply = outcome?;
        if calls_tool(Some(call), "ask")
            && let Some(state) = reply.result.get("requestState").and_then(Value::as_str)
        {
            *self.last() = Some(state.to_owned());
        }
        Ok(reply)
    }
}

/// How many calls of one connection can wait for their answers. A call that ends frees all of them, so that a connection that
/// many share does not run out.
const SLOTS: usize = 45;

#[derive(Default)]
struct LeaksSlots {
    pending: Mutex<BTreeMap<Link, usize>>,
}

impl Hooks for LeaksSlots {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let reply = outcome?;
        // No code panics while it holds the lock half-way through a change.
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if state_of(call).is_some() {
            pending.remove(&call.link);
        } else if asked(&reply.result).is_some() {
            let taken = pending.entry(call.link).or_default();
            if *taken == SLOTS {
                let fault = Fault::new(Rule::Work, codes::INTERNAL, "All slots are in use.");
                return Err(fault.with_effect(Effect::Silence));
            }
            *taken += 1;
        }
        Ok(reply)
    }
}
