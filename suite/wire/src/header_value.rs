//! The values of the headers that mirror the body, `Mcp-Name` and `Mcp-Param-*`: as they are, or as Base64 between
//! `=?base64?` and `?=` (page `basic/transports/streamable-http`, section Value Encoding).

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use crate::planted;

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// Why the value of a header cannot be read. Offsets are bytes from the start of the value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A byte that no header value of this transport holds: only visible ASCII, space and tab are allowed.
    #[error("byte 0x{byte:02X} at {offset} cannot stand in a header value")]
    ForbiddenByte {
        /// The byte.
        byte: u8,
        /// Where it stands.
        offset: usize,
    },
    /// A character between the markers that the alphabet of standard Base64 does not have.
    #[error("byte 0x{byte:02X} at {offset} is not in the alphabet of Base64")]
    Alphabet {
        /// The byte.
        byte: u8,
        /// Where it stands.
        offset: usize,
    },
    /// Padding is absent, too short, too long, or not at the end.
    #[error("the padding of the Base64 text is wrong")]
    Padding,
    /// A number of characters that no bytes encode to.
    #[error("the Base64 text is cut off")]
    Length,
    /// The last character before the padding has bits that belong to no byte and are not zero.
    #[error("the last character of the Base64 text, at {offset}, has stray bits")]
    TrailingBits {
        /// Where the character stands.
        offset: usize,
    },
    /// The decoded bytes are not UTF-8.
    #[error("the decoded bytes are not UTF-8 from byte {offset} of them on")]
    NotUtf8 {
        /// Offset in the decoded bytes.
        offset: usize,
    },
}

/// The header value that carries `text`: itself if it is printable ASCII, neither begins nor ends with a blank and does not
/// look like the encoded form, else the encoded form.
pub fn encode(text: &str) -> Cow<'_, str> {
    let printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    let padded = text.starts_with(' ') || text.ends_with(' ');
    let ambiguous = text.starts_with(PREFIX) && text.ends_with(SUFFIX);
    if printable && !padded && !ambiguous {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{PREFIX}{}{SUFFIX}", STANDARD.encode(text)))
}

/// The text that a header value carries. The blanks that HTTP allows around a value have to be gone.
///
/// The markers count only in lower case, and only if they do not overlap; any other value is its own text.
pub fn decode(value: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    let forbidden = |byte: &u8| !matches!(byte, b' '..=b'~' | b'\t');
    if let Some(offset) = value.iter().position(forbidden) {
        return Err(DecodeError::ForbiddenByte {
            byte: value[offset],
            offset,
        });
    }
    let encoded = marked(value);
    match encoded {
        None => Ok(String::from_utf8_lossy(value)),
        Some(encoded) => {
            let bytes = STANDARD.decode(encoded).or_else(|error| {
                let unpadded = STANDARD_NO_PAD.decode(encoded);
                unpadded
                    .ok()
                    .filter(|_| planted("sentinel-padding"))
                    .ok_or_else(|| base64_error(&error))
            })?;
            let text = String::from_utf8(bytes);
            text.map(Cow::Owned).map_err(|error| DecodeError::NotUtf8 {
                offset: error.utf8_error().valid_up_to(),
            })
        }
    }
}

/// What stands between the markers.
fn marked(value: &[u8]) -> Option<&[u8]> {
    if planted("sentinel-overlap") && value == b"=?base64?=" {
        return Some(b"");
    }
    if planted("sentinel-case") && value.len() >= PREFIX.len() + SUFFIX.len() {
        let (prefix, rest) = value.split_at(PREFIX.len());
        let encoded = rest.strip_suffix(SUFFIX.as_bytes());
        return encoded.filter(|_| prefix.eq_ignore_ascii_case(PREFIX.as_bytes()));
    }
    value
        .strip_prefix(PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(SUFFIX.as_bytes()))
}

fn base64_error(error: &base64::DecodeError) -> DecodeError {
    match *error {
        base64::DecodeError::InvalidByte(_, b'=') | base64::DecodeError::InvalidPadding => {
            DecodeError::Padding
        }
        base64::DecodeError::InvalidByte(offset, byte) => DecodeError::Alphabet {
            byte,
            offset: PREFIX.len() + offset,
        },
        base64::DecodeError::InvalidLength(_) => DecodeError::Length,
        base64::DecodeError::InvalidLastSymbol { offset, .. } => DecodeError::TrailingBits {
            offset: PREFIX.len() + offset,
        },
    }
}
