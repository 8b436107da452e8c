//! Work that needs answers of the client: multi round-trip requests (`basic/patterns/mrtr`).
//!
//! Nothing is kept between the rounds. All that was answered so far is in the request state, which is sealed, expires, and is
//! good only for the request and the principal it was made for. Work of one round can do without a state.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    time::Duration,
};

use serde_json::{Map, Value, json};

use crate::{
    admit::{Need, Rule, Subject},
    answers::check_answer,
    call::Call,
    clock,
    rpc::{Fault, Found, codes},
    seal,
    server::{Outcome, Reply, Server},
};

/// What was answered so far, by key.
pub(crate) type Answers = Map<String, Value>;

/// One input request.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Its key.
    pub(crate) key: &'static str,
    /// What the client has to declare.
    pub(crate) need: Need,
    /// The request: method and params.
    pub(crate) request: Value,
}

/// Work that asks before it ends.
pub(crate) struct Interview {
    /// What is to be asked next; nothing if the answers are enough. Questions that are answered already are passed over.
    pub(crate) questions: fn(&Answers) -> Vec<Question>,
    /// The result.
    pub(crate) conclude: fn(&Call, &Answers) -> Value,
    /// How long a request state is good for.
    pub(crate) ttl: Duration,
    /// Whether a request state can be used once only.
    pub(crate) one_time: bool,
    /// Whether there is no request state, so that answers are taken whether they were asked for or not. Only for one round.
    pub(crate) stateless: bool,
    /// Whether what the client does not declare is left out, where otherwise the request is refused.
    pub(crate) obliging: bool,
}

impl Interview {
    const PURPOSE: &'static str = "state";
    /// How long a request state is good for unless the tool says otherwise.
    pub(crate) const TTL: Duration = Duration::from_secs(300);

    /// An interview with states that can be used repeatedly for a while.
    pub(crate) fn new(
        questions: fn(&Answers) -> Vec<Question>,
        conclude: fn(&Call, &Answers) -> Value,
    ) -> Self {
        Self {
            questions,
            conclude,
            ttl: Self::TTL,
            one_time: false,
            stateless: false,
            obliging: false,
        }
    }

    /// Asks, or ends the work.
    pub(crate) fn run(&self, server: &Server, call: &Call) -> Outcome {
        let state = self.state(server, call)?;
        let mut answers = state
            .as_ref()
            .and_then(|state| state["answers"].as_object())
            .cloned()
            .unwrap_or_default();
        if state.is_some() || self.stateless {
            self.take_answers(server, call, &mut answers)?;
        }
        let mut open = (self.questions)(&answers);
        open.retain(|question| !answers.contains_key(question.key));
        if self.obliging {
            let declared = call.capabilities();
            open.retain(|question| question.need.is_declared(&declared));
        }
        if open.is_empty() || answers.values().any(is_refusal) {
            if let Some(state) = &state
                && self.one_time
            {
                server.world().redeem(
                    nonce_of(state),
                    state["expires"].as_u64().unwrap_or_default(),
                );
            }
            return Ok(Reply::from((self.conclude)(call, &answers)));
        }
        may_ask(server, call, &open)?;
        let requests: Map<String, Value> = open
            .iter()
            .map(|question| (question.key.to_owned(), question.request.clone()))
            .collect();
        let mut result = json!({ "resultType": "input_required", "inputRequests": requests });
        if !self.stateless {
            result["requestState"] =
                seal::seal(Self::PURPOSE, &self.new_state(call, &answers)).into();
        }
        Ok(Reply::from(result))
    }

