//! What a stream of server-sent events consists of.

/// One event, which a blank line ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its type; `message` if it names none.
    pub event: String,
    /// The `id` that stands in this event, if one does and holds no NUL. A browser goes on to use it for later events.
    pub id: Option<String>,
    /// The values of its `data` lines, a line feed between each two.
    pub data: String,
    /// The `retry` that stands in this event, in milliseconds, if one does and is all ASCII digits; at most [`u64::MAX`].
    pub retry: Option<u64>,
}

/// What a decoder gives. Offsets are bytes from the start of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An event. As the standard has it, what holds no `data` line is none.
    Event(Event),
    /// A line is not UTF-8. It is read with U+FFFD in place of what is wrong; the event that it
    /// belongs to, if it belongs to one, follows.
    InvalidUtf8 {
        /// The first byte of the line that is wrong.
        offset: u64,
    },
    /// The event that began at `offset` is larger than the cap. It is left out, and decoding goes on behind its blank line.
    TooLong {
        /// The first byte of its first line.
        offset: u64,
    },
}
