//! Text in a TOML file that people read, too.

use std::borrow::Cow;
use std::fmt::Write;

use toml_writer::{ToTomlKey as _, ToTomlValue as _, TomlKeyBuilder, TomlStringBuilder};

use super::terminal_safe;

/// A text as a TOML string on one line, in which everything that a terminal would obey, or a reader could not see, is
/// written out. A reader of TOML gets the text back as it was.
pub fn toml_string(text: &str) -> String {
    escaped(&TomlStringBuilder::new(text).as_basic().to_toml_value())
}

/// The same for a key, which has quotes only where it needs them.
pub fn toml_key(text: &str) -> String {
    let key = TomlKeyBuilder::new(text);
    match key.as_unquoted() {
        Some(plain) => plain.to_toml_key(),
        None => escaped(&key.as_basic().to_toml_key()),
    }
}

/// Writes out what the writer leaves as it is, since TOML permits it. None of it is ASCII, so that none is part of an escape.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut room = [0; 4];
    for character in text.chars() {
        match terminal_safe(character.encode_utf8(&mut room)) {
            Cow::Borrowed(_) => escaped.push(character),
            Cow::Owned(_) => write!(escaped, "\\U{:08X}", u32::from(character))
                .expect("writing to a string cannot fail"),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_string_stands_on_one_line_and_shows_all_that_is_in_it() {
        for (text, string) in [
            ("plain", r#""plain""#),
            (r"C:\it's", r#""C:\\it's""#),
            ("a\"\"\"b'''", r#""a\"\"\"b'''""#),
            ("a\nb\r\tc", r#""a\nb\r\tc""#),
            ("\u{1b}[2J\u{7f}", r#""\u001B[2J\u007F""#),
            ("\u{9b}2J\u{202e}", r#""\U0000009B2J\U0000202E""#),
            ("# ${A} 日本", r##""# ${A} 日本""##),
        ] {
            assert_eq!(toml_string(text), string);
        }
    }

    #[test]
    fn a_key_is_quoted_where_it_has_to_be() {
        for (text, key) in [
            ("X-Api_Key1", "X-Api_Key1"),
            ("a.b", r#""a.b""#),
            ("", r#""""#),
            ("a\n=", r#""a\n=""#),
        ] {
            assert_eq!(toml_key(text), key);
        }
    }

    proptest! {
        #[test]
        fn a_reader_gets_the_text_back(
            chars in prop::collection::vec(prop_oneof![any::<char>(), prop::char::range('\0', '\u{a0}'), prop::char::range('\u{2000}', '\u{2070}')], 0..60),
        ) {
            let text: String = chars.into_iter().collect();
            let line = format!("{} = {}", toml_key(&text), toml_string(&text));
            prop_assert_eq!(&*terminal_safe(&line), &line);
            let table: toml::Table = line.parse().expect("it is TOML");
            prop_assert_eq!(table.get(&text).and_then(toml::Value::as_str), Some(text.as_str()));
        }
    }
}
