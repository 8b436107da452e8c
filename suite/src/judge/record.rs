//! An exchange as text for reports: bounded, but neither escaped nor redacted, which is for `report` to do.

use std::time::Duration;

use crate::event::{ExchangeRecord, ReceivedRecord};
use crate::text::preview;
use crate::transcript::{End, Entry, ExchangeId, HeaderLine, HttpSent, Sent, Transcript, What};

/// Longest text of one message in an event, in bytes: more than a report keeps, so that a secret across the report's own
/// cut is still whole when it is redacted.
const MAX_TEXT: usize = 32 * 1024;

/// Most messages of one exchange in a report.
const MAX_RECEIVED: usize = 20;

/// How many of the last lines of a process that ended are told.
const LAST_LINES: usize = 5;

/// Longest of them, in bytes.
const MAX_LAST_LINE: usize = 200;

/// What was sent and what came for it.
pub fn record_exchange(
    transcript: &Transcript,
    id: ExchangeId,
    row: Option<&str>,
    judged: bool,
) -> ExchangeRecord {
    let exchange = transcript.exchange(id);
    let mut texts = transcript.entries_of(id).filter_map(|(_, entry)| {
        let after_ms = milliseconds(entry.at.saturating_sub(exchange.sent_at));
        text_of(entry).map(|text| ReceivedRecord { after_ms, text })
    });
    let mut received: Vec<ReceivedRecord> = texts.by_ref().take(MAX_RECEIVED).collect();
    let left_out = texts.count();
    if left_out > 0 {
        let after_ms = received.last().map_or(0, |last| last.after_ms);
        received.push(ReceivedRecord {
            after_ms,
            text: format!("and {left_out} more"),
        });
    }
    if let Some((at, status)) = transcript.exit()
        && exchange.answered_at.is_none()
    {
        let after_ms = milliseconds(at.saturating_sub(exchange.sent_at));
        let last_words = last_words(transcript);
        received.push(ReceivedRecord {
            after_ms,
            text: format!("the process ended with {status}{last_words}"),
        });
    }
    // Of what nobody waited for, a notification for instance, that nothing came says nothing.
    let waited_until = exchange.expired_at.or(exchange.cancelled_at);
    if let (true, Some(until)) = (received.is_empty(), waited_until) {
        received.push(ReceivedRecord {
            after_ms: milliseconds(until.saturating_sub(exchange.sent_at)),
            text: "nothing came".to_owned(),
        });
    }
    let (head, sent) = record_sent(&exchange.sent);
    ExchangeRecord {
        row: row.map(str::to_owned),
        link: transcript.link().name.clone(),
        at_ms: milliseconds(exchange.sent_at),
        head,
        sent,
        received,
        judged,
    }
}

/// What a process wrote last, for the end of a sentence.
fn last_words(transcript: &Transcript) -> String {
    let lines = transcript.last_words();
    let last: Vec<_> = lines[lines.len().saturating_sub(LAST_LINES)..]
        .iter()
        .map(|line| preview(line, MAX_LAST_LINE))
        .collect();
    if last.is_empty() {
        return String::new();
    }
    format!("; it wrote last: {}", last.join(" | "))
}

/// What is sent: over HTTP the request line and the headers, and the message or bytes.
pub fn record_sent(sent: &Sent) -> (Vec<String>, String) {
    let head = sent.http.as_ref().map(head_lines).unwrap_or_default();
    (head, bounded(&String::from_utf8_lossy(&sent.bytes)))
}

fn head_lines(http: &HttpSent) -> Vec<String> {
    let mut lines = vec![format!("{} {}", http.method, http.url)];
    lines.extend(http.headers.iter().map(header_text));
    lines
}

fn header_text(line: &HeaderLine) -> String {
    let blank = if line.tight { "" } else { " " };
    bounded(&format!(
        "{}:{blank}{}",
        line.name,
        String::from_utf8_lossy(&line.value)
    ))
}

fn text_of(entry: &Entry) -> Option<String> {
    match &entry.what {
        What::Sent | What::End(End::Complete) => None,
        What::Line(inbound) | What::Event { inbound, .. } => {
            Some(bounded(&inbound.beginning(MAX_TEXT)))
        }
        What::Body(inbound) if inbound.bytes.is_empty() => None,
        What::Body(inbound) => Some(bounded(&inbound.beginning(MAX_TEXT))),
        What::Head(head) => {
            let mut text = format!("HTTP {}", head.status);
            for line in &head.headers {
                text.push('\n');
                text.push_str(&header_text(line));
            }
            Some(bounded(&text))
        }
        What::End(End::CutOff(problem)) => Some(format!("the connection closed early: {problem}")),
        What::End(End::Refused(problem)) => Some(format!("no connection: {problem}")),
        What::End(End::ByClient) | What::Cancelled => Some("given up by the client".to_owned()),
        What::End(End::TooLarge) => {
            Some("larger than --max-message, or without an end: not read on".to_owned())
        }
        What::Exited(status) => Some(format!("the process ended with {status}")),
    }
}

fn bounded(text: &str) -> String {
    preview(text.trim_end_matches(['\r', '\n']), MAX_TEXT).into_owned()
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
