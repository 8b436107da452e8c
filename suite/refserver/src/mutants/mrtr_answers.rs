//! Mutants of how answers to input requests are taken (`basic/patterns/mrtr#error-handling`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks,
    hooks::Hooks,
    mutant::{BOTH, Mutant},
    rounds::{Rounds, asked},
};
use crate::{
    admit::{Check, Rule, keys},
    call::Call,
    methods::server_info,
    rpc::{Fault, Found, Message},
    server::{Outcome, Reply},
};

const AREA: &str = "mrtr";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "accepts-any-input-response",
        "whatever is answered to an input request counts as an answer",
        BOTH,
        Breaks::Check(|check, _, found| match check.rule {
            Rule::Answer => Ok(()),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "bad-input-responses-as-tool-error",
        "inputResponses that are a text lead to a result with isError",
        BOTH,
        Breaks::Outcome(|call, outcome| match outcome {
            Err(fault)
                if fault.rule == Rule::InputResponses
                    && given(call).is_some_and(Value::is_string) =>
            {
                Ok(tool_error(&fault))
            }
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "rejects-unsolicited-input-responses",
        "a call with inputResponses that nobody asked for is refused",
        BOTH,
        Breaks::Check(|check, call, found| {
            found?;
            let unsolicited = given(call).is_some() && call.param("requestState").is_none();
            if check.rule == Rule::InputResponses && unsolicited {
                return Err(refusal("Nobody asked for these inputResponses."));
            }
            Ok(())
        }),
    ),
    Mutant::new(
        AREA,
        "rejects-extra-input-response",
        "an answer under a key that was not asked for is refused",
        BOTH,
        Breaks::Own(|| Box::new(RejectsExtra::default())),
    ),
    Mutant::new(
        AREA,
        "errors-on-missing-input",
        "a retry that leaves a question unanswered is refused",
        BOTH,
        Breaks::Own(|| Box::new(ErrorsOnMissing::default())),
    ),
];

fn given(call: &Call) -> Option<&Value> {
    call.param("inputResponses")
}

fn refusal(why: &str) -> Fault {
    Fault::invalid_params(Rule::InputResponses, why)
}

fn tool_error(fault: &Fault) -> Reply {
    Reply::from(json!({
        "resultType": "complete",
        "content": [{ "type": "text", "text": fault.message }],
        "isError": true,
        "_meta": { keys::SERVER_INFO: server_info() },
    }))
}

#[derive(Default)]
struct RejectsExtra {
    rounds: Rounds,
}

impl Hooks for RejectsExtra {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        found?;
        if check.rule == Rule::InputResponses
            && let Some(round) = self.rounds.continued_by(call)
            && let Some(given) = given(call).and_then(Value::as_object)
            && let Some(extra) = given.keys().find(|key| !round.keys.contains(key))
        {
            return Err(refusal(&format!("Nobody asked for {extra:?}.")));
        }
        Ok(())
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.rounds.note(call, &message);
        vec![message]
    }
}

#[derive(Default)]
struct ErrorsOnMissing {
    rounds: Rounds,
}

impl Hooks for ErrorsOnMissing {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let reply = outcome?;
        if let Some(round) = self.rounds.continued_by(call)
            && let Some(again) = asked(&reply.result)
            && let Some(missing) = round.keys.iter().find(|key| again.contains_key(*key))
        {
            return Err(refusal(&format!("The answer to {missing} is missing.")));
        }
        Ok(reply)
    }

    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        self.rounds.note(call, &message);
        vec![message]
    }
}
