//! From bytes to what the transcript keeps of them.

use bytes::Bytes;
use mcpspec_wire::{Decoded, Message, Problem, ProblemKind, Value};

use crate::transcript::{Inbound, LineEnd};

/// How much is kept of a message that is larger than the limit: enough to show what it is.
const BEGINNING: usize = 64 << 10;

/// How much is kept of a message for which there is no more room.
const STUB: usize = 256;

/// About what one value takes in memory beside its text, its name and its place in its parent included.
const VALUE: usize = 96;

/// Something that came in full. Of what is beyond reading only the beginning is kept.
pub(super) fn whole(mut bytes: Vec<u8>, ending: LineEnd) -> Inbound {
    let decoded = Message::decode(&bytes);
    let len = bytes.len() as u64;
    let is_beyond_reading = |problem: &Problem| matches!(&problem.kind, ProblemKind::NotJson(error) if error.kind.is_limit());
    if decoded.problems.iter().any(is_beyond_reading) {
        shorten(&mut bytes);
    }
    Inbound {
        len,
        bytes: Bytes::from(bytes),
        ending,
        decoded,
    }
}

/// Something larger than the limit, of which `beginning` came first and which has `len` bytes as far as it was read.
pub(super) fn cut(mut beginning: Vec<u8>, len: u64) -> Inbound {
    shorten(&mut beginning);
    Inbound {
        len: len.max(beginning.len() as u64 + 1),
        bytes: Bytes::from(beginning),
        ending: LineEnd::None,
        decoded: Decoded {
            message: None,
            problems: Vec::new(),
            value: None,
        },
    }
}

/// Gives up all but the beginning of something that is too large.
pub(super) fn shorten(bytes: &mut Vec<u8>) {
    bytes.truncate(BEGINNING);
    bytes.shrink_to_fit();
}

/// What is kept of something for which there is no more room.
pub(super) fn stub(inbound: &Inbound) -> Inbound {
    let beginning = inbound.bytes[..inbound.bytes.len().min(STUB)].to_vec();
    Inbound {
        ending: inbound.ending,
        ..cut(beginning, inbound.len)
    }
}

/// About how many bytes of memory it takes, so that many small messages count for what they are.
pub(super) fn weight(inbound: &Inbound) -> usize {
    let value = inbound
        .decoded
        .value
        .as_ref()
        .map_or(0, |value| VALUE + heap(value));
    inbound.bytes.len() + value + 512
}

fn heap(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 0,
        Value::Number(number) => number.as_str().len(),
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| VALUE + heap(item)).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| VALUE + name.len() + heap(member))
            .sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_message_beyond_reading_the_beginning_and_the_length_are_kept() {
        let text = format!("[{}0]", "0,".repeat(2 << 20)).into_bytes();
        let len = text.len() as u64;
        let inbound = whole(text, LineEnd::Lf);
        assert!(inbound.is_cut());
        assert_eq!((inbound.len, inbound.bytes.len()), (len, BEGINNING));
        assert!(!inbound.decoded.problems.is_empty());
    }

    #[test]
    fn of_a_cut_message_little_is_kept_and_it_stays_cut() {
        let inbound = cut(vec![b'x'; 1 << 20], 1 << 20);
        assert_eq!(inbound.bytes.len(), BEGINNING);
        assert!(inbound.is_cut());
        assert!(cut(b"x".to_vec(), 1).is_cut());
    }

    #[test]
    fn small_messages_weigh_more_than_their_text() {
        let inbound = whole(br#"{"a":[1,2,3]}"#.to_vec(), LineEnd::Lf);
        assert!(weight(&inbound) > 10 * inbound.bytes.len());
    }
}
