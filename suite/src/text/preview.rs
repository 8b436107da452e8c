//! Bounded text that says how much is missing.

use std::borrow::Cow;

use super::size;

/// Limits below this many bytes leave no room to say how much was cut: the text then only ends in `…`.
const ROOM: usize = 64;

/// The beginning of a text, in at most `limit` bytes, ending in how long the whole is (`… (9.5 MiB in all)`).
///
/// A text that fits comes back as it is. The cut never splits a character. A text that was cut before keeps its note,
/// which tells of the original. Below 64 bytes the result only ends in `…`, and below three bytes it may be empty.
pub fn preview(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let note = match note_of(text) {
        Some(note) => note.to_owned(),
        None => note(text.len()),
    };
    Cow::Owned(cut(text, &note, limit))
}

/// A name as it is, in quotes if nobody would see it otherwise: an empty one, or one of blanks.
pub fn visible(name: &str) -> Cow<'_, str> {
    if name.trim().is_empty() {
        Cow::Owned(format!("\"{name}\""))
    } else {
        Cow::Borrowed(name)
    }
}

/// The beginning of a text with a note, in at most `limit` bytes.
pub(super) fn cut(beginning: &str, note: &str, limit: usize) -> String {
    if limit < ROOM {
        let keep = boundary(beginning, limit.saturating_sub('…'.len_utf8()));
        let end = if limit < '…'.len_utf8() { "" } else { "…" };
        return format!("{}{end}", &beginning[..keep]);
    }
    let keep = boundary(beginning, limit - ROOM / 2);
    format!("{}{note}", &beginning[..keep])
}

/// What stands at the end of a text of `total` bytes that was cut; at most half of the room, whatever the number.
pub(super) fn note(total: usize) -> String {
    format!("… ({} in all)", size(total))
}

/// The note at the end of a text that was cut before.
fn note_of(text: &str) -> Option<&str> {
    let note = &text[text.rfind("… (")?..];
    (note.ends_with(" in all)") && note.len() <= ROOM / 2).then_some(note)
}

/// The last place at or before `at` where the text can be cut.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&place| text.is_char_boundary(place))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_that_fits_is_left_alone() {
        assert_eq!(preview("hello", 5), "hello");
        assert_eq!(preview("", 0), "");
    }

    #[test]
    fn a_cut_says_how_much_is_missing() {
        let text = "x".repeat(100);
        assert_eq!(
            preview(&text, 64),
            format!("{}… (100 bytes in all)", "x".repeat(32))
        );
        let long = "x".repeat(10 * 1024 * 1024);
        assert_eq!(
            preview(&long, 64),
            format!("{}… (10.0 MiB in all)", "x".repeat(32))
        );
    }

    #[test]
    fn a_second_cut_tells_of_the_original() {
        let text = "x".repeat(10 * 1024 * 1024);
        let once = preview(&text, 1000);
        assert_eq!(preview(&once, 64), preview(&text, 64));
    }

    #[test]
    fn a_small_limit_leaves_an_ellipsis_or_nothing() {
        assert_eq!(preview("hello", 4), "h…");
        assert_eq!(preview("hello", 3), "…");
        assert_eq!(preview("hello", 2), "");
    }

    #[test]
    fn a_character_is_never_split() {
        assert_eq!(preview("aéé", 4), "a…");
        let text = "é".repeat(100);
        assert_eq!(
            preview(&text, 65),
            format!("{}… (200 bytes in all)", "é".repeat(16))
        );
    }

    proptest! {
        #[test]
        fn a_preview_keeps_to_its_limit_and_is_a_beginning(
            chars in prop::collection::vec(any::<char>(), 0..400),
            limit in 0usize..500,
        ) {
            let text: String = chars.into_iter().collect();
            let preview = preview(&text, limit);
            prop_assert!(preview.len() <= limit);
            if text.len() <= limit {
                prop_assert_eq!(&*preview, &text);
            } else if let Some((kept, note)) = preview.rsplit_once('…') {
                prop_assert!(text.starts_with(kept));
                prop_assert!(limit < ROOM || note.ends_with(" in all)"));
            }
        }
    }
}
