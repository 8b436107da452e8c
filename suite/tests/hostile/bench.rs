//! One run of the program against one server, and what is true of every such run.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::server::Order;
use crate::watch::{self, Seen};

/// No run here takes longer, in seconds.
const LIMIT: &str = "100";

/// The program's memory, at most, in bytes.
const MEMORY: u64 = 200 << 20;

/// What a server is judged by here unless a test says otherwise: enough to meet the server, in a few seconds, or in some forty where each of
/// its processes has to be killed.
pub(crate) const QUICK: [&str; 8] = [
    "--timeout",
    "3s",
    "--startup-timeout",
    "10s",
    "--max-run",
    "80s",
    "--max-message",
    "1MiB",
];

/// A finished run.
pub(crate) struct Run {
    pub(crate) code: i32,
    /// The terminal report.
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The JSON report; null if there is none.
    pub(crate) report: Value,
}

/// A server that listens, ended when this is dropped.
pub(crate) struct Listening {
    child: Child,
    pub(crate) url: String,
}

/// This executable as a server.
pub(crate) fn command(order: &Order) -> Vec<String> {
    let own = std::env::current_exe().expect("this executable is somewhere");
    let own = own.to_str().expect("its path is UTF-8").to_owned();
    [own, crate::server::WORD.to_owned()]
        .into_iter()
        .chain(order.words())
        .collect()
}

/// Starts a server that listens at a port of its own choice.
pub(crate) fn listen(order: &Order) -> Listening {
    let command = command(order);
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut url = String::new();
    BufReader::new(child.stdout.take().expect("it is piped"))
        .read_line(&mut url)
        .expect("the server tells where it listens");
    let url = url.trim().to_owned();
    Listening { child, url }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It may have ended by itself, which is what some are for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Judges a command.
pub(crate) fn check_stdio(options: &[&str], order: &Order) -> Run {
    let command = command(order);
    let target = std::iter::once("--").chain(command.iter().map(String::as_str));
    check(options, &target.collect::<Vec<_>>())
}

/// Judges a server that listens already.
pub(crate) fn check_http(options: &[&str], order: &Order) -> Run {
    let listening = listen(order);
    check(options, &[&listening.url])
}

/// Judges a server over one transport.
pub(crate) fn check_over(transport: &str, options: &[&str], order: &Order) -> Run {
    let order = order.clone().over(transport);
    match transport {
        "http" => check_http(options, &order),
        _ => check_stdio(options, &order),
    }
}

/// `mcpspec check`, with a JSON report that agrees with the rest.
pub(crate) fn check(options: &[&str], target: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("report.json");
    let report = format!("json={}", text(&file));
    let words = ["check", "--no-progress", "--report", &report];
    let words: Vec<&str> = words.iter().chain(options).chain(target).copied().collect();
    let mut run = mcpspec(&words);
    if let Ok(json) = std::fs::read_to_string(&file) {
        run.report = serde_json::from_str(&json).expect("the report is JSON");
        run.agrees();
    }
    run
}

/// Runs the program to its end.
pub(crate) fn mcpspec(words: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let seen = folder.path().join("seen.json");
    let own = std::env::current_exe().expect("this executable is somewhere");
    let output = Command::new(own)
        .args([watch::WORD, text(&seen), LIMIT])
        .arg(env!("CARGO_BIN_EXE_mcpspec"))
        .args(words)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "200")
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .expect("the watch runs");
    let stdout = String::from_utf8(output.stdout).expect("the report is UTF-8");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let seen = read(&folder, &stderr);
    let told = format!("mcpspec {words:?}: {seen:?}\n{stdout}{stderr}");
    assert!(!seen.late, "it was not over in time: {told}");
    for word in ["panicked at", "RUST_BACKTRACE", "overflowed its stack"] {
        assert!(!told.contains(word), "it panicked: {told}");
    }
    assert!(
        seen.left.is_empty(),
        "something was left running: {:?}",
        seen.left
    );
    assert!(
        seen.peak <= MEMORY,
        "it took {} MiB: {told}",
        seen.peak >> 20
    );
    let code = seen.code.expect("no signal ended it");
    Run {
        code,
        stdout,
        stderr,
        report: Value::Null,
    }
}

fn read(folder: &TempDir, stderr: &str) -> Seen {
    let text = std::fs::read_to_string(folder.path().join("seen.json"))
        .unwrap_or_else(|error| panic!("the watch saw nothing: {error}\n{stderr}"));
    serde_json::from_str(&text).expect("it is what a watch writes")
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

impl Run {
    /// The exit code is the same wherever it is told.
    fn agrees(&self) {
        assert_eq!(self.report["summary"]["exitCode"], self.code, "{self}");
        let last = format!("(exit code {})\n", self.code);
        assert!(self.stdout.ends_with(&last), "{self}");
    }

    /// Why the target could not be judged.
    pub(crate) fn unusable(&self) -> &str {
        let reason = self.report["targets"][0]["unusable"].as_str();
        reason.unwrap_or_else(|| panic!("the target was usable: {self}"))
    }

    fn cases(&self) -> impl Iterator<Item = &Value> {
        self.report["cases"].as_array().into_iter().flatten()
    }

    /// The cases of a verdict.
    pub(crate) fn of(&self, verdict: &str) -> Vec<&Value> {
        self.cases()
            .filter(|case| case["verdict"] == verdict)
            .collect()
    }

    /// The requirements that are violated, each as often as a case says so.
    pub(crate) fn violated(&self) -> Vec<&str> {
        let failed = self.of("fail").into_iter();
        failed
            .flat_map(|case| case["requirements"].as_array().into_iter().flatten())
            .filter(|found| found["verdict"] == "fail")
            .filter_map(|found| found["id"].as_str())
            .collect()
    }

    /// The result of a case.
    pub(crate) fn case(&self, id: &str) -> &Value {
        self.cases()
            .find(|case| case["id"] == id)
            .unwrap_or_else(|| panic!("there is no {id}: {self}"))
    }

    /// Asserts that the terminal report holds these texts, however its lines are broken.
    pub(crate) fn tells(&self, texts: &[&str]) {
        let told = flat(&self.stdout);
        for text in texts {
            assert!(told.contains(&flat(text)), "nothing tells {text:?}: {self}");
        }
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl std::fmt::Display for Run {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "exit code {}\n{}{}",
            self.code, self.stdout, self.stderr
        )
    }
}
