//! Mutants that break down on unusual HTTP.

use axum::http::{Method, header};

use super::{
    breaks::Breaks::{HttpReply, Own},
    hooks::{Answered, Hooks},
    mutant::{HTTP, Mutant},
};
use crate::{
    admit::Rule,
    serve::{self, Exchange},
};

const AREA: &str = "robustness";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "bare-500-on-chunks",
        "a body that comes in chunks gets a bare 500",
        HTTP,
        HttpReply(|answered, reply| {
            let headers = answered.call.map(|call| &call.headers);
            if headers.is_some_and(|headers| headers.contains_key(header::TRANSFER_ENCODING)) {
                *reply = serve::HttpReply::empty(500);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "bare-500-on-options",
        "OPTIONS gets a bare 500",
        HTTP,
        Own(|| {
            Box::new(Refuses(|exchange, reply| {
                exchange.method == Method::OPTIONS && reply.status == 405
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "bare-500-on-media-type",
        "a media type that is not served gets a bare 500",
        HTTP,
        Own(|| Box::new(Refuses(|_, reply| reply.status == 415))),
    ),
    Mutant::new(
        AREA,
        "bare-500-on-short-body",
        "a body is what comes with its head, and a bare 500 is the answer where it then ends in the middle of a message",
        HTTP,
        Own(|| Box::new(ReadsOnce)),
    ),
];

/// A refusal of HTTP alone that is a bare 500 where this says so.
struct Refuses(fn(&Exchange, &serve::HttpReply) -> bool);

impl Hooks for Refuses {
    fn http_refusal(&self, exchange: &Exchange, reply: &mut serve::HttpReply) {
        if (self.0)(exchange, reply) {
            *reply = serve::HttpReply::empty(500);
        }
    }
}

/// `bare-500-on-short-body`: the length that is announced becomes that of what is there.
struct ReadsOnce;

impl Hooks for ReadsOnce {
    fn wire_in(&self, bytes: &mut Vec<u8>) {
        const NAME: &str = "content-length: ";
        let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
        let Some(head) = text.find("\r\n\r\n").filter(|_| text.starts_with("post ")) else {
            return;
        };
        let Some(start) = text[..head].find(NAME).map(|at| at + NAME.len()) else {
            return;
        };
        let end = text[start..]
            .find("\r\n")
            .map_or(head, |length| start + length);
        let body = bytes.len() - head - 4;
        let announced: usize = text[start..end].trim().parse().unwrap_or_default();
        if body > 0 && body < announced {
            bytes.splice(start..end, body.to_string().into_bytes());
        }
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut serve::HttpReply) {
        let is_cut = answered
            .message
            .is_some_and(|message| message.rule == Some(Rule::Json));
        if is_cut {
            *reply = serve::HttpReply::empty(500);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_body_that_is_not_all_there_is_announced_anew() {
        let request = |length: &str, body: &str| {
            format!("POST /mcp HTTP/1.1\r\nContent-Length: {length}\r\nHost: x\r\n\r\n{body}")
        };
        let heard = |text: String| {
            let mut bytes = text.into_bytes();
            ReadsOnce.wire_in(&mut bytes);
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(heard(request("4096", "{\"a\"")), request("4", "{\"a\""));
        for whole in [
            request("4", "{\"a\""),
            request("4096", ""),
            "GET / HTTP/1.1\r\n\r\n".to_owned(),
        ] {
            assert_eq!(heard(whole.clone()), whole);
        }
    }
}
