//! The mutator of JSON trees.

use mcpspec_laws::tree::{crossover, mutate};
use proptest::prelude::*;

const TEXT: &[u8] = br#"{"jsonrpc":"2.0","id":1,"result":{"a":[1,"x\"y",null,{}],"b":{"c":true}}}"#;
const OTHER: &[u8] = br#"[{"method":"m","params":{"k":[[],[0]]}},-1.5e3]"#;

proptest! {
    #[test]
    fn a_change_follows_from_the_seed_alone(seeds in proptest::collection::vec(any::<u32>(), 1..40)) {
        let mut text = TEXT.to_vec();
        for seed in seeds {
            let changed = mutate(&text, seed);
            prop_assert_eq!(&changed, &mutate(&text, seed));
            // A string may have lost its end, and the text its structure.
            text = changed.unwrap_or_else(|| TEXT.to_vec());
        }
    }

    #[test]
    fn a_cross_is_a_tree_and_follows_from_the_seed(seed in any::<u32>()) {
        let crossed = crossover(TEXT, OTHER, seed).expect("both have the structure of JSON");
        let again = crossover(TEXT, OTHER, seed);
        prop_assert_eq!(Some(&crossed), again.as_ref());
        prop_assert!(mutate(&crossed, seed).is_some());
    }
}

#[test]
fn most_changes_change_something_and_keep_to_json() {
    let changed: Vec<_> = (0..1000).filter_map(|seed| mutate(TEXT, seed)).collect();
    let same = changed.iter().filter(|text| *text == TEXT).count();
    assert!(same < 200, "{same} of a thousand change nothing");
    let json = changed
        .iter()
        .filter(|text| serde_json::from_slice::<serde_json::Value>(text).is_ok())
        .count();
    assert!(json > 500, "{json} of a thousand are JSON");
}

#[test]
fn what_has_not_the_structure_of_json_is_left_to_others() {
    for text in ["", "[1", "{\"a\"}", "[1]]", "\"open", "{a:1,}"] {
        assert_eq!(mutate(text.as_bytes(), 1), None, "{text}");
        assert_eq!(crossover(TEXT, text.as_bytes(), 1), None, "{text}");
    }
}
