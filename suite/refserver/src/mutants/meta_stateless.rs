//! Mutants that remember what no server may (`basic/index#statelessness`).

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks::Own,
    hooks::{Answered, Hooks},
    memory::PerLink,
    mutant::{BOTH, HTTP, Mutant, STDIO},
    pick::calls_tool,
};
use crate::{
    admit::{Check, Rule, keys},
    call::Call,
    rpc::{Fault, Found, Message, codes},
    serve::HttpReply,
    server::Outcome,
};

const AREA: &str = "meta";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "remembers-capabilities",
        "the second request of a connection that declares no capabilities has those of the first",
        BOTH,
        Own(|| Box::new(Remembers::new(Keeps::Capabilities))),
    ),
    Mutant::new(
        AREA,
        "remembers-meta",
        "the second request of a connection that has no metadata has that of the first",
        BOTH,
        Own(|| Box::new(Remembers::new(Keeps::Meta))),
    ),
    Mutant::new(
        AREA,
        "pins-first-version",
        "the second request of a connection is served by the version of the first",
        BOTH,
        Own(|| Box::new(Remembers::new(Keeps::Version))),
    ),
    Mutant::new(
        AREA,
        "pins-first-client-info",
        "a request is refused if the one before it came from another client",
        BOTH,
        Own(|| Box::<PinsClient>::default()),
    ),
    Mutant::new(
        AREA,
        "demands-discover-first",
        "prompts/list is refused as \"not initialized\" on a connection without server/discover",
        BOTH,
        Own(|| {
            Box::new(DemandsDiscover::before(|call| {
                call.method() == "prompts/list"
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "demands-discover-before-calls",
        "a call of echo and an unknown method are refused as \"not initialized\" on a connection without server/discover",
        BOTH,
        Own(|| {
            Box::new(DemandsDiscover::before(|call| {
                calls_tool(Some(call), "echo") || call.method().starts_with("x-")
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "lists-follow-connection",
        "the second time that a connection asks for a list its first page lacks an item",
        BOTH,
        Own(|| Box::<ShrinksLists>::default()),
    ),
    Mutant::new(
        AREA,
        "instructs-once-per-connection",
        "from the second discovery of a connection on there are no instructions",
        BOTH,
        Own(|| Box::<InstructsOnce>::default()),
    ),
    Mutant::new(
        AREA,
        "demands-session-cookie",
        "a cursor or a retry on a connection that has had no answer needs the cookie of the first",
        HTTP,
        Own(|| {
            Box::new(DemandsCookie::for_those(|call| {
                let related = ["cursor", "requestState"];
                related.iter().any(|name| call.param(name).is_some())
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "demands-cookie-for-lists",
        "a list on a connection that has had no answer needs the cookie of the first",
        HTTP,
        Own(|| {
            Box::new(DemandsCookie::for_those(|call| {
                call.method().ends_with("/list")
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "state-in-process-memory",
        "a request state is a handle of the process that made it",
        STDIO,
        Own(|| Box::<KeepsStates>::default()),
    ),
];

/// What is kept of the first request of a connection.
#[derive(Clone, Copy)]
enum Keeps {
    Capabilities,
    Meta,
    Version,
}

/// The first three mutants. They do it to the second request only, which is enough to be seen and spares what comes later on a
/// shared connection.
struct Remembers {
    keeps: Keeps,
    links: PerLink<(u32, Option<Value>)>,
}

impl Remembers {
    fn new(keeps: Keeps) -> Self {
        Self {
            keeps,
            links: PerLink::default(),
        }
    }

    fn lacks(&self, call: &Call) -> bool {
        match self.keeps {
            Keeps::Capabilities => call.capabilities().is_empty(),
            Keeps::Meta => call.meta().is_none(),
            Keeps::Version => call.version().is_some(),
        }
    }
}

impl Hooks for Remembers {
    fn call(&self, call: &mut Call) {
        if call.id.is_none() {
            return;
        }
        let first = self.links.with(call.link, |(requests, first)| {
            *requests += 1;
            if *requests == 1 {
                *first = call.meta().cloned();
            }
            first.clone().filter(|_| *requests == 2)
        });
        let Some(Value::Object(first)) = first.filter(|_| self.lacks(call)) else {
            return;
        };
        match self.keeps {
            Keeps::Meta => *call.meta_mut() = first,
            Keeps::Capabilities => copy(&first, call, keys::CAPABILITIES),
            Keeps::Version => {
                copy(&first, call, keys::VERSION);
                if let (Some(line), Some(version)) = (
                    call.headers.get_mut("mcp-protocol-version"),
                    first.get(keys::VERSION),
                ) && let Ok(version) = version.as_str().unwrap_or_default().parse()
                {
                    *line = version;
                }
            }
        }
    }
}

fn copy(first: &Map<String, Value>, call: &mut Call, key: &str) {
    if let Some(value) = first.get(key) {
        call.meta_mut().insert(key.to_owned(), value.clone());
    }
}

/// `pins-first-client-info`.
#[derive(Default)]
struct PinsClient {
    last: Mutex<Option<Value>>,
}

impl Hooks for PinsClient {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        if check.rule != Rule::MetaOptional {
            return found;
        }
        let client = call
            .meta_member(keys::CLIENT_INFO)
            .map(|client| client["name"].clone())
            .unwrap_or_default();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other = last
            .replace(client.clone())
            .is_some_and(|last| last != client);
        if is_other {
            Err(Fault::invalid_params(
                check.rule,
                "This server is busy with another client.",
            ))
        } else {
            found
        }
    }
}

/// `demands-discover-first`, `demands-discover-before-calls`.
struct DemandsDiscover {
    refuses: fn(&Call) -> bool,
    discovered: PerLink<bool>,
}

impl DemandsDiscover {
    fn before(refuses: fn(&Call) -> bool) -> Self {
        Self {
            refuses,
            discovered: PerLink::default(),
        }
    }
}

impl Hooks for DemandsDiscover {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        if check.rule != Rule::Version {
            return found;
        }
        let discovered = self.discovered.with(call.link, |discovered| {
            *discovered |= call.method() == "server/discover";
            *discovered
        });
        if (self.refuses)(call) && !discovered {
            return Err(Fault::new(
                check.rule,
                codes::INVALID_REQUEST,
                "Not initialized",
            ));
        }
        found
    }
}

/// `lists-follow-connection`.
#[derive(Default)]
struct ShrinksLists {
    asked: PerLink<BTreeMap<String, u32>>,
}

impl Hooks for ShrinksLists {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let member = match call.method() {
            "tools/list" => "tools",
            "prompts/list" => "prompts",
            "resources/list" => "resources",
            _ => return outcome,
        };
        let first_page = call.param("cursor").is_none();
        let times = self.asked.with(call.link, |asked| {
            let times = asked.entry(member.to_owned()).or_default();
            *times += u32::from(first_page);
            *times
        });
        outcome.map(|mut reply| {
            if let Some(Value::Array(items)) = reply
                .result
                .get_mut(member)
                .filter(|_| first_page && times > 1)
            {
                items.pop();
            }
            reply
        })
    }
}

/// `instructs-once-per-connection`.
#[derive(Default)]
struct InstructsOnce {
    discovered: PerLink<bool>,
}

impl Hooks for InstructsOnce {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let mut reply = outcome?;
        if call.method() == "server/discover" {
            let again = self
                .discovered
                .with(call.link, |discovered| std::mem::replace(discovered, true));
            if again {
                reply.result.shift_remove("instructions");
            }
        }
        Ok(reply)
    }
}

/// `demands-session-cookie`, `demands-cookie-for-lists`. Only some requests are refused, so that the rest of a run goes on.
struct DemandsCookie {
    refuses: fn(&Call) -> bool,
    answered: PerLink<bool>,
}

impl DemandsCookie {
    fn for_those(refuses: fn(&Call) -> bool) -> Self {
        Self {
            refuses,
            answered: PerLink::default(),
        }
    }
}

impl Hooks for DemandsCookie {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        let known = call.headers.contains_key("cookie")
            || self.answered.with(call.link, |answered| *answered);
        if check.rule == Rule::MethodKnown && (self.refuses)(call) && !known {
            return Err(Fault::new(
                check.rule,
                codes::INVALID_REQUEST,
                "The session cookie is missing.",
            ));
        }
        found
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut HttpReply) {
        if let Some(call) = answered.call
            && !self
                .answered
                .with(call.link, |answered| std::mem::replace(answered, true))
        {
            reply.set(
                axum::http::header::SET_COOKIE,
                "session=1; Path=/; HttpOnly",
            );
        }
    }
}

/// `state-in-process-memory`.
#[derive(Default)]
struct KeepsStates(Mutex<BTreeMap<String, Value>>);

impl Hooks for KeepsStates {
    fn call(&self, call: &mut Call) {
        let states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let state = call
            .param("requestState")
            .and_then(Value::as_str)
            .and_then(|handle| states.get(handle));
        if let (Some(state), Some(params)) = (state.cloned(), call.body.get_mut("params")) {
            params["requestState"] = state;
        }
    }

    fn deliver(&self, call: Option<&Call>, mut message: Message) -> Vec<Message> {
        let state = message
            .result_mut()
            .and_then(|result| result.get_mut("requestState"));
        if let (Some(call), Some(state)) = (call, state) {
            // The handle differs from process to process, as an address would.
            let handle = format!("state-{}-{}", std::process::id(), call.serial);
            let made = std::mem::replace(state, json!(handle));
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .insert(handle, made);
        }
        vec![message]
    }
}
