//! The commands that look at the suite: `lint`, `list`, `explain`, `coverage`, `schema`.

use std::process::Output;

use insta::assert_snapshot;

use crate::{folder, mcpspec, path, regex_of, run, shown};

#[test]
fn a_wrong_case_file_is_told_with_line_and_column() {
    let folder = folder(&[(
        "methods/ping/removed.yaml",
        "summary: A method of old is unknown\nrequirement: [jsonrpc.method.unknown]\nsteps:\n  - send: ping\n    expct: {}\n",
    )]);
    for arguments in [
        vec!["lint", path(folder.path())],
        vec!["check", "--demo", "--cases", path(folder.path())],
    ] {
        insta::with_settings!({ filters => [(regex_of(folder.path()).as_str(), "DIR")] }, {
            assert_snapshot!(arguments[0], run(&arguments));
        });
    }
}

/// A case that is right, of a requirement of its author's own.
const OWN: [(&str, &str); 2] = [
    (
        "requirements.yaml",
        "- id: x.my.ping-removed\n  statement: Methods that are not defined are refused.\n  level: stated\n  violated: warn\n",
    ),
    (
        "methods/ping/removed.yaml",
        "summary: The ping of older revisions is unknown\nrequirement: x.my.ping-removed\nwhy: It was removed.\nsteps:\n  - send: ping\n    expect: { error: { code: -32601 } }\n",
    ),
];

#[test]
fn lint_counts_the_cases_that_it_was_given() {
    let folder = folder(&OWN);
    let file = folder.path().join("methods/ping/removed.yaml");
    let said = |output: Output| String::from_utf8_lossy(&output.stderr).into_owned();
    for (given, count) in [
        (folder.path().to_owned(), "1 case"),
        (file.clone(), "1 case"),
        (folder.path().join("requirements.yaml"), "0 cases"),
    ] {
        let output = mcpspec(&["lint", path(&given)]).output();
        assert_eq!(
            said(output.expect("the program runs")),
            format!("{count} under {}, nothing wrong\n", given.display())
        );
    }
    // From within its folder the file has no other folders in its name.
    let output = mcpspec(&["lint", "removed.yaml"])
        .current_dir(file.parent().expect("it has a folder"))
        .output();
    assert_eq!(
        said(output.expect("the program runs")),
        "1 case under removed.yaml, nothing wrong\n"
    );
    let output = mcpspec(&["lint"]).output().expect("the program runs");
    assert!(said(output).contains(" cases of the built-in suite, nothing wrong"));
}

#[test]
fn a_file_that_holds_no_case_is_told_by_lint() {
    let folder = folder(&[("profiles/a.toml", ""), ("requirements/a.yaml", "[]\n")]);
    for file in ["profiles/a.toml", "requirements/a.yaml"] {
        let file = folder.path().join(file);
        let told = run(&["lint", path(&file)]);
        assert!(told.starts_with("exit: 2\n"), "{told}");
        assert!(
            told.contains("holds no case\nhint: a case file is DIR/AREA/TOPIC/NAME.yaml"),
            "{told}"
        );
    }
}

#[test]
fn a_folder_of_cases_that_does_not_exist_is_told() {
    assert_snapshot!(run(&["lint", "/nonexistent/cases"]));
}

#[test]
fn the_built_in_suite_passes_lint() {
    let output = mcpspec(&["lint"]).output().expect("the program runs");
    assert!(output.status.success(), "{}", shown(&output));
}

#[test]
fn a_case_of_ones_own_is_listed_and_explained_without_recompiling() {
    let folder = folder(&OWN);
    let cases = path(folder.path());
    insta::with_settings!({ filters => [(regex_of(folder.path()).as_str(), "DIR")] }, {
        assert_snapshot!("own-list", run(&["list", "--cases", cases, "--case", "methods/*"]));
        assert_snapshot!("own-list-json", run(&["list", "--cases", cases, "--case", "methods/*", "--format", "json"]));
        assert_snapshot!("own-explain", run(&["explain", "methods/ping/removed", "--cases", cases]));
        assert_snapshot!("own-explain-requirement", run(&["explain", "x.my.ping-removed", "--cases", cases]));
    });
}

#[test]
fn a_misspelt_id_is_told_with_the_one_that_was_meant() {
    assert_snapshot!(run(&["explain", "http/origin/invalid-430"]));
}

#[test]
fn a_built_in_requirement_is_explained_in_full() {
    assert_snapshot!(run(&["explain", "http.version-header.mismatch"]));
}

#[test]
fn the_schemas_are_json() {
    for what in ["case", "config", "report"] {
        let output = mcpspec(&["schema", what])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", shown(&output));
        let schema: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert!(
            jsonschema::meta::is_valid(&schema),
            "the schema of a {what} is none"
        );
    }
}

#[test]
fn coverage_adds_up() {
    let output = mcpspec(&["coverage", "--format", "json"])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", shown(&output));
    let coverage: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let count =
        |counts: &serde_json::Value, name: &str| counts[name].as_u64().expect("it is a count");
    let totals = &coverage["totals"]["server"];
    let pages = coverage["pages"].as_array().expect("it is a list");
    for name in ["requirements", "observable", "judged", "missing"] {
        let sum: u64 = pages.iter().map(|page| count(&page["totals"], name)).sum();
        assert_eq!(count(totals, name), sum, "{name}");
    }
    assert_eq!(
        count(totals, "observable"),
        count(totals, "judged") + count(totals, "missing")
    );
    assert_eq!(
        coverage["missing"].as_array().map(Vec::len),
        Some(count(totals, "missing") as usize)
    );
}
