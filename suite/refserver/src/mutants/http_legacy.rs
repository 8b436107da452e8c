//! Mutants that keep ways of older revisions (`basic/transports/streamable-http#earlier-streamable-http-revisions`,
//! `#httpsse-transport-2024-11-05`), and of what is posted to the endpoint.

use axum::http::{HeaderName, HeaderValue, Method, header};

use super::{
    breaks::Breaks::{self, Own},
    hooks::{Answered, Hooks},
    mutant::{HTTP, Mutant},
};
use crate::{
    call::{Call, Transport},
    serve::{Exchange, HttpReply, Payload},
};

const AREA: &str = "http";

pub(super) static MUTANTS: &[Mutant] = &[
    own("get-opens-stream", "GET opens an event stream", || {
        Box::new(Refusal(get_opens_stream))
    }),
    own("delete-200", "DELETE is answered with 200", || {
        Box::new(Refusal(|exchange, reply| {
            if exchange.method == Method::DELETE {
                *reply = HttpReply::empty(200);
            }
        }))
    }),
    own(
        "hosts-sse-endpoint",
        "GET of /sse sends an endpoint event",
        || {
            Box::new(Refusal(|exchange, reply| {
                if exchange.method == Method::GET && exchange.path == "/sse" {
                    *reply = event_stream(b"event: endpoint\ndata: /messages?session=1\n\n");
                }
            }))
        },
    ),
    reply(
        "mints-session-ids",
        "every response has an Mcp-Session-Id",
        |_, reply| {
            let name = HeaderName::from_static(SESSION);
            reply
                .headers
                .insert(name, HeaderValue::from_static("1868a90c"));
        },
    ),
    reply(
        "checks-session-ids",
        "a request with an Mcp-Session-Id is answered with 404",
        |answered, reply| {
            if has_header(answered, SESSION) {
                *reply = HttpReply::empty(404);
            }
        },
    ),
    reply(
        "refuses-last-event-id",
        "a request with a Last-Event-ID is answered with 400",
        |answered, reply| {
            if has_header(answered, "last-event-id") {
                *reply = HttpReply::empty(400);
            }
        },
    ),
    reply(
        "crashes-on-response-body",
        "a posted response is answered with 500",
        |answered, reply| {
            let is_response = answered
                .call
                .is_some_and(|call| call.body.contains_key("result"));
            if is_response {
                *reply = HttpReply::empty(500);
            }
        },
    ),
    reply(
        "path-per-method",
        "the methods of prompts are answered on a path of their own only",
        |answered, reply| {
            let of_prompts = |call: &Call| call.method().starts_with("prompts/");
            if answered.call.is_some_and(of_prompts) {
                *reply = HttpReply::empty(404);
            }
        },
    ),
    own(
        "binds-all-interfaces",
        "a local server is reached from other hosts, where connections come over memory",
        || Box::new(Exposed),
    ),
    Mutant::new(
        AREA,
        "dispatches-on-mcp-method",
        "the Mcp-Method header chooses the method that is run",
        HTTP,
        Breaks::Call(|call| {
            let named = call
                .headers
                .get("mcp-method")
                .and_then(|value| value.to_str().ok());
            if call.transport == Transport::Http
                && call.id.is_some()
                && let Some(method) = named.map(str::to_owned)
            {
                call.body.insert("method".to_owned(), method.into());
            }
        }),
    ),
];

const SESSION: &str = "mcp-session-id";

const fn own(name: &'static str, about: &'static str, make: fn() -> Box<dyn Hooks>) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Own(make))
}

const fn reply(
    name: &'static str,
    about: &'static str,
    hook: fn(&Answered<'_>, &mut HttpReply),
) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::HttpReply(hook))
}

/// `binds-all-interfaces`.
struct Exposed;

impl Hooks for Exposed {
    fn is_exposed(&self) -> bool {
        true
    }
}

/// Another answer to what carries no message for the endpoint.
struct Refusal(fn(&Exchange, &mut HttpReply));

impl Hooks for Refusal {
    fn http_refusal(&self, exchange: &Exchange, reply: &mut HttpReply) {
        (self.0)(exchange, reply);
    }
}

fn get_opens_stream(exchange: &Exchange, reply: &mut HttpReply) {
    if exchange.method == Method::GET && reply.status == 405 {
        *reply = event_stream(b":\n\n");
    }
}

/// A whole event stream.
fn event_stream(text: &[u8]) -> HttpReply {
    let mut reply = HttpReply::empty(200);
    reply.set(header::CONTENT_TYPE, "text/event-stream");
    reply.body = Payload::Text(text.to_vec());
    reply
}

fn has_header(answered: &Answered<'_>, name: &str) -> bool {
    answered
        .call
        .is_some_and(|call| call.headers.contains_key(name))
}
