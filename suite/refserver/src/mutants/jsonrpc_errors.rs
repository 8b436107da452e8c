//! Mutants of errors: their codes and their shape.

use axum::http::Method;
use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Fault, HttpReply, Message, Outcome, Own, Shape},
    hooks::{Answered, Arrival, Hooks},
    mutant::{BOTH, HTTP, Mutant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::Rule,
    call::{Link, Transport},
    options::Options,
    rpc::{self, Effect, Kind, codes},
    serve::{self, Exchange},
    server::Reply,
};

const AREA: &str = "jsonrpc";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "uses-reserved-range-for-app-error",
        "a call of an unknown tool is answered with \"quota exceeded\" and -32500",
        BOTH,
        Fault(|_, fault| {
            if fault.rule == Rule::ToolKnown {
                fault.code = -32500;
                fault.message = "Quota exceeded".to_owned();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "reuses-defined-code",
        "a call of an unknown tool is answered with -32022",
        BOTH,
        Fault(|_, fault| {
            if fault.rule == Rule::ToolKnown {
                fault.code = codes::UNSUPPORTED_VERSION;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "reports-bad-params-as-32021",
        "bad arguments of a tool and absent client capabilities are answered with -32021",
        BOTH,
        Outcome(|_, outcome| match outcome {
            Ok(reply) if reply.rule == Some(Rule::ToolArguments) => Err(rpc::Fault::new(
                Rule::ToolArguments,
                codes::MISSING_CLIENT_CAPABILITY,
                "Bad arguments",
            )),
            Err(mut fault) if fault.rule == Rule::MetaCapabilities => {
                fault.code = codes::MISSING_CLIENT_CAPABILITY;
                Err(fault)
            }
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "invents-reserved-code",
        "a call of an unknown tool is answered with -32023",
        BOTH,
        Fault(|_, fault| {
            if fault.rule == Rule::ToolKnown {
                fault.code = -32023;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "uses-32000-range",
        "bad arguments of a tool are answered with -32000",
        BOTH,
        Outcome(|_, outcome| match outcome {
            Ok(reply) if reply.rule == Some(Rule::ToolArguments) => Err(rpc::Fault::new(
                Rule::ToolArguments,
                -32000,
                "Bad arguments",
            )),
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-get-with-32000",
        "the refusal of GET is a JSON-RPC error with -32000",
        HTTP,
        Own(|| Box::new(RefusesGet)),
    ),
    Mutant::new(
        AREA,
        "drops-empty-method",
        "a request with an empty method is never answered",
        BOTH,
        Outcome(|call, outcome| {
            if call.method().is_empty() {
                let fault = rpc::Fault::new(Rule::Method, codes::INTERNAL, "This is never sent.");
                return Err(fault.with_effect(Effect::Silence));
            }
            outcome
        }),
    ),
    Mutant::new(
        AREA,
        "accepts-any-json",
        "JSON without an id that is no request gets the status 202, as a notification does",
        HTTP,
        HttpReply(|answered, reply| {
            const SHAPES: [Rule; 3] = [Rule::Object, Rule::JsonRpc, Rule::Method];
            let has_id = answered.call.is_some_and(|call| call.id.is_some());
            let rule = answered.message.and_then(|message| message.rule);
            if rule.is_some_and(|rule| SHAPES.contains(&rule)) && !has_id {
                *reply = serve::HttpReply::empty(202);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "serves-initialize",
        "initialize with the metadata of this revision is answered as an older one would have it",
        BOTH,
        Outcome(|call, outcome| match outcome {
            Err(fault) if fault.rule == Rule::MethodKnown && call.method() == "initialize" => {
                Ok(Reply::from(json!({
                    "protocolVersion": Options::LEGACY_REVISION,
                    "capabilities": {},
                    "serverInfo": { "name": "mcpspec-refserver", "version": "1" },
                })))
            }
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "resource-not-found-32002",
        "an unknown resource is answered with -32002",
        BOTH,
        Fault(|_, fault| {
            if fault.rule == Rule::ResourceKnown {
                fault.code = -32002;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "url-elicitation-by-error-32042",
        "a page to visit is asked for by error -32042",
        BOTH,
        Outcome(|_, outcome| match outcome {
            Ok(reply) => match urls_of(&reply.result) {
                urls if urls.is_empty() => Ok(reply),
                urls => {
                    let fault = rpc::Fault::new(Rule::Work, -32042, "URL elicitation required");
                    Err(fault.with_data(json!({ "elicitations": urls })))
                }
            },
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "drops-request-on-exception",
        "a call whose tool fails is never answered",
        BOTH,
        Outcome(|call, outcome| match outcome {
            Ok(reply)
                if call.method() == "tools/call"
                    && reply.rule.is_none()
                    && reply.result.get("isError") == Some(&Value::Bool(true)) =>
            {
                let fault = rpc::Fault::new(Rule::Work, codes::INTERNAL, "Unexpected failure");
                Err(fault.with_effect(Effect::Silence))
            }
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "omits-error-message",
        "errors have a code only",
        BOTH,
        Shape(&[Edit(On::Kind(Kind::Error), "/error/message", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "stringifies-error-codes",
        "the code for an unknown method is the string \"-32601\"",
        BOTH,
        Shape(&[Edit(
            On::Error(codes::METHOD_NOT_FOUND),
            "/error/code",
            Do::Set("\"-32601\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "stack-trace-in-message",
        "the message of an error holds a stack trace",
        BOTH,
        Message(|_, message| {
            if let Some(Value::String(text)) = message
                .error_mut()
                .and_then(|error| error.get_mut("message"))
            {
                text.push_str("\n    at dispatch (server.rs:42:7)\n    at main (main.rs:7:1)");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "dies-on-invalid-json",
        "text that is no JSON ends the process on stdio, and gets 500 over HTTP",
        BOTH,
        Own(|| Box::new(DiesOnInvalidJson)),
    ),
];

/// The URLs that a result asks a person to visit.
fn urls_of(result: &serde_json::Map<String, Value>) -> Vec<Value> {
    let requests = result.get("inputRequests").and_then(Value::as_object);
    let params = requests
        .into_iter()
        .flat_map(|requests| requests.values())
        .map(|request| &request["params"]);
    params
        .filter(|params| params["mode"] == "url")
        .cloned()
        .collect()
}

/// `refuses-get-with-32000`.
struct RefusesGet;

impl Hooks for RefusesGet {
    fn http_refusal(&self, exchange: &Exchange, reply: &mut serve::HttpReply) {
        if exchange.method == Method::GET && reply.status == 405 {
            let error = json!({ "code": -32000, "message": "Method not allowed." });
            let message = json!({ "jsonrpc": "2.0", "error": error, "id": null });
            *reply = serve::HttpReply::json(405, message.to_string().into_bytes());
        }
    }
}

/// `dies-on-invalid-json`.
struct DiesOnInvalidJson;

impl Hooks for DiesOnInvalidJson {
    fn bytes_in(&self, transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        let readable = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_ok();
        if transport == Transport::Stdio && !readable {
            Arrival::Crash(1)
        } else {
            Arrival::Read(bytes)
        }
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut serve::HttpReply) {
        if answered
            .message
            .is_some_and(|message| message.rule == Some(Rule::Json))
        {
            *reply = serve::HttpReply::empty(500);
        }
    }
}
