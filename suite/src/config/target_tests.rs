//! What a `[[target]]` comes to, and what is said of one that is wrong.

use std::time::Duration;

use super::{Expanded, Settings, Surroundings};

fn read(text: &str) -> Result<Settings, String> {
    let variables = |name: &str| match name {
        "TOKEN" => Some("s3cr3t".to_owned()),
        "OTHER" => Some("0th3r".to_owned()),
        _ => None,
    };
    let around = Surroundings {
        variables: &variables,
        profiles: &["bench"],
        is_chosen: &|name| name != "other",
    };
    Settings::read("mcpspec.toml", text, &around).map_err(|faults| {
        let told = faults.iter().map(|fault| {
            let (at, message) = (fault.at, &fault.message);
            format!("{}:{}:{}: {message}", fault.file, at.line, at.column)
        });
        told.collect::<Vec<_>>().join("\n")
    })
}

#[test]
fn a_target_tells_how_it_is_reached_and_treated() {
    let text = r#"
[[target]]
name = "notes"
command = ["node", "server.js", "--key=${TOKEN}"]
url = "http://127.0.0.1:3000/mcp"
env = { KEY = "${TOKEN}", EMPTY = "" }
headers = { Authorization = "Bearer ${TOKEN}" }
cwd = "sub"
call-tools = "listed"
profile = "bench"
[target.triggers.slow-tool]
method = "tools/call"
params = { name = "import" }
"#;
    let settings = read(text).expect("the configuration is right");
    let [target] = settings.targets.as_slice() else {
        panic!("one target, not {settings:?}")
    };
    assert_eq!(target.name, "notes");
    assert_eq!(target.command[2].value, "--key=s3cr3t");
    assert_eq!(target.command[2].written, "--key=${TOKEN}");
    assert_eq!(target.headers[0].1.value, "Bearer s3cr3t");
    assert_eq!(target.env.len(), 2);
    assert_eq!(target.call_tools.as_deref(), Some("listed"));
    assert_eq!(target.profile.as_deref(), Some("bench"));
    assert!(target.triggers.contains_key("slow-tool"));
    assert_eq!(target.secrets().count(), 3);
}

#[test]
fn a_target_names_tokens_by_their_variables_and_how_long_it_may_take() {
    let text = r#"
[[target]]
name = "notes"
url = "https://example.com/mcp"
bearer-env = "TOKEN"
second-bearer-env = "OTHER"
low-scope-bearer-env = "OTHER"
startup-timeout = "1m"
timeout = "2500ms"
"#;
    let settings = read(text).expect("the configuration is right");
    let target = &settings.targets[0];
    let bearer = Expanded {
        written: "Bearer ${TOKEN}".to_owned(),
        value: "Bearer s3cr3t".to_owned(),
        variables: vec![("TOKEN".to_owned(), "s3cr3t".to_owned())],
    };
    assert_eq!(
        target.headers,
        [("Authorization".to_owned(), bearer.clone())]
    );
    let other = Expanded {
        written: "Bearer ${OTHER}".to_owned(),
        value: "Bearer 0th3r".to_owned(),
        variables: vec![("OTHER".to_owned(), "0th3r".to_owned())],
    };
    assert_eq!(target.second_bearer.as_ref(), Some(&other));
    assert_eq!(target.low_scope_bearer.as_ref(), Some(&other));
    assert_eq!(target.startup_timeout, Some(Duration::from_secs(60)));
    assert_eq!(target.timeout, Some(Duration::from_millis(2500)));
    assert_eq!(target.secrets().count(), 3);
}

#[test]
fn a_target_that_is_not_judged_needs_none_of_its_variables() {
    let body = "url = \"https://${GONE}/\"\nbearer-env = \"GONE\"\ncommand = [\"${GONE}\"]\n";
    let of = |name: &str| read(&format!("[[target]]\n{body}name = \"{name}\"\n"));
    assert!(of("other").is_ok());
    let places = ["2:1", "3:1", "4:12"];
    let told = places
        .map(|place| format!("mcpspec.toml:{place}: the environment variable GONE is not set"));
    assert_eq!(of("a"), Err(told.join("\n")));
    // What is wrong without them is told all the same.
    assert!(read("[[target]]\nname = \"other\"\nurl = \"ftp://h/\"\n").is_err());
}

