//! Laws of the header values that may be Base64.

use mcpspec_wire::header_value::{decode, encode};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A text survives its encoding, which is safe in a header; a value is decoded just if it is literal or the one encoding of a
/// text.
///
/// # Panics
/// If one of that does not hold.
pub fn header_value(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        encoding(text);
    }
    decoding(input);
}

fn encoding(text: &str) {
    let value = encode(text);
    assert_eq!(
        decode(value.as_bytes()).as_deref(),
        Ok(text),
        "encoded as {value}"
    );
    assert!(
        value.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
        "{value} is not printable"
    );
    assert_eq!(value.trim_matches(' '), value, "{value} would be trimmed");
    if value != text {
        assert_eq!(value, format!("=?base64?{}?=", base64(text.as_bytes())));
    }
}

fn decoding(value: &[u8]) {
    let decoded = decode(value);
    let inner = value
        .strip_prefix(b"=?base64?")
        .and_then(|rest| rest.strip_suffix(b"?="));
    match inner {
        None => {
            let allowed = value
                .iter()
                .all(|&byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
            assert_eq!(decoded.is_ok(), allowed, "a literal");
            assert!(decoded.is_err() || decoded.is_ok_and(|text| text.as_bytes() == value));
        }
        Some(inner) => match (decoded, bits(inner)) {
            (Ok(text), _) => assert_eq!(
                base64(text.as_bytes()).as_bytes(),
                inner,
                "not the one encoding of {text}"
            ),
            // What is refused encodes nothing, or not canonically, or no text.
            (Err(error), Some(bytes)) => {
                let canonical = base64(&bytes).as_bytes() == inner;
                assert!(!canonical || String::from_utf8(bytes).is_err(), "{error}");
            }
            (Err(_), None) => {}
        },
    }
}

/// The text that a value carries, if it carries one.
#[cfg(feature = "suite")]
pub(crate) fn reference_decode(value: &[u8]) -> Option<String> {
    let inner = value
        .strip_prefix(b"=?base64?")
        .and_then(|rest| rest.strip_suffix(b"?="));
    let plain = |byte: &u8| *byte == b'\t' || (b' '..=b'~').contains(byte);
    match inner {
        None => value
            .iter()
            .all(plain)
            .then(|| value.iter().copied().map(char::from).collect()),
        Some(inner) => {
            let bytes = bits(inner)?;
            let canonical = base64(&bytes).as_bytes() == inner;
            String::from_utf8(bytes).ok().filter(|_| canonical)
        }
    }
}

/// The value that carries a text: itself where it can, else the encoded form.
#[cfg(feature = "suite")]
pub(crate) fn reference_encode(text: &str) -> String {
    let encoded = format!("=?base64?{}?=", base64(text.as_bytes()));
    let printable = text
        .chars()
        .all(|character| (' '..='~').contains(&character));
    let safe = printable && text.trim_matches(' ') == text;
    if safe && !(text.starts_with("=?base64?") && text.ends_with("?=")) {
        text.to_owned()
    } else {
        encoded
    }
}

/// Base64 of RFC 4648, section 4, bit by bit.
fn base64(bytes: &[u8]) -> String {
    let bits: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1))
        .collect();
    let mut text: String = bits
        .chunks(6)
        .map(|bits| {
            let padded = bits.iter().copied().chain([0; 5]).take(6);
            char::from(ALPHABET[padded.fold(0, |index, bit| index << 1 | usize::from(bit))])
        })
        .collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

/// The whole bytes that the characters before the first `=` stand for, if all are in the alphabet.
fn bits(text: &[u8]) -> Option<Vec<u8>> {
    let mut bits = Vec::new();
    for byte in text.split(|&byte| byte == b'=').next()? {
        let index = ALPHABET.iter().position(|character| character == byte)?;
        bits.extend((0..6).rev().map(|bit| index >> bit & 1));
    }
    Some(
        bits.chunks_exact(8)
            .map(|bits| bits.iter().fold(0, |byte, &bit| byte << 1 | bit as u8))
            .collect(),
    )
}
