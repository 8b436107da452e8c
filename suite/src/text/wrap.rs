//! Prose on a terminal.

use unicode_width::UnicodeWidthStr;

/// How many columns a line takes on a terminal.
pub fn width(line: &str) -> usize {
    line.width()
}

/// The lines of a text that is broken at blanks to fit `columns`. A longer word has a line of its own, unbroken, so that
/// links stay whole. There is at least one line, which may be empty.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let word_width = width(word);
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
            used = word_width;
        } else if used + 1 + word_width <= columns {
            line.push(' ');
            line.push_str(word);
            used += 1 + word_width;
        } else {
            lines.push(word.to_owned());
            used = word_width;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 100), ["one two three"]);
        assert_eq!(wrap("", 10), [""]);
    }

    #[test]
    fn a_word_longer_than_the_line_stays_whole() {
        assert_eq!(
            wrap("see https://example.com/long here", 10),
            ["see", "https://example.com/long", "here"]
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("日本 日本 日本", 9), ["日本 日本", "日本"]);
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_lines_fit(words in prop::collection::vec("[a-zé日]{1,12}", 1..30), columns in 1usize..60) {
            let lines = wrap(&words.join(" "), columns);
            prop_assert_eq!(lines.join(" "), words.join(" "));
            for line in lines {
                prop_assert!(width(&line) <= columns || !line.contains(' '));
            }
        }
    }
}
