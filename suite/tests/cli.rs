//! The command line as a user meets it: exit code, standard output and standard error together.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use insta::assert_snapshot;

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// The program in a folder of its own, with no colour and no terminal.
fn mcpspec(arguments: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::cargo_bin("mcpspec").expect("the program is built");
    command
        .args(arguments)
        .timeout(LIMIT)
        .env("NO_COLOR", "1")
        .env_remove("RUST_LOG")
        .env("COLUMNS", "100");
    command
}

/// Everything that the shell sees of a run, times aside.
fn shown(output: &Output) -> String {
    let text = format!(
        "exit: {}\n--- stdout\n{}--- stderr\n{}",
        output
            .status
            .code()
            .map_or("signal".to_owned(), |code| code.to_string()),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let time = regex::Regex::new(r"after [0-9.]+ m?s\b").expect("the expression is right");
    time.replace_all(&text, "after TIME").into_owned()
}

fn run(arguments: &[&str]) -> String {
    shown(&mcpspec(arguments).output().expect("the program runs"))
}

/// A folder with case files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("the file has a folder"))
            .expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    }
    folder
}

fn path(folder: &Path) -> &str {
    folder.to_str().expect("the path is UTF-8")
}

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

fn regex_of(path: &Path) -> String {
    regex::escape(path.to_str().expect("the path is UTF-8"))
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

#[test]
fn a_command_that_does_not_exist_is_told() {
    assert_snapshot!(run(&[
        "check",
        "--case",
        "discover/*/*",
        "--",
        "/nonexistent/server",
        "--stdio"
    ]));
}

#[test]
fn a_port_that_nobody_listens_on_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    drop(listener);
    let url = format!("http://127.0.0.1:{port}/mcp");
    insta::with_settings!({ filters => [(port.to_string().as_str(), "PORT")] }, {
        assert_snapshot!(run(&["check", "--case", "discover/*/*", &url]));
    });
}

