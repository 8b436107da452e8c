//! Pure decoding for mcpspec: JSON documents, JSON-RPC messages, stdio lines, server-sent events, header values.
//!
//! Nothing here does I/O. Each decoder reads what a library would forgive and tells it, with the byte at which it
//! stands, because a judge has to see it: members that occur twice, byte order marks, lone surrogates, text after the
//! end, numbers that a double cannot hold.
//!
//! | module | reads |
//! |---|---|
//! | [`document`] | a JSON text (RFC 8259), with byte spans and raw number tokens |
//! | [`value`] | nothing: the JSON value that all of mcpspec works on |
//! | [`message`] | one JSON-RPC message, or what is wrong with it |
//! | [`lines`] | the lines of the stdio transport, in chunks |
//! | [`sse`] | server-sent events, in chunks |
//! | [`header_value`] | the values of headers that mirror the body |

#![forbid(unsafe_code)]

pub mod document;
pub mod header_value;
pub mod lines;
pub mod message;
mod planted;
pub mod sse;
pub mod value;

pub use document::{Document, MAX_DEPTH, MAX_VALUES, Reading, SyntaxError, SyntaxErrorKind};
pub use message::{Decoded, Message, Problem, ProblemKind};
pub use planted::planted;
pub use value::{InvalidNumber, LossyConversion, Number, Object, Value, same_id};
