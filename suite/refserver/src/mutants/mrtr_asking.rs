//! Mutants of what is asked for, and how (`basic/patterns/mrtr#server-requirements-basic-workflow`).

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks,
    mutant::{BOTH, Mutant},
    rounds::{asked, state_of},
};
use crate::{
    admit::{Check, Need, Subject},
    call::Call,
    rpc::{Id, Message},
    server::Outcome,
};

const AREA: &str = "mrtr";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "elicits-from-undeclared-client",
        "elicitation/create is asked for whatever the client declares",
        BOTH,
        Breaks::Check(|check, _, found| match needed(check) {
            Some(Need::Form | Need::Url) => Ok(()),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "samples-undeclared-client",
        "sampling/createMessage is asked for whatever the client declares",
        BOTH,
        Breaks::Check(|check, _, found| match needed(check) {
            Some(Need::Sampling | Need::SamplingTools) => Ok(()),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "asks-roots-of-undeclared-client",
        "roots/list is asked for whatever the client declares",
        BOTH,
        Breaks::Check(|check, _, found| match needed(check) {
            Some(Need::Roots) => Ok(()),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "sends-all-inputs-if-any-declared",
        "one declared capability unlocks every input request",
        BOTH,
        Breaks::Check(|check, call, found| match needed(check) {
            Some(_) if !call.capabilities().is_empty() => Ok(()),
            _ => found,
        }),
    ),
    Mutant::new(
        AREA,
        "sends-elicitation-as-request",
        "a call that elicits sends elicitation/create as a request of its own, too",
        BOTH,
        Breaks::Messages(|call, message| sends_request(&["elicitation/create"], call, message)),
    ),
    Mutant::new(
        AREA,
        "sends-other-inputs-as-requests",
        "a call that needs roots or a model asks for them by a request of its own, too",
        BOTH,
        Breaks::Messages(|call, message| {
            sends_request(&["roots/list", "sampling/createMessage"], call, message)
        }),
    ),
    Mutant::new(
        AREA,
        "tools-list-asks-elicitation",
        "tools/list asks for elicitation where that is declared",
        BOTH,
        Breaks::Outcome(tools_list_asks),
    ),
    Mutant::new(
        AREA,
        "reuses-input-key",
        "of several input requests in one round the last takes the place of the others",
        BOTH,
        Breaks::Message(|_, message| keep_last_request(message)),
    ),
    Mutant::new(
        AREA,
        "writes-input-key-twice",
        "two input requests of one round are written under the same key",
        BOTH,
        Breaks::BytesOut(|_, text| {
            const KEYS: [&str; 2] = ["\"topic\":{\"method\"", "\"draft\":{\"method\""];
            let written = String::from_utf8_lossy(text);
            if KEYS.iter().all(|key| written.contains(key)) {
                *text = written.replacen(KEYS[1], KEYS[0], 1).into_bytes();
            }
        }),
    ),
    // No call could be continued if all of them did what follows, so only those that need roots do.
    Mutant::new(
        AREA,
        "unknown-input-method",
        "roots are asked for by the method ping",
        BOTH,
        Breaks::Message(|_, message| {
            if let Some(result) = needs_roots(message) {
                result["inputRequests"][ROOTS]["method"] = "ping".into();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "bare-input-required",
        "where roots are needed, neither input requests nor a request state come",
        BOTH,
        Breaks::Message(|_, message| {
            if let Some(result) = needs_roots(message) {
                result.shift_remove("inputRequests");
                result.shift_remove("requestState");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "input-requests-as-array",
        "roots are asked for by an array of requests with ids",
        BOTH,
        Breaks::Message(|_, message| {
            if let Some(result) = needs_roots(message) {
                let mut request = result["inputRequests"][ROOTS].take();
                request["id"] = ROOTS.into();
                result["inputRequests"] = json!([request]);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "request-state-as-object",
        "where roots are needed, the request state is an object",
        BOTH,
        Breaks::Message(|_, message| {
            if let Some(result) = needs_roots(message) {
                result["requestState"] = json!({ "token": result["requestState"] });
            }
        }),
    ),
    Mutant::new(
        AREA,
        "input-requests-in-complete-result",
        "where roots are needed, a result that says complete asks for them",
        BOTH,
        Breaks::Message(|_, message| {
            if let Some(result) = needs_roots(message) {
                result["resultType"] = "complete".into();
                result.insert("content".to_owned(), json!([]));
            }
        }),
    ),
];

/// The key under which the server asks for roots.
const ROOTS: &str = "roots";

/// What the client is being asked to have declared.
fn needed(check: &Check<'_>) -> Option<Need> {
    match check.subject {
        Subject::Need(need) => Some(need),
        _ => None,
    }
}

/// The result of a message that asks for roots.
fn needs_roots(message: &mut Message) -> Option<&mut Map<String, Value>> {
    let result = message.result_mut()?;
    asked(result)?.contains_key(ROOTS).then_some(result)
}

fn keep_last_request(message: &mut Message) {
    let Some(result) = message.result_mut() else {
        return;
    };
    let last = asked(result).and_then(|requests| requests.iter().next_back());
    if let Some((key, request)) = last {
        result["inputRequests"] = json!({ key.clone(): request });
    }
}

/// The result comes all the same, so that the call can be continued.
fn sends_request(methods: &[&str], call: Option<&Call>, message: Message) -> Vec<Message> {
    let asked_for = call
        .filter(|call| call.method() == "tools/call" && state_of(call).is_none())
        .zip(message.body.get("result").and_then(Value::as_object))
        .and_then(|(call, result)| {
            let mut requests = asked(result)?.values();
            requests.find_map(|request| {
                let method = methods
                    .iter()
                    .find(|method| request["method"] == **method)?;
                let params = request.get("params").cloned().unwrap_or(json!({}));
                Some((call.serial, *method, params))
            })
        });
    match asked_for {
        Some((serial, method, params)) => {
            let mut request = Message::notification(method, params);
            request.set_id(Some(&Id::from(json!(format!("input-{serial}")))));
            vec![request, message]
        }
        None => vec![message],
    }
}

fn tools_list_asks(call: &Call, outcome: Outcome) -> Outcome {
    let mut reply = outcome?;
    if call.method() == "tools/list" && Need::Form.is_declared(&call.capabilities()) {
        reply.result.retain(|name, _| name == "_meta");
        let schema = json!({ "type": "object", "properties": { "filter": { "type": "string" } } });
        let params = json!({ "mode": "form", "message": "Which tools do you want?", "requestedSchema": schema });
        let request = json!({ "method": "elicitation/create", "params": params });
        reply
            .result
            .insert("resultType".to_owned(), "input_required".into());
        reply
            .result
            .insert("inputRequests".to_owned(), json!({ "filter": request }));
    }
    Ok(reply)
}
