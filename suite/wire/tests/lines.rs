//! Lines: where they end, and what becomes of those that are too long.

use mcpspec_wire::lines::{Ending, Line, LineSplitter};

/// The lines of a stream that comes in these chunks, with `|` behind each that was cut.
fn lines(cap: usize, chunks: &[&str]) -> Vec<(String, Ending, bool)> {
    let mut lines = Vec::new();
    let mut splitter = LineSplitter::new(cap);
    for chunk in chunks {
        splitter.push(chunk.as_bytes(), &mut |line| lines.push(line));
    }
    lines.extend(splitter.finish());
    let shown = |line: Line| {
        (
            String::from_utf8(line.bytes).expect("UTF-8"),
            line.ending,
            line.truncated,
        )
    };
    lines.into_iter().map(shown).collect()
}

fn whole(text: &str, ending: Ending) -> (String, Ending, bool) {
    (text.to_owned(), ending, false)
}

fn cut(text: &str) -> (String, Ending, bool) {
    (text.to_owned(), Ending::None, true)
}

#[test]
fn lines_end_at_line_feeds() {
    let expected = vec![
        whole("a", Ending::Lf),
        whole("", Ending::Lf),
        whole("b", Ending::CrLf),
        whole("c\rd", Ending::Lf),
        whole("e", Ending::None),
    ];
    assert_eq!(lines(9, &["a\n\nb\r\nc\rd\ne"]), expected);
    assert_eq!(
        lines(9, &["a", "\n", "\nb\r", "", "\nc", "\rd\n", "e"]),
        expected
    );
}

#[test]
fn a_stream_that_ends_with_a_line_feed_has_no_last_line() {
    assert_eq!(lines(9, &["a\n"]), [whole("a", Ending::Lf)]);
    assert_eq!(lines(9, &[]), []);
}

#[test]
fn a_line_of_just_the_cap_is_whole() {
    assert_eq!(
        lines(3, &["abc\nabc\r\nabc"]),
        [
            whole("abc", Ending::Lf),
            whole("abc", Ending::CrLf),
            whole("abc", Ending::None)
        ]
    );
}

#[test]
fn a_line_longer_than_the_cap_is_reported_once() {
    assert_eq!(
        lines(3, &["abcd", "efgh", "ijk\nxy\n"]),
        [cut("abc"), whole("xy", Ending::Lf)]
    );
    assert_eq!(
        lines(3, &["abc\rd\nx"]),
        [cut("abc"), whole("x", Ending::None)]
    );
    assert_eq!(lines(3, &["abc\r\r\n"]), [cut("abc")]);
    assert_eq!(lines(3, &["abc\r"]), [cut("abc")]);
    assert_eq!(
        lines(0, &["\n\r\na\n"]),
        [whole("", Ending::Lf), whole("", Ending::CrLf), cut("")]
    );
}

#[test]
fn a_line_longer_than_the_cap_is_reported_before_it_ends() {
    let mut splitter = LineSplitter::new(1000);
    let mut given = 0;
    for _ in 0..100_000 {
        splitter.push(&[b'x'; 100], &mut |line| given += line.bytes.len());
    }
    assert_eq!(given, 1000);
    assert_eq!(splitter.finish(), None);
}
