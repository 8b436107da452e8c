//! The attribution table of `cases/README.md`, section 9, row by row.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpspec_wire::{Message, Value};
use serde_json::json;

use crate::spec::Transport;

use super::{
    Altered, Era, ExchangeId, ExitStatus, Inbound, LineEnd, LinkInfo, Sent, SentKind, Transcript,
};

const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

fn transcript(exclusive: bool) -> Transcript {
    Transcript::new(LinkInfo {
        name: "main".to_owned(),
        transport: Transport::Stdio,
        exclusive,
    })
}

fn send(
    transcript: &mut Transcript,
    at: u64,
    kind: SentKind,
    message: serde_json::Value,
) -> ExchangeId {
    let message = Value::from_serde(message);
    let sent = Sent {
        kind,
        bytes: Bytes::from(message.to_json()),
        message: Some(message),
        http: None,
        era: Era::Modern,
        altered: Vec::<Altered>::new(),
        origin: None,
    };
    transcript.sent(Duration::from_millis(at), Arc::new(sent))
}

fn request(transcript: &mut Transcript, id: serde_json::Value) -> ExchangeId {
    send(
        transcript,
        0,
        SentKind::Request,
        json!({ "jsonrpc": "2.0", "id": id, "method": "server/discover" }),
    )
}

/// Receives a line and says whose it is.
fn receive(transcript: &mut Transcript, at: u64, text: &str) -> Option<ExchangeId> {
    let inbound = Inbound {
        bytes: Bytes::copy_from_slice(text.as_bytes()),
        len: text.len() as u64,
        ending: LineEnd::Lf,
        decoded: Message::decode(text.as_bytes()),
    };
    transcript.line(Duration::from_millis(at), Arc::new(inbound));
    transcript.entries().last().and_then(|entry| entry.exchange)
}

