//! Text that an XML 1.0 file can hold.

use std::borrow::Cow;
use std::fmt::Write;

use mcpspec_wire::planted;

/// Text in which every character is allowed by the `Char` production of XML 1.0, and which cannot end a CDATA section.
///
/// Other characters become `\u{1b}`, and `]]>` becomes `]] >`: nothing in CDATA can be escaped, and splitting the section
/// would show in attributes. A carriage return becomes `\r`, since readers make a line feed of it. `<`, `&` and quotes are left to the writer, since in CDATA they stand as they are.
pub fn xml_safe(text: &str) -> Cow<'_, str> {
    if !text.contains("]]>") && text.chars().all(is_xml_char) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        let is_end = safe.ends_with("]]") && !(planted("junit-brackets") && safe.ends_with("]]]"));
        if character == '>' && is_end {
            safe.push(' ');
        }
        match character {
            '\r' => safe.push_str("\\r"),
            _ if is_xml_char(character) => safe.push(character),
            _ => write!(safe, "\\u{{{:x}}}", u32::from(character))
                .expect("writing to a string cannot fail"),
        }
    }
    Cow::Owned(safe)
}

/// The `Char` production without the carriage return; surrogates, which it excludes too, are no characters of Rust.
fn is_xml_char(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_xml_forbids_is_written_out() {
        for (text, safe) in [
            ("a < b && c\n\t\"d\"", "a < b && c\n\t\"d\""),
            ("\0", "\\u{0}"),
            ("a\r\nb", "a\\r\nb"),
            ("\u{1b}[0m", "\\u{1b}[0m"),
            ("\u{fffe}\u{ffff}", "\\u{fffe}\\u{ffff}"),
            ("]]>", "]] >"),
            ("]]]]>>", "]]]] >>"),
            ("]]\0>", "]]\\u{0}>"),
            (
                "]]></failure><testcase name=\"forged\"/>",
                "]] ></failure><testcase name=\"forged\"/>",
            ),
            ("grüße 🦀", "grüße 🦀"),
        ] {
            assert_eq!(xml_safe(text), safe);
        }
    }

    proptest! {
        #[test]
        fn any_text_survives_a_cdata_section_and_a_text_node(
            pieces in prop::collection::vec(
                prop_oneof![
                    any::<char>().prop_map(String::from),
                    prop::char::range('\0', '\u{20}').prop_map(String::from),
                    prop::sample::select(vec!["]]>", "]", ">", "]]", "<![CDATA[", "<", "&", "\u{fffe}", "\u{ffff}"]).prop_map(String::from),
                ],
                0..60,
            ),
        ) {
            let safe = xml_safe(&pieces.concat()).into_owned();
            let cdata = format!("<a><![CDATA[{safe}]]></a>");
            let document = roxmltree::Document::parse(&cdata).expect("a CDATA section parses");
            prop_assert_eq!(document.root_element().text().unwrap_or_default(), &*safe);

            let node = format!("<a>{}</a>", safe.replace('&', "&amp;").replace('<', "&lt;"));
            let document = roxmltree::Document::parse(&node).expect("a text node parses");
            prop_assert_eq!(document.root_element().text().unwrap_or_default(), &*safe);
            prop_assert_eq!(xml_safe(&safe), &*safe);
        }
    }
}
