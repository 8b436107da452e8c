//! A text that is written up to a limit.

use std::fmt;

/// A text that takes no more than so many characters: writing more is an error, so that whatever writes a long value stops
/// early, and the text then ends in `…`.
#[derive(Debug)]
pub struct Bounded {
    text: String,
    room: usize,
    is_cut: bool,
}

impl Bounded {
    /// An empty text with room for `limit` characters, the mark of a cut aside.
    pub fn new(limit: usize) -> Bounded {
        Bounded {
            text: String::new(),
            room: limit,
            is_cut: false,
        }
    }

    /// What was written.
    pub fn finish(mut self) -> String {
        if self.is_cut {
            self.text.push('…');
        }
        self.text
    }
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            if self.room == 0 {
                self.is_cut = true;
                return Err(fmt::Error);
            }
            self.text.push(character);
            self.room -= 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn writing_stops_at_the_limit() {
        let mut text = Bounded::new(3);
        assert!(write!(text, "é{}", 12345).is_err());
        assert_eq!(text.finish(), "é12…");
    }

    #[test]
    fn what_fits_is_whole() {
        let mut text = Bounded::new(3);
        assert!(write!(text, "abc").is_ok());
        assert_eq!(text.finish(), "abc");
    }
}
