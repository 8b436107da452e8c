//! The mutants against the registry of requirements.

use std::{collections::BTreeMap, fs, path::Path};

use mcpspec_refserver::{Transport, mutants};

/// An entry of the registry that names a mutant.
struct Entry {
    id: String,
    transports: Vec<Transport>,
    /// Whether that is the mutant by which the requirement is judged, and no further one.
    is_first: bool,
}

/// The entries by the names of their mutants, read line by line.
fn registry() -> BTreeMap<String, Vec<Entry>> {
    let text = fs::read_to_string(cases().join("requirements/2026-07-28.yaml"))
        .expect("the registry is there");
    let mut entries: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    let mut id = String::new();
    let mut transports = Vec::new();
    let mut is_further = false;
    for line in text.lines() {
        let further = line.strip_prefix("  - ").filter(|_| is_further);
        is_further = line == "  further-mutants:" || further.is_some();
        if let Some(name) = line.strip_prefix("- id: ") {
            id = name.to_owned();
        } else if let Some(name) = line.strip_prefix("  transports: ") {
            transports = match name {
                "http" => vec![Transport::Http],
                "stdio" => vec![Transport::Stdio],
                _ => vec![Transport::Stdio, Transport::Http],
            };
        } else if let Some(mutant) = line.strip_prefix("  mutant: ").or(further) {
            let name = mutant
                .trim_matches('\'')
                .split(':')
                .next()
                .unwrap_or_default();
            if name != "none" {
                entries.entry(name.to_owned()).or_default().push(Entry {
                    id: id.clone(),
                    transports: transports.clone(),
                    is_first: further.is_none(),
                });
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
        let entries = registry
            .get(mutant.name)
            .unwrap_or_else(|| panic!("the registry has no {}", mutant.name));
        let first = entries.iter().find(|entry| entry.is_first);
        let home = first.unwrap_or(&entries[0]);
        let area = home.id.split('.').next();
        assert_eq!(area, Some(mutant.area), "{}", mutant.name);
        match first {
            Some(first) => assert_eq!(first.transports, mutant.transports, "{}", mutant.name),
            // A case of the requirement may be about one transport only.
            None => assert!(
                mutant
                    .transports
                    .iter()
                    .all(|transport| home.transports.contains(transport)),
                "{}",
                mutant.name
            ),
        }
    }
}

/// Areas beyond the core protocol, whose mutants are still to be written: their requirements do not count as judged until then.
const WITHOUT_MUTANTS: [&str; 3] = ["auth.", "legacy.", "tasks."];

#[test]
fn every_core_requirement_that_a_case_is_about_has_its_mutant() {
    let mut by_id: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, entries) in registry() {
        for entry in entries {
            by_id.entry(entry.id).or_default().push(name.clone());
        }
    }
    let mut ids = Vec::new();
    collect_requirements(&cases(), &mut ids);
    assert!(ids.len() > 50, "{}", ids.len());
    let is_core = |id: &&String| !WITHOUT_MUTANTS.iter().any(|area| id.starts_with(area));
    let missing: Vec<&String> = ids
        .iter()
        .filter(is_core)
        .filter_map(|id| by_id.get(id))
        .flatten()
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
