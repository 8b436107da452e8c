//! Laws.

use mcpspec_wire::Value;
use proptest::prelude::*;
use serde_json::json;

use super::super::Check;
use super::check;

/// JSON values a few levels deep.
fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|bool| json!(bool)),
        (-1000_i64..1000).prop_map(|number| json!(number)),
        (-1000.0..1000.0).prop_map(|number: f64| json!(number)),
        "[a-z$~/%. é]{0,6}".prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| json!(items)),
            prop::collection::btree_map("[a-z$~/]{0,4}", inner, 0..5)
                .prop_map(|members| json!(members)),
        ]
    })
}

/// The matcher that a value is, written as YAML: JSON is a part of it.
fn written(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| {
                    let name = match name.strip_prefix('$') {
                        Some(_) => format!("${name}"),
                        None => name.clone(),
                    };
                    format!("{}: {}", json!(name), written(value))
                })
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        serde_json::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

proptest! {
    #[test]
    fn a_matcher_made_from_a_value_matches_it(value in values()) {
        prop_assert!(check(&written(&value), value.clone()).matches());
        // JSON is YAML, and what `$eq` takes is data without escapes.
        let exact = format!("{{ $eq: {value} }}");
        prop_assert!(check(&exact, value).matches());
    }

    #[test]
    fn not_inverts(matcher in values(), value in values()) {
        let plain = check(&written(&matcher), value.clone());
        let inverted = check(&format!("{{ $not: {} }}", written(&matcher)), value);
        prop_assert_ne!(plain.matches(), inverted.matches());
    }

    #[test]
    fn the_pointer_of_a_mismatch_or_its_parent_is_there(matcher in values(), value in values()) {
        let actual = Value::from(value.clone());
        let plain = check(&written(&matcher), value.clone());
        let exact = check(&format!("{{ $eq: {matcher} }}"), value);
        for found in [plain, exact] {
            let Check::Differs(mismatches) = found else {
                continue;
            };
            prop_assert!(!mismatches.is_empty());
            for mismatch in mismatches {
                let parent = mismatch.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                let is_there = actual.pointer(&mismatch.pointer).is_some() || actual.pointer(parent).is_some();
                prop_assert!(is_there, "{mismatch:?} in {actual}");
            }
        }
    }
}
