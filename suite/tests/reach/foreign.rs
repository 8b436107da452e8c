//! `--from`: servers that an MCP client's file, or the MCP Registry's `server.json`, names.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use assert_cmd::cargo::cargo_bin;

use crate::front::{Front, answer, mcp};
use crate::{Run, check};

/// A value that must not be seen in any output.
const SECRET: &str = "k3y-of-the-test";

/// A folder with this file, in which the path of the program stands for `PROGRAM`, and the path of the file.
fn written(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("servers.json");
    let text = text.replace("PROGRAM", &cargo_bin("mcpspec").to_string_lossy());
    fs::write(&file, text).expect("the folder is writable");
    let file = file.to_string_lossy().into_owned();
    (folder, file)
}

fn judged(run: &Run) -> Option<&str> {
    run.report["targets"][0]["name"].as_str()
}

#[test]
fn a_command_of_a_client_s_file_is_judged_and_its_variables_are_hidden() {
    // The server refuses this mutant by its name, so that the value comes back on its standard error.
    let (_folder, file) = written(
        r#"{ "mcpServers": {
            "right": { "command": "PROGRAM", "args": ["serve", "--stdio"], "env": { "KEY": "${KEY}" } }, // the one
            "wrong": { "command": "PROGRAM", "args": ["serve", "--stdio", "--mutant", "${KEY}"] },
        } }"#,
    );
    let run = check(&[("KEY", SECRET)], &["--from", &file, "--server", "right"]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    assert_eq!(judged(&run), Some("right"));
    let run = check(&[("KEY", SECRET)], &["--from", &file, "--server", "wrong"]);
    assert_eq!(run.code, Some(3), "{}", run.said);
    assert!(
        run.said.contains("there is no mutant `[redacted]`"),
        "{}",
        run.said
    );
    assert!(!run.said.contains(SECRET), "{}", run.said);
}

#[test]
fn a_url_of_a_client_s_file_is_asked_with_its_headers() {
    let front = Front::new(|asked| match asked.header("x-key") {
        // A word of the same length, so that the rest of the answer stays right.
        Some(SECRET) => mcp(asked).replace("complete", "finished"),
        value => answer(401, "", value.unwrap_or("nothing came")),
    });
    let url = front.url("/mcp");
    let (_folder, file) = written(&format!(
        r#"{{ "servers": {{ "the front": {{ "type": "http", "url": "{url}", "headers": {{ "X-Key": "{SECRET}" }} }} }} }}"#
    ));
    let case = "discover/result-type/complete";
    let run = check(&[], &["--case", case, "--from", &file]);
    assert_eq!(run.code, Some(1), "{}", run.said);
    let line = format!("mcpspec check --case {case} --from {file} --server 'the front'");
    assert!(run.said.contains(&line), "{}", run.said);
    assert!(!run.said.contains(SECRET), "{}", run.said);
}

#[test]
fn a_file_that_is_wrong_is_told_with_line_and_column_and_none_of_its_lines() {
    let (_folder, file) = written(
        "{ \"mcpServers\": {\n  \"a\": { \"command\": \"a\", \"env\": { \"K\": \"k3y-of-the-test\" }, \"args\": 1 }\n} }",
    );
    let run = check(&[], &["--from", &file]);
    assert_eq!(run.code, Some(2), "{}", run.said);
    let expected = format!("error: {file}:2:69: `args` is not an array\n");
    assert_eq!(run.stderr, expected);
}

#[test]
fn variables_that_are_not_set_are_told_together() {
    let (_folder, file) = written(
        "{ \"mcpServers\": { \"a\": { \"command\": \"a\", \"args\": [\"${MCPSPEC_ONE}\"], \"env\": { \"K\": \"${MCPSPEC_TWO}\" } } } }",
    );
    let run = check(&[], &["--from", &file]);
    assert_eq!(run.code, Some(2), "{}", run.said);
    assert_eq!(
        run.stderr.replace(&file, "FILE"),
        "error: FILE:1:24: `a` wants environment variables that are not set: MCPSPEC_ONE, MCPSPEC_TWO\n\
         hint: set them for mcpspec: MCPSPEC_ONE=… MCPSPEC_TWO=… mcpspec check …\n"
    );
}

