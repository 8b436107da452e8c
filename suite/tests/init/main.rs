//! `mcpspec init` as a new user meets it: in an empty folder, with a server that nobody prepared.
#![cfg(unix)]

mod secrets;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(120);

/// A server of a few lines: it answers `NAME.json` to the method whose last part is NAME, and an error to any other.
const SERVER: &str = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":"\{0,1\}\([^,"]*\)"\{0,1\},.*/\1/')
  method=$(printf '%s' "$line" | sed 's/.*"method":"\([^"]*\)".*/\1/' | tr / _)
  case "$line" in *'"id"'*) ;; *) continue ;; esac
  case "$line" in *'"id":"'*) id="\"$id\"" ;; esac
  if [ -f "$method.json" ]; then
    printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$(cat "$method.json")"
  else
    printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\n' "$id"
  fi
done
"#;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

/// A folder with a server that gives these results, by method.
fn server(results: &[(&str, Value)]) -> TempDir {
    let folder = folder();
    fs::write(folder.path().join("server.sh"), SERVER).expect("the folder is writable");
    for (method, result) in results {
        // A line of the protocol holds no line feed, and the shell none of what `printf` would obey.
        let file = folder
            .path()
            .join(format!("{}.json", method.replace('/', "_")));
        fs::write(file, result.to_string()).expect("the folder is writable");
    }
    folder
}

/// A server with tools alone that gives itself this name.
fn with_tools(name: &str, tools: &Value) -> TempDir {
    let mut discover = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0, "cacheScope": "private" });
    discover["capabilities"] = json!({ "tools": {} });
    discover["_meta"] =
        json!({ "io.modelcontextprotocol/serverInfo": { "name": name, "version": "1.2.0" } });
    let list =
        json!({ "resultType": "complete", "tools": tools, "ttlMs": 0, "cacheScope": "private" });
    let call = json!({ "resultType": "complete", "content": [] });
    server(&[
        ("server/discover", discover),
        ("tools/list", list),
        ("tools/call", call),
    ])
}

fn program() -> String {
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    program.to_str().expect("the path is UTF-8").to_owned()
}

fn mcpspec(folder: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    assert_cmd::Command::cargo_bin("mcpspec")
        .expect("the program is built")
        .args(arguments)
        .current_dir(folder)
        .timeout(LIMIT)
        .envs(variables.iter().copied())
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env_remove("RUST_LOG")
        .output()
        .expect("the program runs")
}

