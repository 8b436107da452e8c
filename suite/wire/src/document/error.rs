//! What makes a text no JSON text.

/// Why a text is not a JSON text that mcpspec reads, and the byte at which that shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at byte {offset}")]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// Offset from the start of the text in bytes, a byte order mark included; at most the length of the text.
    pub offset: usize,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxErrorKind {
    /// The text ends where a value, a quote, a bracket or the rest of a token is due.
    #[error("the text ends too early")]
    EndOfText,
    /// A byte that cannot stand at its place.
    #[error("unexpected byte {}", shown(*.0))]
    UnexpectedByte(u8),
    /// Something other than blanks follows the value.
    #[error("text after the end of the value")]
    TrailingText,
    /// A number that breaks the grammar, such as `01`, `1.` or `-x`.
    #[error("not a number of JSON")]
    BadNumber,
    /// A backslash that begins none of JSON's escapes.
    #[error("not an escape of JSON")]
    BadEscape,
    /// A control character (U+0000 to U+001F) that stands in a string without being escaped.
    #[error("unescaped control character U+{0:04X} in a string")]
    ControlCharacter(u8),
    /// A byte that makes the text not UTF-8.
    #[error("not UTF-8")]
    InvalidUtf8,
    /// An array or object below [`MAX_DEPTH`](crate::MAX_DEPTH) others. That is legal JSON which mcpspec does not judge.
    #[error("nested deeper than {} levels", crate::MAX_DEPTH)]
    TooDeep,
    /// More than [`MAX_VALUES`](crate::MAX_VALUES) values. That is legal JSON which mcpspec does not judge.
    #[error("more than {} values", crate::MAX_VALUES)]
    TooManyValues,
}

impl SyntaxErrorKind {
    /// Whether the text may well be JSON, only more of it than mcpspec reads.
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            SyntaxErrorKind::TooDeep | SyntaxErrorKind::TooManyValues
        )
    }
}

/// A byte for a message: as itself if it is printable, else as a number.
fn shown(byte: u8) -> String {
    match byte {
        b' '..=b'~' => format!("`{}`", char::from(byte)),
        other => format!("0x{other:02X}"),
    }
}
