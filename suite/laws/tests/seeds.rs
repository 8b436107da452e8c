//! The committed inputs of the fuzz targets keep the laws, which this shows without cargo-fuzz.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mcpspec_laws::targets::{TARGETS, Target};

/// Most files that are committed as inputs.
const MOST_FILES: usize = 300;
/// The longest of them, in bytes.
const LONGEST: usize = 8 * 1024;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The entries of a folder in order; none if it is not there.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a listing").path())
        .collect();
    paths.sort_unstable();
    paths
}

fn names(folder: &Path) -> BTreeSet<String> {
    let name = |path: &PathBuf| {
        let name = path.file_stem().expect("an entry has a name");
        name.to_str().expect("names are UTF-8").to_owned()
    };
    entries(folder).iter().map(name).collect()
}

/// The inputs of a target: what it begins with, and what once broke it.
fn inputs(target: &Target) -> Vec<PathBuf> {
    let seeds = entries(&fuzz().join("seeds").join(target.seeds));
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    let regressions = entries(&fuzz().join("regressions").join(target.name));
    [seeds, regressions].concat()
}

#[test]
fn every_committed_input_keeps_the_law_of_its_target() {
    for target in TARGETS {
        for input in inputs(target) {
            println!("{} {}", target.name, input.display());
            (target.law)(&fs::read(&input).expect("a seed can be read"));
        }
    }
}

#[cfg(feature = "suite")]
#[test]
fn every_target_has_a_program_and_every_folder_of_inputs_a_target() {
    let targets: BTreeSet<_> = TARGETS
        .iter()
        .map(|target| target.name.to_owned())
        .collect();
    let mut programs = names(&fuzz().join("fuzz_targets"));
    assert!(programs.remove("baseline"));
    assert_eq!(programs, targets);
    let seeds: BTreeSet<_> = TARGETS
        .iter()
        .map(|target| target.seeds.to_owned())
        .collect();
    assert_eq!(names(&fuzz().join("seeds")), seeds);
    assert!(names(&fuzz().join("regressions")).is_subset(&targets));
}

#[test]
fn committed_inputs_are_few_and_small() {
    let folders = ["seeds"].map(|folder| entries(&fuzz().join(folder)));
    let files: Vec<_> = folders
        .iter()
        .flatten()
        .flat_map(|folder| entries(folder))
        .collect();
    assert!(files.len() <= MOST_FILES, "{} files", files.len());
    for file in files {
        let length = fs::metadata(&file).expect("a file has a length").len();
        assert!(
            length <= LONGEST as u64,
            "{} has {length} bytes",
            file.display()
        );
    }
}
