//! Mutants of the JSON-RPC envelope: what is sent, and what is taken for a request.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{BytesOut, Call, Check, Message, Messages, Notification, Outcome, Own, Shape},
    hooks::{Arrival, Hooks},
    memory::PerLink,
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::Rule,
    call::{self, Link, Transport},
    rpc::{self, Fault, Id, Kind, codes},
    server::Reply,
};

const AREA: &str = "jsonrpc";

/// A method whose answers nothing else depends on, for those who break every answer.
const SPARE: &[&str] = &["completion/complete"];

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "omits-jsonrpc-member",
        "the responses to completion/complete have no jsonrpc member",
        BOTH,
        Shape(&[Edit(On::Response(SPARE), "/jsonrpc", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "sends-bare-results",
        "the result of completion/complete is sent without its envelope",
        BOTH,
        Message(|call, message| {
            let spare = call.is_some_and(|call| SPARE.contains(&call.method()));
            if let (true, Some(Value::Object(result))) = (spare, message.body.get("result")) {
                message.body = result.clone();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "null-results",
        "completion/complete and an ended subscription get the result null",
        BOTH,
        Shape(&[
            Edit(On::Complete(SPARE), "/result", Do::Set("null")),
            Edit(
                On::Complete(&["subscriptions/listen"]),
                "/result",
                Do::Set("null"),
            ),
        ]),
    ),
    Mutant::new(
        AREA,
        "error-null-beside-result",
        "the result of completion/complete has error null beside it",
        BOTH,
        Shape(&[Edit(On::Complete(SPARE), "/error", Do::Set("null"))]),
    ),
    Mutant::new(
        AREA,
        "complete-without-content",
        "the complete result of completion/complete has no completion",
        BOTH,
        Shape(&[Edit(On::Complete(SPARE), "/result/completion", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "invents-result-type",
        "the resultType of completion/complete is \"success\"",
        BOTH,
        Shape(&[Edit(
            On::Complete(SPARE),
            "/result/resultType",
            Do::Set("\"success\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "omits-result-type",
        "results of tools/call lack resultType",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["tools/call"]),
            "/result/resultType",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "answers-twice",
        "the response to resources/templates/list is sent twice",
        BOTH,
        Messages(|call, message| {
            let twice = call.is_some_and(|call| call.method() == "resources/templates/list");
            vec![message; if twice { 2 } else { 1 }]
        }),
    ),
    Mutant::new(
        AREA,
        "drops-id-zero",
        "the result of a request with id 0 has no id",
        BOTH,
        Message(|call, message| {
            let zero = call
                .and_then(|call| call.id.as_ref())
                .is_some_and(|id| id.value == 0);
            if zero && message.kind == Kind::Result {
                message.body.shift_remove("id");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "numbers-numeric-string-ids",
        "the string id \"1\" comes back as the number 1",
        BOTH,
        Call(|call| {
            if let Some(number) = call
                .id
                .as_ref()
                .and_then(|id| id.value.as_str()?.parse::<i64>().ok())
            {
                call.id = Some(Id::from(json!(number)));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "breaks-non-ascii-input",
        "an id with a character beyond 16 bits comes back as mojibake",
        BOTH,
        Call(|call| {
            let text = call.id.as_ref().and_then(|id| id.value.as_str());
            if let Some(text) = text.filter(|text| text.chars().any(|letter| letter > '\u{ffff}')) {
                let mojibake: String = text.bytes().map(char::from).collect();
                call.id = Some(Id::from(json!(mojibake)));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "null-id-on-early-errors",
        "the refusal of a request without metadata has id null",
        BOTH,
        Message(|_, message| {
            if message.rule == Some(Rule::MetaObject) {
                message.body.insert("id".to_owned(), Value::Null);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "invents-id-for-parse-error",
        "a parse error has id 0",
        BOTH,
        Message(|_, message| {
            if message.rule == Some(Rule::Json) {
                message.body.insert("id".to_owned(), json!(0));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "serves-message-without-jsonrpc",
        "a message without jsonrpc is served",
        BOTH,
        Check(|check, call, found| {
            let absent = !call.body.contains_key("jsonrpc");
            if check.rule == Rule::JsonRpc && absent {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "serves-null-id",
        "a request with id null is served",
        BOTH,
        Check(|check, call, found| {
            let null = call.id.as_ref().is_some_and(|id| id.value.is_null());
            if check.rule == Rule::Id && null {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "ignores-params-type",
        "params that are a list are taken for empty ones, and served",
        BOTH,
        Check(|_, call, found| {
            if call.params().is_some_and(Value::is_array) {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "runs-batches",
        "a batch is executed, at least its first message, and answered with a list",
        BOTH,
        Own(|| Box::<RunsBatches>::default()),
    ),
    Mutant::new(
        AREA,
        "serves-ping",
        "ping is answered with an empty result",
        BOTH,
        Outcome(|call, outcome| {
            if call.method() == "ping" {
                Ok(Reply::from(json!({})))
            } else {
                outcome
            }
        }),
    ),
    Mutant::new(
        AREA,
        "empty-result-for-unknown-method",
        "an unknown method gets a complete result without content",
        BOTH,
        Outcome(|call, outcome| match outcome {
            Err(fault) if fault.rule == Rule::MethodKnown && call.method().contains('/') => {
                Ok(Reply::from(json!({ "resultType": "complete" })))
            }
            outcome => outcome,
        }),
    ),
    Mutant::new(
        AREA,
        "answers-notifications",
        "an unknown notification gets -32601 with id null",
        BOTH,
        Notification(|call| {
            let fault = Fault::new(
                Rule::MethodKnown,
                codes::METHOD_NOT_FOUND,
                "Method not found",
            );
            let mut message = rpc::Message::error(None, &fault);
            message.body.insert("id".to_owned(), Value::Null);
            message.status = 200;
            (call.method() != "notifications/cancelled").then_some(message)
        }),
    ),
    Mutant::new(
        AREA,
        "ids-on-notifications",
        "notifications/progress has an id",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/progress"),
            "/id",
            Do::Set("\"progress\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "null-notification-params",
        "notifications about changed lists have params null",
        BOTH,
        Shape(&[
            Edit(
                On::Notification("notifications/tools/list_changed"),
                "/params",
                Do::Set("null"),
            ),
            Edit(
                On::Notification("notifications/prompts/list_changed"),
                "/params",
                Do::Set("null"),
            ),
            Edit(
                On::Notification("notifications/resources/list_changed"),
                "/params",
                Do::Set("null"),
            ),
        ]),
    ),
    Mutant::new(
        AREA,
        "sends-removed-notification",
        "notifications/roots/list_changed comes before the response to resources/templates/list",
        BOTH,
        Messages(|call, message| {
            let method = "notifications/roots/list_changed";
            let stray = call.is_some_and(|call| call.method() == "resources/templates/list");
            let before = stray.then(|| rpc::Message::notification(method, json!({})));
            before.into_iter().chain([message]).collect()
        }),
    ),
    Mutant::new(
        AREA,
        "late-progress",
        "one more progress notification follows the response",
        BOTH,
        Messages(late_progress),
    ),
    Mutant::new(
        AREA,
        "sends-server-requests",
        "roots/list is sent to the client after its first request that is served",
        BOTH,
        Own(|| Box::<AsksAtOnce>::default()),
    ),
    Mutant::new(
        AREA,
        "latin-1-output",
        "the text of a resource is written in Latin-1 where it can be",
        BOTH,
        BytesOut(|call, text| {
            if call.is_some_and(|call| call.method() == "resources/read") {
                *text = latin_1(text);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "tools-on-stdio-only",
        "the tool converse is listed over stdio and not over HTTP",
        BOTH,
        Message(|call, message| {
            let over_http = call.is_some_and(|call| {
                call.transport == Transport::Http && call.method() == "tools/list"
            });
            if let Some(Value::Array(tools)) = message
                .result_mut()
                .filter(|_| over_http)
                .and_then(|result| result.get_mut("tools"))
            {
                tools.retain(|tool| tool["name"] != "converse");
            }
        }),
    ),
];

fn late_progress(call: Option<&call::Call>, message: rpc::Message) -> Vec<rpc::Message> {
    let token = call.and_then(|call| call.progress_token.as_ref());
    let late = token.filter(|_| message.is_response()).map(|token| {
        let mut late =
            rpc::Message::notification("notifications/progress", json!({ "progress": 1_000_000 }));
        late.set(&["params"], "progressToken", token);
        late
    });
    [message].into_iter().chain(late).collect()
}

fn latin_1(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let mut bytes = Vec::new();
    for letter in text.chars() {
        match u8::try_from(letter) {
            Ok(byte) => bytes.push(byte),
            Err(_) => bytes.extend(letter.to_string().bytes()),
        }
    }
    bytes
}

/// `runs-batches`.
#[derive(Default)]
struct RunsBatches {
    /// Whether the message of the connection that is about to be read came in a list, and the serials of those that did.
    links: PerLink<(bool, Vec<u64>)>,
}

impl Hooks for RunsBatches {
    fn bytes_in(&self, _transport: Transport, link: Link, bytes: Vec<u8>) -> Arrival {
        let first = match serde_json::from_slice::<Value>(&bytes) {
            Ok(Value::Array(messages)) => messages.into_iter().next(),
            _ => None,
        };
        self.links
            .with(link, |(batched, _)| *batched = first.is_some());
        Arrival::Read(first.map_or(bytes, |message| message.to_string().into_bytes()))
    }

    fn call(&self, call: &mut call::Call) {
        self.links.with(call.link, |(batched, serials)| {
            if std::mem::take(batched) {
                serials.push(call.serial);
            }
        });
    }

    fn bytes_out(&self, call: Option<&call::Call>, text: &mut Vec<u8>) {
        let batched = call.is_some_and(|call| {
            self.links
                .with(call.link, |(_, serials)| serials.contains(&call.serial))
        });
        if batched {
            *text = [b"[", text.as_slice(), b"]"].concat();
        }
    }
}

/// `sends-server-requests`.
#[derive(Default)]
struct AsksAtOnce {
    asked: PerLink<bool>,
}

impl Hooks for AsksAtOnce {
    fn deliver(&self, call: Option<&call::Call>, message: rpc::Message) -> Vec<rpc::Message> {
        // A refusal keeps its status only if it comes alone.
        let served = call.filter(|_| message.kind == Kind::Result);
        let first = served.is_some_and(|call| {
            !self
                .asked
                .with(call.link, |asked| std::mem::replace(asked, true))
        });
        let request = first.then(|| {
            let mut request = rpc::Message::notification("roots/list", json!({}));
            request.set_id(Some(&Id::from(json!("server-1"))));
            request
        });
        request.into_iter().chain([message]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_latin_1_has_is_written_in_it() {
        assert_eq!(
            latin_1("é世".as_bytes()),
            [&[0xe9], "世".as_bytes()].concat()
        );
    }
}