#[test]
fn what_is_wrong_with_a_target_is_told_with_its_place() {
    for (body, expected) in [
        ("command = [\"a\"]", "1:1: a target has no `name`"),
        (
            "name = \"a\"",
            "1:1: target `a` has neither `command` nor `url`",
        ),
        (
            "name = \"a\"\ncommand = \"a b\"",
            "3:1: `command` is a list of words, such as [\"node\", \"server.js\"]",
        ),
        (
            "name = \"a\"\ncommand = []",
            "3:1: `command` is a list of words, such as [\"node\", \"server.js\"]",
        ),
        (
            "name = \"a\"\ncommand = [\"a\", 1]",
            "3:17: a word of `command` is a string",
        ),
        (
            "name = \"a\"\ncommand = [\"a\", \"${GONE}\"]",
            "3:17: the environment variable GONE is not set",
        ),
        (
            "name = \"a\"\ncommand = [\"a\", \"${TOKEN\"]",
            "3:17: `${` has no `}`",
        ),
        (
            "name = \"a\"\nurl = \"ftp://h/\"",
            "3:1: `url` is not the URL of a server: the scheme is ftp",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nheaders = { \"a b\" = \"c\" }",
            "4:13: `a b`: the name is no HTTP token",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nheaders = { a = 1 }",
            "4:13: `a` is an integer, not a string",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nenv = { a = \"1\" }",
            "1:1: target `a` has `env` or `cwd`, but no `command`",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\nheaders = { a = \"b\" }",
            "1:1: target `a` has headers or tokens, but no `url`",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\nenv = { \"a=b\" = \"c\" }",
            "4:9: `a=b`: the name is none",
        ),
        (
            "name = \"a\"\ncommand = [\"a\\u0000\"]",
            "3:12: the text holds a NUL",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\ncall-tools = \"some\"",
            "4:1: `call-tools` cannot be `some`",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\nprofile = \"banch\"",
            "4:1: `profile` cannot be `banch`",
        ),
        (
            "name = \"a\"\ncommand = [\"\"]",
            "3:1: the first word of `command` is empty",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\ntimeout = \"0s\"",
            "4:1: `timeout`: it has to be more than nothing",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\ntimeout = 5",
            "4:1: `timeout` is an integer, not a time with its unit, such as \"5s\"",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\nsecond-bearer-env = \"TOKEN\"",
            "1:1: target `a` has headers or tokens, but no `url`",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nsecond-bearer-env = \"TOKEN\"\nbearer-env = \"TOKEN\"",
            "4:1: `second-bearer-env` gives the token that is used for everything else: name the variable that holds one of another user, or leave it out",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nheaders = { Authorization = \"Bearer ${TOKEN}\" }\nlow-scope-bearer-env = \"TOKEN\"",
            "5:1: `low-scope-bearer-env` gives the token that is used for everything else: name the variable that holds one of someone who may do less, or leave it out",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nheaders = { authorization = \"b\" }\nbearer-env = \"TOKEN\"",
            "5:1: `bearer-env` and `headers` both give Authorization",
        ),
        (
            "name = \"a\"\nurl = \"http://h/\"\nheaders = { mcp-name = \"b\" }",
            "4:13: `mcp-name`: mcpspec sets this header itself, since it repeats what is in the body of each request",
        ),
        (
            "name = \"a\"\ncomand = [\"a\"]",
            "3:1: unknown key of a target `comand`",
        ),
        (
            "name = \"a\"\ncommand = [\"a\"]\n[[target]]\nname = \"a\"\ncommand = [\"b\"]",
            "4:1: two targets are named `a`",
        ),
        (
            "name = \"a\"\ncommand = []\n[[target]]\nname = \"a\"\ncommand = [\"b\"]",
            "3:1: `command` is a list of words, such as [\"node\", \"server.js\"]\nmcpspec.toml:4:1: two targets are named `a`",
        ),
    ] {
        let expected = format!("mcpspec.toml:{expected}");
        assert_eq!(
            read(&format!("[[target]]\n{body}\n")),
            Err(expected),
            "{body}"
        );
    }
    let table = read("[target]\nname = \"a\"\n");
    assert_eq!(
        table,
        Err("mcpspec.toml:1:2: `target` is a table, not a list of [[target]] tables".to_owned())
    );
}
