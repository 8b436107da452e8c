//! Text that a terminal shows as it is and cannot obey.

use std::borrow::Cow;
use std::fmt::Write;

/// One line in which everything that a terminal would obey, or a reader could not see, is written out.
///
/// Line feed, carriage return and tab become `\n`, `\r` and `\t`; other control characters, directional and invisible
/// formatting characters and noncharacters become `\u{1b}`. Other text, the backslash included, stays as it is. The
/// result holds no control character, so it is one line.
pub fn terminal_safe(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_unsafe) else {
        return Cow::Borrowed(text);
    };
    let mut safe = String::with_capacity(text.len() + 16);
    safe.push_str(&text[..first]);
    for character in text[first..].chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            _ if is_unsafe(character) => {
                write!(safe, "\\u{{{:x}}}", u32::from(character))
                    .expect("writing to a string cannot fail");
            }
            _ => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

/// Whether a terminal would obey the character, or show nothing for it.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(u32::from(character),
            0xad // Soft hyphen.
            | 0x61c // Arabic letter mark.
            | 0x180e // Mongolian vowel separator.
            | 0x200b..=0x200f // Zero width, joiners, left-to-right and right-to-left marks.
            | 0x2028..=0x202e // Line and paragraph separator, embeddings and overrides.
            | 0x2060..=0x206f // Invisible operators, isolates, deprecated formatting.
            | 0xfdd0..=0xfdef // Noncharacters.
            | 0xfeff // Byte order mark.
            | 0xfff9..=0xfffb // Interlinear annotation.
            | 0xe0000..=0xe007f // Tags.
        )
        // The last two of every plane are noncharacters.
        || u32::from(character) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        for (text, safe) in [
            ("plain \\n text", "plain \\n text"),
            ("a\nb\r\n\tc", "a\\nb\\r\\n\\tc"),
            ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("\0\u{7f}", "\\u{0}\\u{7f}"),
            ("user\u{202e}gpj.exe", "user\\u{202e}gpj.exe"),
            ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
            ("a\u{2028}b", "a\\u{2028}b"),
            ("\u{feff}{}", "\\u{feff}{}"),
            ("\u{e0041}", "\\u{e0041}"),
            ("\u{fffe}\u{1ffff}", "\\u{fffe}\\u{1ffff}"),
            ("grüße 日本 🦀 \u{fffd}", "grüße 日本 🦀 \u{fffd}"),
        ] {
            assert_eq!(terminal_safe(text), safe);
        }
    }

    proptest! {
        #[test]
        fn the_result_holds_nothing_unsafe_and_is_stable(
            chars in prop::collection::vec(prop_oneof![any::<char>(), prop::char::range('\0', '\u{a0}'), prop::char::range('\u{2000}', '\u{2070}')], 0..200),
        ) {
            let text: String = chars.into_iter().collect();
            let safe = terminal_safe(&text).into_owned();
            prop_assert!(!safe.chars().any(char::is_control));
            prop_assert!(!safe.contains(is_unsafe));
            prop_assert_eq!(terminal_safe(&safe), &*safe);
        }
    }
}
