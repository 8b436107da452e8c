//! Laws of server-sent events.

use std::borrow::Cow;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use mcpspec_wire::sse::{Decoder, Event, Item};
use sse_stream::{Sse, SseByteStream};

use crate::{chunks, split_input};

/// [`sse_in_chunks`] with cap, sizes and stream taken from one input.
///
/// # Panics
/// If the law does not hold.
pub fn sse(input: &[u8]) {
    let (cap, sizes, stream) = split_input(input);
    sse_in_chunks(cap, sizes, stream);
}

/// However a stream is cut, it gives the same, and no more than the cap is held. What it gives is given again when it is
/// written as events. With room enough it gives the events that a slow reading of the standard does,
/// and those of the crate `sse-stream`.
///
/// # Panics
/// If one of that does not hold.
pub fn sse_in_chunks(cap: usize, sizes: &[u8], stream: &[u8]) {
    let cut = chunks(stream, sizes);
    if cut.len() > 1 {
        let (whole, pieces) = (decode(cap, &[stream]), decode(cap, &cut));
        assert_eq!(pieces, whole, "with a cap of {cap}");
    }

    // A byte that is not UTF-8 becomes three.
    let room = stream.len() * 3 + 1;
    let (items, unfinished) = decode(room, &cut);
    let text = std::str::from_utf8(stream);
    let (events, reference_unfinished) = match text {
        Ok(text) => reference(text),
        Err(_) => reference(&String::from_utf8_lossy(stream)),
    };
    assert_gives(&items, &events);
    assert_eq!(unfinished, reference_unfinished);
    written(&events);
    let invalid = text.err().and_then(|_| reference_invalid(stream));
    assert_eq!(first_invalid(&items), invalid);
    assert!(
        !items
            .iter()
            .any(|item| matches!(item, Item::TooLong { .. }))
    );
    // The crate leaves out a `retry` that is too large, where the standard knows no limit.
    let is_comparable = events.iter().all(|event| event.retry != Some(u64::MAX));
    if is_comparable && text.is_ok() {
        assert_eq!(
            events,
            sse_stream_events(stream, &cut),
            "sse-stream differs"
        );
    }
}

fn decode(cap: usize, chunks: &[&[u8]]) -> (Vec<Item>, Option<Event>) {
    let mut items = Vec::new();
    let mut decoder = Decoder::new(cap);
    for chunk in chunks {
        decoder.push(chunk, &mut |item| items.push(item));
        assert!(decoder.held() <= cap, "{} bytes held", decoder.held());
    }
    (items, decoder.finish())
}

/// Room for what most inputs are written as, in bytes.
const LONG: usize = 1024;

fn written(events: &[Event]) {
    if events.is_empty() {
        return;
    }
    let mut text = String::with_capacity(LONG);
    for event in events {
        write_field(&mut text, "event", &event.event);
        if let Some(id) = &event.id {
            write_field(&mut text, "id", id);
        }
        for line in event.data.split('\n') {
            write_field(&mut text, "data", line);
        }
        if let Some(retry) = event.retry {
            write_field(&mut text, "retry", &retry.to_string());
        }
        text.push('\n');
    }
    let (items, unfinished) = decode(text.len() + 1, &[text.as_bytes()]);
    assert_gives(&items, events);
    assert_eq!(unfinished, None);
}

fn write_field(text: &mut String, name: &str, value: &str) {
    for part in [name, ": ", value, "\n"] {
        text.push_str(part);
    }
}

fn assert_gives(items: &[Item], events: &[Event]) {
    let given = items.iter().filter_map(|item| match item {
        Item::Event(event) => Some(event),
        _ => None,
    });
    assert!(given.eq(events), "{items:?} instead of {events:?}");
}

fn first_invalid(items: &[Item]) -> Option<u64> {
    let offset = |item: &Item| match item {
        Item::InvalidUtf8 { offset } => Some(*offset),
        _ => None,
    };
    items.iter().find_map(offset)
}

/// The first byte that is not UTF-8 in the lines that are ended.
fn reference_invalid(stream: &[u8]) -> Option<u64> {
    let end = stream
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |last| last + 1);
    std::str::from_utf8(&stream[..end])
        .err()
        .map(|error| error.valid_up_to() as u64)
}

/// The events of a whole stream, and what would be one if a blank line followed.
fn reference(text: &str) -> (Vec<Event>, Option<Event>) {
    let mut text = Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text));
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n").into();
    }
    let mut events = Vec::new();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let unfinished_line = lines.pop().filter(|line| !line.is_empty());
    let mut block = Vec::new();
    for line in lines {
        if line.is_empty() {
            events.extend(event(&block).filter(|_| block.iter().any(|&(name, _)| name == "data")));
            block.clear();
        } else {
            block.extend(field(line));
        }
    }
    block.extend(unfinished_line.and_then(field));
    (events, event(&block))
}

/// Name and value of a line that is no comment.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = match line.find(':') {
        Some(0) => return None,
        Some(colon) => (&line[..colon], &line[colon + 1..]),
        None => (line, ""),
    };
    Some((name, value.strip_prefix(' ').unwrap_or(value)))
}

/// What the fields of a block make, if there are any.
fn event(fields: &[(&str, &str)]) -> Option<Event> {
    let values = |wanted: &'static str| {
        fields
            .iter()
            .filter(move |(name, _)| *name == wanted)
            .map(|(_, value)| *value)
    };
    let event = values("event")
        .next_back()
        .filter(|event| !event.is_empty())
        .unwrap_or("message");
    let digits = |value: &&str| {
        !value.is_empty() && value.chars().all(|character| character.is_ascii_digit())
    };
    let retry = values("retry").rfind(digits);
    (!fields.is_empty()).then(|| Event {
        event: event.to_owned(),
        id: values("id")
            .rfind(|id| !id.contains('\0'))
            .map(str::to_owned),
        data: values("data").collect::<Vec<_>>().join("\n"),
        retry: retry.map(|retry| retry.parse().unwrap_or(u64::MAX)),
    })
}

/// The events that the crate `sse-stream` finds in a stream that is UTF-8. It gives blocks without data too.
fn sse_stream_events(stream: &[u8], chunks: &[&[u8]]) -> Vec<Event> {
    let mut rest = Bytes::copy_from_slice(stream);
    let chunks = chunks
        .iter()
        .map(|chunk| Ok::<_, std::io::Error>(rest.split_to(chunk.len())));
    let blocks = SseByteStream::new(stream::iter(chunks))
        .collect::<Vec<_>>()
        .now_or_never();
    let blocks = blocks.expect("a stream that is in memory is always ready");
    let event = |Sse {
                     event,
                     data,
                     id,
                     retry,
                 }: Sse| {
        let event = event
            .filter(|event| !event.is_empty())
            .unwrap_or_else(|| "message".to_owned());
        data.map(|data| Event {
            event,
            id,
            data,
            retry,
        })
    };
    blocks
        .into_iter()
        .filter_map(|block| event(block.expect("the stream is UTF-8")))
        .collect()
}
