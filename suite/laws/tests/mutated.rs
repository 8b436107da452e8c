//! The laws of all targets over inputs that are near to the committed ones.

use std::fs;
use std::path::{Path, PathBuf};

use mcpspec_laws::targets::{TARGETS, Target};
use mcpspec_laws::tree::mutate;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn seeds(target: &Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let entries = fs::read_dir(folder.join(target.seeds)).expect("the seeds are readable");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a listing").path())
        .collect();
    paths.sort_unstable();
    paths
}

/// Changes the tree where there is one, else a byte.
fn changed(mut input: Vec<u8>, changes: &[(u32, Index, u8)]) -> Vec<u8> {
    for (seed, index, byte) in changes {
        match mutate(&input, *seed) {
            Some(changed) => input = changed,
            None if seed % 2 == 0 => input.insert(index.index(input.len() + 1), *byte),
            None if input.is_empty() => {}
            None => {
                let at = index.index(input.len());
                input[at] = *byte;
            }
        }
    }
    input
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn changed_inputs_keep_the_laws(
        seed in any::<Index>(),
        changes in vec((any::<u32>(), any::<Index>(), prop_oneof![any::<u8>(), 32..127_u8]), 0..6),
    ) {
        for target in TARGETS {
            let seeds = seeds(target);
            let input = fs::read(seed.get(&seeds)).expect("a seed can be read");
            (target.law)(&changed(input, &changes));
        }
    }
}
