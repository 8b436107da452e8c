//! Requests that ask for input, answered until they ask no more (page `basic/patterns/mrtr`).

use std::collections::BTreeSet;

use mcpspec_wire::{Object, Value};

use crate::arguments::answers;
use crate::config::WholeRequest;

use super::caller::{Caller, Seen, with_param};
use super::served::is_complete;

/// Most rounds that are answered.
const MAX_ROUNDS: usize = 10;

/// What a server asks a client for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Input {
    Form,
    Url,
    Sampling,
    Roots,
}

impl Input {
    /// The trigger of what asks for nothing else.
    pub(super) fn trigger(self) -> &'static str {
        match self {
            Input::Form => "elicitation-tool",
            Input::Url => "url-elicitation-tool",
            Input::Sampling => "sampling-tool",
            Input::Roots => "roots-tool",
        }
    }

    /// What one of `inputRequests` asks for, if it is known.
    fn of(request: &Value) -> Option<Input> {
        match request.get("method")?.as_str()? {
            "elicitation/create" => {
                let mode = request.pointer("/params/mode").and_then(Value::as_str);
                Some(match mode {
                    Some("url") => Input::Url,
                    _ => Input::Form,
                })
            }
            "sampling/createMessage" => Some(Input::Sampling),
            "roots/list" => Some(Input::Roots),
            _ => None,
        }
    }
}

/// Capabilities of a client that can be asked for everything.
pub(super) fn everything() -> Value {
    let tools: Object = [("tools", Object::new())].into_iter().collect();
    let all = BTreeSet::from([Input::Form, Input::Url, Input::Roots]);
    let mut capabilities = capabilities(&all).as_object().cloned().unwrap_or_default();
    capabilities.insert("sampling", tools);
    Value::Object(capabilities)
}

/// Capabilities of a client that can be asked for this, and for nothing else.
pub(super) fn capabilities(inputs: &BTreeSet<Input>) -> Value {
    let mut capabilities = Object::new();
    let mut elicitation = Object::new();
    if inputs.contains(&Input::Form) {
        elicitation.insert("form", Object::new());
    }
    if inputs.contains(&Input::Url) {
        elicitation.insert("url", Object::new());
    }
    if !elicitation.is_empty() {
        capabilities.insert("elicitation", elicitation);
    }
    if inputs.contains(&Input::Sampling) {
        capabilities.insert("sampling", Object::new());
    }
    if inputs.contains(&Input::Roots) {
        capabilities.insert("roots", Object::new());
    }
    Value::Object(capabilities)
}

/// What came of answering a request until it asked no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interview {
    /// All that was asked for, in whatever round.
    pub(super) inputs: BTreeSet<Input>,
    /// How often it asked.
    rounds: usize,
    /// How much it asked for at first.
    first: usize,
    /// Whether a request state came with the first questions.
    has_state: bool,
    /// Whether it came to a result in the end.
    completes: bool,
}

impl Interview {
    /// Whether this shows what that trigger stands for. What is answered without coming to an end is of no use, since cases hold a
    /// server to it that answers are taken: but nobody visits the page that a URL leads to.
    pub(super) fn is(&self, trigger: &str) -> bool {
        let mut inputs = self.inputs.iter();
        match (trigger, inputs.next(), inputs.next()) {
            (_, None, _) => false,
            ("state-tool", ..) => self.completes && self.has_state,
            ("multi-round-tool", ..) => self.completes && (self.rounds > 1 || self.is_together()),
            (_, Some(input), None) => {
                input.trigger() == trigger && (self.completes || *input == Input::Url)
            }
            _ => false,
        }
    }

    /// Whether it asks for several things at once.
    pub(super) fn is_together(&self) -> bool {
        self.first > 1
    }
}

/// What a result asks for, if it asks.
pub(super) fn asked(seen: &Seen) -> Option<&Value> {
    let result = seen.result.as_ref()?;
    let kind = result.get("resultType").and_then(Value::as_str);
    (kind == Some("input_required")).then_some(result)
}

/// Answers a request that asked for something, on and on. None: no answer came, or something unknown is asked for.
pub(super) async fn interview(
    caller: &mut Caller<'_, '_>,
    whole: &WholeRequest,
    first: &Value,
) -> Option<Interview> {
    let mut interview = Interview {
        inputs: BTreeSet::new(),
        rounds: 0,
        first: questions(first).count(),
        has_state: first.get("requestState").and_then(Value::as_str).is_some(),
        completes: false,
    };
    let mut asking = first.clone();
    while interview.rounds < MAX_ROUNDS {
        interview.rounds += 1;
        for question in questions(&asking) {
            interview.inputs.insert(Input::of(question)?);
        }
        let answering = answering(whole, &asking);
        let answering = tokio::time::timeout(caller.left(), answering).await;
        let seen = caller.call(&answering.ok()??).await?;
        match asked(&seen) {
            Some(next) => asking = next.clone(),
            None => {
                interview.completes = seen.result.as_ref().is_some_and(is_complete);
                break;
            }
        }
    }
    Some(interview)
}

