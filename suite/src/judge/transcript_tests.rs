//! What of a transcript is not judged, and how the end of a process is told.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpspec_wire::{Message, Value};
use serde_json::json;

use crate::spec::Transport;
use crate::transcript::{
    End, Era, ExchangeId, ExitStatus, Inbound, LineEnd, LinkInfo, Sent, SentKind, Transcript,
};

use super::{record_exchange, unreadable};

/// A process that was asked for something on a link of its own.
fn asked() -> (Transcript, ExchangeId) {
    let mut transcript = Transcript::new(LinkInfo {
        name: "main".to_owned(),
        transport: Transport::Stdio,
        exclusive: true,
    });
    let message = Value::from_serde(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    let sent = Sent {
        kind: SentKind::Request,
        bytes: Bytes::from(message.to_json()),
        message: Some(message),
        http: None,
        era: Era::Modern,
        altered: Vec::new(),
        origin: None,
    };
    let id = transcript.sent(Duration::ZERO, Arc::new(sent));
    (transcript, id)
}

fn line(text: &str, len: usize) -> Arc<Inbound> {
    Arc::new(Inbound {
        bytes: Bytes::copy_from_slice(text.as_bytes()),
        len: len as u64,
        ending: LineEnd::Lf,
        decoded: Message::decode(text.as_bytes()),
    })
}

#[test]
fn a_request_whose_answer_may_be_among_what_cannot_be_read_is_not_judged() {
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    for (text, len) in [(deep.as_str(), deep.len()), ("{\"jsonrpc\"", 1 << 30)] {
        let (mut transcript, id) = asked();
        assert_eq!(unreadable(&transcript, id), None);
        transcript.line(Duration::ZERO, line(text, len));
        assert!(unreadable(&transcript, id).is_some(), "{len}");
    }
    // What can be read is no answer, and neither is what came before.
    let (mut transcript, id) = asked();
    transcript.line(Duration::ZERO, line("welcome", 7));
    assert_eq!(unreadable(&transcript, id), None);
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    transcript.line(Duration::ZERO, line(answer, answer.len()));
    transcript.line(Duration::ZERO, line(&deep, deep.len()));
    assert_eq!(unreadable(&transcript, id), None);
}

#[test]
fn what_waits_on_a_process_that_was_ended_for_a_flood_is_not_judged() {
    let (mut transcript, flood) = asked();
    let waiting = transcript.sent(Duration::ZERO, Arc::clone(&transcript.exchange(flood).sent));
    transcript.end(Duration::ZERO, flood, End::TooLarge);
    transcript.exited(Duration::ZERO, ExitStatus::default(), Vec::new());
    for id in [flood, waiting] {
        assert!(unreadable(&transcript, id).is_some());
    }
}

#[test]
fn the_end_of_a_process_is_told_with_its_last_words() {
    let (mut transcript, id) = asked();
    let status = ExitStatus {
        code: Some(7),
        signal: None,
    };
    let words = ["one", "two", "three", "four", "five", "six"].map(str::to_owned);
    transcript.exited(Duration::from_millis(5), status, words.to_vec());
    let record = record_exchange(&transcript, id, None, true);
    let told: Vec<&str> = record
        .received
        .iter()
        .map(|received| received.text.as_str())
        .collect();
    assert_eq!(
        told,
        ["the process ended with exit code 7; it wrote last: two | three | four | five | six"]
    );
}