    fn new_state(&self, call: &Call, answers: &Answers) -> Value {
        let ttl_ms = u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX);
        json!({
            "request": fingerprint(call),
            "principal": call.principal,
            "expires": clock::now_ms().saturating_add(ttl_ms),
            "nonce": format!("{:016x}", RandomState::new().build_hasher().finish()),
            "answers": answers,
        })
    }

    /// The state that a retry brings, if it is one that this server made for this request (`basic/patterns/mrtr`, server
    /// requirements 4 and 5).
    fn state(&self, server: &Server, call: &Call) -> Result<Option<Value>, Fault> {
        let Some(token) = call.param("requestState").and_then(Value::as_str) else {
            return Ok(None);
        };
        let refusal =
            |rule, why: &str| Fault::invalid_params(rule, format!("The request state {why}."));
        let check = |rule, holds: bool, why: &str| {
            server.check(
                rule,
                Subject::Request,
                call,
                if holds {
                    Ok(())
                } else {
                    Err(refusal(rule, why))
                },
            )
        };
        check(
            Rule::StateSeal,
            seal::is_genuine(Self::PURPOSE, token),
            "was not made by this server, or was changed",
        )?;
        let Some(state) = seal::claimed(token) else {
            return Ok(None);
        };
        check(
            Rule::StateFresh,
            state["expires"]
                .as_u64()
                .is_some_and(|expires| clock::now_ms() <= expires),
            "has expired",
        )?;
        check(
            Rule::StateBound,
            state["request"] == fingerprint(call),
            "belongs to another request",
        )?;
        check(
            Rule::StatePrincipal,
            state["principal"] == json!(call.principal),
            "belongs to somebody else",
        )?;
        if self.one_time {
            check(
                Rule::StateUnused,
                !server.world().is_redeemed(nonce_of(&state)),
                "was used before",
            )?;
        }
        Ok(Some(state))
    }

    /// Takes the answers to questions that were asked; others are ignored, missing ones are asked for again.
    fn take_answers(&self, server: &Server, call: &Call, answers: &mut Answers) -> Found {
        let Some(given) = call.param("inputResponses").and_then(Value::as_object) else {
            return Ok(());
        };
        for Question { key, request, .. } in (self.questions)(answers) {
            if let Some(response) = given.get(key).filter(|_| !answers.contains_key(key)) {
                let found = check_answer(&request, response).map_err(|why| {
                    Fault::invalid_params(
                        Rule::Answer,
                        format!("The answer to {key} is not valid: {why}."),
                    )
                });
                server.check(Rule::Answer, Subject::Request, call, found)?;
                answers.insert(key.to_owned(), response.clone());
            }
        }
        Ok(())
    }
}

fn nonce_of(state: &Value) -> &str {
    state["nonce"].as_str().unwrap_or_default()
}

/// Whether a person has said no, which ends the questions.
fn is_refusal(answer: &Value) -> bool {
    answer
        .get("action")
        .is_some_and(|action| action != "accept")
}

/// What identifies a request: its method, and its params but for those that change from round to round.
fn fingerprint(call: &Call) -> String {
    let mut params = call
        .params()
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    for name in ["_meta", "inputResponses", "requestState"] {
        params.remove(name);
    }
    seal::digest(&json!([call.method(), params]))
}

/// Whether the client declares all that it is to be asked for; if not, the error names what is missing.
fn may_ask(server: &Server, call: &Call, questions: &[Question]) -> Found {
    let declared = call.capabilities();
    let mut missing = Map::new();
    let mut refusal = None;
    for Question { need, .. } in questions {
        let found = if need.is_declared(&declared) {
            Ok(())
        } else {
            need.add_to(&mut missing);
            let message = "The request needs client capabilities that it does not declare.";
            let fault = Fault::new(
                Rule::ClientCapability,
                codes::MISSING_CLIENT_CAPABILITY,
                message,
            );
            Err(fault.with_data(json!({ "requiredCapabilities": missing })))
        };
        // The last refusal names all that is missing.
        if let Err(fault) = server.check(Rule::ClientCapability, Subject::Need(*need), call, found)
        {
            refusal = Some(fault);
        }
    }
    refusal.map_or(Ok(()), Err)
}
