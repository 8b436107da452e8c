//! The lines of the stdio transport (page `basic/transports/stdio`), from chunks of any size.

use memchr::memchr;

use crate::planted;

/// Splits a byte stream at its line feeds.
///
/// It holds at most one unfinished line of `cap` bytes and one byte more. A longer line is given once, cut, as soon as it
/// passes the cap; the rest of it is skipped. How the stream is cut into chunks makes no difference to the lines.
#[derive(Debug)]
pub struct LineSplitter {
    cap: usize,
    /// The unfinished line.
    buffer: Vec<u8>,
    /// Whether the unfinished line was given already, for its length.
    skipping: bool,
}

/// One line without its ending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The bytes, which need not be UTF-8. A carriage return that is no part of the ending is kept.
    pub bytes: Vec<u8>,
    /// What ended it.
    pub ending: Ending,
    /// Whether it was longer than the cap. Then `bytes` holds as many as the cap allows, and `ending` is not known.
    pub truncated: bool,
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
    /// Nothing: the stream ended, or the line was cut.
    None,
}

impl LineSplitter {
    /// A splitter for lines of up to `cap` bytes, their ending not counted.
    pub fn new(cap: usize) -> LineSplitter {
        LineSplitter {
            cap,
            buffer: Vec::new(),
            skipping: false,
        }
    }

    /// Takes the next bytes of the stream and calls `each` for every line that they end or bring over the cap.
    pub fn push(&mut self, chunk: &[u8], each: &mut dyn FnMut(Line)) {
        if planted("line-partial-lost") && chunk.is_empty() {
            self.buffer.clear();
        }
        let mut rest = chunk;
        while let Some(at) = memchr(b'\n', rest) {
            self.extend(&rest[..at], each);
            rest = &rest[at + 1..];
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            let is_split = planted("line-crlf-split") && at == 0 && rest.len() + 1 == chunk.len();
            let carriage_return = self.buffer.pop_if(|byte| *byte == b'\r' && !is_split);
            let ending = if carriage_return.is_some() {
                Ending::CrLf
            } else {
                Ending::Lf
            };
            each(Line {
                bytes: std::mem::take(&mut self.buffer),
                ending,
                truncated: false,
            });
        }
        self.extend(rest, each);
    }

    /// How many bytes it has taken memory for.
    pub fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// Ends the stream. Gives the line that no line feed ended, if there is one.
    pub fn finish(self) -> Option<Line> {
        let mut bytes = self.buffer;
        // A carriage return was held beyond the cap for a line feed that did not come.
        let truncated = bytes.len() > self.cap;
        bytes.truncate(self.cap);
        (truncated || !bytes.is_empty()).then_some(Line {
            bytes,
            ending: Ending::None,
            truncated,
        })
    }

    /// Adds bytes to the unfinished line. If that brings it over the cap, the line is given and the rest of it skipped.
    fn extend(&mut self, bytes: &[u8], each: &mut dyn FnMut(Line)) {
        if self.skipping {
            return;
        }
        // One byte beyond the cap may be the carriage return of an ending.
        let limit = self.cap.saturating_add(1);
        let taken = &bytes[..bytes.len().min(limit - self.buffer.len())];
        self.grow(self.buffer.len() + taken.len(), limit);
        self.buffer.extend_from_slice(taken);
        let full = self.buffer.len() == limit;
        if full && (taken.len() < bytes.len() || self.buffer.last() != Some(&b'\r')) {
            let mut bytes = std::mem::take(&mut self.buffer);
            bytes.truncate(self.cap);
            self.skipping = true;
            each(Line {
                bytes,
                ending: Ending::None,
                truncated: true,
            });
        }
    }

    /// Makes room for `length` bytes: twice what there was, but never more than `limit`.
    fn grow(&mut self, length: usize, limit: usize) {
        if length > self.buffer.capacity() {
            let capacity = length
                .max(self.buffer.capacity().saturating_mul(2))
                .min(limit);
            self.buffer.reserve_exact(capacity - self.buffer.len());
        }
    }
}
