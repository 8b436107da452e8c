//! The list of planted faults is that of the code.

#![cfg(feature = "suite")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mcpspec_laws::targets::TARGETS;

/// The least number of faults, and of those that re-create a reported one.
const LEAST: (usize, usize) = (15, 5);

fn in_code(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the entry is readable").path();
        if path.is_dir() {
            in_code(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let code = fs::read_to_string(&path).expect("the file is readable");
            let names = code.split("planted(\"").skip(1);
            found.extend(names.filter_map(|rest| rest.split('"').next().map(str::to_owned)));
        }
    }
}

#[test]
fn every_planted_fault_is_listed_with_a_target_and_every_target_has_one() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut code = BTreeSet::new();
    for folder in ["src", "wire/src"] {
        in_code(&suite.join(folder), &mut code);
    }
    let list = fs::read_to_string(suite.join("../fuzz/planted.tsv")).expect("the list is readable");
    let lines: Vec<Vec<&str>> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    let listed: BTreeSet<_> = lines.iter().map(|line| line[0].to_owned()).collect();
    assert_eq!(listed, code);
    assert_eq!(listed.len(), lines.len(), "each once");
    let found: BTreeSet<_> = lines.iter().map(|line| line[1]).collect();
    let targets: BTreeSet<_> = TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(found, targets);
    let reported = lines.iter().filter(|line| line.len() > 2).count();
    assert!(
        lines.len() >= LEAST.0 && reported >= LEAST.1,
        "{reported} of {}",
        lines.len()
    );
}
