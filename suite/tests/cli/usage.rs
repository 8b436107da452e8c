//! Options, arguments and files that are wrong, and the help.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;

use crate::{folder, mcpspec, path, run, shown};

#[test]
fn without_arguments_the_help_is_shown() {
    assert_snapshot!(run(&[]));
}

#[test]
fn the_help_of_check_names_every_option() {
    assert_snapshot!(run(&["check", "--help"]));
}

#[test]
fn the_help_of_init_names_every_option() {
    assert_snapshot!(run(&["init", "--help"]));
}

#[test]
fn an_unknown_option_is_told_with_the_one_that_was_meant() {
    assert_snapshot!(run(&["check", "--demo", "--strct"]));
}

#[test]
fn a_target_is_required() {
    assert_snapshot!(run(&["check"]));
}

#[test]
fn values_that_mean_nothing_are_told() {
    for (name, arguments) in [
        ("timeout", ["check", "--demo", "--timeout", "soon"]),
        ("max-message", ["check", "--demo", "--max-message", "16MB"]),
        ("report", ["check", "--demo", "--report", "xml=a"]),
        ("jobs", ["check", "--demo", "--jobs", "0"]),
        (
            "cwd",
            ["check", "http://127.0.0.1:1/", "--cwd", "/nonexistent"],
        ),
        (
            "header",
            [
                "check",
                "http://127.0.0.1:1/",
                "--header",
                "secret-without-a-colon",
            ],
        ),
        (
            "env",
            [
                "check",
                "http://127.0.0.1:1/",
                "--env",
                "secret-without-a-value",
            ],
        ),
        (
            "profile",
            ["check", "--demo", "--profile", "none-of-this-name"],
        ),
    ] {
        assert_snapshot!(name, run(&arguments));
    }
}

#[test]
fn a_url_of_another_scheme_is_told_without_its_secrets() {
    assert_snapshot!(run(&["check", "ftp://user:secret@host/path?key=secret"]));
}

#[test]
fn a_url_without_a_scheme_and_a_command_without_dashes_get_a_hint() {
    for (name, arguments) in [
        ("no-scheme", &["check", "localhost:3000"][..]),
        ("no-dashes", &["check", "./server"]),
        ("no-dashes-and-words", &["check", "node", "build/index.js"]),
    ] {
        assert_snapshot!(name, run(arguments));
    }
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_anything_is_started() {
    let folder = folder(&[]);
    let started = folder.path().join("started");
    let report = format!("json={}", path(&folder.path().join("missing/report.json")));
    let script = format!("touch {}", path(&started));
    let output = mcpspec(&["check", "--report", &report, "--", "sh", "-c", &script])
        .output()
        .expect("the program runs");
    let told = shown(&output);
    assert!(
        told.starts_with("exit: 2\n--- stdout\n--- stderr\nerror: cannot write the report "),
        "{told}"
    );
    assert!(!started.exists(), "nothing was started");
}

#[test]
fn two_reports_on_standard_output_are_refused() {
    assert_snapshot!(run(&[
        "check", "--demo", "--report", "json", "--report", "junit"
    ]));
}

#[test]
fn a_selection_without_cases_has_an_exit_code_of_its_own() {
    assert_snapshot!(run(&["check", "--demo", "--case", "no/such/*"]));
}

#[test]
fn the_readme_and_the_help_name_every_exit_code() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md"))
        .expect("it is there");
    let help = run(&["--help"]).replace('\n', " ");
    for code in ["0", "1", "2", "3", "4", "130"] {
        assert!(
            readme.contains(&format!("\n| {code} | ")),
            "README.md does not tell exit code {code}"
        );
        assert!(
            help.contains(&format!(" {code} ")),
            "--help does not tell exit code {code}"
        );
    }
}

#[test]
fn a_configuration_that_is_wrong_is_told_with_its_place() {
    let folder = folder(&[(
        "mcpspec.toml",
        "[triggers.slow-tool]\nmethod = \"tools/call\"\nparams = { name = \"a\" }\nlasts = \"soon\"\n",
    )]);
    let output = mcpspec(&["check", "--demo"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    assert_snapshot!(shown(&output));
}

#[test]
fn what_is_for_a_command_is_refused_where_none_is_started() {
    const URL: &str = "http://127.0.0.1:1/mcp";
    let folder = folder(&[(
        "mcpspec.toml",
        "[[target]]\nname = \"a\"\nurl = \"http://127.0.0.1:1/mcp\"\n",
    )]);
    for (arguments, options) in [
        (&["check", "--env", "A=b", URL][..], "--env is"),
        (
            &["check", "--env", "A=b", "--cwd", ".", URL],
            "--env and --cwd are",
        ),
        (&["init", "--force", "--cwd", ".", URL], "--cwd is"),
        (&["check", "--cwd", "."], "--cwd is"),
    ] {
        let output = mcpspec(arguments)
            .current_dir(folder.path())
            .output()
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        let told = format!(
            "error: {options} for a command, and mcpspec starts none here\nhint: write the command behind the URL, as in URL -- COMMAND…, or leave that out\n"
        );
        assert_eq!(String::from_utf8_lossy(&output.stderr), told);
        assert!(output.stdout.is_empty(), "{}", shown(&output));
    }
}

#[test]
fn a_mutant_that_does_not_exist_is_told() {
    assert_snapshot!(run(&[
        "serve",
        "--stdio",
        "--mutant",
        "answers-notification"
    ]));
}

#[test]
fn an_address_that_is_none_is_told() {
    let text = run(&["serve", "--http", "nowhere"]);
    assert!(
        text.starts_with("exit: 2\n--- stdout\n--- stderr\nerror: cannot listen on nowhere: "),
        "{text}"
    );
}
