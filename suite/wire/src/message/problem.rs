//! What can be wrong with a message.

use crate::SyntaxError;

/// One thing that is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} (byte {offset})")]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Byte at which the value stands that is wrong, or the object that lacks a member; counted from the start of the text.
    pub offset: usize,
}

/// What is wrong with a message. The members are those of page `basic/index`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProblemKind {
    /// The text is not a JSON text, or goes on after it ([`TrailingText`](crate::SyntaxErrorKind::TrailingText)), or is
    /// deeper than mcpspec reads ([`TooDeep`](crate::SyntaxErrorKind::TooDeep)), which is no fault.
    #[error("not one JSON text: {}", .0.kind)]
    NotJson(SyntaxError),
    /// The text begins with a byte order mark.
    #[error("a byte order mark before the text")]
    Bom,
    /// An object has a member name more than once. Told once for a message.
    #[error("{count} repeated member names, the first in the object at `{pointer}`")]
    DuplicateMember {
        /// JSON pointer of the object that the first repeated name stands in.
        pointer: String,
        /// How many names occurred before in their objects.
        count: usize,
    },
    /// An escape stands for half of a surrogate pair, so the string is no Unicode text. Told once for a message.
    #[error(
        "{count} escapes that are half of a surrogate pair, the first in the value at `{pointer}`"
    )]
    LoneSurrogate {
        /// JSON pointer of the string, or of the object if it is a member's name.
        pointer: String,
        /// How many such escapes there are.
        count: usize,
    },
    /// The text is an array: a JSON-RPC batch, which this revision does not have.
    #[error("a batch (a JSON array)")]
    Batch,
    /// The text is neither an object nor an array.
    #[error("a {0} where an object is due")]
    NotAnObject(&'static str),
    /// `jsonrpc` is absent.
    #[error("no `jsonrpc`")]
    VersionMissing,
    /// `jsonrpc` is not the string `2.0`.
    #[error("`jsonrpc` is not \"2.0\"")]
    VersionWrong,
    /// None of `method`, `result` and `error` is there.
    #[error("none of `method`, `result` and `error`")]
    NoKind,
    /// `method` stands beside `result` or `error`.
    #[error("`method` beside `result` or `error`")]
    MethodAndOutcome,
    /// `result` and `error` are both there, be one of them null.
    #[error("both `result` and `error`")]
    ResultAndError,
    /// `method` is not a string.
    #[error("`method` is not a string")]
    MethodNotString,
    /// `params` is there and not an object.
    #[error("`params` is not an object")]
    ParamsNotObject,
    /// A response with `result` has no `id`.
    #[error("a result without `id`")]
    IdMissing,
    /// `id` is null. Base JSON-RPC wants that of an error whose request could not be read, this revision wants no `id` there.
    #[error("`id` is null")]
    IdNull,
    /// `id` is neither a string nor a number.
    #[error("`id` is neither a string nor an integer")]
    IdWrongType,
    /// `id` is a number that is not integral; `1.0` is.
    #[error("`id` is a fractional number")]
    IdFractional,
    /// `result` is not an object.
    #[error("`result` is not an object")]
    ResultNotObject,
    /// `error` is not an object.
    #[error("`error` is not an object")]
    ErrorNotObject,
    /// `error` has no `code`.
    #[error("`error` has no `code`")]
    CodeMissing,
    /// `error.code` is not an integral number; `-32600.0` is.
    #[error("`error.code` is not an integer")]
    CodeNotInteger,
    /// `error` has no `message`.
    #[error("`error` has no `message`")]
    MessageMissing,
    /// `error.message` is not a string.
    #[error("`error.message` is not a string")]
    MessageNotString,
}