#[test]
fn an_answer_belongs_to_the_request_with_its_id_in_value_and_type() {
    let mut transcript = transcript(false);
    let number = request(&mut transcript, json!(1));
    let text = request(&mut transcript, json!("1"));
    assert_eq!(
        receive(
            &mut transcript,
            1,
            r#"{"jsonrpc":"2.0","id":"1","result":{}}"#
        ),
        Some(text)
    );
    assert_eq!(
        receive(&mut transcript, 2, r#"{"jsonrpc":"2.0","id":1,"error":{}}"#),
        Some(number)
    );
    assert_eq!(
        transcript.exchange(text).answered_at,
        Some(Duration::from_millis(1))
    );
}

#[test]
fn a_second_answer_with_one_id_is_counted_for_the_same_request() {
    let mut transcript = transcript(true);
    let id = request(&mut transcript, json!(1));
    for at in [1, 2] {
        assert_eq!(
            receive(
                &mut transcript,
                at,
                r#"{"jsonrpc":"2.0","id":1,"result":{}}"#
            ),
            Some(id)
        );
    }
    assert_eq!(transcript.exchange(id).responses, 2);
}

#[test]
fn a_subscription_message_belongs_to_the_listen_with_that_id() {
    let mut transcript = transcript(false);
    let listen = json!({ "jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen" });
    let id = send(&mut transcript, 0, SentKind::Request, listen);
    let other = json!({ "jsonrpc": "2.0", "id": "7", "method": "subscriptions/listen" });
    send(&mut transcript, 0, SentKind::Request, other);
    let message = json!({ "method": "notifications/tools/list_changed", "params": { "_meta": { SUBSCRIPTION_ID: 7 } } });
    assert_eq!(receive(&mut transcript, 1, &message.to_string()), Some(id));
}

#[test]
fn progress_belongs_to_the_request_with_that_token_even_after_its_answer() {
    let mut transcript = transcript(false);
    let call =
        json!({ "id": 1, "method": "tools/call", "params": { "_meta": { "progressToken": "t" } } });
    let id = send(&mut transcript, 0, SentKind::Request, call);
    let progress =
        r#"{"method":"notifications/progress","params":{"progressToken":"t","progress":1}}"#;
    assert_eq!(receive(&mut transcript, 1, progress), Some(id));
    receive(&mut transcript, 2, r#"{"id":1,"result":{}}"#);
    assert_eq!(receive(&mut transcript, 3, progress), Some(id));
    let stray =
        r#"{"method":"notifications/progress","params":{"progressToken":"x","progress":1}}"#;
    assert_eq!(receive(&mut transcript, 4, stray), None);
}

#[test]
fn a_cancellation_belongs_to_the_request_that_it_names() {
    let mut transcript = transcript(false);
    let id = request(&mut transcript, json!("a"));
    let cancelled = r#"{"method":"notifications/cancelled","params":{"requestId":"a"}}"#;
    assert_eq!(receive(&mut transcript, 1, cancelled), Some(id));
}

#[test]
fn a_log_message_belongs_to_the_oldest_request_with_a_level_until_shortly_after_its_answer() {
    let mut transcript = transcript(false);
    let call = |id: u32| json!({ "id": id, "method": "tools/call", "params": { "_meta": { LOG_LEVEL: "info" } } });
    request(&mut transcript, json!("plain"));
    let first = send(&mut transcript, 0, SentKind::Request, call(1));
    let second = send(&mut transcript, 0, SentKind::Request, call(2));
    let log = r#"{"method":"notifications/message","params":{"level":"info","data":"x"}}"#;
    assert_eq!(receive(&mut transcript, 10, log), Some(first));
    receive(&mut transcript, 20, r#"{"id":1,"result":{}}"#);
    assert_eq!(receive(&mut transcript, 519, log), Some(first));
    assert_eq!(receive(&mut transcript, 520, log), Some(second));
}

#[test]
fn an_answer_that_fits_no_request_belongs_to_the_only_open_one_of_an_exclusive_link() {
    for (text, exclusive, expected) in [
        (r#"{"id":null,"error":{"code":-32700}}"#, true, true),
        (r#"{"error":{"code":-32700}}"#, true, true),
        (r#"{"id":"wrong","result":{}}"#, true, true),
        (r#"{"id":"wrong","result":{}}"#, false, false),
    ] {
        let mut transcript = transcript(exclusive);
        let id = request(&mut transcript, json!(1));
        assert_eq!(
            receive(&mut transcript, 1, text),
            expected.then_some(id),
            "{text}"
        );
    }
}

#[test]
fn with_two_open_requests_a_misfit_belongs_to_none() {
    let mut transcript = transcript(true);
    request(&mut transcript, json!(1));
    request(&mut transcript, json!(2));
    assert_eq!(receive(&mut transcript, 1, r#"{"id":3,"result":{}}"#), None);
}

#[test]
fn what_is_beyond_its_limit_no_longer_stands_in_the_way() {
    let mut transcript = transcript(true);
    let first = request(&mut transcript, json!(1));
    transcript.expired(Duration::from_millis(5), first);
    let second = request(&mut transcript, json!(2));
    assert_eq!(
        receive(&mut transcript, 6, r#"{"id":3,"result":{}}"#),
        Some(second)
    );
}

#[test]
fn text_and_other_notifications_belong_to_none() {
    let mut transcript = transcript(true);
    request(&mut transcript, json!(1));
    for text in [
        "hello",
        "[]",
        "{}",
        r#"{"method":"notifications/tools/list_changed"}"#,
    ] {
        assert_eq!(receive(&mut transcript, 1, text), None, "{text}");
    }
}

#[test]
fn only_the_first_end_of_a_process_counts() {
    let mut transcript = transcript(true);
    transcript.exited(
        Duration::from_millis(1),
        ExitStatus {
            code: Some(3),
            signal: None,
        },
        vec!["bye".to_owned()],
    );
    transcript.exited(
        Duration::from_millis(2),
        ExitStatus {
            code: Some(4),
            signal: None,
        },
        Vec::new(),
    );
    assert_eq!(transcript.last_words(), ["bye"]);
    assert_eq!(
        transcript.exit(),
        Some((
            Duration::from_millis(1),
            ExitStatus {
                code: Some(3),
                signal: None
            }
        ))
    );
}

#[test]
fn an_answer_that_fits_no_request_belongs_to_the_oldest_raw_that_is_unanswered() {
    let mut transcript = transcript(true);
    let raw = |transcript: &mut Transcript| send(transcript, 0, SentKind::Raw, json!({}));
    let first = raw(&mut transcript);
    let second = raw(&mut transcript);
    transcript.expired(Duration::from_millis(1), first);
    let request = request(&mut transcript, json!(1));
    let parse_error = r#"{"error":{"code":-32700}}"#;
    assert_eq!(receive(&mut transcript, 2, parse_error), Some(first));
    assert_eq!(receive(&mut transcript, 3, parse_error), Some(second));
    assert_eq!(
        receive(&mut transcript, 4, r#"{"id":1,"result":{}}"#),
        Some(request)
    );
}

#[test]
fn the_beginning_of_a_message_says_how_long_all_of_it_is() {
    let inbound = |bytes: Vec<u8>, len: u64| Inbound {
        bytes: Bytes::from(bytes),
        len,
        ending: LineEnd::Lf,
        decoded: Message::decode(b"{}"),
    };
    assert_eq!(inbound(b"short".to_vec(), 5).beginning(100), "short");
    for (kept, limit) in [(5, 100), (1_000, 100), (3_000, 1_000)] {
        let beginning = inbound(vec![b'x'; kept], 5 << 20).beginning(limit);
        assert!(beginning.starts_with("xxxxx"), "{beginning}");
        assert!(beginning.ends_with("x… (5.0 MiB in all)"), "{beginning}");
        assert!(beginning.len() <= limit, "{beginning}");
    }
}

#[test]
fn what_the_end_of_a_process_cut_short_is_not_given_up_by_the_client() {
    let mut running = transcript(true);
    let id = request(&mut running, json!(1));
    let mut dead = running.clone();
    running.give_up(Duration::from_millis(2));
    assert!(running.exchange(id).cancelled_at.is_some());

    dead.exited(Duration::from_millis(1), ExitStatus::default(), Vec::new());
    dead.give_up(Duration::from_millis(2));
    assert_eq!(dead.exchange(id).cancelled_at, None);
}
