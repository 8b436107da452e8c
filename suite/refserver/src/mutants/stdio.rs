//! Mutants of the stdio transport: how messages are framed, read and told apart (`basic/transports/stdio`).

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU8, Ordering},
};

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::{
    breaks::Breaks::{BytesOut, Outcome, Own},
    hooks::{Arrival, Hooks},
    mutant::{Mutant, STDIO},
};
use crate::{
    admit::{Rule, keys},
    call::{Call, Link, Transport},
    options::Options,
    rpc::{Fault, Kind, Message, codes},
};

const AREA: &str = "stdio";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "prints-banner",
        "a banner is printed to stdout at the start",
        STDIO,
        Own(|| Box::new(Greets(b"mcpspec-refserver is ready.\n"))),
    ),
    Mutant::new(
        AREA,
        "announces-tools-at-start",
        "notifications/tools/list_changed is sent at the start",
        STDIO,
        Own(|| Box::new(Greets(ANNOUNCEMENT))),
    ),
    Mutant::new(
        AREA,
        "pretty-prints-replies",
        "errors are spread over several lines",
        STDIO,
        BytesOut(|call, text| {
            let value: Option<Value> = serde_json::from_slice(text).ok();
            if over_stdio(call)
                && let Some(value) = value.filter(|value| value["error"].is_object())
                && let Ok(pretty) = serde_json::to_vec_pretty(&value)
            {
                *text = pretty;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "writes-raw-newlines",
        "a newline in a text is written as it is",
        STDIO,
        BytesOut(|call, text| {
            if over_stdio(call) {
                *text = String::from_utf8_lossy(text)
                    .replace("\\n", "\n")
                    .into_bytes();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "buffers-replies",
        "an error is written only once stdin is closed",
        STDIO,
        Own(|| Box::<BuffersReplies>::default()),
    ),
    Mutant::new(
        AREA,
        "ends-lines-with-crlf",
        "an error ends in a carriage return before the newline",
        STDIO,
        BytesOut(|call, text| {
            let value: Value = serde_json::from_slice(text).unwrap_or_default();
            if over_stdio(call) && value["error"].is_object() {
                text.push(b'\r');
            }
        }),
    ),
    Mutant::new(
        AREA,
        "dies-on-blank-line",
        "a blank line ends the process",
        STDIO,
        Own(|| Box::new(DiesOnBlankLine(AtomicU8::new(b'\n')))),
    ),
    Mutant::new(
        AREA,
        "parses-per-read",
        "what one read gives is taken for one message",
        STDIO,
        Own(|| Box::new(Reads(parse_per_read))),
    ),
    Mutant::new(
        AREA,
        "drops-pipelined-requests",
        "the second of two lines in one read is lost",
        STDIO,
        Own(|| Box::new(Reads(drop_second_line))),
    ),
    Mutant::new(
        AREA,
        "loses-first-request",
        "a first request that is not a discovery in this revision gets no answer",
        STDIO,
        Own(|| Box::<LosesFirstRequest>::default()),
    ),
    Mutant::new(
        AREA,
        "demands-name-header",
        "prompts/get is refused with -32020, for want of an Mcp-Name header",
        STDIO,
        Outcome(|call, outcome| {
            if call.transport == Transport::Stdio && call.method() == "prompts/get" {
                return Err(Fault::new(
                    Rule::NameHeader,
                    codes::HEADER_MISMATCH,
                    "Mcp-Name is missing",
                ));
            }
            outcome
        }),
    ),
    Mutant::new(
        AREA,
        "blocks-while-slow",
        "one request is worked on at a time, an open subscription included",
        STDIO,
        Own(|| Box::new(OneAtATime(Arc::new(Semaphore::new(1))))),
    ),
];

const ANNOUNCEMENT: &[u8] =
    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{}}\n";

fn over_stdio(call: Option<&Call>) -> bool {
    call.is_some_and(|call| call.transport == Transport::Stdio)
}

/// `prints-banner`, `announces-tools-at-start`.
struct Greets(&'static [u8]);

impl Hooks for Greets {
    fn greeting(&self) -> Vec<u8> {
        self.0.to_vec()
    }
}

/// `buffers-replies`.
#[derive(Default)]
struct BuffersReplies(Mutex<Vec<u8>>);

impl Hooks for BuffersReplies {
    fn deliver(&self, call: Option<&Call>, message: Message) -> Vec<Message> {
        if !over_stdio(call) || message.kind != Kind::Error {
            return vec![message];
        }
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.extend(message.to_text());
        buffer.push(b'\n');
        Vec::new()
    }

    fn farewell(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// `dies-on-blank-line`: the last byte that was read.
struct DiesOnBlankLine(AtomicU8);

/// A line that stands for a blank one, which is otherwise passed over.
const BLANK: &[u8] = b"\0blank";

impl Hooks for DiesOnBlankLine {
    fn stdin(&self, bytes: &mut Vec<u8>) {
        let mut shown = Vec::with_capacity(bytes.len());
        for byte in bytes.iter().copied() {
            if byte == b'\n' && self.0.load(Ordering::Relaxed) == b'\n' {
                shown.extend(BLANK);
            }
            shown.push(byte);
            self.0.store(byte, Ordering::Relaxed);
        }
        *bytes = shown;
    }

    fn bytes_in(&self, _transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        if bytes == BLANK {
            Arrival::Crash(1)
        } else {
            Arrival::Read(bytes)
        }
    }
}

/// `parses-per-read`, `drops-pipelined-requests`.
struct Reads(fn(&mut Vec<u8>));

impl Hooks for Reads {
    fn stdin(&self, bytes: &mut Vec<u8>) {
        (self.0)(bytes);
    }
}

fn parse_per_read(bytes: &mut Vec<u8>) {
    for byte in bytes.iter_mut().filter(|byte| **byte == b'\n') {
        *byte = b' ';
    }
    bytes.push(b'\n');
}

fn drop_second_line(bytes: &mut Vec<u8>) {
    let ends = ends_of_lines(bytes);
    if let [first, second, ..] = ends.as_slice() {
        bytes.drain(*first..*second);
    }
}

/// Where the lines end, their newlines included.
fn ends_of_lines(bytes: &[u8]) -> Vec<usize> {
    let newlines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    newlines.map(|(at, _)| at + 1).collect()
}

/// `loses-first-request`: whether a line was read.
#[derive(Default)]
struct LosesFirstRequest(AtomicBool);

impl Hooks for LosesFirstRequest {
    fn stdin(&self, bytes: &mut Vec<u8>) {
        let Some(end) = ends_of_lines(bytes).first().copied() else {
            return;
        };
        if self.0.swap(true, Ordering::Relaxed) {
            return;
        }
        let first: Value = serde_json::from_slice(&bytes[..end]).unwrap_or_default();
        let is_discovery = first["method"] == "server/discover"
            && first["params"]["_meta"][keys::VERSION] == json!(Options::REVISION);
        if !is_discovery {
            bytes.drain(..end);
        }
    }
}

/// `blocks-while-slow`.
struct OneAtATime(Arc<Semaphore>);

impl Hooks for OneAtATime {
    fn turn(&self) -> Option<Arc<Semaphore>> {
        Some(Arc::clone(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(hooks: &dyn Hooks, reads: &[&str]) -> Vec<String> {
        let heard = |read: &&str| {
            let mut bytes = read.as_bytes().to_vec();
            hooks.stdin(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        };
        reads.iter().map(heard).collect()
    }

    #[test]
    fn a_read_is_a_message() {
        let hooks = Reads(parse_per_read);
        assert_eq!(
            heard(&hooks, &["a\n", "b\nc\n", "d"]),
            ["a \n", "b c \n", "d\n"]
        );
    }

    #[test]
    fn the_second_line_of_a_read_is_lost() {
        let hooks = Reads(drop_second_line);
        assert_eq!(
            heard(&hooks, &["a\n", "a\nb\nc\n", "a\nb"]),
            ["a\n", "a\nc\n", "a\nb"]
        );
    }

    #[test]
    fn blank_lines_are_seen_across_reads() {
        let hooks = DiesOnBlankLine(AtomicU8::new(b'\n'));
        let reads = ["a\r\n", "\n", "b\n\nc\n"];
        assert_eq!(
            heard(&hooks, &reads),
            ["a\r\n", "\0blank\n", "b\n\0blank\nc\n"]
        );
    }

    #[test]
    fn only_a_first_line_that_is_no_discovery_is_lost() {
        let discovery = json!({
            "method": "server/discover",
            "params": { "_meta": { (keys::VERSION): Options::REVISION } },
        });
        let discovery = format!("{discovery}\n");
        let hooks = LosesFirstRequest::default();
        assert_eq!(
            heard(&hooks, &[&discovery, "{}\n"]),
            [discovery.as_str(), "{}\n"]
        );
        let hooks = LosesFirstRequest::default();
        assert_eq!(heard(&hooks, &["{}\n{}\n", "{}\n"]), ["{}\n", "{}\n"]);
    }
}