#[test]
fn a_package_of_the_registry_is_started_by_its_runner() {
    let (folder, file) = written(
        r#"{ "name": "io.example/notes", "version": "1.0.0",
            "packages": [{
                "registryType": "npm", "identifier": "@example/notes", "version": "1.0.0",
                "transport": { "type": "stdio" },
                "packageArguments": [{ "type": "positional", "value": "--stdio" }],
                "environmentVariables": [{ "name": "NOTES_KEY", "isRequired": true, "isSecret": true }]
            }, { "registryType": "mcpb", "identifier": "https://example.com/notes.mcpb" }] }"#,
    );
    runner(
        folder.path(),
        r#"[ "$*" = "-y @example/notes@1.0.0 --stdio" ] && [ "$NOTES_KEY" = k3y-of-the-test ]"#,
    );
    let search = std::env::var("PATH").unwrap_or_default();
    let search = format!("{}:{search}", folder.path().display());
    let arguments = ["--from", file.as_str(), "--server", "npm"];
    let run = check(&[("PATH", &search), ("NOTES_KEY", SECRET)], &arguments);
    assert_eq!(run.code, Some(0), "{}", run.said);
    assert_eq!(judged(&run), Some("@example/notes"));
    assert!(!run.said.contains(SECRET), "{}", run.said);

    let run = check(&[], &["--from", &file, "--server", "mcpb"]);
    assert_eq!(run.code, Some(2), "{}", run.said);
    assert!(
        run.stderr.contains("which mcpspec cannot start"),
        "{}",
        run.said
    );
}

#[test]
fn what_is_handed_out_to_whom_is_told_without_values_before_anything_is_sent() {
    let front = Front::new(|asked| match asked.header("x-key") {
        Some(SECRET) => mcp(asked),
        _ => answer(401, "", ""),
    });
    let url = front.url("/mcp");
    let (_folder, file) = written(&format!(
        r#"{{ "remotes": [{{ "type": "streamable-http", "url": "{url}", "headers": [
            {{ "name": "X-Key", "value": "{{NOTES_KEY}}", "variables": {{ "NOTES_KEY": {{ "isRequired": true }} }} }},
            {{ "name": "X-Region", "value": "{{REGION}}", "variables": {{ "REGION": {{}} }} }} ] }}],
          "packages": [{{ "registryType": "npm", "identifier": "notes", "environmentVariables": [{{ "name": "NOTES_KEY" }}] }}] }}"#
    ));
    let set = [("NOTES_KEY", SECRET), ("REGION", "north-of-the-test")];
    let run = check(&set, &["--from", &file, "--server", "streamable-http"]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    let host = url.trim_start_matches("http://").trim_end_matches("/mcp");
    let expected = format!(
        "note: {file} gives the values of the environment variables NOTES_KEY, REGION to the host {host}\n"
    );
    assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
    assert!(!run.said.contains(SECRET), "{}", run.said);

    let (_, folder) = (front, tempfile::tempdir().expect("a folder can be made"));
    runner(folder.path(), "true");
    let search = format!(
        "{}:{}",
        folder.path().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let run = check(
        &[("PATH", &search), set[0]],
        &["--from", &file, "--server", "npm"],
    );
    assert_eq!(run.code, Some(0), "{}", run.said);
    let expected = format!(
        "note: {file} gives the value of the environment variable NOTES_KEY to the command `npx`\n"
    );
    assert!(run.stderr.starts_with(&expected), "{}", run.stderr);
}

/// An `npx` in this folder that starts the reference server if the condition holds.
fn runner(folder: &Path, condition: &str) {
    let path = folder.join("npx");
    let program = cargo_bin("mcpspec");
    let script = format!(
        "#!/bin/sh\n{condition} && exec '{}' serve --stdio\n",
        program.display()
    );
    fs::write(&path, script).expect("the folder is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
}
