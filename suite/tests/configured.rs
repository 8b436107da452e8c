//! `mcpspec.toml` as a user meets it: `check` without arguments in a folder that has one.

use std::fs;
use std::process::Output;
use std::time::Duration;

use serde_json::Value;

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// A value that must not be seen in any output.
const SECRET: &str = "k3y-of-the-test";

/// A folder with this configuration, in which the path of the program stands for `PROGRAM`.
fn folder(configuration: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    let program = program.to_str().expect("the path is UTF-8");
    let text = configuration.replace("PROGRAM", &program.replace('\\', "/"));
    fs::write(folder.path().join("mcpspec.toml"), text).expect("the folder is writable");
    folder
}

fn check(folder: &tempfile::TempDir, arguments: &[&str]) -> Output {
    assert_cmd::Command::cargo_bin("mcpspec")
        .expect("the program is built")
        .arg("check")
        .args(arguments)
        .current_dir(folder.path())
        .timeout(LIMIT)
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .env("MCPSPEC_TEST_KEY", SECRET)
        .env("MCPSPEC_TEST_BOB", "token-of-bob")
        .output()
        .expect("the program runs")
}

fn shown(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    let text = [out.as_slice(), err.as_slice()].concat();
    String::from_utf8_lossy(&text).into_owned()
}

const TWO: &str = r#"
[[target]]
name = "first"
command = ["PROGRAM", "serve", "--stdio"]
env = { KEY = "${MCPSPEC_TEST_KEY}" }

[[target]]
name = "second"
command = ["PROGRAM", "serve", "--stdio", "--mutant", "${MCPSPEC_TEST_KEY}"]
"#;

