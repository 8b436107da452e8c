//! A handler that panics.

use axum::http::header;

use super::hooks::{Answered, Hooks};
use crate::{
    admit::Rule,
    call::{Call, Transport},
    rpc::{Effect, Fault, codes},
    serve::{HttpReply, Payload},
    server::Outcome,
};

/// Panics on some calls. That ends a process; a handler of an HTTP server only drops its request.
pub(super) struct Panics(pub(super) fn(&Call) -> bool);

impl Hooks for Panics {
    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        if !(self.0)(call) {
            return outcome;
        }
        let fault = Fault::new(Rule::Work, codes::INTERNAL, "Internal error");
        Err(match call.transport {
            Transport::Stdio => fault.with_effect(Effect::Crash(101)),
            Transport::Http => fault,
        })
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut HttpReply) {
        if reply.status == 500 && answered.call.is_some_and(self.0) {
            reply.body = Payload::Text(b"Internal Server Error".to_vec());
            reply.set(header::CONTENT_TYPE, "text/plain");
        }
    }
}
