//! The mutants against the registry of requirements.

use std::{collections::BTreeMap, fs, path::Path};

use mcpspec_refserver::{Transport, mutants};

/// What the registry says of a mutant.
struct Entry {
    id: String,
    transports: Vec<Transport>,
}

/// The entries by the name of their mutant, read line by line.
fn registry() -> BTreeMap<String, Entry> {
    let text = fs::read_to_string(cases().join("requirements/2026-07-28.yaml"))
        .expect("the registry is there");
    let mut entries = BTreeMap::new();
    let mut id = String::new();
    let mut transports = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("- id: ") {
            id = name.to_owned();
        } else if let Some(name) = line.strip_prefix("  transports: ") {
            transports = match name {
                "http" => vec![Transport::Http],
                "stdio" => vec![Transport::Stdio],
                _ => vec![Transport::Stdio, Transport::Http],
            };
        } else if let Some(mutant) = line.strip_prefix("  mutant: ") {
            let name = mutant
                .trim_matches('\'')
                .split(':')
                .next()
                .unwrap_or_default();
            if name != "none" {
                let entry = Entry {
                    id: id.clone(),
                    transports: transports.clone(),
                };
                entries.insert(name.to_owned(), entry);
            }
        }
    }
    entries
}

fn cases() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

#[test]
fn every_mutant_is_one_of_the_registry_with_its_area_and_its_transports() {
    let registry = registry();
    assert!(registry.len() > 500, "{}", registry.len());
    for mutant in mutants() {
        let entry = registry
            .get(mutant.name)
            .unwrap_or_else(|| panic!("the registry has no {}", mutant.name));
        assert_eq!(
            entry.id.split('.').next(),
            Some(mutant.area),
            "{}",
            mutant.name
        );
        assert_eq!(entry.transports, mutant.transports, "{}", mutant.name);
    }
}

/// Areas beyond the core protocol, whose mutants are still to be written: their requirements do not count as judged until then.
const WITHOUT_MUTANTS: [&str; 3] = ["auth.", "legacy.", "tasks."];

#[test]
fn every_core_requirement_that_a_case_is_about_has_its_mutant() {
    let by_id: BTreeMap<String, String> = registry()
        .into_iter()
        .map(|(name, entry)| (entry.id, name))
        .collect();
    let mut ids = Vec::new();
    collect_requirements(&cases(), &mut ids);
    assert!(ids.len() > 50, "{}", ids.len());
    let is_core = |id: &&String| !WITHOUT_MUTANTS.iter().any(|area| id.starts_with(area));
    let missing: Vec<&String> = ids
        .iter()
        .filter(is_core)
        .filter_map(|id| by_id.get(id))
        .filter(|name| mcpspec_refserver::find_mutant(name).is_none())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn collect_requirements(folder: &Path, ids: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the cases are there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect_requirements(&path, ids);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let text = fs::read_to_string(&path).expect("a case can be read");
            let lists = text
                .lines()
                .filter_map(|line| line.strip_prefix("requirement: "));
            ids.extend(lists.flat_map(|list| {
                list.trim_matches(['[', ']'])
                    .split(',')
                    .map(|id| id.trim().trim_end_matches(']').to_owned())
            }));
        }
    }
}
