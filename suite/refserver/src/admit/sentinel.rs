//! The `=?base64?…?=` form of a header value (`basic/transports/streamable-http#value-encoding`).

use base64::{Engine, engine::general_purpose::STANDARD};

const PREFIX: &str = "=?base64?";
const SUFFIX: &str = "?=";

/// Whether a header value has the complete sentinel, in its one spelling.
pub(crate) fn is_sentinel(value: &str) -> bool {
    value.len() >= PREFIX.len() + SUFFIX.len()
        && value.starts_with(PREFIX)
        && value.ends_with(SUFFIX)
}

/// The value that a sentinel holds; `None` if it does not decode to UTF-8.
pub(crate) fn decode(value: &str) -> Option<String> {
    let inner = value.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    String::from_utf8(STANDARD.decode(inner).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // The table of the specification's page.
    #[test]
    fn the_values_of_the_specification_are_decoded() {
        for (text, header) in [
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ] {
            assert!(is_sentinel(header), "{header}");
            assert_eq!(decode(header).as_deref(), Some(text));
        }
    }

    #[test]
    fn padding_alphabet_and_markers_are_strict() {
        assert_eq!(decode("=?base64?SGVs!!!bG8?="), None);
        assert_eq!(decode("=?base64?SGVsbG8?="), None);
        assert!(!is_sentinel("=?BASE64?SGVsbG8=?="));
        assert!(!is_sentinel("=?base64?SGVsbG8="));
        assert!(!is_sentinel("=?base64?="));
    }
}
