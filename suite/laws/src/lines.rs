//! Laws of the lines of stdio.

use mcpspec_wire::lines::{Ending, Line, LineSplitter};

use crate::{chunks, split_input};

/// [`lines_in_chunks`] with cap, sizes and stream taken from one input.
///
/// # Panics
/// If the law does not hold.
pub fn lines(input: &[u8]) {
    let (cap, sizes, stream) = split_input(input);
    lines_in_chunks(cap, sizes, stream);
}

/// However a stream is cut, its lines are those of the whole stream, and none is longer than the cap; nor is what is held of
/// one, but for a carriage return.
///
/// # Panics
/// If that does not hold.
pub fn lines_in_chunks(cap: usize, sizes: &[u8], stream: &[u8]) {
    let mut found = Vec::new();
    let mut splitter = LineSplitter::new(cap);
    for chunk in chunks(stream, sizes) {
        splitter.push(chunk, &mut |line| found.push(line));
        assert!(splitter.held() <= cap + 1, "{} bytes held", splitter.held());
    }
    found.extend(splitter.finish());
    assert_eq!(found, reference(cap, stream));
    assert!(found.iter().all(|line| line.bytes.len() <= cap));
}

/// The lines of a whole stream.
fn reference(cap: usize, stream: &[u8]) -> Vec<Line> {
    let mut pieces: Vec<_> = stream.split(|&byte| byte == b'\n').collect();
    let last = pieces.pop().filter(|last| !last.is_empty());
    let ended = pieces
        .into_iter()
        .map(|piece| match piece.strip_suffix(b"\r") {
            Some(line) => (line, Ending::CrLf),
            None => (piece, Ending::Lf),
        });
    let cut = |(line, ending): (&[u8], Ending)| match line.get(..cap) {
        Some(start) if line.len() > cap => Line {
            bytes: start.to_vec(),
            ending: Ending::None,
            truncated: true,
        },
        _ => Line {
            bytes: line.to_vec(),
            ending,
            truncated: false,
        },
    };
    ended
        .chain(last.map(|line| (line, Ending::None)))
        .map(cut)
        .collect()
}
