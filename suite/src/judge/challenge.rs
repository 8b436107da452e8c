//! WWW-Authenticate as cases see it (RFC 9110, section 11.6.1).

use mcpspec_wire::{Object, Value};

/// The first challenge of a header value: `scheme` in lower case, its parameters by lower-case name, and `scopes`.
pub(super) fn parse(value: &str) -> Value {
    let mut members = Object::new();
    let (scheme, rest) = value
        .trim()
        .split_once(char::is_whitespace)
        .unwrap_or((value.trim(), ""));
    members.insert("scheme", scheme.to_ascii_lowercase());
    for (name, value) in parameters(rest) {
        if name == "scope" {
            members.insert(
                "scopes",
                value
                    .split_whitespace()
                    .map(Value::from)
                    .collect::<Vec<_>>(),
            );
        }
        members.insert(name, value);
    }
    Value::Object(members)
}

/// `name=token` and `name="quoted"`, separated by commas; reading stops where a further challenge begins.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim().to_ascii_lowercase();
        if name.is_empty() || name.contains(char::is_whitespace) {
            break;
        }
        let (value, after) = read_value(after.trim_start());
        found.push((name, value));
        rest = after.trim_start().trim_start_matches(',').trim_start();
    }
    found
}

fn read_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut escaped = false;
    for (index, character) in quoted.char_indices() {
        match character {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return (value, &quoted[index + 1..]),
            other => {
                escaped = false;
                value.push(other);
            }
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_challenge_is_read_with_quoted_and_bare_parameters() {
        let parsed =
            parse(r#"Bearer resource_metadata="https://x/y, z", scope="a b", error=invalid_token"#);
        let expected = json!({
            "scheme": "bearer",
            "resource_metadata": "https://x/y, z",
            "scope": "a b",
            "scopes": ["a", "b"],
            "error": "invalid_token",
        });
        assert_eq!(parsed, Value::from_serde(expected));
    }

    #[test]
    fn a_bare_scheme_has_no_parameters() {
        assert_eq!(
            parse("Basic"),
            Value::from_serde(json!({ "scheme": "basic" }))
        );
    }

    #[test]
    fn an_unfinished_quote_ends_with_the_text() {
        let parsed = parse(r#"Bearer realm="x"#);
        assert_eq!(
            parsed,
            Value::from_serde(json!({ "scheme": "bearer", "realm": "x" }))
        );
    }
}
