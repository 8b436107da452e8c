//! Header values. The first examples are those of the table on page `basic/transports/streamable-http`.

use std::borrow::Cow;

use mcpspec_wire::header_value::{DecodeError, decode, encode};

#[test]
fn the_encodings_of_the_specification() {
    for (text, value) in [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
    ] {
        assert_eq!(encode(text), value);
        assert_eq!(decode(value.as_bytes()).as_deref(), Ok(text));
    }
}

#[test]
fn only_what_needs_it_is_encoded() {
    for text in [
        "",
        "a b",
        "=?base64?x",
        "x?=",
        "=?BASE64?eA==?=",
        "a=?base64?eA==?=",
        "~!\"#",
    ] {
        assert!(matches!(encode(text), Cow::Borrowed(_)), "{text}");
        assert_eq!(decode(text.as_bytes()).as_deref(), Ok(text));
    }
    for text in [
        " a",
        "a ",
        "a\tb",
        "\u{7f}",
        "\0",
        "é",
        "=?base64??=",
        "=?base64?=",
    ] {
        assert!(matches!(encode(text), Cow::Owned(_)), "{text}");
    }
}

#[test]
fn a_literal_may_hold_a_tab() {
    assert_eq!(decode(b"a\tb").as_deref(), Ok("a\tb"));
}

#[test]
fn markers_that_overlap_are_no_markers() {
    assert_eq!(decode(b"=?base64?=").as_deref(), Ok("=?base64?="));
    assert_eq!(decode(b"=?base64??=").as_deref(), Ok(""));
}

#[test]
fn each_fault_is_told_apart() {
    for (value, error) in [
        (
            &b"a\xc3\xa9"[..],
            DecodeError::ForbiddenByte {
                byte: 0xc3,
                offset: 1,
            },
        ),
        (
            b"Hel\x01lo",
            DecodeError::ForbiddenByte { byte: 1, offset: 3 },
        ),
        (
            b"a\x7f",
            DecodeError::ForbiddenByte {
                byte: 0x7f,
                offset: 1,
            },
        ),
        (
            b"=?base64?SGVs!!!bG8?=",
            DecodeError::Alphabet {
                byte: b'!',
                offset: 13,
            },
        ),
        (
            b"=?base64?SGVs-_==?=",
            DecodeError::Alphabet {
                byte: b'-',
                offset: 13,
            },
        ),
        (b"=?base64?SGVsbG8?=", DecodeError::Padding),
        (b"=?base64?SGVsbG8==?=", DecodeError::Padding),
        (b"=?base64?SGVs=bG8?=", DecodeError::Padding),
        (b"=?base64?====?=", DecodeError::Padding),
        (b"=?base64?S?=", DecodeError::Length),
        (
            b"=?base64?SGVsbG9=?=",
            DecodeError::TrailingBits { offset: 15 },
        ),
        (b"=?base64?SR==?=", DecodeError::TrailingBits { offset: 10 }),
        (b"=?base64?YcM=?=", DecodeError::NotUtf8 { offset: 1 }),
    ] {
        assert_eq!(decode(value), Err(error), "{}", value.escape_ascii());
    }
}
