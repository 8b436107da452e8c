//! Bytes that are no UTF-8, inside text.
//!
//! A row, a header value or a raw message may hold `$(byte e9)`, and a server may send such a byte. Text carries it as a
//! character of a private-use plane, so that it can pass through values and matchers without becoming another byte.

/// The character that stands for byte 0; 0x80 to 0xFF are used, all of them in private use (Unicode plane 16).
const BASE: u32 = 0x10_FE00;

/// The character that stands for a byte in text: itself below 0x80.
pub(super) fn byte_character(byte: u8) -> char {
    if byte.is_ascii() {
        return char::from(byte);
    }
    char::from_u32(BASE + u32::from(byte)).expect("the plane has a character for each byte")
}

/// The byte that a character of text stands for, if it is one that UTF-8 does not write.
fn character_byte(character: char) -> Option<u8> {
    let byte = u32::from(character).checked_sub(BASE)?;
    u8::try_from(byte).ok().filter(|byte| !byte.is_ascii())
}

/// The bytes of a text in which characters may stand for bytes.
pub fn text_to_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for character in text.chars() {
        match character_byte(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes()),
        }
    }
    bytes
}

/// The text of bytes: what is no UTF-8 becomes characters that stand for bytes, so that nothing is lost.
pub fn bytes_to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(byte_character));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_the_way_through_text() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(text_to_bytes(&bytes_to_text(&bytes)), bytes);
    }

    #[test]
    fn valid_text_is_itself() {
        for text in ["", "plain", "é世😀", "\u{fffd}"] {
            assert_eq!(bytes_to_text(text.as_bytes()), text);
            assert_eq!(text_to_bytes(text), text.as_bytes());
        }
    }
}