#[test]
fn a_closed_standard_output_changes_nothing() {
    for arguments in [
        &["list"][..],
        &["coverage", "--format", "json"],
        &["schema", "report"],
        &["--help"],
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("mcpspec"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let mut said = String::new();
        child
            .stderr
            .take()
            .expect("it is piped")
            .read_to_string(&mut said)
            .expect("it is text");
        let status = child.wait().expect("the program ends");
        assert_eq!(
            (status.code(), said.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_run_whose_output_nobody_reads_ends_as_any_other() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("mcpspec"))
        .args([
            "check",
            "--demo",
            "--case",
            "discover.implemented",
            "--report",
            "json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

#[test]
fn a_run_that_is_not_over_in_time_could_not_judge() {
    let folder = folder(&[]);
    let report = folder.path().join("report.json");
    let output = mcpspec(&[
        "check",
        "--max-run",
        "1s",
        "--report",
        &format!("json={}", path(&report)),
    ])
    .args(["--", "sleep", "60"])
    .output()
    .expect("the program runs");
    assert_eq!(output.status.code(), Some(3), "{}", shown(&output));
    assert!(
        read_report(&report)["targets"][0]["unusable"]
            .as_str()
            .is_some_and(|reason| reason.contains("--max-run"))
    );
}

fn read_report(path: &Path) -> serde_json::Value {
    let text = fs::read_to_string(path).expect("the report is written");
    serde_json::from_str(&text).expect("the report is JSON")
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_its_reports_and_leaves_nothing_running() {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    let folder = folder(&[]);
    let (pid_file, report) = (folder.path().join("pid"), folder.path().join("report.json"));
    // A server that never answers, and tells that it has started.
    let script = format!(
        "echo $$ > {pid}.new && mv {pid}.new {pid} && exec sleep 60",
        pid = path(&pid_file)
    );
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("mcpspec"))
        .args([
            "check",
            "--no-progress",
            "--report",
            &format!("json={}", path(&report)),
            "--",
            "sh",
            "-c",
            &script,
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let pid_of = |text: &str| {
        Pid::from_raw(text.trim().parse().expect("it is a number")).expect("it is not 0")
    };
    let server = pid_of(&wait_for(|| fs::read_to_string(&pid_file).ok()));
    kill_process(pid_of(&child.id().to_string()), Signal::INT).expect("the program is running");

    let status = wait_for(|| child.try_wait().expect("the program can be waited for"));
    assert_eq!(status.code(), Some(130));
    let written = read_report(&report);
    assert_eq!(written["interrupted"]["reason"], "the run was interrupted");
    assert_eq!(written["interrupted"]["byUser"], true);
    assert_eq!(written["summary"]["exitCode"], 130);
    wait_for(|| test_kill_process(server).is_err().then_some(()));
}

/// Asks until there is an answer, at most for [`LIMIT`].
fn wait_for<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let deadline = std::time::Instant::now() + LIMIT;
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "it did not come in time"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
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
        "[triggers.slow-tool]\nmethod = \"tools/call\"\nlasts = \"soon\"\n",
    )]);
    let output = mcpspec(&["check", "--demo"])
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    assert_snapshot!(shown(&output));
}

#[test]
fn a_baseline_lets_only_differences_fail() {
    let folder = folder(&[
        ("empty.yaml", "# nothing\n"),
        (
            "known.yaml",
            "- case: jsonrpc/id/echo-string\n  target: mcpspec-refserver/stdio\n  requirement: jsonrpc.id.echo-string\n  \
             verdict: fail\n  reason: It is a mutant.\n  page: basic/index\n  anchor: requests\n",
        ),
    ]);
    let check = |baseline: &str, mutant: &[&str]| {
        let baseline = folder.path().join(baseline);
        let output = mcpspec(&[
            "check",
            "--case",
            "jsonrpc/id/echo-string",
            "--baseline",
            path(&baseline),
            "--",
        ])
        .arg(assert_cmd::cargo::cargo_bin("mcpspec"))
        .args(["serve", "--stdio"])
        .args(mutant)
        .output()
        .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = said.find("\nBaseline").expect("the report tells it");
        (output.status.code(), said[told + 1..].to_owned())
    };
    const MUTANT: [&str; 2] = ["--mutant", "numbers-numeric-string-ids"];
    for (name, baseline, mutant, code) in [
        ("baseline-empty", "empty.yaml", &[][..], 0),
        ("baseline-known", "known.yaml", &MUTANT, 0),
        ("baseline-new", "empty.yaml", &MUTANT, 1),
        ("baseline-gone", "known.yaml", &[], 1),
    ] {
        let (exit, told) = check(baseline, mutant);
        assert_eq!(exit, Some(code), "{told}");
        assert_snapshot!(name, told);
    }
    let json = mcpspec(&[
        "check",
        "--case",
        "jsonrpc/id/echo-string",
        "--report",
        "json",
    ])
    .args(["--baseline", path(&folder.path().join("known.yaml")), "--"])
    .arg(assert_cmd::cargo::cargo_bin("mcpspec"))
    .args(["serve", "--stdio"])
    .output()
    .expect("the program runs");
    let said = String::from_utf8_lossy(&json.stderr);
    assert!(
        said.starts_with("baseline: 0 known, 0 new, 1 gone\ngone: fail "),
        "{said}"
    );
}

#[test]
fn a_baseline_about_what_does_not_exist_is_refused_with_its_place() {
    let entry = |case: &str, requirement: &str| {
        format!(
            "- case: {case}\n  target: a/stdio\n  requirement: {requirement}\n  verdict: fail\n  reason: r\n  page: p\n  \
             anchor: a\n"
        )
    };
    let folder = folder(&[
        (
            "case.yaml",
            &entry("jsonrpc/id/echo-strin", "jsonrpc.id.echo-string"),
        ),
        (
            "requirement.yaml",
            &entry("jsonrpc/id/echo-string", "jsonrpc.id.echo-integer"),
        ),
    ]);
    for (file, expected) in [
        (
            "case.yaml",
            ["case.yaml:1:9", "there is no case `jsonrpc/id/echo-strin`"],
        ),
        (
            "requirement.yaml",
            [
                "requirement.yaml:3:16",
                "`jsonrpc/id/echo-string` does not judge",
            ],
        ),
    ] {
        let baseline = folder.path().join(file);
        let output = mcpspec(&["check", "--demo", "--baseline", path(&baseline)])
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        for expected in expected {
            assert!(said.contains(expected), "{said}");
        }
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

#[test]
fn the_reference_server_ends_with_its_input() {
    let output = mcpspec(&["serve", "--stdio"])
        .write_stdin("")
        .output()
        .expect("the program runs");
    assert_eq!(shown(&output), "exit: 0\n--- stdout\n--- stderr\n");
}
