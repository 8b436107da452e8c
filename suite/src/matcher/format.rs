//! The formats of strings that `$is` knows.

use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};
use base64::{Engine as _, alphabet};
use iri_string::template::UriTemplateStr;
use iri_string::types::UriStr;

/// A format of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Standard base64 with padding (RFC 4648, section 4).
    Base64,
    /// The same, or of the URL alphabet, without padding or with blanks and line breaks: what lenient decoders take.
    Base64Lenient,
    /// A date with a time of ISO 8601, with or without a zone.
    DateTime,
    /// A token of HTTP (RFC 9110, section 5.6.2).
    HttpToken,
    /// `type/subtype` with parameters (RFC 9110, section 8.3.1).
    MediaType,
    /// An absolute URI, with a scheme (RFC 3986).
    Uri,
    /// A URI template (RFC 6570).
    UriTemplate,
}

impl Format {
    /// Every format by its name.
    pub(super) const ALL: [(&'static str, Format); 7] = [
        ("base64", Format::Base64),
        ("base64-lenient", Format::Base64Lenient),
        ("date-time", Format::DateTime),
        ("http-token", Format::HttpToken),
        ("media-type", Format::MediaType),
        ("uri", Format::Uri),
        ("uri-template", Format::UriTemplate),
    ];

    /// The format with this name.
    pub(super) fn of(name: &str) -> Option<Format> {
        Format::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, format)| *format)
    }

    /// Whether a text is written in it.
    pub(super) fn fits(self, text: &str) -> bool {
        match self {
            Format::Base64 => STANDARD.decode(text).is_ok(),
            Format::Base64Lenient => is_lenient_base64(text),
            Format::DateTime => is_date_time(text),
            Format::HttpToken => is_token(text),
            Format::MediaType => is_media_type(text),
            Format::Uri => UriStr::new(text).is_ok(),
            Format::UriTemplate => UriTemplateStr::new(text).is_ok(),
        }
    }
}

fn is_lenient_base64(text: &str) -> bool {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let plain: String = text
        .chars()
        .filter(|character| !character.is_ascii_whitespace())
        .map(|character| match character {
            '-' => '+',
            '_' => '/',
            other => other,
        })
        .collect();
    LENIENT.decode(plain).is_ok()
}

/// A token of HTTP: visible ASCII characters without delimiters, at least one.
pub(super) fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn is_media_type(text: &str) -> bool {
    let mut parts = text.split(';');
    let essence = parts.next().unwrap_or_default();
    let is_essence = essence
        .trim_end_matches([' ', '\t'])
        .split_once('/')
        .is_some_and(|(main, sub)| is_token(main) && is_token(sub));
    // A quoted value may hold a semicolon, which then looks like a parameter of its own; that is let pass.
    let has_quotes = text.contains('"');
    is_essence
        && (has_quotes
            || parts.all(|parameter| {
                let parameter = parameter.trim_matches([' ', '\t']);
                parameter.is_empty()
                    || parameter
                        .split_once('=')
                        .is_some_and(|(name, value)| is_token(name) && is_token(value))
            }))
}

/// A calendar date and a time of day in the extended or basic format, with seconds or not, a fraction, and a zone.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_once(['T', 't']) else {
        return false;
    };
    let zone_at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    is_date(date) && is_clock(clock) && is_zone(zone)
}

fn is_date(text: &str) -> bool {
    let Some((year, month, day)) = fields(text, '-', [4, 2, 2]) else {
        return false;
    };
    jiff::civil::Date::new(
        i16::try_from(year).unwrap_or(-1),
        i8::try_from(month).unwrap_or(-1),
        i8::try_from(day).unwrap_or(-1),
    )
    .is_ok()
}

fn is_clock(text: &str) -> bool {
    let (whole, fraction) = match text.split_once(['.', ',']) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !fraction.is_none_or(digits) {
        return false;
    }
    let short = whole.len() < 6;
    let padded = match (short, whole.contains(':')) {
        (true, true) => format!("{whole}:00"),
        (true, false) => format!("{whole}00"),
        (false, _) => whole.to_owned(),
    };
    // 24:00 is the end of a day and a second of 60 a leap second.
    fields(&padded, ':', [2, 2, 2]).is_some_and(|(hour, minute, second)| {
        (hour < 24 && minute < 60 && second <= 60) || (hour == 24 && minute == 0 && second == 0)
    })
}

