//! What a report shows of a violation is what the violation is about.

use std::fs;
use std::time::Duration;

use serde_json::Value;

/// The command here does not take longer.
const LIMIT: Duration = Duration::from_secs(60);

const REQUIREMENT: &str =
    "- id: x.evidence.first\n  statement: Lists are empty.\n  level: should\n  violated: warn\n";

/// The first of three answers is not as it is due, which does not end the case; the others are.
const CASE: &str = "summary: Only the first answer differs
requirement: x.evidence.first
why: It is a test.
steps:
  - send: tools/list
    expect: { result: { tools: [] } }
    else:
      - { result: {}, grade: warn, note: it lists some }
  - send: prompts/list
    expect: { result: { prompts: {} } }
  - send: server/discover
    expect: { result: {} }
";

fn program() -> String {
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    program.to_str().expect("its name is text").to_owned()
}

/// The JSON report of a check.
fn report(arguments: &[&str]) -> Value {
    let output = assert_cmd::Command::cargo_bin("mcpspec")
        .expect("the program is built")
        .args(["check", "--report", "json"])
        .args(arguments)
        .timeout(LIMIT)
        .output()
        .expect("the program runs");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn the_exchange_that_is_shown_is_the_one_that_was_not_as_due() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let topic = folder.path().join("evidence/shown");
    fs::create_dir_all(&topic).expect("the folder is writable");
    fs::write(topic.join("first.yaml"), CASE).expect("the folder is writable");
    fs::write(folder.path().join("requirements.yaml"), REQUIREMENT).expect("it is writable");
    let folder = folder.path().to_str().expect("its name is text");
    let program = program();
    let report = report(&[
        "--case",
        "evidence/**",
        "--cases",
        folder,
        "--",
        &program,
        "serve",
        "--stdio",
    ]);
    let case = &report["cases"][0];
    assert_eq!(case["verdict"], "warn", "{case}");
    let exchanges = case["exchanges"].as_array().expect("exchanges are a list");
    assert_eq!(exchanges.len(), 3);
    let shown: Vec<&str> = exchanges
        .iter()
        .filter(|exchange| exchange["judged"] == true)
        .filter_map(|exchange| exchange["sent"].as_str())
        .collect();
    assert_eq!(shown.len(), 1);
    assert!(shown[0].contains("tools/list"), "{}", shown[0]);
}

#[test]
fn a_line_that_nothing_asked_for_is_shown() {
    let script = format!("echo 'Welcome, all'; exec '{}' serve --stdio", program());
    let report = report(&["--case", "stdio/stdout/only-mcp", "--", "sh", "-c", &script]);
    let case = &report["cases"][0];
    assert_eq!(case["verdict"], "fail", "{case}");
    let notes = case["notes"].as_array().expect("notes are a list");
    assert!(notes.contains(&"what came: Welcome, all".into()), "{case}");
}
