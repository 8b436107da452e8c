//! The committed inputs of the fuzz targets keep the laws, which this shows without cargo-fuzz.

use std::fs;
use std::path::Path;

type Law = fn(&[u8]);

/// Each fuzz target by its name, which is that of its folder of inputs, and its law.
const TARGETS: &[(&str, Law)] = &[("rpc_bytes", mcpspec_laws::rpc_bytes)];

fn names(folder: &Path) -> Vec<String> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry
            .expect("a listing")
            .file_name()
            .into_string()
            .expect("UTF-8")
    };
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_committed_input_keeps_the_law_of_its_target() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    assert_eq!(
        names(&seeds),
        TARGETS
            .iter()
            .map(|(target, _)| *target)
            .collect::<Vec<_>>(),
        "a folder for each target"
    );
    for (target, law) in TARGETS {
        let folder = seeds.join(target);
        let inputs = names(&folder);
        assert!(!inputs.is_empty(), "{target} has no seeds");
        for input in inputs {
            println!("{target}/{input}");
            law(&fs::read(folder.join(input)).expect("a seed can be read"));
        }
    }
}
