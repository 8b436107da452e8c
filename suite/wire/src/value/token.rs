//! The text of a number's token, which is nearly always short.

/// How many bytes fit without making a [`Value`](super::Value) larger than its strings and arrays do.
const SHORT: usize = 22;

/// A text. Short texts are kept in place, since an array of a million numbers should not take a million allocations.
#[derive(Clone)]
pub(super) enum Token {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

impl Token {
    /// Keeps a text.
    pub(super) fn new(text: &str) -> Token {
        let mut bytes = [0; SHORT];
        match bytes.get_mut(..text.len()) {
            Some(place) => {
                place.copy_from_slice(text.as_bytes());
                Token::Short {
                    length: text.len() as u8,
                    bytes,
                }
            }
            None => Token::Long(text.into()),
        }
    }

    /// The text.
    pub(super) fn as_str(&self) -> &str {
        match self {
            Token::Short { length, bytes } => {
                let text = std::str::from_utf8(&bytes[..usize::from(*length)]);
                text.expect("only whole texts are kept")
            }
            Token::Long(text) => text,
        }
    }
}