#[test]
fn without_arguments_every_target_of_the_configuration_is_judged() {
    let two = TWO.replace(", \"--mutant\", \"${MCPSPEC_TEST_KEY}\"", "");
    let folder = folder(&two);
    let arguments = ["--case", "discover.implemented", "--report", "json"];
    let output = check(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let targets = report["targets"].as_array().expect("targets are a list");
    let names: Vec<_> = targets
        .iter()
        .map(|target| target["name"].as_str())
        .collect();
    assert_eq!(names, [Some("first"), Some("second")]);

    let output = check(&folder, &[&arguments[..], &["--target", "second"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(report["targets"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["targets"][0]["name"], "second");
}

#[test]
fn a_value_from_the_environment_reaches_the_server_and_no_output() {
    let folder = folder(TWO);
    // The server refuses this mutant by its name, so that the value comes back on its standard error.
    for format in ["terminal", "json", "junit"] {
        let arguments = ["--case", "discover.implemented", "-v", "--report", format];
        let output = check(&folder, &[&arguments[..], &["--target", "second"]].concat());
        let text = shown(&output);
        assert!(text.contains("there is no mutant `[redacted]`"), "{text}");
        assert!(!text.contains(SECRET), "{text}");
        assert!(
            format != "json" || text.contains("${MCPSPEC_TEST_KEY}"),
            "{text}"
        );
    }
}

#[test]
fn a_variable_that_is_not_set_is_told_with_its_place() {
    let folder = folder("[[target]]\nname = \"a\"\ncommand = [\"a\", \"${MCPSPEC_TEST_GONE}\"]\n");
    let output = check(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_target_that_the_configuration_does_not_have_is_told_with_those_it_has() {
    let folder = folder(TWO);
    let output = check(&folder, &["--target", "third"]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_target_on_the_command_line_is_judged_alone() {
    let folder = folder(TWO);
    let arguments = ["--case", "discover.implemented", "--report", "json", "--"];
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    let program = program.to_str().expect("the path is UTF-8");
    let output = check(
        &folder,
        &[&arguments[..], &[program, "serve", "--stdio"]].concat(),
    );
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(report["targets"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_command_line_counts_before_the_configuration() {
    let target = "[[target]]\nname = \"a\"\ncommand = [\"PROGRAM\", \"serve\", \"--stdio\"]\ncall-tools = \"all\"\n";
    let folder = folder(target);
    for (arguments, is_called) in [(&[][..], true), (&["--call-tools", "none"][..], false)] {
        let always = ["--case", "tools/call/*", "--report", "json"];
        let output = check(&folder, &[&always[..], arguments].concat());
        let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        let text = report.to_string();
        assert_eq!(
            text.contains("--call-tools none permits no call"),
            !is_called,
            "{text}"
        );
    }
}

#[test]
fn a_variable_of_a_target_that_is_not_judged_need_not_be_set() {
    let other = "\n[[target]]\nname = \"other\"\nurl = \"https://${MCPSPEC_TEST_GONE}/mcp\"\n";
    let folder = folder(&format!("{TWO}{other}"));
    let always = ["--case", "discover.implemented", "--target", "first"];
    let output = check(&folder, &always);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let output = check(&folder, &["--target", "other"]);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let output = check(&folder, &["--case", "discover.implemented", "--", "false"]);
    assert_eq!(output.status.code(), Some(3), "{}", shown(&output));
}

/// A target that asks for tokens, and gets that of the first principal.
fn protected() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound").to_string();
    drop(listener);
    format!(
        "[[target]]\nname = \"a\"\nurl = \"http://{address}/mcp\"\n\
         command = [\"PROGRAM\", \"serve\", \"--http\", \"{address}\", \"--protected\"]\n\
         headers = {{ Authorization = \"Bearer token-of-alice\" }}\n"
    )
}

#[test]
fn tokens_of_other_principals_let_more_be_judged() {
    let target = protected();
    let words = [
        "name the environment variable",
        "[[target]] in mcpspec.toml",
    ];
    let second = "second-bearer-env = \"MCPSPEC_TEST_BOB\"\n";
    let selected = ["--verbose", "--case", "resources/access/other-principal"];
    let without = shown(&check(&folder(&target), &selected));
    for word in words {
        assert!(without.contains(word), "{without}");
    }
    let output = check(&folder(&format!("{target}{second}")), &selected);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("1 pass"), "{text}");
    assert!(!text.contains("token-of-bob"), "{text}");
}

#[test]
fn a_trigger_that_names_what_the_server_does_not_list_is_told_before_anything_else() {
    let folder = folder(
        r#"
[[target]]
name = "a"
command = ["PROGRAM", "serve", "--stdio"]

[target.triggers.listed-prompt]
method = "prompts/get"
params = { name = "gret" }

[triggers.slow-tool.counter]
method = "tools/call"
params = { name = "ech" }
"#,
    );
    let output = check(&folder, &["--case", "discover.implemented"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @r"
    warning: mcpspec.toml: [target.triggers.listed-prompt] names the prompt `gret`, which the server does not list: is it `greet`?
    warning: mcpspec.toml: [triggers.slow-tool.counter] names the tool `ech`, which the server does not list: is it `echo`?
    ");
}

#[test]
fn of_a_watch_that_saw_nothing_the_trigger_is_told_that_would_bring_it() {
    let folder = folder("");
    let cases = folder.path().join("mine/content/image");
    fs::create_dir_all(&cases).expect("the folder is writable");
    let rule =
        "- { id: x.mine.image, statement: Images are small., level: should, violated: warn }\n";
    fs::write(folder.path().join("mine/requirements.yaml"), rule).expect("the folder is writable");
    let watch = "summary: An image tells its size\nrequirement: x.mine.image\nwatch: result\nwhere: { request: { method: tools/call }, result: { content: { $some: { type: image, _meta: { size: {} } } } } }\nexpect: {}\n";
    fs::write(cases.join("size.yaml"), watch).expect("the folder is writable");
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    let program = program.to_str().expect("the path is UTF-8");
    let skipped = || -> Value {
        let selected = [
            "--cases",
            "mine",
            "--case",
            "content/image/*",
            "--report",
            "json",
        ];
        let server = ["--", program, "serve", "--stdio"];
        let output = check(&folder, &[&selected[..], &server].concat());
        let report: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", shown(&output)));
        let cases = report["cases"].as_array().expect("cases are a list").iter();
        let mut mine = cases.filter(|case| case["id"] == "content/image/size");
        mine.next()
            .cloned()
            .unwrap_or_else(|| panic!("{}", shown(&output)))
    };
    let case = skipped();
    assert_eq!(
        case["reason"],
        "no result of tools/call had `content[]._meta.size`: if some request brings that, name it under [triggers.image-tool] in mcpspec.toml"
    );
    let add = case["add"].as_str().expect("there are lines to add");
    insta::assert_snapshot!(add, @r#"
    [triggers.image-tool]
    method = "tools/call"
    params = { name = "TOOL", arguments = {} }
    "#);
    // Once they stand there, a second table would be a fault.
    fs::write(
        folder.path().join("mcpspec.toml"),
        add.replace("TOOL", "image"),
    )
    .expect("the folder is writable");
    let case = skipped();
    assert_eq!(
        case["reason"],
        "no result of tools/call had `content[]._meta.size`: if another request brings that, name it in place of the one under [triggers.image-tool] in mcpspec.toml"
    );
    assert_eq!(case["add"], Value::Null);
}

#[test]
fn everything_that_is_wrong_with_the_configuration_is_told_at_once() {
    let folder =
        folder("[[target]]\nname = \"a\"\ncommand = [1]\ntimeout = 5\n\n[triggers.slow]\n");
    let output = check(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_common_word_in_a_variable_leaves_the_report_readable() {
    let folder = folder("");
    let program = assert_cmd::cargo::cargo_bin("mcpspec");
    let program = program.to_str().expect("the path is UTF-8");
    let selected = ["--case", "discover/*", "--case", "tools/*", "--verbose"];
    let arguments = ["--env", "MODE=server", "--", program, "serve", "--stdio"];
    let text = shown(&check(&folder, &[&selected[..], &arguments].concat()));
    let garbled: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("[redacted]"))
        .collect();
    assert!(
        garbled.iter().all(|line| line.contains("MODE=[redacted]")),
        "{garbled:#?}"
    );
}

#[test]
fn a_token_of_another_principal_that_the_server_refuses_makes_the_target_unusable() {
    // The server knows no such token.
    let second = "second-bearer-env = \"MCPSPEC_TEST_KEY\"\n";
    let selected = ["--case", "resources/access/other-principal"];
    let output = check(&folder(&format!("{}{second}", protected())), &selected);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let told = "answers 401 to the token of second-bearer-env";
    let unwrapped: Vec<&str> = text.split_whitespace().collect();
    assert!(unwrapped.join(" ").contains(told), "{text}");
    assert!(text.contains("UNUSABLE"), "{text}");
    assert!(!text.contains(SECRET), "{text}");
}

#[test]
fn a_token_of_another_principal_that_the_command_line_gives_too_is_refused() {
    for key in ["second-bearer-env", "low-scope-bearer-env"] {
        let other = format!("{key} = \"MCPSPEC_TEST_BOB\"\n");
        let folder = folder(&format!("{}{other}", protected()));
        let output = check(&folder, &["--bearer-env", "MCPSPEC_TEST_BOB"]);
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let told = format!("`{key}` of the target a gives the token that the command line gives");
        assert!(text.contains(&told), "{text}");
        assert!(!text.contains("token-of-bob"), "{text}");
    }
}