/// The first tool that a server offers to the model.
pub(super) fn offered_tool(asking: &Value) -> Option<&Value> {
    questions(asking).find_map(|question| {
        let tools = question.pointer("/params/tools")?.as_array()?;
        tools.first()
    })
}

/// The request with the answer of a model that uses a tool to all that was asked.
pub(super) fn using(
    whole: &WholeRequest,
    asking: &Value,
    name: &str,
    input: &Value,
) -> WholeRequest {
    let content: Object = [
        ("type", Value::from("tool_use")),
        ("id", Value::from("use-1")),
        ("name", Value::from(name)),
        ("input", input.clone()),
    ]
    .into_iter()
    .collect();
    let answer: Object = [
        ("role", Value::from("assistant")),
        ("model", Value::from("mcpspec-made-up")),
        ("stopReason", Value::from("toolUse")),
        ("content", Value::from(vec![Value::Object(content)])),
    ]
    .into_iter()
    .collect();
    let keys = asking.get("inputRequests").and_then(Value::as_object);
    let keys = keys.into_iter().flat_map(Object::iter);
    let answers: Object = keys.map(|(key, _)| (key, answer.clone())).collect();
    answered(whole, asking, Value::Object(answers))
}

async fn answering(whole: &WholeRequest, asking: &Value) -> Option<WholeRequest> {
    let requests = asking.get("inputRequests").cloned().unwrap_or(Value::Null);
    // Work on a hostile schema takes bounded time, but not none.
    let made = tokio::task::spawn_blocking(move || answers::made(&requests)).await;
    Some(answered(whole, asking, made.ok()?))
}

fn answered(whole: &WholeRequest, asking: &Value, answers: Value) -> WholeRequest {
    let answered = with_param(whole, "inputResponses", answers);
    match asking.get("requestState") {
        Some(state) => with_param(&answered, "requestState", state.clone()),
        None => answered,
    }
}

fn questions(asking: &Value) -> impl Iterator<Item = &Value> {
    let requests = asking.get("inputRequests").and_then(Value::as_object);
    requests
        .into_iter()
        .flat_map(Object::iter)
        .map(|(_, request)| request)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(inputs: &[Input]) -> Interview {
        Interview {
            inputs: inputs.iter().copied().collect(),
            rounds: 1,
            first: 1,
            has_state: false,
            completes: true,
        }
    }

    #[test]
    fn one_kind_of_question_is_that_trigger_and_several_are_none_of_one() {
        for (input, trigger) in [
            (Input::Form, "elicitation-tool"),
            (Input::Sampling, "sampling-tool"),
            (Input::Roots, "roots-tool"),
        ] {
            assert!(shown(&[input]).is(trigger));
            let endless = Interview {
                completes: false,
                ..shown(&[input])
            };
            assert!(!endless.is(trigger));
            assert!(!shown(&[input, Input::Url]).is(trigger));
        }
        let page = Interview {
            completes: false,
            ..shown(&[Input::Url])
        };
        assert!(page.is("url-elicitation-tool"));
        assert!(!shown(&[]).is("elicitation-tool"));
    }

    #[test]
    fn a_state_and_several_questions_count_only_if_they_come_to_an_end() {
        let whole = Interview {
            has_state: true,
            first: 2,
            ..shown(&[Input::Form, Input::Sampling])
        };
        assert!(whole.is("state-tool") && whole.is("multi-round-tool") && whole.is_together());
        let endless = Interview {
            completes: false,
            ..whole
        };
        assert!(!endless.is("state-tool") && !endless.is("multi-round-tool"));
        let rounds = Interview {
            rounds: 2,
            ..shown(&[Input::Form])
        };
        assert!(rounds.is("multi-round-tool") && !rounds.is_together());
        assert!(!shown(&[Input::Form]).is("state-tool"));
    }

    #[test]
    fn no_more_is_declared_than_is_asked_for() {
        let of = |inputs: &[Input]| capabilities(&inputs.iter().copied().collect()).to_json();
        assert_eq!(of(&[]), "{}");
        assert_eq!(of(&[Input::Form]), r#"{"elicitation":{"form":{}}}"#);
        assert_eq!(
            of(&[Input::Url, Input::Roots]),
            r#"{"elicitation":{"url":{}},"roots":{}}"#
        );
        assert_eq!(
            everything(),
            Value::from(
                json!({ "elicitation": { "form": {}, "url": {} }, "roots": {}, "sampling": { "tools": {} } })
            )
        );
    }
}
