//! Mutants of completion.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Call, Check, Fault, Instead, Outcome, Shape},
    checks::open_to_all,
    mutant::{BOTH, HTTP, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Check as Checked, Rule},
    call::Call as Request,
    options::Capability,
    rpc::{self, Effect, Found, codes},
    server::Reply,
};

const AREA: &str = "completion";

const METHOD: &str = "completion/complete";

const COMPLETED: On = On::Complete(&[METHOD]);

/// More than a response may have.
const TOO_MANY: usize = 150;

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "completion-leaks-private-values",
        "what is private to one principal is completed for all",
        HTTP,
        Check(|check, call, found| open_to_all(METHOD, check, call, found)),
    )
    .on(Variant {
        protected: true,
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "completes-without-value",
        "a missing argument.value is taken as \"\"",
        BOTH,
        Call(|call| {
            if call.method() != METHOD {
                return;
            }
            let argument = call
                .body
                .get_mut("params")
                .and_then(|params| params.get_mut("argument")?.as_object_mut());
            if let Some(argument) = argument {
                argument
                    .entry("value".to_owned())
                    .or_insert_with(|| "".into());
            }
        }),
    ),
    Mutant::new(
        AREA,
        "completions-undeclared",
        "the capability is absent, and completion/complete answers with values",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["server/discover"]),
            "/result/capabilities/completions",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "empty-completion-undeclared",
        "completion/complete gives no values where the capability is absent",
        BOTH,
        Instead(|call| {
            (call.method() == METHOD)
                .then(|| Ok(Reply::from(json!({ "completion": { "values": [] } }))))
        }),
    )
    .on(Variant {
        without: &[Capability::Completions],
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "rejects-completion-context",
        "context is refused",
        BOTH,
        Check(|check, call, found| {
            let has_context = call.param("context").is_some();
            refuse(check, call, found, has_context)
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-number-value",
        "an argument.value that is a number ends the process",
        BOTH,
        Check(|check, call, found| {
            let value = call
                .param("argument")
                .and_then(|argument| argument.get("value"));
            let is_number = value.is_some_and(Value::is_number);
            refuse(check, call, found, is_number).map_err(|fault| {
                if is_number {
                    fault.with_effect(Effect::Crash(101))
                } else {
                    fault
                }
            })
        }),
    ),
    Mutant::new(
        AREA,
        "completion-failure-as-32602",
        "a failure inside gives -32602",
        BOTH,
        Fault(|call, fault| {
            if call.method() == METHOD && fault.rule == Rule::Work {
                *fault = rpc::Fault::invalid_params(fault.rule, fault.message.clone());
            }
        }),
    ),
    Mutant::new(
        AREA,
        "rejects-prompt-ref",
        "a reference of type ref/prompt is refused",
        BOTH,
        Check(|check, call, found| refuse(check, call, found, has_ref(call, "ref/prompt"))),
    ),
    Mutant::new(
        AREA,
        "rejects-template-ref",
        "a reference to a template is refused",
        BOTH,
        Check(|check, call, found| refuse(check, call, found, has_ref(call, "ref/resource"))),
    ),
    Mutant::new(
        AREA,
        "empty-values-for-unknown-prompt",
        "an unknown prompt is completed by no values",
        BOTH,
        Check(|check, call, found| {
            if check.rule == Rule::CompletionRef && has_ref(call, "ref/prompt") {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "has-more-as-number",
        "hasMore is 1",
        BOTH,
        Shape(&[Edit(COMPLETED, "/result/completion/hasMore", Do::Set("1"))]),
    ),
    Mutant::new(
        AREA,
        "too-many-completions",
        "there are 150 values",
        BOTH,
        Outcome(|call, outcome| {
            outcome.map(|mut reply| {
                if call.method() == METHOD {
                    let values: Vec<String> = (0..TOO_MANY)
                        .map(|number| format!("value {number}"))
                        .collect();
                    reply
                        .result
                        .insert("completion".to_owned(), json!({ "values": values }));
                }
                reply
            })
        }),
    ),
    Mutant::new(
        AREA,
        "completion-values-as-objects",
        "the values are objects",
        BOTH,
        Shape(&[Edit(
            COMPLETED,
            "/result/completion/values",
            Do::Set("[{\"label\":\"A value\",\"value\":\"value\"}]"),
        )]),
    ),
    Mutant::new(
        AREA,
        "total-as-string",
        "total is a string",
        BOTH,
        Shape(&[Edit(
            COMPLETED,
            "/result/completion/total",
            Do::Set("\"10\""),
        )]),
    ),
];

fn has_ref(call: &Request, kind: &str) -> bool {
    call.param("ref")
        .and_then(|reference| reference.get("type"))
        .is_some_and(|found| found == kind)
}

/// A refusal where the params of a completion are checked.
fn refuse(check: &Checked<'_>, call: &Request, found: Found, unwanted: bool) -> Found {
    if check.rule == Rule::MethodParams && call.method() == METHOD && unwanted {
        return Err(rpc::Fault::new(
            check.rule,
            codes::INVALID_PARAMS,
            "It cannot be completed.",
        ));
    }
    found
}
