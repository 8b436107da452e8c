//! Tests of whole connections: in memory, against small processes, and against servers of hand-written bytes.

mod kept_alive;
mod memory;
#[cfg(target_os = "linux")]
mod process;
mod raw_http;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpspec_wire::{Document, Value};
use tokio::time::Instant;

use crate::spec::Transport;
use crate::transcript::{Era, ExchangeId, HeaderLine, LinkInfo, Sent, SentKind, Transcript};

use super::{Connection, HttpRequest, Journal, Outgoing, WriteMode};

/// How long anything may take in these tests.
const PATIENCE: Duration = Duration::from_secs(60);

fn info(transport: Transport) -> LinkInfo {
    LinkInfo {
        name: "main".to_owned(),
        transport,
        exclusive: true,
    }
}

fn journal(transport: Transport) -> Journal {
    Journal::new(info(transport), Instant::now())
}

fn value(text: &str) -> Value {
    Document::parse(text.as_bytes())
        .expect("the test's JSON is right")
        .into_value()
}

/// A conforming request of a method without params, as a line.
fn request(id: &str, method: &str) -> Outgoing {
    let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
    message(&format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{meta}}}}}"#
    ))
}

/// A message as a line.
fn message(text: &str) -> Outgoing {
    let sent = Sent {
        kind: SentKind::Request,
        message: Some(value(text)),
        bytes: Bytes::from(format!("{text}\n")),
        http: None,
        era: Era::Modern,
        altered: Vec::new(),
        origin: None,
    };
    Outgoing {
        sent,
        http: None,
        write: WriteMode::Whole,
    }
}

/// The same as a POST.
fn post(outgoing: Outgoing, url: &str, headers: Vec<HeaderLine>, raw: bool) -> Outgoing {
    let body = outgoing.sent.bytes.clone();
    let http = HttpRequest {
        method: "POST".to_owned(),
        url: url.to_owned(),
        headers,
        body,
        raw,
    };
    Outgoing {
        http: Some(http),
        ..outgoing
    }
}

/// Waits until something is so.
async fn until(connection: &Connection, what: &str, is_so: impl Fn(&Transcript) -> bool) {
    let waited = connection
        .journal()
        .wait(Instant::now() + PATIENCE, |transcript| {
            is_so(transcript).then_some(())
        });
    assert!(
        waited.await.is_some(),
        "{what}: {:#?}",
        connection.journal().read(Clone::clone)
    );
}

async fn answered(connection: &Connection, exchange: ExchangeId) {
    until(connection, "answered", |transcript| {
        transcript.exchange(exchange).answered_at.is_some()
    })
    .await;
}

async fn ended(connection: &Connection, exchange: ExchangeId) {
    until(connection, "ended", |transcript| {
        transcript.exchange(exchange).ended.is_some()
    })
    .await;
}
