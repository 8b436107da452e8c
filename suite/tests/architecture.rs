//! Holds the code against the table of layers in `src/lib.rs`, and the reference server apart from the judge.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A module's row, and its place from the left in it.
type Place = (usize, usize);

#[test]
fn every_module_stands_in_the_table_and_every_name_in_the_table_is_a_module() {
    let listed: BTreeSet<String> = table().into_keys().collect();
    let declared: BTreeSet<String> = fs::read_to_string(source().join("lib.rs"))
        .expect("lib.rs is readable")
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert_eq!(listed, declared);
}

#[test]
fn a_module_imports_from_higher_rows_and_to_its_left_only() {
    let table = table();
    let mut wrong = Vec::new();
    for file in rust_files(&source()) {
        let Some(module) = module_of(&file) else {
            continue;
        };
        let here = table[&module];
        for used in references(&code_of(&file)) {
            let Some(there) = table.get(&used) else {
                wrong.push(format!("{}: crate::{used} is no module", file.display()));
                continue;
            };
            if used != module && *there >= here {
                wrong.push(format!("{}: {module} uses {used}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reports_see_events_and_never_a_run() {
    for file in rust_files(&source()) {
        if module_of(&file).as_deref() == Some("report") {
            let used = references(&code_of(&file));
            for module in ["judge", "run", "target", "transport"] {
                assert!(!used.contains(module), "{} uses {module}", file.display());
            }
        }
    }
}

#[test]
fn only_input_output_action_and_the_edge_wait() {
    let table = table();
    for file in rust_files(&source()) {
        let Some(module) = module_of(&file) else {
            continue;
        };
        if matches!(table[&module].0, 0 | 1 | 4) {
            let code = code_of(&file);
            for word in ["async fn", "async move", ".await"] {
                assert!(!code.contains(word), "{} waits: {word}", file.display());
            }
        }
    }
}

#[test]
fn the_reference_server_shares_no_code_with_the_judge() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .arg("--manifest-path")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let members: BTreeMap<&str, BTreeSet<&str>> = metadata["packages"]
        .as_array()
        .expect("packages are a list")
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"]
                .as_array()
                .expect("dependencies are a list");
            let names = dependencies
                .iter()
                .filter_map(|dependency| dependency["name"].as_str())
                .collect();
            (
                package["name"].as_str().expect("a package has a name"),
                names,
            )
        })
        .collect();

    let mut reached = BTreeSet::new();
    let mut open = vec!["mcpspec-refserver"];
    while let Some(name) = open.pop() {
        if let Some(dependencies) = members.get(name)
            && reached.insert(name)
        {
            open.extend(dependencies);
        }
    }
    assert!(
        reached.contains("mcpspec-refserver"),
        "the reference server is a member of the workspace"
    );
    for judge in ["mcpspec", "mcpspec-wire"] {
        assert!(
            !reached.contains(judge),
            "mcpspec-refserver depends on {judge}"
        );
    }
}

#[test]
fn references_are_found_in_paths_and_in_groups() {
    let code = "use crate::spec::Level;\nuse crate::{text::bounded, verdict::{Fact, Verdict}};\nlet x = crate::event::Event;";
    let found: Vec<String> = references(code).into_iter().collect();
    assert_eq!(found, ["event", "spec", "text", "verdict"]);
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The table in the documentation of `lib.rs`: lines such as ``| 1 data | [`case`], [`config`] |``.
fn table() -> BTreeMap<String, Place> {
    let text = fs::read_to_string(source().join("lib.rs")).expect("lib.rs is readable");
    let mut places = BTreeMap::new();
    for line in text.lines() {
        let Some((head, names)) = line
            .strip_prefix("| ")
            .and_then(|line| line.split_once(" | "))
        else {
            continue;
        };
        let Some(row) = head.split(' ').next().and_then(|row| row.parse().ok()) else {
            continue;
        };
        for (column, name) in names.split("[`").skip(1).enumerate() {
            let name = name
                .split('`')
                .next()
                .expect("split gives at least one piece");
            assert_eq!(
                places.insert(name.to_owned(), (row, column)),
                None,
                "{name} stands in the table twice"
            );
        }
    }
    assert!(places.len() > 10, "the table of layers was not found");
    places
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the entry is readable").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The top-level module that a file belongs to; none for `lib.rs` and `main.rs`.
fn module_of(file: &Path) -> Option<String> {
    let inside = file
        .strip_prefix(source())
        .expect("the file lies under src");
    let first = inside
        .iter()
        .next()
        .expect("the path has a part")
        .to_str()
        .expect("names are UTF-8");
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(module, "lib" | "main")).then(|| module.to_owned())
}

/// The text of a file without its comments, which may point anywhere.
fn code_of(file: &Path) -> String {
    let text = fs::read_to_string(file).expect("the file is readable");
    let mut in_block = false;
    let mut code = String::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        in_block |= trimmed.starts_with("/*");
        if !in_block && !trimmed.starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
        in_block &= !trimmed.contains("*/");
    }
    code
}

/// Top-level modules named after `crate::`, alone or as the heads of a group.
fn references(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => found.extend(heads(group)),
            None => found.extend(identifier(rest)),
        }
    }
    found
}

/// The first identifiers of the entries of a group whose opening brace is gone.
fn heads(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut entries = vec![String::new()];
    for character in group.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => entries.push(String::new()),
            _ => entries
                .last_mut()
                .expect("there is always one")
                .push(character),
        }
    }
    entries
        .iter()
        .filter_map(|entry| identifier(entry.trim()))
        .collect()
}

/// The module that a path begins with. `$crate` of a macro and types at the root are none.
fn identifier(path: &str) -> Option<String> {
    let end = path
        .find(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .unwrap_or(path.len());
    (end > 0).then(|| path[..end].to_owned())
}
