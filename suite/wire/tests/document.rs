//! Documents: what is accepted, what is refused and where, and what is told of an accepted text.

use mcpspec_wire::{Document, MAX_DEPTH, Number, SyntaxErrorKind, Value};

fn parse(text: &str) -> Document {
    Document::parse(text.as_bytes()).expect("a JSON text")
}

#[test]
fn values_are_read_as_they_are() {
    let value = parse(
        r#" {"a" : [1.0, -0, true, false, null, {}, [ ]], "é": "\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 ü"} "#,
    );
    let expected = serde_json::json!({"a": [1.0, 0, true, false, null, {}, []], "é": "\"\\/\u{8}\u{c}\n\r\té😀 ü"});
    assert_eq!(*value.root(), Value::from_serde(expected));
    assert_eq!(
        value
            .root()
            .pointer("/a/0")
            .and_then(Value::as_number)
            .map(Number::as_str),
        Some("1.0")
    );
}

#[test]
fn a_fault_is_told_with_its_byte() {
    use SyntaxErrorKind::*;
    for (text, kind, offset) in [
        (&b""[..], EndOfText, 0),
        (b"  ", EndOfText, 2),
        (b"{\"jsonrpc\":", EndOfText, 11),
        (b"{\"a\"", EndOfText, 4),
        (b"\"ab", EndOfText, 3),
        (b"\"ab\\", EndOfText, 4),
        (b"\"\\u12", EndOfText, 5),
        (b"[1,", EndOfText, 3),
        (b"-", EndOfText, 1),
        (b"tru", EndOfText, 3),
        (b"[1,]", UnexpectedByte(b']'), 3),
        (b"{,}", UnexpectedByte(b','), 1),
        (b"{\"a\":1,}", UnexpectedByte(b'}'), 7),
        (b"{\"a\" 1}", UnexpectedByte(b'1'), 5),
        (b"[1}", UnexpectedByte(b'}'), 2),
        (b"{\"a\":1]", UnexpectedByte(b']'), 6),
        (b"{a:1}", UnexpectedByte(b'a'), 1),
        (b"'a'", UnexpectedByte(b'\''), 0),
        (b"nul1", UnexpectedByte(b'1'), 3),
        (b"Content-Length: 12", UnexpectedByte(b'C'), 0),
        (b"[\x0c1]", UnexpectedByte(0x0c), 1),
        (b"[1] x", TrailingText, 4),
        (b"{}{}", TrailingText, 2),
        (b"1\0", TrailingText, 1),
        (b"[01]", BadNumber, 2),
        (b"[-x]", BadNumber, 2),
        (b"[1.]", BadNumber, 3),
        (b"[1e+]", BadNumber, 4),
        (b"\"\\x\"", BadEscape, 1),
        (b"\"\\u12g4\"", BadEscape, 1),
        (b"\"\\U0041\"", BadEscape, 1),
        (b"\"a\tb\"", ControlCharacter(b'\t'), 2),
        (b"\"a\nb\"", ControlCharacter(b'\n'), 2),
        (b"\"ab\xff\"", InvalidUtf8, 3),
        (b"\"a\xed\xa0\x80\"", InvalidUtf8, 2),
        (b"\"a\xc3", InvalidUtf8, 2),
        (b"[\xff]", InvalidUtf8, 1),
        (b"[\xc3\xa9]", UnexpectedByte(0xc3), 1),
        (b"\xff\xfe1\0", InvalidUtf8, 0),
        (b"\xef\xbb\xbf", EndOfText, 3),
        (b"\xef\xbb\xbf\xef\xbb\xbf1", UnexpectedByte(0xef), 3),
        (b"1\xef\xbb\xbf", TrailingText, 1),
    ] {
        let error = Document::parse(text).expect_err("a fault");
        assert_eq!(
            (error.kind, error.offset),
            (kind, offset),
            "{}",
            text.escape_ascii()
        );
    }
}

#[test]
fn every_control_character_is_found_at_every_place_of_a_string() {
    for control in 0..0x20 {
        for place in 0..20 {
            let mut text = [&b"\""[..], &[b'a'; 20], b"\""].concat();
            text[1 + place] = control;
            let error = Document::parse(&text).expect_err("a control character");
            assert_eq!(
                (error.kind, error.offset),
                (SyntaxErrorKind::ControlCharacter(control), 1 + place)
            );
        }
    }
    assert!(Document::parse("\"       \u{7f}\u{80}\"".as_bytes()).is_ok());
}

#[test]
fn the_first_of_several_faults_is_told() {
    let error = Document::parse(b"[\"\xff\", \"\t\", 01").expect_err("a fault");
    assert_eq!(
        (error.kind, error.offset),
        (SyntaxErrorKind::InvalidUtf8, 2)
    );
}

