//! What `init` writes and shows of secrets: nothing but the variables that they go into.

use std::fs;

use serde_json::json;

use crate::{folder, free, init, mcpspec, program, stderr, verdicts, written};

/// A value that must not be seen in any file or output.
const SECRET: &str = "s3cr3t-of-the-test";

#[test]
fn no_secret_is_written_and_check_asks_for_it() {
    let (folder, elsewhere, program) = (folder(), folder(), program());
    let (url, address) = free();
    let url = format!("{url}?key={SECRET}");
    let token = mcpspec_refserver::Options::TOKENS[0];
    let variables = [("NOTES_TOKEN", token)];
    let target = [
        "--bearer-env",
        "NOTES_TOKEN",
        "--header",
        &format!("X-Key: {SECRET}"),
        "--env",
        &format!("KEY={SECRET}"),
        "--call-tools",
        "none",
        "--startup-timeout",
        "30s",
        &url,
        "--",
        &program,
        "serve",
        "--protected",
        "--http",
        &address,
    ];
    let output = mcpspec(
        folder.path(),
        &variables,
        &[&["init"], &target[..]].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = written(folder.path());
    for secret in [SECRET, token] {
        assert!(!text.contains(secret), "{text}");
        assert!(!stderr(&output).contains(secret), "{}", stderr(&output));
    }
    for line in [
        "call-tools = \"none\"",
        "startup-timeout = \"30s\"",
        " cases with a token of another user under `second-bearer-env`",
        "X-Key = \"${X_KEY}\"",
        "bearer-env = \"NOTES_TOKEN\"",
        "KEY = \"${KEY}\"",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    // The triggers of the profile are told, though no tool may be called.
    assert!(text.contains("\n#[triggers.elicitation-tool]\n"), "{text}");
    assert!(
        stderr(&output).contains("set KEY, URL_KEY, X_KEY, then"),
        "{}",
        stderr(&output)
    );

    let unset = mcpspec(folder.path(), &variables, &["check"]);
    assert_eq!(unset.status.code(), Some(2));
    assert!(
        stderr(&unset).contains("the environment variable URL_KEY is not set"),
        "{}",
        stderr(&unset)
    );
    let set = [
        ("URL_KEY", SECRET),
        ("KEY", SECRET),
        ("X_KEY", SECRET),
        ("NOTES_TOKEN", token),
    ];
    let told = verdicts(elsewhere.path(), &variables, &target);
    assert_eq!(verdicts(folder.path(), &set, &[]), told);
}

#[test]
fn a_secret_in_the_command_is_neither_written_nor_shown_and_check_works_once_it_is_set() {
    let (folder, program) = (folder(), program());
    let script =
        format!("[ \"$2\" = {SECRET} ] && [ \"$3\" = --pin=42 ] && exec '{program}' serve --stdio");
    fs::write(folder.path().join("server.sh"), script).expect("the folder is writable");
    let command = ["--", "sh", "server.sh", "--api-key", SECRET, "--pin=42"];
    let output = init(folder.path(), &command);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = written(folder.path());
    let line = r#"command = ["sh", "server.sh", "--api-key", "${API_KEY}", "--pin=${PIN}"]"#;
    assert!(text.contains(line) && !text.contains(SECRET), "{text}");
    assert!(
        text.contains("#   API_KEY: `api-key` in the command\n"),
        "{text}"
    );
    assert!(
        stderr(&output).contains("set API_KEY, PIN, then"),
        "{}",
        stderr(&output)
    );

    let unset = mcpspec(folder.path(), &[], &["check"]);
    assert_eq!(unset.status.code(), Some(2), "{}", stderr(&unset));
    let selected = [
        "check",
        "--case",
        "discover/method/implemented",
        "--verbose",
    ];
    let set = [("API_KEY", SECRET), ("PIN", "42")];
    let by_file = mcpspec(folder.path(), &set, &selected);
    assert_eq!(by_file.status.code(), Some(0), "{}", stderr(&by_file));
    for format in ["terminal", "json", "junit"] {
        let arguments = [&selected[..], &["--report", format], &command].concat();
        let output = mcpspec(folder.path(), &[], &arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(
            !shown.contains(SECRET) && !shown.contains("pin=42"),
            "{shown}"
        );
    }
}

#[test]
fn a_server_of_a_client_s_file_keeps_its_name_and_its_variables() {
    let (folder, program) = (folder(), program());
    let servers = json!({ "mcpServers": { "my notes": {
        "command": program, "args": ["serve", "--stdio"],
        "env": { "KEY": "${env:NOTES_KEY}", "LEVEL": "debug" },
    } } });
    fs::write(folder.path().join("servers.json"), servers.to_string())
        .expect("the folder is writable");
    let set = [("NOTES_KEY", SECRET)];
    let output = mcpspec(folder.path(), &set, &["init", "--from", "servers.json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!stderr(&output).contains(SECRET), "{}", stderr(&output));
    let text = written(folder.path());
    for line in [
        "name = \"my notes\"\n",
        "env = { KEY = \"${NOTES_KEY}\", LEVEL = \"${LEVEL}\" }\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let set = [("NOTES_KEY", SECRET), ("LEVEL", "debug")];
    let selected = ["check", "--case", "discover/method/implemented"];
    let output = mcpspec(folder.path(), &set, &selected);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
