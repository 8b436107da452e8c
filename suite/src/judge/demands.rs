//! What every `given`, `expect`, alternative and `until` demands unless it names the member itself
//! (`cases/README.md`, section 6).

use mcpspec_wire::{Value, same_id};

use crate::matcher::{Matcher, Mismatch};
use crate::spec::Transport;

/// What kind of step an outcome belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepClass {
    /// `send`, `retry`, and the `await` of such a one: a JSON-RPC answer with the request's id is due.
    Request,
    /// `notify`, `raw`, `http`: something has to come.
    Exchange,
    /// Outcomes to which no demand applies: messages, `stop`, watches.
    Free,
}

/// The demands on one outcome.
#[derive(Debug, Clone, Copy)]
pub struct Demands {
    /// What kind of step it belongs to.
    pub class: StepClass,
    /// The transport.
    pub transport: Transport,
}

/// Members that say the answer need not be a JSON-RPC message.
const LOOSE: [&str; 5] = ["status", "type", "body", "json", "challenge"];

impl Demands {
    /// The first demand that the outcome does not meet.
    pub fn unmet(&self, matcher: &Matcher, outcome: &Value) -> Option<Mismatch> {
        if self.class == StepClass::Free {
            return None;
        }
        self.answer_came(matcher, outcome)
            .or_else(|| self.is_json_rpc(matcher, outcome))
            .or_else(|| self.has_id(matcher, outcome))
            .or_else(|| self.has_fitting_status(matcher, outcome))
    }

    fn answer_came(&self, matcher: &Matcher, outcome: &Value) -> Option<Mismatch> {
        if matcher.names("silent") || matcher.names("closed") {
            return None;
        }
        let actual = if is_true(outcome, "closed") {
            "closed without one"
        } else if is_true(outcome, "silent") {
            "none in time"
        } else {
            return None;
        };
        Some(mismatch(matcher, "", "an answer", actual))
    }

    fn is_json_rpc(&self, matcher: &Matcher, outcome: &Value) -> Option<Mismatch> {
        if self.class != StepClass::Request
            || lifts_json_rpc(matcher)
            || has_answer(outcome)
            || has_none(outcome)
        {
            return None;
        }
        let actual = match (outcome.get("status"), outcome.get("type")) {
            (Some(status), Some(media_type)) => format!("status {status} with {media_type}"),
            (Some(status), None) => format!("status {status} without a media type"),
            _ => "something else".to_owned(),
        };
        Some(mismatch(matcher, "", "a JSON-RPC answer", &actual))
    }

    fn has_id(&self, matcher: &Matcher, outcome: &Value) -> Option<Mismatch> {
        let answered = outcome.get("result").is_some() || outcome.get("error").is_some();
        if self.class != StepClass::Request
            || lifts_json_rpc(matcher)
            || matcher.names("id")
            || !answered
        {
            return None;
        }
        let due = outcome.pointer("/request/id")?;
        let actual = outcome.get("id");
        if actual.is_some_and(|actual| same_id(actual, due)) {
            return None;
        }
        let shown = actual.map_or_else(
            || "none".to_owned(),
            |id| format!("{} {id}", id.type_name()),
        );
        Some(mismatch(
            matcher,
            "/id",
            &format!("{} {due}", due.type_name()),
            &shown,
        ))
    }

    fn has_fitting_status(&self, matcher: &Matcher, outcome: &Value) -> Option<Mismatch> {
        if self.transport != Transport::Http || matcher.names("status") {
            return None;
        }
        let status = outcome.get("status")?.as_i64()?;
        let names_success = matcher.names("result") || matcher.names("ack");
        let has_success = outcome.get("result").is_some() || outcome.get("ack").is_some();
        if names_success && has_success && !(200..300).contains(&status) {
            return Some(mismatch(
                matcher,
                "/status",
                "a status 2xx for a result",
                &format!("{status}"),
            ));
        }
        let error = outcome.get("error");
        let internal = error.and_then(|error| error.get("code")?.as_i64()) == Some(-32603);
        let fits = status == 200
            || (400..500).contains(&status)
            || (500..600).contains(&status) && internal;
        if matcher.names("error") && error.is_some() && !fits {
            return Some(mismatch(
                matcher,
                "/status",
                "status 200 or 4xx for an error",
                &format!("{status}"),
            ));
        }
        None
    }
}

fn lifts_json_rpc(matcher: &Matcher) -> bool {
    LOOSE.iter().any(|member| matcher.names(member))
        && !["result", "error", "ack"]
            .iter()
            .any(|member| matcher.names(member))
}

fn has_answer(outcome: &Value) -> bool {
    ["result", "error", "ack"]
        .iter()
        .any(|member| outcome.get(member).is_some())
}

/// Nothing came: whether that is right is for the members `silent` and `closed` to say.
fn has_none(outcome: &Value) -> bool {
    is_true(outcome, "silent") || is_true(outcome, "closed")
}

fn is_true(outcome: &Value, member: &str) -> bool {
    outcome.get(member).and_then(Value::as_bool) == Some(true)
}

fn mismatch(matcher: &Matcher, pointer: &str, expected: &str, actual: &str) -> Mismatch {
    Mismatch {
        pointer: pointer.to_owned(),
        expected: expected.to_owned(),
        actual: actual.to_owned(),
        at: matcher.at,
    }
}
