//! What the README says in numbers. `MCPSPEC_UPDATE_README=1 cargo test --test readme` writes them anew.

use std::fmt::Write as _;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Lines between which the table stands.
const BEGIN: &str = "<!-- coverage: begin -->\n";
const END: &str = "<!-- coverage: end -->\n";

/// Columns: a title, and the levels that it counts.
const COLUMNS: [(&str, &[&str]); 3] = [
    ("MUST", &["must", "must-not"]),
    ("SHOULD", &["should", "should-not"]),
    ("stated and schema", &["stated", "schema"]),
];

#[test]
fn the_coverage_table_is_what_the_command_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&path).expect("the README is there");
    let (before, rest) = readme.split_once(BEGIN).expect("the table begins");
    let (committed, after) = rest.split_once(END).expect("the table ends");
    let current = table(&coverage());
    if std::env::var_os("MCPSPEC_UPDATE_README").is_some() {
        let written = format!("{before}{BEGIN}{current}{END}{after}");
        std::fs::write(&path, written).expect("the README is written");
        return;
    }
    assert_eq!(
        committed, current,
        "run `MCPSPEC_UPDATE_README=1 cargo test --test readme`"
    );
}

fn coverage() -> Value {
    let output = Command::new(assert_cmd::cargo::cargo_bin("mcpspec"))
        .args(["coverage", "--format", "json"])
        .output()
        .expect("the program runs");
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// A row a page: requirements that are judged, of those that can be judged from outside.
fn table(coverage: &Value) -> String {
    let titles = COLUMNS.map(|(title, _)| title).join(" | ");
    let mut table = format!("| page | {titles} | judged |\n|---|---:|---:|---:|---:|\n");
    for page in coverage["pages"].as_array().expect("pages are a list") {
        if counts(&page["totals"]).1 == 0 {
            continue;
        }
        let name = page["page"].as_str().expect("a page has a name");
        let levels = &page["levels"];
        let cells = COLUMNS.map(|(_, names)| {
            let counts = names.iter().map(|name| counts(&levels[name]));
            shown(counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1)))
        });
        let name = if name.is_empty() { "of our own" } else { name };
        let total = shown(counts(&page["totals"]));
        writeln!(table, "| {name} | {} | {total} |", cells.join(" | "))
            .expect("writing to a string never fails");
    }
    let total = shown(counts(&coverage["totals"]["server"]));
    writeln!(table, "| **together** | | | | **{total}** |")
        .expect("writing to a string never fails");
    table
}

/// Judged and observable.
fn counts(counts: &Value) -> (u64, u64) {
    let number = |name: &str| counts[name].as_u64().unwrap_or(0);
    (number("judged"), number("observable"))
}

fn shown((judged, observable): (u64, u64)) -> String {
    match observable {
        0 => String::new(),
        _ => format!("{judged} of {observable}"),
    }
}
