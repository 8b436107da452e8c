//! The committed suite loads, and nothing is wrong with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mcpspec::case::{Suite, SuiteFile};
use mcpspec::config::Baseline;

#[test]
fn nothing_is_wrong_with_the_cases_of_the_suite() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases");
    match Suite::load(files(&root)) {
        Ok(suite) => assert!(suite.cases().len() > 200),
        Err(diagnostics) => {
            let shown: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
            panic!("{}\n{} wrong", shown.join("\n"), shown.len());
        }
    }
}

/// Requirements on servers by level and by what it takes to see them. A change of one is a decision, to be told with page and reason.
const COUNTS: [&str; 18] = [
    "Must BlackBox 75",
    "Must NeedsTrigger 119",
    "Must NotObservable 18",
    "MustNot BlackBox 22",
    "MustNot NeedsTrigger 34",
    "MustNot NotObservable 9",
    "Schema BlackBox 50",
    "Schema NeedsTrigger 81",
    "Schema NotObservable 2",
    "Should BlackBox 27",
    "Should NeedsTrigger 54",
    "Should NotObservable 18",
    "ShouldNot BlackBox 6",
    "ShouldNot NeedsTrigger 7",
    "ShouldNot NotObservable 3",
    "Stated BlackBox 49",
    "Stated NeedsTrigger 52",
    "Stated NotObservable 6",
];

#[test]
fn the_requirements_of_each_level_and_observability_are_as_many_as_were_decided() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases");
    let suite = Suite::load(files(&root)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut counts = BTreeMap::new();
    for requirement in suite.registry().iter().filter(|one| one.binds_server()) {
        let kind = format!("{:?} {:?}", requirement.level, requirement.observable);
        *counts.entry(kind).or_insert(0) += 1;
    }
    let shown: Vec<String> = counts
        .into_iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    assert_eq!(shown, COUNTS);
}

#[test]
fn every_shape_of_the_suite_compiles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/shapes");
    for file in files(&root) {
        let shapes = mcpspec::spec::Shapes::load(&file.shown, &file.text)
            .unwrap_or_else(|error| panic!("{error}"));
        for name in shapes.names() {
            let checked = shapes.check(name, &serde_json::json!({}));
            assert!(checked.is_ok(), "{name}: {checked:?}");
        }
    }
}

#[test]
fn what_is_known_of_the_interop_servers_is_about_cases_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = Suite::load(files(&root.join("../cases"))).expect("the suite loads");
    let known: Vec<SuiteFile> = files(&root.join("interop"))
        .into_iter()
        .filter(|file| file.path.ends_with("known.yaml"))
        .collect();
    assert!(known.len() >= 12);
    for file in known {
        let baseline =
            Baseline::read(&file.path, &file.text).unwrap_or_else(|error| panic!("{error}"));
        baseline
            .hold_against(&suite)
            .unwrap_or_else(|error| panic!("{error}"));
    }
}

/// All files below a folder.
fn files(root: &Path) -> Vec<SuiteFile> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|kind| kind == "yaml" || kind == "json")
            {
                let inside = path.strip_prefix(root).expect("it is below the root");
                let inside = inside
                    .to_str()
                    .expect("paths of cases are UTF-8")
                    .replace('\\', "/");
                found.push(SuiteFile {
                    shown: format!("cases/{inside}"),
                    path: inside,
                    text: fs::read_to_string(&path).expect("the file is UTF-8"),
                });
            }
        }
    }
    found
}
