//! `check --dry-run`: what it sends, and whether that what it tells is what a run sends.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use serde_json::Value;

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// A case without steps of its own: a run of it alone sends what the survey sends.
const WATCH: &str = "jsonrpc/response/exactly-one";

/// What a command prints, and the messages that the server got meanwhile, ids aside.
struct Run {
    output: Output,
    received: BTreeSet<String>,
    /// All of them, in order.
    all: Vec<String>,
}

/// The reference server, whose input is recorded.
const SERVER: &str = "tee -a \"$0\" | \"$1\" serve --stdio";

impl Run {
    /// Runs `mcpspec check` with these arguments on the reference server.
    fn of(arguments: &[&str]) -> Run {
        Run::on(SERVER, arguments)
    }

    fn on(server: &str, arguments: &[&str]) -> Run {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let record = folder.path().join("received");
        let program = assert_cmd::cargo::cargo_bin("mcpspec");
        let output = assert_cmd::Command::cargo_bin("mcpspec")
            .expect("the program is built")
            .arg("check")
            .args(arguments)
            .args(["--", "sh", "-c", server])
            .args([&record, &program])
            .timeout(LIMIT)
            .env("NO_COLOR", "1")
            .output()
            .expect("the program runs");
        let all = received(&record);
        Run {
            output,
            received: all.iter().cloned().collect(),
            all,
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    /// The messages that it tells it would send, ids aside, but those that an answer decides.
    fn told(&self) -> BTreeSet<String> {
        let text = self.text();
        let messages = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("sends "));
        messages
            .map(str::trim)
            .filter(|message| !message.contains("$(") && message.starts_with('{'))
            .filter_map(without_id)
            .collect()
    }
}

fn received(record: &Path) -> Vec<String> {
    let bytes = fs::read(record).expect("the server was started");
    let text = String::from_utf8_lossy(&bytes);
    text.lines().filter_map(without_id).collect()
}

/// A message as text with nothing in place of ids, which go by the order of sending; none if it is no JSON object.
fn without_id(message: &str) -> Option<String> {
    let Ok(Value::Object(mut members)) = serde_json::from_str(message) else {
        return None;
    };
    members.remove("id");
    if let Some(Value::Object(params)) = members.get_mut("params") {
        params.remove("requestId");
    }
    Some(Value::Object(members).to_string())
}

#[test]
fn nothing_but_the_survey_is_sent() {
    let dry = Run::of(&["--dry-run"]);
    assert_eq!(dry.output.status.code(), Some(0), "{}", dry.text());
    let survey = Run::of(&["--case", WATCH]);
    let more: Vec<_> = dry.received.difference(&survey.received).collect();
    assert!(more.is_empty(), "{more:#?}");
    assert!(dry.told().len() > 300, "{}", dry.told().len());
}

#[test]
fn a_run_sends_what_was_told() {
    const SELECTION: [&str; 4] = ["--case", "jsonrpc/*", "--case", "tools/*"];
    let dry = Run::of(&[&SELECTION[..], &["--dry-run"]].concat());
    let run = Run::of(&SELECTION);
    assert_eq!(run.output.status.code(), Some(0), "{}", run.text());
    let missing: Vec<_> = dry.told().difference(&run.received).cloned().collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let survey = Run::of(&["--case", WATCH]);
    let untold = run
        .received
        .difference(&survey.received)
        .filter(|message| !dry.told().contains(*message))
        .count();
    assert!(
        untold * 10 < dry.told().len(),
        "{untold} of {}",
        run.received.len()
    );
}

#[test]
fn the_page_tells_what_each_case_would_do() {
    let page = Run::of(&[
        "--dry-run",
        "--case",
        "mrtr/retry/completes",
        "--case",
        "stdio/shutdown/exit-on-eof",
    ])
    .text();
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    let line = page
        .lines()
        .position(|line| line.contains("tee -a"))
        .expect("the command is shown");
    let rest: Vec<&str> = page.lines().skip(line + 1).collect();
    assert!(!rest.join("\n").contains(program.to_str().expect("UTF-8")));
    insta::assert_snapshot!(rest.join("\n"));
}

#[test]
fn what_is_sent_many_times_is_counted_as_often() {
    let page = Run::of(&["--dry-run", "--case", "mrtr/abandon/tolerated"]).text();
    // One, 49, a look whether it still answers, and one that is retried.
    assert!(
        page.contains("1 case would send 52 messages, at least."),
        "{page}"
    );
    let calls = page
        .lines()
        .filter(|line| line.contains(" · 51 calls · "))
        .count();
    assert_eq!(calls, 1, "{page}");
}

#[test]
fn a_server_that_cannot_be_used_is_told_and_ends_with_3() {
    let output = assert_cmd::Command::cargo_bin("mcpspec")
        .expect("the program is built")
        .args(["check", "--dry-run", "--", "false"])
        .timeout(LIMIT)
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("exit code 1"),
        "{output:?}"
    );
}

#[test]
fn over_http_the_headers_are_told_without_secrets() {
    let output = assert_cmd::Command::cargo_bin("mcpspec")
        .expect("the program is built")
        .args([
            "check",
            "--demo",
            "--dry-run",
            "--case",
            "http/mcp-method/mismatch",
            "--header",
            "X-Key: k3y-of-the-test",
        ])
        .timeout(LIMIT)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs");
    let page = String::from_utf8_lossy(&output.stdout);
    assert!(page.contains("Mcp-Method: "), "{page}");
    assert!(page.contains("X-Key: "), "{page}");
    assert!(!page.contains("k3y-of-the-test"), "{page}");
}

#[test]
fn what_the_survey_called_is_told_apart_from_what_a_run_would_call() {
    // Under another name no profile applies, so that the survey calls what it may call.
    let unknown = format!("{SERVER} | sed -u s/mcpspec-refserver/another/");
    let dry = Run::on(&unknown, &["--dry-run", "--case", "mrtr/retry/completes"]);
    let page = dry.text();
    let list = |heading: &str| -> Vec<String> {
        let lines = page.lines().skip_while(|line| !line.starts_with(heading));
        let lines = lines.skip(1).take_while(|line| line.starts_with("  stdio"));
        lines.map(str::to_owned).collect()
    };
    let surveyed = list("Tools that the survey called");
    assert!(!surveyed.is_empty(), "{page}");
    let told = regex::Regex::new(r"^  stdio       (\w+) · ([0-9]+) calls? · ").expect("it is one");
    for line in surveyed {
        let parts = told.captures(&line).unwrap_or_else(|| panic!("{line}"));
        let calls = |sent: &&String| {
            let sent: Value = serde_json::from_str(sent).expect("it was JSON");
            sent["method"] == "tools/call" && sent["params"]["name"] == parts[1]
        };
        let really = dry.all.iter().filter(calls).count();
        assert_eq!(parts[2], really.to_string(), "{line}");
    }
    let planned = list("Tools that a run would call");
    assert_eq!(planned.len(), 1, "{page}");
    assert!(
        planned[0].starts_with("  stdio       ask · 1 call · "),
        "{page}"
    );
}

#[test]
fn what_an_answer_decides_is_told_as_that_and_not_as_an_error() {
    let page = Run::of(&["--dry-run", "--case", "version/unsupported/retry-supported"]).text();
    let told = "what goes out here depends on what is answered to `refused`";
    assert!(page.contains(told), "{page}");
    assert!(!page.contains("newest"), "{page}");
}
