//! The body of a response, out of bytes that come in pieces of any size.

use bytes::{Buf, BytesMut};

use super::head::Framing;

/// Longest line with a chunk's size, and longest trailer line.
const MAX_LINE: usize = 16 << 10;

/// Takes a body out of a stream of bytes.
#[derive(Debug)]
pub(super) struct BodyReader {
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// So many bytes are left of a body of known length.
    Length(u64),
    UntilClose,
    /// The line with the size of a chunk comes next.
    Size,
    /// So many bytes are left of a chunk.
    Chunk(u64),
    /// The line ending behind a chunk comes next.
    ChunkEnd,
    /// A trailer line, or the blank one that ends it all, comes next.
    Trailer,
    Over,
}

/// What a step gave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Bytes of the body.
    Bytes(BytesMut),
    /// More has to come first.
    More,
    /// The body is complete.
    Over,
}

impl BodyReader {
    pub(super) fn new(framing: Framing) -> BodyReader {
        let state = match framing {
            Framing::None => State::Over,
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => State::Size,
            Framing::UntilClose => State::UntilClose,
        };
        BodyReader { state }
    }

    /// Takes what it can out of `buffer`; an error says how the framing is broken.
    pub(super) fn step(&mut self, buffer: &mut BytesMut) -> Result<Step, String> {
        loop {
            self.state = match self.state {
                State::Over | State::Length(0) => return Ok(Step::Over),
                State::Length(left) => return Ok(self.counted(buffer, left, State::Length)),
                State::Chunk(0) => State::ChunkEnd,
                State::Chunk(left) => return Ok(self.counted(buffer, left, State::Chunk)),
                State::UntilClose if buffer.is_empty() => return Ok(Step::More),
                State::UntilClose => return Ok(Step::Bytes(buffer.split())),
                State::Size | State::ChunkEnd | State::Trailer => {
                    let Some(line) = line(buffer)? else {
                        return Ok(Step::More);
                    };
                    self.line(&line)?
                }
            };
        }
    }

    /// What it means that the connection closed here.
    pub(super) fn closed(&self) -> Result<(), String> {
        match self.state {
            State::Over | State::UntilClose | State::Length(0) => Ok(()),
            State::Length(left) => Err(format!(
                "the connection closed with {left} bytes of the body to come"
            )),
            _ => Err("the connection closed inside a chunked body".to_owned()),
        }
    }

    fn counted(&mut self, buffer: &mut BytesMut, left: u64, state: fn(u64) -> State) -> Step {
        if buffer.is_empty() {
            return Step::More;
        }
        let taken = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        self.state = state(left - taken as u64);
        Step::Bytes(buffer.split_to(taken))
    }

    fn line(&self, line: &[u8]) -> Result<State, String> {
        match self.state {
            State::Size => {
                let digits = line
                    .split(|&byte| byte == b';')
                    .next()
                    .unwrap_or_default()
                    .trim_ascii();
                let size = size(digits).ok_or("a chunk of the response has a malformed size")?;
                Ok(if size == 0 {
                    State::Trailer
                } else {
                    State::Chunk(size)
                })
            }
            State::ChunkEnd if line.is_empty() => Ok(State::Size),
            State::ChunkEnd => Err("a chunk of the response is longer than its size".to_owned()),
            _ if line.is_empty() => Ok(State::Over),
            _ => Ok(State::Trailer),
        }
    }
}

/// Takes a line and its ending out of `buffer`, if it is there to its end.
fn line(buffer: &mut BytesMut) -> Result<Option<BytesMut>, String> {
    let Some(length) = buffer.iter().position(|&byte| byte == b'\n') else {
        return if buffer.len() > MAX_LINE {
            Err("a line of the chunked body is too long".to_owned())
        } else {
            Ok(None)
        };
    };
    let mut line = buffer.split_to(length);
    buffer.advance(1);
    if line.ends_with(b"\r") {
        line.truncate(length - 1);
    }
    Ok(Some(line))
}

fn size(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok()?;
    let all_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| all_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body, however the bytes are cut, and how it ended.
    fn read(framing: Framing, bytes: &[u8], piece: usize) -> (String, Result<bool, String>) {
        let (mut reader, mut buffer, mut body) =
            (BodyReader::new(framing), BytesMut::new(), Vec::new());
        for piece in bytes.chunks(piece) {
            buffer.extend_from_slice(piece);
            loop {
                match reader.step(&mut buffer) {
                    Ok(Step::Bytes(bytes)) => body.extend_from_slice(&bytes),
                    Ok(Step::More) => break,
                    Ok(Step::Over) => return (String::from_utf8(body).unwrap(), Ok(true)),
                    Err(problem) => return (String::from_utf8(body).unwrap(), Err(problem)),
                }
            }
        }
        (
            String::from_utf8(body).unwrap(),
            reader.closed().map(|()| false),
        )
    }

    #[test]
    fn a_chunked_body_does_not_depend_on_the_borders_of_reads() {
        let text = b"4\r\nWiki\r\n6;name=value\r\npedia \r\nE \r\nin \r\n\r\nchunks.\r\n0\r\nTrailer: x\r\n\r\n";
        for piece in 1..=text.len() {
            assert_eq!(
                read(Framing::Chunked, text, piece),
                ("Wikipedia in \r\n\r\nchunks.".to_owned(), Ok(true))
            );
        }
    }

    #[test]
    fn broken_chunks_are_told() {
        for (text, problem) in [
            ("x\r\n", "malformed size"),
            ("\r\n", "malformed size"),
            ("-1\r\n", "malformed size"),
            ("11111111111111111\r\n", "malformed size"),
            ("2\r\nabc\r\n", "longer than its size"),
            ("2\r\na", "closed inside"),
            ("2\r\nab\r\n", "closed inside"),
            ("0\r\n", "closed inside"),
        ] {
            let (_, end) = read(Framing::Chunked, text.as_bytes(), 1);
            assert!(
                end.as_ref().is_err_and(|found| found.contains(problem)),
                "{text:?}: {end:?}"
            );
        }
        let endless = "1".repeat(MAX_LINE + 2);
        assert!(
            read(Framing::Chunked, endless.as_bytes(), 1024)
                .1
                .unwrap_err()
                .contains("too long")
        );
    }

    #[test]
    fn a_body_of_known_length_ends_by_itself_and_any_other_with_the_connection() {
        for piece in 1..5 {
            assert_eq!(
                read(Framing::Length(3), b"abcd", piece),
                ("abc".to_owned(), Ok(true))
            );
            assert_eq!(
                read(Framing::UntilClose, b"abcd", piece),
                ("abcd".to_owned(), Ok(false))
            );
        }
        assert!(
            read(Framing::Length(3), b"ab", 1)
                .1
                .unwrap_err()
                .contains("1 bytes")
        );
        assert_eq!(read(Framing::Length(0), b"", 1), (String::new(), Ok(false)));
        assert_eq!(read(Framing::None, b"x", 1), (String::new(), Ok(true)));
    }
}
