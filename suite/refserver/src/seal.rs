//! Tokens that only this server can make: request states, cursors and the session ids of older revisions.
//!
//! A token is `payload.mac`, both base64url. The key is the same in each process, so that a token made by one is good for all,
//! as a stateless server needs it; a server that is more than a yardstick takes its key from its configuration.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};

const KEY: &[u8] = b"mcpspec-refserver: a fixed key, since its secrets are worth nothing";

/// A token for `purpose` that holds `payload`.
pub(crate) fn seal(purpose: &str, payload: &Value) -> String {
    let payload = URL_SAFE_NO_PAD.encode(payload.to_string());
    let mac = URL_SAFE_NO_PAD.encode(mac(purpose, &payload).finalize().into_bytes());
    format!("{payload}.{mac}")
}

/// What a token claims to hold; `None` if it cannot be read at all.
pub(crate) fn claimed(token: &str) -> Option<Value> {
    let (payload, _) = token.split_once('.')?;
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}

/// Whether a token was made by [`seal`] for this purpose.
pub(crate) fn is_genuine(purpose: &str, token: &str) -> bool {
    token.split_once('.').is_some_and(|(payload, tag)| {
        URL_SAFE_NO_PAD
            .decode(tag)
            .is_ok_and(|tag| mac(purpose, payload).verify_slice(&tag).is_ok())
    })
}

fn mac(purpose: &str, payload: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY).expect("HMAC takes a key of any length");
    // The purpose has no NUL, so no two pairs give the same bytes.
    mac.update(purpose.as_bytes());
    mac.update(b"\0");
    mac.update(payload.as_bytes());
    mac
}

/// A digest that is the same for equal JSON values, whatever the order of their members.
pub(crate) fn digest(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    URL_SAFE_NO_PAD.encode(Sha256::digest(text))
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(object) => {
            let mut names: Vec<&String> = object.keys().collect();
            names.sort_unstable();
            text.push('{');
            for name in names {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_canonical(&object[name], text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_token_is_genuine_for_its_purpose_only_and_only_unchanged() {
        let payload = json!({ "a": 1 });
        let token = seal("cursor", &payload);
        assert!(is_genuine("cursor", &token));
        assert_eq!(claimed(&token), Some(payload));
        assert!(!is_genuine("state", &token));
        for place in 0..token.len() {
            let mut changed: Vec<u8> = token.clone().into_bytes();
            changed[place] = if changed[place] == b'A' { b'B' } else { b'A' };
            assert!(
                !is_genuine("cursor", std::str::from_utf8(&changed).unwrap()),
                "at {place}"
            );
        }
        assert!(!is_genuine("cursor", &token[..token.len() / 2]));
        assert!(!is_genuine("cursor", ""));
    }

    #[test]
    fn a_digest_ignores_the_order_of_members_and_nothing_else() {
        let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(
            digest(&parsed(r#"{"a":1,"b":[2]}"#)),
            digest(&parsed(r#"{"b":[2],"a":1}"#))
        );
        assert_ne!(
            digest(&parsed(r#"{"a":1,"b":[2]}"#)),
            digest(&parsed(r#"{"a":1,"b":[3]}"#))
        );
        assert_ne!(
            digest(&parsed(r#"{"a":"1"}"#)),
            digest(&parsed(r#"{"a":1}"#))
        );
    }
}
