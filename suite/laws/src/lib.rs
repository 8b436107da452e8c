//! Laws of mcpspec: what has to hold for every input, as functions that panic where it does not.
//!
//! Each function takes any bytes, so that a fuzz target is one call and the property tests and the replay of committed inputs
//! check the very same. The references here are slow and plain; they share no code with what they are held against.

#![forbid(unsafe_code)]

mod bridge;
mod decode_diff;
mod header_value;
mod json;
mod lines;
mod number;
mod rpc;
mod rpc_arbitrary;
mod sse;
pub mod targets;
pub mod tree;

pub use decode_diff::decode_diff;
pub use header_value::header_value;
pub use json::json;
pub use lines::{lines, lines_in_chunks};
pub use number::{NumberPair, numbers};
pub use rpc::rpc_bytes;
pub use rpc_arbitrary::{DrawnMessage, rpc_arbitrary};
pub use sse::{sse, sse_in_chunks};

#[cfg(feature = "suite")]
mod suite;

#[cfg(feature = "suite")]
pub use suite::{arguments, case_file, header_match, junit_text, matcher, shapes};

/// Cuts a stream into chunks of these sizes; what is left after them is one chunk.
fn chunks<'a>(stream: &'a [u8], sizes: &[u8]) -> Vec<&'a [u8]> {
    let mut rest = stream;
    let mut chunks = Vec::with_capacity(sizes.len() + 1);
    for &size in sizes {
        let (chunk, after) = rest.split_at(rest.len().min(size.into()));
        chunks.push(chunk);
        rest = after;
    }
    chunks.push(rest);
    chunks
}

/// Takes an input apart: a cap of 0 to 31 bytes, up to 15 sizes of chunks, and the stream.
fn split_input(input: &[u8]) -> (usize, &[u8], &[u8]) {
    let Some((&head, rest)) = input.split_first() else {
        return (0, &[], &[]);
    };
    let Some((&count, rest)) = rest.split_first() else {
        return (head.into(), &[], &[]);
    };
    let (sizes, stream) = rest.split_at(rest.len().min(usize::from(count % 16)));
    (usize::from(head % 32), sizes, stream)
}
