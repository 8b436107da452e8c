//! What the mutants of multi round-trip requests remember, which a conforming server has no need to.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::{Map, Value};

use crate::{
    call::{Call, Link},
    rpc::{Id, Kind, Message},
};

/// One answer that asked for input.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// The connection of its request.
    pub(super) link: Link,
    /// The id of its request.
    pub(super) id: Option<Id>,
    /// The keys of its input requests.
    pub(super) keys: Vec<String>,
}

/// All answers that asked for input, by their request states.
#[derive(Debug, Default)]
pub(super) struct Rounds(Mutex<BTreeMap<String, Round>>);

impl Rounds {
    fn rounds(&self) -> MutexGuard<'_, BTreeMap<String, Round>> {
        // No code panics while it holds the lock half-way through a change.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers a message that asks for input.
    pub(super) fn note(&self, call: Option<&Call>, message: &Message) {
        let Some(result) = message.body.get("result").and_then(Value::as_object) else {
            return;
        };
        if let (Some(call), Some(requests), Some(state)) = (
            call,
            asked(result),
            result.get("requestState").and_then(Value::as_str),
        ) {
            let round = Round {
                link: call.link,
                id: call.id.clone(),
                keys: requests.keys().cloned().collect(),
            };
            self.rounds().insert(state.to_owned(), round);
        }
    }

    /// The answer that a request continues, if this server gave it.
    pub(super) fn continued_by(&self, call: &Call) -> Option<Round> {
        self.rounds().get(state_of(call)?).cloned()
    }
}

/// The request state that a request brings.
pub(super) fn state_of(call: &Call) -> Option<&str> {
    call.param("requestState").and_then(Value::as_str)
}

/// The input requests of a result that asks for input.
pub(super) fn asked(result: &Map<String, Value>) -> Option<&Map<String, Value>> {
    if result.get("resultType")?.as_str() != Some("input_required") {
        return None;
    }
    result.get("inputRequests")?.as_object()
}

/// The params of the input request under a key, where a message has one.
pub(super) fn params_asked<'a>(
    message: &'a mut Message,
    key: &str,
) -> Option<&'a mut Map<String, Value>> {
    let result = message.result_mut()?;
    asked(result)?.get(key)?.get("params")?;
    result["inputRequests"][key]["params"].as_object_mut()
}

/// Whether an answer to an input request that a call brings is as wanted.
pub(super) fn brings(call: &Call, wanted: impl Fn(&Value) -> bool) -> bool {
    call.param("inputResponses")
        .and_then(Value::as_object)
        .is_some_and(|answers| answers.values().any(wanted))
}

/// Whether a message is the final result of a request.
pub(super) fn is_final(message: &Message) -> bool {
    message.kind == Kind::Result
        && message
            .body
            .get("result")
            .is_some_and(|result| result["resultType"] == "complete")
}
