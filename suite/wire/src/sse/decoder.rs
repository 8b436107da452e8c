//! The incremental decoder.

use memchr::memchr2;

use super::{Event, Item};
use crate::planted;

/// Decodes a stream of server-sent events.
///
/// Lines end with CR, LF or CRLF, and an event is given as soon as the first byte of its blank line's ending is there. How
/// the stream is cut into chunks makes no difference. What an event keeps, and the line that is being received, take at most
/// `cap` bytes together (a line that is not UTF-8 briefly thrice its length).
#[derive(Debug)]
pub struct Decoder {
    cap: usize,
    /// Number of bytes taken before the chunk in hand.
    taken: u64,
    /// The unfinished line.
    line: Vec<u8>,
    /// Whether no line has ended yet, so that the unfinished one may begin with a byte order mark.
    first_line: bool,
    /// Whether the last byte was a carriage return, so that a line feed belongs to it.
    after_carriage_return: bool,
    block: Block,
}

/// The event that is being received.
#[derive(Debug, Default)]
struct Block {
    event: String,
    id: Option<String>,
    /// Each value with a line feed behind it.
    data: String,
    retry: Option<u64>,
    /// Offset of its first line.
    start: Option<u64>,
    /// Whether it had a line that is no comment.
    any_field: bool,
    /// What is known of the unfinished line if the event is too long and left out: whether it has any byte.
    skipping: Option<bool>,
}

impl Decoder {
    /// A decoder for events of up to `cap` bytes.
    pub fn new(cap: usize) -> Decoder {
        Decoder {
            cap,
            taken: 0,
            line: Vec::new(),
            first_line: true,
            after_carriage_return: false,
            block: Block::default(),
        }
    }

    /// Takes the next bytes of the stream and calls `each` for every item that they complete.
    pub fn push(&mut self, chunk: &[u8], each: &mut dyn FnMut(Item)) {
        self.after_carriage_return &= !planted("sse-crlf-split");
        self.first_line &= !planted("sse-bom-split") || self.taken == 0;
        let mut at = 0;
        while at < chunk.len() {
            if std::mem::take(&mut self.after_carriage_return) && chunk[at] == b'\n' {
                at += 1;
                continue;
            }
            let rest = &chunk[at..];
            let length = memchr2(b'\n', b'\r', rest);
            let content = &rest[..length.unwrap_or(rest.len())];
            self.extend(content, self.taken + at as u64, each);
            at += content.len();
            if length.is_some() {
                self.end_of_line(self.taken + at as u64, each);
                self.after_carriage_return = chunk[at] == b'\r';
                at += 1;
            }
        }
        self.taken += chunk.len() as u64;
    }

    /// How many bytes it keeps of what is not complete yet.
    pub fn held(&self) -> usize {
        self.block.size() + self.line.len()
    }

    /// Ends the stream. Gives the event that no blank line ended, with all that came of it, its last line taken for whole.
    /// The standard has a client drop it; its `data` may be empty. One that was too long was told of already.
    pub fn finish(mut self) -> Option<Event> {
        let line = without_bom(&self.line, self.first_line);
        if !line.is_empty() {
            self.block.field(&String::from_utf8_lossy(line));
        }
        self.block.any_field.then(|| self.block.into_event())
    }

    /// Adds bytes, which stand at `offset`, to the unfinished line.
    fn extend(&mut self, bytes: &[u8], offset: u64, each: &mut dyn FnMut(Item)) {
        if bytes.is_empty() {
            return;
        }
        if let Some(any_byte) = &mut self.block.skipping {
            *any_byte = true;
            return;
        }
        let start = *self.block.start.get_or_insert(offset);
        if bytes.len() > self.cap.saturating_sub(self.block.size() + self.line.len()) {
            self.skip(start, true, each);
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    /// Leaves the event out from here on. `any_byte` says whether the unfinished line has one.
    fn skip(&mut self, start: u64, any_byte: bool, each: &mut dyn FnMut(Item)) {
        self.line = Vec::new();
        self.block = Block {
            skipping: Some(any_byte),
            ..Block::default()
        };
        each(Item::TooLong { offset: start });
    }

    /// The unfinished line ends before `offset`.
    fn end_of_line(&mut self, offset: u64, each: &mut dyn FnMut(Item)) {
        let first_line = std::mem::take(&mut self.first_line);
        if let Some(any_byte) = &mut self.block.skipping {
            if !std::mem::take(any_byte) {
                self.block = Block::default();
            }
            return;
        }
        let bytes = std::mem::take(&mut self.line);
        let line = bytes
            .strip_prefix(b"\xEF\xBB\xBF")
            .filter(|_| first_line)
            .unwrap_or(&bytes);
        if line.is_empty() {
            self.dispatch(each);
        } else {
            self.field(line, offset - line.len() as u64, each);
            self.line = bytes;
            self.line.clear();
        }
    }

    /// A blank line: what came before it is an event if it holds data.
    fn dispatch(&mut self, each: &mut dyn FnMut(Item)) {
        let block = std::mem::take(&mut self.block);
        if !block.data.is_empty() {
            each(Item::Event(block.into_event()));
        }
    }

    /// A line that is not blank and stands at `offset`.
    fn field(&mut self, line: &[u8], offset: u64, each: &mut dyn FnMut(Item)) {
        let text = match std::str::from_utf8(line) {
            Ok(text) => text.into(),
            Err(error) => {
                each(Item::InvalidUtf8 {
                    offset: offset + error.valid_up_to() as u64,
                });
                String::from_utf8_lossy(line)
            }
        };
        self.block.field(&text);
        if self.block.size() > self.cap {
            let start = self.block.start.unwrap_or(offset);
            self.skip(start, false, each);
        }
    }
}

/// A line without the byte order mark that the stream may begin with.
fn without_bom(line: &[u8], first_line: bool) -> &[u8] {
    let unmarked = if first_line {
        line.strip_prefix(b"\xEF\xBB\xBF")
    } else {
        None
    };
    unmarked.unwrap_or(line)
}

impl Block {
    /// Number of bytes that it keeps.
    fn size(&self) -> usize {
        self.event.len() + self.data.len() + self.id.as_ref().map_or(0, String::len)
    }

    /// Takes a line that is not blank.
    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        if name.is_empty() {
            return;
        }
        self.any_field = true;
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                self.data.reserve(value.len() + 1);
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = Some(value.parse().unwrap_or(u64::MAX));
            }
            "retry" if planted("sse-retry-sign") => self.retry = value.parse().ok().or(self.retry),
            _ => {}
        }
    }

    fn into_event(mut self) -> Event {
        self.data.pop();
        if self.event.is_empty() {
            self.event.push_str("message");
        }
        Event {
            event: self.event,
            id: self.id,
            data: self.data,
            retry: self.retry,
        }
    }
}
