//! Mutants of the request state (`basic/patterns/mrtr#server-requirements-basic-workflow`).

use axum::http::header;
use serde_json::{Value, json};

use super::{
    breaks::Breaks,
    hooks::{Answered, Hooks},
    mutant::{BOTH, HTTP, Mutant, Variant},
    rounds::state_of,
};
use crate::{
    admit::{Check, Rule},
    call::{Call, Transport},
    rpc::{Effect, Fault, Found, codes},
    serve::{HttpReply, Payload},
    server::Reply,
};

const AREA: &str = "mrtr";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "accepts-tampered-state",
        "the seal of a request state is not looked at",
        BOTH,
        Breaks::Check(|check, _, found| without(Rule::StateSeal, check, found)),
    ),
    Mutant::new(
        AREA,
        "ignores-tail-of-state",
        "what stands behind the seal of a request state is passed over",
        BOTH,
        Breaks::Call(cut_off_tail),
    ),
    Mutant::new(
        AREA,
        "state-never-expires",
        "a request state is good for ever",
        BOTH,
        Breaks::Check(|check, _, found| without(Rule::StateFresh, check, found)),
    ),
    Mutant::new(
        AREA,
        "accepts-state-of-other-request",
        "a request state completes any request",
        BOTH,
        Breaks::Check(|check, _, found| without(Rule::StateBound, check, found)),
    ),
    Mutant::new(
        AREA,
        "completes-other-request",
        "a request state ends whatever request brings it without answers",
        BOTH,
        Breaks::Outcome(|call, outcome| match outcome {
            Err(fault)
                if fault.rule == Rule::StateBound && call.param("inputResponses").is_none() =>
            {
                let text = json!({ "type": "text", "text": "Done." });
                Ok(Reply::from(
                    json!({ "resultType": "complete", "content": [text] }),
                ))
            }
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "accepts-state-of-other-user",
        "a request state is good for anyone",
        HTTP,
        Breaks::Check(|check, _, found| without(Rule::StatePrincipal, check, found)),
    )
    .on(Variant {
        protected: true,
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "redeems-state-twice",
        "a request state for one use works twice",
        BOTH,
        Breaks::Check(|check, _, found| without(Rule::StateUnused, check, found)),
    ),
    Mutant::new(
        AREA,
        "accepts-number-as-state",
        "a request state that is no string is ignored",
        BOTH,
        Breaks::Check(|check, _, found| without(Rule::StateType, check, found)),
    ),
    Mutant::new(
        AREA,
        "panics-on-bad-state",
        "an empty request state ends the process, or gets a bare 500",
        BOTH,
        Breaks::Own(|| Box::new(PanicsOnBadState)),
    ),
];

/// What was found, as if there were no such rule.
fn without(rule: Rule, check: &Check<'_>, found: Found) -> Found {
    if check.rule == rule { Ok(()) } else { found }
}

/// How long a seal is: 32 bytes in base64 without padding.
const SEAL: usize = 43;

fn cut_off_tail(call: &mut Call) {
    let params = call.body.get_mut("params").and_then(Value::as_object_mut);
    let state = params.and_then(|params| params.get_mut("requestState"));
    if let Some(Value::String(state)) = state
        && let Some(dot) = state.find('.')
        && state.is_char_boundary(dot + 1 + SEAL)
    {
        state.truncate(dot + 1 + SEAL);
    }
}

/// A panic ends a process; a handler of an HTTP server only drops its request.
struct PanicsOnBadState;

impl Hooks for PanicsOnBadState {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        if check.rule == Rule::StateSeal && state_of(call) == Some("") {
            let fault = Fault::new(Rule::StateSeal, codes::INTERNAL, "Internal error");
            return Err(match call.transport {
                Transport::Stdio => fault.with_effect(Effect::Crash(101)),
                Transport::Http => fault,
            });
        }
        found
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut HttpReply) {
        let panicked = answered
            .message
            .is_some_and(|message| message.rule == Some(Rule::StateSeal));
        if panicked && reply.status == 500 {
            reply.body = Payload::Text(b"Internal Server Error".to_vec());
            reply.set(header::CONTENT_TYPE, "text/plain");
        }
    }
}