#[test]
fn a_byte_order_mark_is_noted_and_counts_in_offsets() {
    let document = Document::parse(b"\xef\xbb\xbf [1]").expect("a JSON text");
    assert!(document.has_bom());
    assert_eq!(document.span_of("/0"), Some(5..6));
    assert!(!parse("[1]").has_bom());
}

#[test]
fn repeated_names_are_noted_and_kept() {
    let document = parse(r#"{"a":1,"b":{"c":1,"c":2,"d":3,"\u0063":4},"a":5}"#);
    assert_eq!(document.duplicates(), [18, 30, 42]);
    assert_eq!(document.pointer_at(18), "/b");
    assert_eq!(document.pointer_at(42), "");
    let object = document.root().as_object().expect("an object");
    assert_eq!(object.len(), 3);
    assert_eq!(object.get("a"), Some(&Value::from(5)));
    assert_eq!(object.get_all("a").count(), 2);
}

#[test]
fn repeated_names_are_noted_in_an_object_of_many_members() {
    let members: Vec<String> = (0..100)
        .map(|index| format!(r#""n{}":0"#, index % 90))
        .collect();
    let document = parse(&format!("{{{}}}", members.join(",")));
    assert_eq!(document.duplicates().len(), 10);
}

#[test]
fn lone_surrogates_are_noted_and_replaced() {
    let document =
        parse(r#"["\ud800","\udc00\ud83d\ude00","\ud800\ud800\udc00","\ud800\n","\ud800x"]"#);
    assert_eq!(document.lone_surrogates(), [2, 11, 32, 53, 64]);
    assert_eq!(document.pointer_at(11), "/1");
    let expected = [
        "\u{fffd}",
        "\u{fffd}😀",
        "\u{fffd}\u{10000}",
        "\u{fffd}\n",
        "\u{fffd}x",
    ];
    assert_eq!(*document.root(), expected.into_iter().collect());
    let document = parse(r#"["\udfff\udfff","\udbff\udfff","\udbff\ue000"]"#);
    assert_eq!(document.lone_surrogates(), [2, 8, 32]);
    assert_eq!(
        *document.root(),
        ["\u{fffd}\u{fffd}", "\u{10ffff}", "\u{fffd}\u{e000}"]
            .into_iter()
            .collect()
    );
}

#[test]
fn depth_is_told_and_limited() {
    assert_eq!(parse("1").depth(), 0);
    assert_eq!(parse(r#"[[],{"a":[]}]"#).depth(), 3);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(parse(&nested(MAX_DEPTH)).depth(), MAX_DEPTH);
    let error = Document::parse(nested(MAX_DEPTH + 1).as_bytes()).expect_err("too deep");
    assert_eq!(
        (error.kind, error.offset),
        (SyntaxErrorKind::TooDeep, MAX_DEPTH)
    );
}

#[test]
fn a_hundred_thousand_levels_do_no_harm() {
    let closed = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let open = r#"{"a":"#.repeat(100_000);
    for text in [closed, open] {
        let error = Document::parse(text.as_bytes()).expect_err("too deep");
        assert_eq!(error.kind, SyntaxErrorKind::TooDeep);
    }
}

#[test]
fn spans_and_pointers_lead_to_each_other() {
    let text = r#"{ "a/b" : [ 10 , {"~":"x"} , [] ], "a/b" : {"": [null] } }"#;
    let document = parse(text);
    let at = |pointer: &str| document.span_of(pointer).map(|span| &text[span]);
    assert_eq!(at(""), Some(text));
    assert_eq!(at("/a~1b"), Some(r#"{"": [null] }"#));
    assert_eq!(at("/a~1b//0"), Some("null"));
    assert_eq!(at("/a~1b/x"), None);
    assert_eq!(
        document.pointer_at(text.find("null").expect("there")),
        "/a~1b//0"
    );
    let document = parse(r#"[ 10 , {"~":"x"} , [] ]"#);
    assert_eq!(document.span_of("/1/~0"), Some(12..15));
    assert_eq!(document.span_of("/2"), Some(19..21));
    assert_eq!(document.span_of("/2/0"), None);
    assert_eq!(document.span_of("/01"), None);
    assert_eq!(document.span_of("1"), None);
    assert_eq!(document.pointer_at(5), "");
    assert_eq!(document.pointer_at(13), "/1/~0");
    assert_eq!(document.pointer_at(999), "");
}

#[test]
fn a_text_with_too_many_values_is_given_up_at_the_first_that_is_one_too_many() {
    let text = format!("[{}0]", "0,".repeat(mcpspec_wire::MAX_VALUES));
    let error = Document::parse(text.as_bytes()).expect_err("it holds too many");
    assert_eq!(error.kind, SyntaxErrorKind::TooManyValues);
    assert!(error.kind.is_limit());
    // The list itself is a value, so one item fewer fits: each takes two bytes after the bracket.
    assert_eq!(error.offset, 1 + 2 * (mcpspec_wire::MAX_VALUES - 1));
}
