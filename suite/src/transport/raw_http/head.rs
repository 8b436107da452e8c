//! The head of a response, and what it says of the body.

use crate::transcript::{Head, HeaderLine};

/// Largest head in bytes.
pub(super) const MAX_HEAD: usize = 256 << 10;

/// Most header lines.
const MAX_LINES: usize = 4096;

/// A response's head.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) head: Head,
    /// Whether the response speaks HTTP/1.1, not 1.0.
    is_1_1: bool,
}

/// How long the body is (RFC 9112, section 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// It has none.
    None,
    /// So many bytes.
    Length(u64),
    /// Chunks.
    Chunked,
    /// It ends with the connection.
    UntilClose,
}

/// Where the head ends that `bytes` begin with, if its blank line is there. The first `seen` bytes had none.
pub(super) fn end(bytes: &[u8], seen: usize) -> Option<usize> {
    let from = seen.saturating_sub(3);
    let tail = &bytes[from..];
    let at = tail.iter().enumerate().find_map(|(at, &byte)| {
        let rest = &tail[at + 1..];
        match byte {
            b'\n' if rest.starts_with(b"\n") => Some(at + 2),
            b'\n' if rest.starts_with(b"\r\n") => Some(at + 3),
            _ => None,
        }
    });
    at.map(|at| from + at)
}

/// Whether `bytes` can be the beginning of a response.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    let begin = b"HTTP/1.";
    begin.starts_with(&bytes[..bytes.len().min(begin.len())])
}

/// Reads a whole head.
pub(super) fn parse(bytes: &[u8]) -> Result<Parsed, String> {
    let mut room = 64;
    loop {
        let mut lines = vec![httparse::EMPTY_HEADER; room];
        let mut response = httparse::Response::new(&mut lines);
        match response.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => return Ok(parsed(&response)),
            Ok(httparse::Status::Partial) => {
                return Err("the head of the response is malformed".to_owned());
            }
            Err(httparse::Error::TooManyHeaders) if room < MAX_LINES => room *= 4,
            Err(error) => return Err(format!("the head of the response is malformed: {error}")),
        }
    }
}

fn parsed(response: &httparse::Response<'_, '_>) -> Parsed {
    let lines = response
        .headers
        .iter()
        .map(|line| HeaderLine::new(line.name, line.value));
    Parsed {
        head: Head {
            status: response.code.unwrap_or_default(),
            headers: lines.collect(),
        },
        is_1_1: response.version == Some(1),
    }
}

impl Parsed {
    /// Whether another response follows this one.
    pub(super) fn is_interim(&self) -> bool {
        matches!(self.head.status, 100 | 102..200)
    }

    /// How long the body is of the response to a request of this method.
    pub(super) fn framing(&self, method: &str) -> Result<Framing, String> {
        if method == "HEAD" || matches!(self.head.status, 101 | 204 | 304) {
            return Ok(Framing::None);
        }
        if let Some(codings) = self.head.header("transfer-encoding") {
            let last = codings.rsplit(',').next().unwrap_or_default().trim();
            let chunked = last.eq_ignore_ascii_case("chunked");
            return Ok(if chunked {
                Framing::Chunked
            } else {
                Framing::UntilClose
            });
        }
        let Some(lengths) = self.head.header("content-length") else {
            return Ok(Framing::UntilClose);
        };
        let mut lengths = lengths.split(',').map(str::trim);
        let first = lengths.next().unwrap_or_default();
        let length = Some(first).filter(|first| first.bytes().all(|byte| byte.is_ascii_digit()));
        match length.and_then(|first| first.parse().ok()) {
            Some(length) if lengths.all(|other| other == first) => Ok(Framing::Length(length)),
            _ => Err("the response has a malformed Content-Length".to_owned()),
        }
    }

    /// Whether the connection can carry another request afterwards.
    pub(super) fn keeps_alive(&self) -> bool {
        let options = self.head.header("connection").unwrap_or_default();
        let has = |name: &str| {
            options
                .split(',')
                .any(|option| option.trim().eq_ignore_ascii_case(name))
        };
        if self.is_1_1 {
            !has("close")
        } else {
            has("keep-alive")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(head: &str) -> Result<Framing, String> {
        parse(format!("HTTP/1.1 200 OK\r\n{head}\r\n").as_bytes())
            .unwrap()
            .framing("POST")
    }

    #[test]
    fn the_length_of_a_body_follows_from_the_head() {
        assert_eq!(framing(""), Ok(Framing::UntilClose));
        assert_eq!(framing("Content-Length: 3\r\n"), Ok(Framing::Length(3)));
        assert_eq!(
            framing("Content-Length: 3\r\nContent-Length: 3\r\n"),
            Ok(Framing::Length(3))
        );
        assert!(framing("Content-Length: 3, 4\r\n").is_err());
        assert!(framing("Content-Length: +3\r\n").is_err());
        assert!(framing("Content-Length: 99999999999999999999\r\n").is_err());
        assert_eq!(
            framing("Transfer-Encoding: gzip, Chunked\r\nContent-Length: 3\r\n"),
            Ok(Framing::Chunked)
        );
        assert_eq!(
            framing("Transfer-Encoding: gzip\r\n"),
            Ok(Framing::UntilClose)
        );
        let head = parse(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n").unwrap();
        assert_eq!(head.framing("HEAD"), Ok(Framing::None));
    }

    #[test]
    fn a_connection_is_kept_unless_the_head_says_otherwise() {
        let keeps = |text: &str| parse(text.as_bytes()).unwrap().keeps_alive();
        assert!(keeps("HTTP/1.1 200 OK\r\n\r\n"));
        assert!(!keeps("HTTP/1.1 200 OK\r\nConnection: TE, Close\r\n\r\n"));
        assert!(!keeps("HTTP/1.0 200 OK\r\n\r\n"));
        assert!(keeps("HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\n\r\n"));
    }

    #[test]
    fn the_end_of_a_head_is_found_wherever_the_chunks_end() {
        let text = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\n\n";
        for seen in 0..24 {
            assert_eq!(end(text, seen), Some(25), "{seen}");
            assert_eq!(end(&text[..seen], 0), None);
        }
        assert_eq!(end(b"HTTP/1.1 200 OK\nA: b\n\n", 0), Some(22));
    }

    #[test]
    fn many_header_lines_are_read_and_too_many_are_refused() {
        let text = |count| format!("HTTP/1.1 200 OK\r\n{}\r\n", "A: b\r\n".repeat(count));
        assert_eq!(
            parse(text(1000).as_bytes()).unwrap().head.headers.len(),
            1000
        );
        assert!(
            parse(text(5000).as_bytes())
                .unwrap_err()
                .contains("too many headers")
        );
    }
}