fn is_zone(text: &str) -> bool {
    if matches!(text, "" | "Z" | "z") {
        return true;
    }
    let Some(offset) = text.strip_prefix(['+', '-']) else {
        return false;
    };
    let padded = if offset.len() == 2 {
        format!("{offset}00")
    } else {
        offset.replacen(':', "", 1)
    };
    fields(&format!("{padded}00"), ':', [2, 2, 2])
        .is_some_and(|(hours, minutes, _)| hours < 24 && minutes < 60)
}

/// Three numbers of fixed length, all separated or none.
fn fields(text: &str, separator: char, lengths: [usize; 3]) -> Option<(u32, u32, u32)> {
    let parts: Vec<&str> = if text.contains(separator) {
        text.split(separator).collect()
    } else if text.is_ascii() && text.len() == lengths.iter().sum::<usize>() {
        let (first, rest) = text.split_at(lengths[0]);
        let (second, third) = rest.split_at(lengths[1]);
        vec![first, second, third]
    } else {
        return None;
    };
    let fits = parts.len() == 3
        && parts.iter().zip(lengths).all(|(part, length)| {
            part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
        });
    fits.then(|| {
        let number = |part: &str| part.parse().expect("the part is a few digits");
        (number(parts[0]), number(parts[1]), number(parts[2]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_tells_its_texts_from_others() {
        for (format, good, bad) in [
            (
                Format::Base64,
                vec!["", "SGVsbG8=", "SGVsbG8h"],
                vec!["SGVsbG8", "SGVs bG8=", "SGVs-_8=", "é"],
            ),
            (
                Format::Base64Lenient,
                vec![
                    "",
                    "SGVsbG8=",
                    "SGVsbG8",
                    "SGVs\r\nbG8=\n",
                    "SGVs-_8=",
                    "SGVsbG9=",
                ],
                vec![
                    "A",
                    "data:image/png;base64,SGVs",
                    "é",
                    "SGVs====",
                    "SGVs.bG8=",
                ],
            ),
            (
                Format::DateTime,
                vec![
                    "2026-07-28T10:00:00Z",
                    "2026-07-28T10:00:00.123456+02:00",
                    "2026-07-28T10:00",
                    "2026-07-28T10:00:00",
                    "20260728T100000Z",
                    "2026-02-28T23:59:60Z",
                    "2026-07-28T10:00:00-0530",
                    "2026-07-28T10:00:00+02",
                    "2026-07-28T24:00:00Z",
                ],
                vec![
                    "",
                    "2026-07-28",
                    "2026-02-30T10:00:00Z",
                    "2026-07-28 10:00:00Z",
                    "2026-07-28T25:00:00Z",
                    "2026-07-28T10:61Z",
                    "July 28, 2026",
                    "1753689600",
                    "2026-7-28T10:00:00Z",
                    "2026-07-28T10:00:00+2",
                ],
            ),
            (
                Format::HttpToken,
                vec!["Region", "x-1", "a|b~c"],
                vec!["", "My Region", "a:b", "é", "a\r\n"],
            ),
            (
                Format::MediaType,
                vec![
                    "text/plain",
                    "text/event-stream; charset=utf-8",
                    "image/svg+xml",
                    "a/b; c=\"d;e\"",
                ],
                vec![
                    "",
                    "text",
                    "text/",
                    "/plain",
                    "te xt/plain",
                    "text/plain; charset",
                ],
            ),
            (
                Format::Uri,
                vec![
                    "https://example.com/a?b#c",
                    "file:///x",
                    "urn:x:y",
                    "data:,x",
                    "x-conformance://nope",
                ],
                vec![
                    "",
                    "/a/b",
                    "example.com",
                    "https://exa mple.com",
                    "http://é.example",
                    "a%zz:b",
                ],
            ),
            (
                Format::UriTemplate,
                vec!["file:///{path}", "a{?x,y*}", "plain"],
                vec!["{", "a{b", "a}b", "{a b}"],
            ),
        ] {
            for text in good {
                assert!(format.fits(text), "{format:?} {text:?}");
            }
            for text in bad {
                assert!(!format.fits(text), "{format:?} {text:?}");
            }
        }
    }
}
