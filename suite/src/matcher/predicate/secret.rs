//! Names of properties that suggest a secret.

use mcpspec_wire::{Object, Value};

/// Last words of a name that say by themselves that the value is a secret.
const SECRETS: [&str; 9] = [
    "apikey",
    "credential",
    "credentials",
    "passphrase",
    "passwd",
    "password",
    "secret",
    "secrets",
    "ssn",
];

/// Last two words of a name that say so together.
const SECRET_PAIRS: [(&str, &str); 9] = [
    ("access", "key"),
    ("access", "token"),
    ("api", "key"),
    ("api", "token"),
    ("auth", "token"),
    ("bearer", "token"),
    ("private", "key"),
    ("refresh", "token"),
    ("session", "token"),
];

/// Whether a property is named like a secret, or its schema says that it is one. A switch is none.
pub(super) fn is_secret(name: &str, schema: &Object) -> bool {
    let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
    if text("type") == Some("boolean") {
        return false;
    }
    if text("format") == Some("password")
        || schema.get("writeOnly").and_then(Value::as_bool) == Some(true)
    {
        return true;
    }
    let words = words(name);
    match words.as_slice() {
        [word] if word == "token" => true,
        [.., word] if SECRETS.contains(&word.as_str()) => true,
        [.., before, word] => SECRET_PAIRS.contains(&(before.as_str(), word.as_str())),
        _ => false,
    }
}

/// The words of a name, in lower case: `apiKey`, `api_key` and `API-Key` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let begins = character.is_uppercase() && was_lower;
        was_lower = character.is_lowercase() || character.is_ascii_digit();
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_secret_is_known_by_the_end_of_its_name_or_by_its_schema() {
        for (name, schema, expected) in [
            ("region", json!({ "type": "string" }), false),
            ("api_key", json!({ "type": "string" }), true),
            ("apiKey", json!({ "type": "string" }), true),
            ("token", json!({ "type": "string" }), true),
            ("userPassword", json!({ "type": "string" }), true),
            ("page_token", json!({ "type": "string" }), false),
            ("max-tokens", json!({ "type": "integer" }), false),
            ("secret_name", json!({ "type": "string" }), false),
            ("reset_password", json!({ "type": "boolean" }), false),
            ("code", json!({ "type": "string", "writeOnly": true }), true),
            (
                "code",
                json!({ "type": "string", "format": "password" }),
                true,
            ),
        ] {
            let schema = Value::from(schema);
            let schema = schema.as_object().expect("it is an object");
            assert_eq!(is_secret(name, schema), expected, "{name}");
        }
    }
}
