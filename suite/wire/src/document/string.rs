//! Strings: quotes, escapes, surrogates, UTF-8.

use std::borrow::Cow;

use super::reader::Reader;
use super::{SyntaxError, SyntaxErrorKind};
use crate::planted;
use crate::value::plain_length;

/// What an escape stands for.
enum Escape {
    Character(char),
    LoneSurrogate,
}

impl<'a> Reader<'a> {
    /// Reads a string whose opening quote is the next byte.
    pub(super) fn string(&mut self) -> Result<String, SyntaxError> {
        self.at += 1;
        let mut string = self.plain_characters().into_owned();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => {
                    let start = self.at;
                    match self.escape()? {
                        Escape::Character(character) => string.push(character),
                        Escape::LoneSurrogate => {
                            self.lone_surrogates.push(start);
                            string.push(char::REPLACEMENT_CHARACTER);
                        }
                    }
                }
                Some(control) => {
                    self.note(SyntaxErrorKind::ControlCharacter(control), self.at);
                    string.push(char::from(control));
                    self.at += 1;
                }
                None => return Err(self.error(SyntaxErrorKind::EndOfText)),
            }
            string.push_str(&self.plain_characters());
        }
    }

    /// Takes characters up to the next quote, backslash or control character.
    fn plain_characters(&mut self) -> Cow<'a, str> {
        let rest = &self.text[self.at..];
        let run = &rest[..plain_length(rest)];
        let start = self.at;
        self.at += run.len();
        match std::str::from_utf8(run) {
            Ok(plain) => plain.into(),
            Err(error) => {
                self.note(SyntaxErrorKind::InvalidUtf8, start + error.valid_up_to());
                String::from_utf8_lossy(run)
            }
        }
    }

    /// Reads an escape whose backslash is the next byte.
    fn escape(&mut self) -> Result<Escape, SyntaxError> {
        let character = match self.text.get(self.at + 1) {
            Some(b'u') => return self.unicode_escape(),
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(_) => return Err(self.error(SyntaxErrorKind::BadEscape)),
            None => {
                self.at = self.text.len();
                return Err(self.error(SyntaxErrorKind::EndOfText));
            }
        };
        self.at += 2;
        Ok(Escape::Character(character))
    }

    /// Reads one `\uXXXX`, or two that are the halves of a surrogate pair.
    fn unicode_escape(&mut self) -> Result<Escape, SyntaxError> {
        let unit = self.code_unit()?;
        if let Some(character) = char::from_u32(unit) {
            return Ok(Escape::Character(character));
        }
        let after = self.at;
        if unit < 0xDC00 && self.text[after..].starts_with(b"\\u") {
            let low = self.code_unit()?;
            if (0xDC00..0xE000 - u32::from(planted("surrogate-edge"))).contains(&low) {
                let pair = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                let character = char::from_u32(pair)
                    .expect("a pair of surrogates is a character by construction");
                return Ok(Escape::Character(character));
            }
            // The second escape is no half of this pair: it is read again for what it is itself.
            self.at = after;
        }
        Ok(Escape::LoneSurrogate)
    }

    /// Reads `\uXXXX`, of which the `u` was seen.
    fn code_unit(&mut self) -> Result<u32, SyntaxError> {
        let digits = &self.text[self.at + 2..];
        let digits = &digits[..digits.len().min(4)];
        if planted("escape-truncated") {
            assert!(digits.len() == 4, "an escape has four digits");
        }
        if planted("escape-sign") && digits.first() == Some(&b'+') {
            self.at += 2 + digits.len();
            return Ok(u32::from(b' '));
        }
        let value = |unit: u32, &digit: &u8| Some(unit << 4 | char::from(digit).to_digit(16)?);
        match digits.iter().try_fold(0, value) {
            None => Err(self.error(SyntaxErrorKind::BadEscape)),
            Some(_) if digits.len() < 4 => {
                self.at = self.text.len();
                Err(self.error(SyntaxErrorKind::EndOfText))
            }
            Some(unit) => {
                self.at += 6;
                Ok(unit)
            }
        }
    }
}
