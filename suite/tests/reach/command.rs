//! Commands that do not serve at once: they greet, take their time, or ask something first.

use std::net::TcpListener;

use assert_cmd::cargo::cargo_bin;

use crate::check;

/// What a command does before it serves: a banner, a question that nobody answers, and a second of work.
const BEFORE: &str = r#"echo "*** Banner 1.0 ***" >&2; printf "Continue? [Y/n] " >&2; sleep 1; "#;

/// The reference server after that, with these arguments.
fn late(arguments: &str) -> String {
    let program = cargo_bin("mcpspec");
    format!("{BEFORE}exec '{}' serve {arguments}", program.display())
}

#[test]
fn a_command_that_greets_asks_and_starts_late_is_judged_over_stdio() {
    let run = check(&[], &["--", "sh", "-c", &late("--stdio")]);
    assert_eq!(run.code, Some(0), "{}", run.said);
}

#[test]
fn a_command_that_greets_asks_and_starts_late_is_judged_over_http() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    drop(listener);
    let url = format!("http://{address}/mcp");
    let command = late(&format!("--http {address}"));
    let run = check(&[], &[&url, "--", "sh", "-c", &command]);
    assert_eq!(run.code, Some(0), "{}", run.said);
}

#[test]
fn a_command_that_waits_for_an_answer_is_told_with_its_question() {
    // The first message is read as the answer, and what follows is not understood.
    let script = format!("{BEFORE}read -r answer; cat >/dev/null");
    let run = check(
        &[],
        &[
            "--timeout",
            "2s",
            "--startup-timeout",
            "3s",
            "--",
            "sh",
            "-c",
            &script,
        ],
    );
    assert_eq!(run.code, Some(3), "{}", run.said);
    for words in ["*** Banner 1.0 ***", "Continue? [Y/n]"] {
        assert!(run.unusable().contains(words), "{}", run.said);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_leaves_session_and_environment_does_not_outlive_the_run() {
    // Nobody else sleeps for so long.
    const LONG: &str = "86431";
    let program = cargo_bin("mcpspec");
    let script = format!(
        "setsid env -i sleep {LONG} & exec '{}' serve --stdio",
        program.display()
    );
    let run = check(&[], &["--", "sh", "-c", &script]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    let left: Vec<_> = std::fs::read_dir("/proc")
        .expect("Linux has it")
        .flatten()
        .filter(|entry| {
            let words = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            words
                .split(|&byte| byte == 0)
                .any(|word| word == LONG.as_bytes())
        })
        .map(|entry| entry.file_name())
        .collect();
    assert!(left.is_empty(), "{left:?} still sleeps");
}

#[test]
fn an_empty_command_is_one_message() {
    for words in [&[""][..], &[" ", "a"]] {
        let run = check(&[], &[&["--"][..], words].concat());
        assert_eq!(run.code, Some(2), "{}", run.said);
        assert_eq!(
            run.stderr,
            "error: the command is empty\nhint: write -- COMMAND…, such as -- node build/index.js\n"
        );
    }
}

#[test]
fn a_header_that_repeats_the_body_is_refused() {
    let run = check(
        &[],
        &["--header", "Mcp-Method: x", "http://127.0.0.1:1/mcp"],
    );
    assert_eq!(run.code, Some(2), "{}", run.said);
    assert_eq!(
        run.stderr,
        "error: a --header is wrong: mcpspec sets this header itself, since it repeats what is in the body of each request\n\
         hint: leave it out\n"
    );
}
