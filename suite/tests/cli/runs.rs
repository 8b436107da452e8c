//! Runs that do not go as they should, and what becomes of their output.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use insta::assert_snapshot;

use crate::{LIMIT, folder, mcpspec, path, run, shown};

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
fn the_reference_server_ends_with_its_input() {
    let output = mcpspec(&["serve", "--stdio"])
        .write_stdin("")
        .output()
        .expect("the program runs");
    assert_eq!(shown(&output), "exit: 0\n--- stdout\n--- stderr\n");
}
