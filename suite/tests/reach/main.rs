//! Getting to a server: what `check` sends to a URL, and what it says where the way is barred.

#[cfg(unix)]
mod command;
#[cfg(unix)]
mod foreign;
mod front;
mod limited;
mod rate;
mod redirect;
mod tls;
mod token;
mod url;

use std::process::Output;
use std::time::Duration;

use serde_json::Value;

/// No run here takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// A case that needs no more than a server that answers `server/discover`.
const CASE: &str = "discover/method/implemented";

/// A finished run.
struct Run {
    code: Option<i32>,
    /// Everything that it wrote, the JSON report included.
    said: String,
    stderr: String,
    report: Value,
}

impl Run {
    /// Why the target could not be judged.
    fn unusable(&self) -> &str {
        let reason = self.report["targets"][0]["unusable"].as_str();
        reason.unwrap_or_else(|| panic!("the target was usable: {}", self.said))
    }
}

/// `mcpspec check`, with variables and arguments, on one case. No proxy is set unless the test says so.
fn check(variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("report.json");
    let mut command = assert_cmd::Command::cargo_bin("mcpspec").expect("the program is built");
    command.env_remove("SSL_CERT_FILE");
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    let output: Output = command
        .args(["check", "--case", CASE, "--verbose", "--report", "terminal"])
        .args(["--report", &format!("json={}", file.display())])
        .args(arguments)
        .envs(variables.iter().copied())
        .env("NO_COLOR", "1")
        .env_remove("RUST_LOG")
        .timeout(LIMIT)
        .output()
        .expect("the program runs");
    let json = std::fs::read_to_string(&file).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let stdout = String::from_utf8_lossy(&output.stdout);
    Run {
        code: output.status.code(),
        said: format!("{stdout}{stderr}{json}"),
        report: serde_json::from_str(&json).unwrap_or_default(),
        stderr,
    }
}
