//! [`Document`]: a value together with where it stood and what was odd about its text.

use std::ops::Range;

use super::spans::Spans;
use super::{Reading, SyntaxError};
use crate::Value;

/// A JSON text that was read in full.
///
/// The text keeps to RFC 8259, but for what the methods below tell: a library forgives it, a judge may not.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) root: Value,
    pub(super) bom: bool,
    pub(super) depth: usize,
    pub(super) duplicates: Vec<usize>,
    pub(super) lone_surrogates: Vec<usize>,
    pub(super) spans: Spans,
}

impl Document {
    /// Reads a JSON text, blanks around its value allowed.
    ///
    /// Fails at the first fault. A text whose only fault is its depth fails too, with
    /// [`SyntaxErrorKind::TooDeep`](super::SyntaxErrorKind::TooDeep).
    pub fn parse(text: &[u8]) -> Result<Document, SyntaxError> {
        let Reading { document, error } = Reading::of(text);
        match error {
            Some(error) => Err(error),
            None => Ok(document.expect("a reading without an error has a document")),
        }
    }

    /// The value.
    pub fn root(&self) -> &Value {
        &self.root
    }

    /// The value, the rest dropped.
    pub fn into_value(self) -> Value {
        self.root
    }

    /// Whether the text begins with a byte order mark, which RFC 8259 (section 8.1) forbids to add. It counts in every
    /// offset: the value stands behind its three bytes.
    pub fn has_bom(&self) -> bool {
        self.bom
    }

    /// How deep arrays and objects are nested: 0 for a scalar, 1 for `[]`.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Byte offset of each member name (its opening quote) that occurred before in its object, in order of the text.
    /// [`Document::pointer_at`] says which object that is.
    pub fn duplicates(&self) -> &[usize] {
        &self.duplicates
    }

    /// Byte offset of each `\uD800` to `\uDFFF` (its backslash) that is no half of a pair, in order of the text. The string
    /// holds U+FFFD in its place.
    pub fn lone_surrogates(&self) -> &[usize] {
        &self.lone_surrogates
    }

    /// The bytes that the value at a JSON pointer (RFC 6901) takes in the text, brackets and quotes included.
    pub fn span_of(&self, pointer: &str) -> Option<Range<usize>> {
        self.spans.of_pointer(&self.root, pointer)
    }

    /// JSON pointer of the innermost value that holds the byte at `offset`; that of the whole value for a byte outside.
    /// For the name of a member that is its object.
    pub fn pointer_at(&self, offset: usize) -> String {
        self.spans.pointer_at(&self.root, offset)
    }
}
