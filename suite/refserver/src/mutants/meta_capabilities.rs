//! Mutants of what is done where the client lacks a capability (`basic/index#error-codes`).

use serde_json::json;

use super::{
    breaks::Breaks::{Check, Fault, Own, Shape},
    mutant::{BOTH, HTTP, Mutant},
    panics::Panics,
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Need, Subject},
    rpc::{Fault as Refusal, codes},
};

const AREA: &str = "meta";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "internal-error-for-missing-capability",
        "a client that lacks a capability gets -32603",
        BOTH,
        Check(|check, _, mut found| {
            if let (Subject::Need(_), Err(fault)) = (check.subject, &mut found) {
                fault.code = codes::INTERNAL;
                fault.message = "client cannot do that".to_owned();
                fault.data = None;
                fault.status = 500;
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "missing-capability-200",
        "-32021 has status 200",
        HTTP,
        Fault(|_, fault| {
            if fault.code == codes::MISSING_CLIENT_CAPABILITY {
                fault.status = 200;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "lists-wrong-capability",
        "the requiredCapabilities of -32021 are empty",
        BOTH,
        Shape(&[Edit(
            On::Error(codes::MISSING_CLIENT_CAPABILITY),
            "/error/data/requiredCapabilities",
            Do::Set("{}"),
        )]),
    ),
    Mutant::new(
        AREA,
        "required-capabilities-array",
        "the requiredCapabilities of -32021 are a list",
        BOTH,
        Shape(&[Edit(
            On::Error(codes::MISSING_CLIENT_CAPABILITY),
            "/error/data/requiredCapabilities",
            Do::Set("[\"elicitation\"]"),
        )]),
    ),
    Mutant::new(
        AREA,
        "demands-explicit-form-mode",
        "an empty elicitation capability does not count as form mode",
        BOTH,
        Check(|check, call, found| {
            let Subject::Need(Need::Form) = check.subject else {
                return found;
            };
            let implicit = call
                .capabilities()
                .get("elicitation")
                .is_some_and(|modes| modes.get("form").is_none());
            let required = json!({ "requiredCapabilities": { "elicitation": { "form": {} } } });
            if found.is_ok() && implicit {
                let message = "The form mode is not declared.";
                let fault = Refusal::new(check.rule, codes::MISSING_CLIENT_CAPABILITY, message);
                return Err(fault.with_data(required));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "panics-on-prompt-for-incapable-client",
        "a prompt or a resource that asks a client without forms ends the process, or gets a bare 500",
        BOTH,
        Own(|| {
            Box::new(Panics(|call| {
                let asks = match call.method() {
                    "prompts/get" => call.param("name") == Some(&json!("ask")),
                    "resources/read" => call.param("uri") == Some(&json!("refserver://ask/art")),
                    _ => false,
                };
                asks && !Need::Form.is_declared(&call.capabilities())
            }))
        }),
    ),
];