fn init(folder: &Path, arguments: &[&str]) -> Output {
    mcpspec(folder, &[], &[&["init"], arguments].concat())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn written(folder: &Path) -> String {
    fs::read_to_string(folder.join("mcpspec.toml")).expect("the file is written")
}

/// The verdict of each case that is judged by these arguments.
fn verdicts(
    folder: &Path,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> BTreeMap<String, String> {
    const CASES: [&str; 8] = [
        "--case",
        "tools/call/*",
        "--case",
        "mrtr/*/*",
        "--case",
        "discover/*/*",
        "--report",
        "json",
    ];
    let output = mcpspec(
        folder,
        variables,
        &[&["check"], &CASES[..], arguments].concat(),
    );
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    let cases = report["cases"].as_array().expect("cases are a list").iter();
    let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
    cases
        .map(|case| (text(&case["id"]), text(&case["verdict"])))
        .collect()
}

/// A URL at which nothing listens, and its address.
fn free() -> (String, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound").to_string();
    (format!("http://{address}/mcp"), address)
}

#[test]
fn what_is_written_of_the_reference_server_is_judged_alike() {
    let (folder, elsewhere, program) = (folder(), folder(), program());
    let target = ["--", program.as_str(), "serve", "--stdio"];
    let output = init(folder.path(), &target);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    insta::assert_snapshot!(
        "reference",
        written(folder.path()).replace(&program, "mcpspec")
    );
    insta::assert_snapshot!("reference-stderr", stderr(&output));
    assert_eq!(output.stdout, b"");
    let files = fs::read_dir(folder.path()).expect("the folder is there");
    assert_eq!(files.count(), 1, "nothing is left beside the file");

    let told = verdicts(elsewhere.path(), &[], &target);
    assert!(told.len() > 50, "{} cases", told.len());
    assert_eq!(verdicts(folder.path(), &[], &[]), told);
}

#[test]
fn a_server_with_tools_alone_is_written_with_what_would_get_more_judged() {
    let tools = json!([
        { "name": "look", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } },
        { "name": "rename", "inputSchema": { "type": "object", "properties": { "to": { "type": "string", "minLength": 3 } }, "required": ["to"] } },
        { "name": "guess", "inputSchema": { "type": "object", "properties": { "word": { "type": "string", "pattern": "^(?=a)b" } }, "required": ["word"] }, "annotations": { "readOnlyHint": true } },
        { "name": "search", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true, "openWorldHint": true } },
        { "name": "wipe", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true, "destructiveHint": true } },
    ]);
    let folder = with_tools("notes", &tools);
    let output = init(folder.path(), &["--", "sh", "server.sh"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    insta::assert_snapshot!("tools-alone", written(folder.path()));
    insta::assert_snapshot!("tools-alone-stderr", stderr(&output));
    let told = verdicts(folder.path(), &[], &["--", "sh", "server.sh"]);
    assert_eq!(verdicts(folder.path(), &[], &[]), told);
}

/// How many cases `check` would run in a folder.
fn planned(folder: &Path) -> usize {
    let output = mcpspec(folder, &[], &["check", "--dry-run"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    number(&text, "([0-9]+) cases? would send")
}

fn number(text: &str, pattern: &str) -> usize {
    let pattern = regex::Regex::new(pattern).expect("it is one");
    let found = pattern.captures(text);
    let found = found.unwrap_or_else(|| panic!("nothing like {pattern}: {text}"));
    found[1].parse().expect("it is a number")
}

#[test]
fn a_stub_that_is_put_in_force_enables_as_many_cases_as_it_says() {
    let tools = json!([{ "name": "look", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } }]);
    let folder = with_tools("notes", &tools);
    let output = init(folder.path(), &["--", "sh", "server.sh"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = written(folder.path());
    let before = planned(folder.path());
    // No watch waits for these: it sends nothing, so that a dry run does not count it.
    for name in ["elicitation-tool", "embedded-resource", "state-tool"] {
        let told = number(
            &text,
            &format!("# {name} makes the server [^:]*: ([0-9]+) case"),
        );
        let start = text.find(&format!("#[triggers.{name}]\n"));
        let (rest, stub) = text.split_at(start.expect("there is a stub"));
        let (stub, after) = stub.split_once("\n\n").expect("a blank line follows");
        let stub = stub.replace("\n#", "\n").replace("TOOL", "look");
        let text = format!("{rest}{}\n\n{after}", &stub[1..]);
        fs::write(folder.path().join("mcpspec.toml"), text).expect("the folder is writable");
        assert_eq!(planned(folder.path()), before + told, "{name}");
    }
}

#[test]
fn an_earlier_file_stays_unless_force_says_otherwise() {
    let folder = with_tools("notes", &json!([]));
    let path = folder.path().join("mcpspec.toml");
    fs::write(&path, "# mine\n").expect("the folder is writable");
    let command = ["--", "sh", "-c", "touch started; exec sh server.sh"];
    let output = init(folder.path(), &command);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("exists", stderr(&output));
    assert_eq!(written(folder.path()), "# mine\n");
    assert!(
        !folder.path().join("started").exists(),
        "nothing was started"
    );

    let output = init(folder.path(), &[&["--force"], &command[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(written(folder.path()).contains("name = \"notes\"\n"));
}

#[test]
fn of_a_server_that_cannot_be_surveyed_nothing_is_written() {
    let initialized = json!({ "protocolVersion": "2025-06-18", "capabilities": { "tools": {} }, "serverInfo": { "name": "old", "version": "1" } });
    let folder = server(&[("initialize", initialized)]);
    let (url, _) = free();
    let port = regex::Regex::new("127.0.0.1:[0-9]+").expect("it is one");
    for (name, target) in [
        ("legacy", &["--", "sh", "server.sh"][..]),
        ("no-command", &["--", "./not-there"]),
        ("ends", &["--", "sh", "-c", "echo no database >&2; exit 7"]),
        ("nobody-listens", &[&url]),
    ] {
        let output = init(folder.path(), target);
        assert_eq!(output.status.code(), Some(3), "{name}: {}", stderr(&output));
        let told = stderr(&output);
        insta::assert_snapshot!(name, port.replace_all(&told, "127.0.0.1:PORT"));
        assert!(!folder.path().join("mcpspec.toml").exists(), "{name}");
    }
}

#[test]
fn a_target_is_required() {
    let folder = folder();
    let output = init(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("no-target", stderr(&output));
}

#[test]
fn whatever_a_server_calls_itself_the_file_is_read_and_shows_no_sequence() {
    let names = [
        "\u{1b}[2J\u{9b}31m",
        "a\nname = \"b\"\n[[target]]",
        "'''\"\"\"",
        "\r# x\r\n",
        "\u{202e}gpj",
        "${HOME}",
        "",
        " ",
        "#",
        "]]>",
        "\\",
    ];
    let tools: Vec<Value> = names
        .iter()
        .chain(&["x".repeat(100_000).as_str()])
        .map(|name| json!({ "name": name, "description": name, "annotations": { "readOnlyHint": true },
            "inputSchema": { "type": "object", "required": [name], "properties": { (name.to_string()): { "default": name } } } }))
        .collect();
    // A name of each sort; the tools have all of them.
    for name in &names[..5] {
        let folder = with_tools(name, &Value::from(tools.clone()));
        let output = init(
            folder.path(),
            &["--call-tools", "all", "--", "sh", "server.sh"],
        );
        assert_eq!(
            output.status.code(),
            Some(0),
            "{name:?}: {}",
            stderr(&output)
        );
        let text = written(folder.path());
        let unseen = |character: char| {
            character.is_control() && character != '\n' || character == '\u{202e}'
        };
        assert!(!text.contains(unseen), "{name:?}: {text}");
        assert!(text.len() < 100_000, "{name:?}: {} bytes", text.len());
        let output = mcpspec(
            folder.path(),
            &[],
            &["check", "--case", "discover/method/*"],
        );
        assert_ne!(
            output.status.code(),
            Some(2),
            "{name:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn lines_that_a_report_prints_can_be_added_to_what_init_wrote() {
    let tools = json!([{ "name": "look", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } }]);
    let folder = with_tools("notes", &tools);
    let output = init(folder.path(), &["--", "sh", "server.sh"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = written(folder.path());
    // Most cases of these areas wait for a trigger.
    let areas = [
        "mrtr/*",
        "elicitation/*",
        "sampling/*",
        "roots/*",
        "progress/*",
        "cancellation/*",
    ];
    let selected = areas.iter().flat_map(|area| ["--case", area]);
    let arguments: Vec<&str> = ["check", "--report", "json"]
        .into_iter()
        .chain(selected)
        .collect();
    let output = mcpspec(folder.path(), &[], &arguments);
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    let cases = report["cases"].as_array().expect("cases are a list").iter();
    let added: BTreeSet<&str> = cases.filter_map(|case| case["add"].as_str()).collect();
    assert!(added.len() > 10, "{added:#?}");
    for add in &added {
        let whole = format!("{text}\n{add}\n");
        fs::write(folder.path().join("mcpspec.toml"), whole).expect("the folder is writable");
        // The file is read whole before a target is looked for, and nothing is started.
        let output = mcpspec(folder.path(), &[], &["check", "--target", "another"]);
        let told = stderr(&output);
        assert!(told.contains("has no target `another`"), "{add}: {told}");
    }
}

#[test]
fn as_many_triggers_are_told_as_are_written() {
    let folder = folder();
    let command = ["--", &program(), "serve", "--stdio", "--era", "dual"];
    let output = init(folder.path(), &command);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = written(folder.path());
    let (known, _) = text
        .split_once("# Triggers that are not known")
        .unwrap_or((&text, ""));
    let tables = known
        .lines()
        .filter_map(|line| line.strip_prefix("#[triggers."));
    let tables = tables.filter(|table| !table.contains('.')).count();
    let told = format!(", {tables} triggers known");
    assert!(
        tables > 10 && stderr(&output).contains(&told),
        "{tables}: {}",
        stderr(&output)
    );
}
