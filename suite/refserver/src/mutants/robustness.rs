//! Mutants that break down.

use axum::http::header;
use serde_json::Value;

use super::{
    breaks::Breaks::{Outcome, Own},
    hooks::{Answered, Arrival, Hooks},
    mutant::{BOTH, Mutant},
    pick::calls_tool,
    schema::depth,
};
use crate::{
    admit::Rule,
    call::{Call, Link, Transport},
    rpc::{Fault, codes},
    serve::{HttpReply, Payload},
    server::Outcome as Came,
};

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        "robustness",
        "bare-500-on-bad-input",
        "resources/templates/list throws: -32603 on stdio, 500 with an HTML page over HTTP",
        BOTH,
        Own(|| Box::new(Throws)),
    ),
    Mutant::new(
        "robustness",
        "dies-on-malformed-input",
        "a message that cannot be read ends the process",
        BOTH,
        Own(|| {
            Box::new(Dies(|bytes| {
                serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_err()
            }))
        }),
    ),
    dies(
        "dies-on-broken-off-object",
        "an object that breaks off behind its first colon ends the process",
        || Box::new(Dies(|bytes| bytes.trim_ascii_end() == b"{\"jsonrpc\":")),
    ),
    dies(
        "dies-on-broken-text",
        "bytes that are no UTF-8 end the process",
        || Box::new(Dies(|bytes| std::str::from_utf8(bytes).is_err())),
    ),
    dies(
        "dies-on-bare-number",
        "a message that is a number ends the process",
        || Box::new(Dies(|bytes| bytes.trim_ascii() == b"42")),
    ),
    dies(
        "dies-on-null-in-text",
        "a text that holds the character NUL ends the process",
        || Box::new(Dies(|bytes| holds(bytes, b"\\u0000"))),
    ),
    dies(
        "dies-on-half-character",
        "a method that holds the second half of a character ends the process",
        || Box::new(Dies(|bytes| holds(bytes, b"x-conformance/\\ud"))),
    ),
    dies(
        "dies-on-deep-metadata",
        "a request of more than 150 nested values ends the process",
        || Box::new(Dies(|bytes| bytes.starts_with(b"{") && depth(bytes) > 150)),
    ),
    dies(
        "dies-on-long-message",
        "a message of more than a million bytes ends the process",
        || Box::new(Dies(|bytes| bytes.len() > 1_000_000)),
    ),
    dies(
        "dies-on-long-method",
        "a method of more than ten thousand letters ends the process",
        || {
            Box::new(Dies(|bytes| {
                field(bytes, "/method").is_some_and(|method| method.to_string().len() > 10_000)
            }))
        },
    ),
    dies(
        "dies-on-text-as-capabilities",
        "client capabilities that are a text end the process",
        || {
            Box::new(Dies(|bytes| {
                let pointer = "/params/_meta/io.modelcontextprotocol~1clientCapabilities";
                field(bytes, pointer).is_some_and(|capabilities| capabilities.is_string())
            }))
        },
    ),
    dies(
        "dies-without-version",
        "a discovery without a protocol version ends the process",
        || {
            Box::new(Dies(|bytes| {
                let pointer = "/params/_meta/io.modelcontextprotocol~1protocolVersion";
                field(bytes, "/method").is_some_and(|method| method == "server/discover")
                    && field(bytes, "/params/_meta").is_some()
                    && field(bytes, pointer).is_none()
            }))
        },
    ),
    dies(
        "dies-on-read-without-params",
        "resources/read without params that are an object ends the process",
        || {
            Box::new(Dies(|bytes| {
                field(bytes, "/method").is_some_and(|method| method == "resources/read")
                    && !field(bytes, "/params").is_some_and(|params| params.is_object())
            }))
        },
    ),
    dies(
        "dies-on-empty-subscription",
        "a subscription to the resource with the empty uri ends the process",
        || {
            Box::new(Dies(|bytes| {
                let pointer = "/params/notifications/resourceSubscriptions/0";
                field(bytes, pointer).is_some_and(|uri| uri == "")
            }))
        },
    ),
    Mutant::new(
        "robustness",
        "throws-when-used",
        "resources/templates/list and the tool echo give an internal error",
        BOTH,
        Outcome(|call, outcome| {
            let throws =
                call.method() == "resources/templates/list" || calls_tool(Some(call), "echo");
            if throws && outcome.is_ok() {
                return Err(Fault::new(Rule::Work, codes::INTERNAL, "Internal error"));
            }
            outcome
        }),
    ),
];

const fn dies(name: &'static str, about: &'static str, make: fn() -> Box<dyn Hooks>) -> Mutant {
    Mutant::new("robustness", name, about, BOTH, Own(make))
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// What lies at a pointer in a message that can be read.
fn field(bytes: &[u8], pointer: &str) -> Option<Value> {
    let message: Value = serde_json::from_slice(bytes).ok()?;
    message.pointer(pointer).cloned()
}

/// `bare-500-on-bad-input`.
struct Throws;

impl Hooks for Throws {
    fn outcome(&self, call: &Call, outcome: Came) -> Came {
        if call.method() == "resources/templates/list" && outcome.is_ok() {
            return Err(Fault::new(
                Rule::Work,
                codes::INTERNAL,
                "Cannot read properties of undefined",
            ));
        }
        outcome
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut HttpReply) {
        if answered
            .call
            .is_some_and(|call| call.method() == "resources/templates/list")
            && reply.status == 500
        {
            reply.set(header::CONTENT_TYPE, "text/html");
            reply.body = Payload::Text(b"<html><h1>Internal Server Error</h1></html>".to_vec());
        }
    }
}

/// What ends the process as it arrives.
struct Dies(fn(&[u8]) -> bool);

impl Hooks for Dies {
    fn bytes_in(&self, _transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        if (self.0)(&bytes) {
            Arrival::Crash(101)
        } else {
            Arrival::Read(bytes)
        }
    }
}
