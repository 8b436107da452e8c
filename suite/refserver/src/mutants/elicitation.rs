//! Mutants of who is asked, and of what is done with the answer (`client/elicitation`).

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks,
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, HTTP, Mutant, Variant},
    panics::Panics,
    rounds::{asked, brings, state_of},
};
use crate::{
    admit::{Check, Need, Rule, Subject},
    call::Call,
    rpc::{Effect, Fault, Found, codes},
    server::Outcome,
};

const AREA: &str = "elicitation";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "demands-explicit-form-key",
        "an empty elicitation capability is taken for none",
        BOTH,
        Breaks::Check(demand_form_key),
    ),
    Mutant::new(
        AREA,
        "url-mode-to-form-client",
        "a page is asked for whatever kind of elicitation is declared",
        BOTH,
        Breaks::Check(|check, call, found| {
            let asks_page = matches!(check.subject, Subject::Need(Need::Url));
            if asks_page && call.capabilities().contains_key("elicitation") {
                return Ok(());
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "form-to-url-client",
        "a form is asked for whatever kind of elicitation is declared",
        BOTH,
        Breaks::Check(|check, call, found| {
            let asks_form = matches!(check.subject, Subject::Need(Need::Form));
            if asks_form && call.capabilities().contains_key("elicitation") {
                return Ok(());
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "blocks-until-answered",
        "where a connection begins with a call that asks, the request after it is never answered unless it continues the call",
        BOTH,
        Breaks::Own(|| Box::new(BlocksUntilAnswered::default())),
    ),
    Mutant::new(
        AREA,
        "hangs-on-cancel",
        "a call that is continued with cancel is never answered",
        BOTH,
        Breaks::Outcome(|call, outcome| {
            if brings(call, |answer| answer["action"] == "cancel") {
                return Err(silence());
            }
            outcome
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-decline",
        "a call that is continued with decline ends the process, or gets a bare 500",
        BOTH,
        Breaks::Own(|| {
            Box::new(Panics(|call| {
                brings(call, |answer| answer["action"] == "decline")
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "ignores-requested-schema",
        "the content of a form is taken as it comes",
        BOTH,
        Breaks::Check(|check, call, found| {
            if check.rule == Rule::Answer && brings(call, |answer| answer["content"].is_object()) {
                return Ok(());
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "elicitation-shared-between-users",
        "what one user was asked can be finished by another",
        HTTP,
        Breaks::Check(|check, _, found| match check.rule {
            Rule::StatePrincipal => Ok(()),
            _ => found,
        }),
    )
    .on(Variant {
        protected: true,
        ..Variant::DEFAULT
    }),
];

fn demand_form_key(check: &Check<'_>, call: &Call, found: Found) -> Found {
    let asks_form = matches!(check.subject, Subject::Need(Need::Form));
    let declared = call.capabilities();
    if !asks_form
        || declared
            .get("elicitation")
            .is_some_and(|modes| modes.get("form").is_some())
    {
        return found;
    }
    let mut missing = Map::new();
    Need::Form.add_to(&mut missing);
    let fault = Fault::new(
        check.rule,
        codes::MISSING_CLIENT_CAPABILITY,
        "The client has to declare forms.",
    );
    Err(fault.with_data(json!({ "requiredCapabilities": Value::Object(missing) })))
}

fn silence() -> Fault {
    Fault::new(Rule::Work, codes::INTERNAL, "This is never sent.").with_effect(Effect::Silence)
}

/// What a connection has carried so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Opening {
    #[default]
    Nothing,
    /// Its first request, which asked.
    Question,
    More,
}

/// Later questions hold nothing up, or a connection that many share would soon be of no use.
#[derive(Default)]
struct BlocksUntilAnswered {
    openings: PerLink<Opening>,
}

impl Hooks for BlocksUntilAnswered {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let asks = outcome
            .as_ref()
            .is_ok_and(|reply| asked(&reply.result).is_some());
        let opening = self.openings.with(call.link, |opening| {
            let next = match opening {
                Opening::Nothing if asks => Opening::Question,
                _ => Opening::More,
            };
            std::mem::replace(opening, next)
        });
        if opening == Opening::Question && state_of(call).is_none() {
            return Err(silence());
        }
        outcome
    }
}
