//! Mutants that break down.

use axum::http::header;

use super::{
    breaks::Breaks::Own,
    hooks::{Answered, Arrival, Hooks},
    mutant::{BOTH, Mutant},
};
use crate::{
    admit::Rule,
    call::{Call, Link, Transport},
    rpc::{Fault, codes},
    serve::{HttpReply, Payload},
    server::Outcome,
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
        Own(|| Box::new(DiesOnMalformedInput)),
    ),
];

/// `bare-500-on-bad-input`.
struct Throws;

impl Hooks for Throws {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
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

/// `dies-on-malformed-input`.
struct DiesOnMalformedInput;

impl Hooks for DiesOnMalformedInput {
    fn bytes_in(&self, _transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        match serde_json::from_slice::<serde::de::IgnoredAny>(&bytes) {
            Ok(_) => Arrival::Read(bytes),
            Err(_) => Arrival::Crash(101),
        }
    }
}
