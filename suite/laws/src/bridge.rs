//! Laws of the conversion to the values of serde_json and back.

use mcpspec_wire::{Document, LossyConversion, Value};
use serde_json::Value as Json;

/// A value becomes what serde_json reads from its text, and that becomes the value again; where something would be lost, it is
/// told which, and where.
pub(crate) fn hold(document: &Document, text: &[u8]) {
    let root = document.root();
    match root.to_serde() {
        Ok(converted) => {
            assert!(document.duplicates().is_empty());
            // serde_json refuses what mcpspec goes past, and reads less deep.
            if let Ok(read) = serde_json::from_slice::<Json>(text) {
                assert_eq!(converted, read);
            }
            assert_eq!(Value::from_serde(converted), *root);
        }
        Err(LossyConversion::Number { pointer, token }) => {
            if document.duplicates().is_empty() {
                let number = root.pointer(&pointer).and_then(Value::as_number);
                let number = number.unwrap_or_else(|| panic!("no number at {pointer}"));
                assert_eq!(number.as_str(), token);
                let double = token.parse().ok().and_then(serde_json::Number::from_f64);
                assert!(double.is_none_or(|double| crate::json::shortest(&double) != *number));
            }
        }
        Err(LossyConversion::DuplicateMember { pointer, name }) => {
            assert!(!document.duplicates().is_empty());
            // Of several, the pointer may lead through others.
            if let [_] = document.duplicates() {
                let object = root.pointer(&pointer).and_then(Value::as_object);
                let object = object.unwrap_or_else(|| panic!("no object at {pointer}"));
                assert_eq!(object.get_all(&name).count(), 2);
            }
        }
    }
}
