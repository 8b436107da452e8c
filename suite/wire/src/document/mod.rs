//! A strict reader of JSON texts (RFC 8259) that tells where everything stands and what a library would forgive.
//!
//! The reader is iterative, so that no nesting can exhaust the stack, and linear in the length of the text.

#[expect(
    clippy::module_inception,
    reason = "the type gives the module its name"
)]
mod document;
mod error;
mod reader;
mod spans;
mod string;

pub use document::Document;
pub use error::{SyntaxError, SyntaxErrorKind};
pub use reader::{MAX_DEPTH, MAX_VALUES, Reading};
