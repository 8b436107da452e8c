//! What comes out of the files of others, and what is said of those that name nothing usable.

use super::{Around, Expanded, ForeignFileError, TargetSettings, read_foreign};

fn read(text: &str, name: Option<&str>) -> Result<TargetSettings, ForeignFileError> {
    let variables = |name: &str| match name {
        "TOKEN" => Some("s3cr3t-token".to_owned()),
        "EMPTY" => Some(String::new()),
        "db" => Some("notes".to_owned()),
        _ => None,
    };
    let around = Around {
        variables: &variables,
        gives_header: &|name| name.eq_ignore_ascii_case("x-given"),
    };
    read_foreign("servers.json", text, name, &around)
}

fn target(text: &str, name: Option<&str>) -> TargetSettings {
    read(text, name).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn complaint(text: &str, name: Option<&str>) -> String {
    match read(text, name) {
        Ok(target) => panic!("{target:?} was read from {text}"),
        Err(error) => error.to_string(),
    }
}

fn values<'a>(expanded: impl IntoIterator<Item = &'a Expanded>) -> String {
    let values: Vec<&str> = expanded.into_iter().map(|one| one.value.as_str()).collect();
    values.join(" ")
}

/// The command that starts the only package of an entry.
fn started(package: &str) -> String {
    let text = format!(r#"{{"packages":[{{{package}}}]}}"#);
    values(&target(&text, None).command)
}

#[test]
fn a_client_names_commands_and_urls() {
    let text = r#"{
  // as editors let one write it
  "mcpServers": {
    "notes": {
      "command": "node",
      "args": ["server.js", "--key=${TOKEN}"],
      "env": { "KEY": "${env:TOKEN}", "PORT": 3000, "DEBUG": true },
      "cwd": "sub",
      "disabled": true,
    },
    "live": { "type": "http", "url": "https://example.com/${WHERE:-mcp}", "headers": { "Authorization": "Bearer ${TOKEN}" } },
  },
}"#;
    let notes = target(text, Some("notes"));
    assert_eq!(notes.name, "notes");
    assert_eq!(values(&notes.command), "node server.js --key=s3cr3t-token");
    assert_eq!(notes.command[2].written, "--key=${TOKEN}");
    let env: Vec<_> = notes
        .env
        .iter()
        .map(|(name, value)| (name.as_str(), value.value.as_str()))
        .collect();
    assert_eq!(
        env,
        [("KEY", "s3cr3t-token"), ("PORT", "3000"), ("DEBUG", "true")]
    );
    assert_eq!(values(&notes.cwd), "sub");
    assert_eq!(notes.secrets().count(), 2);

    let live = target(text, Some("live"));
    assert_eq!(values(&live.url), "https://example.com/mcp");
    assert_eq!(live.headers[0].1.value, "Bearer s3cr3t-token");
}

#[test]
fn editors_call_the_servers_by_another_name_and_the_only_one_needs_no_name() {
    let text = r#"{ "inputs": [], "servers": { "a": { "type": "stdio", "command": "a" } } }"#;
    assert_eq!(values(&target(text, None).command), "a");
}

#[test]
fn variables_are_put_in_as_clients_do() {
    for (text, expected) in [
        (
            "$TOKEN ${TOKEN} ${env:TOKEN}",
            "$TOKEN s3cr3t-token s3cr3t-token",
        ),
        ("<${GONE:-a:-b}>", "<a:-b>"),
        ("<${GONE:-}>", "<>"),
        ("<${EMPTY:-a}>", "<>"),
        ("${", "${"),
        ("${TOKEN", "${TOKEN"),
    ] {
        let file = format!(r#"{{"mcpServers":{{"a":{{"command":"{text}x"}}}}}}"#);
        assert_eq!(
            values(&target(&file, None).command),
            format!("{expected}x"),
            "{text}"
        );
    }
}

#[test]
fn every_variable_that_is_not_set_is_told_at_once() {
    let text = r#"{"mcpServers":{
  "a": {"command": "${ONE}", "args": ["${TWO}", "${ONE}"], "env": {"X": "${env:THREE}"}}
}}"#;
    assert_eq!(
        complaint(text, None),
        "servers.json:2:8: `a` wants environment variables that are not set: ONE, TWO, THREE"
    );
    let text = text.replace("${TWO}", "").replace("${env:THREE}", "");
    assert_eq!(
        complaint(&text, None),
        "servers.json:2:8: `a` wants the environment variable ONE, which is not set"
    );
    let url = r#"{"mcpServers":{"a":{"url":"${HOST}/mcp"}}}"#;
    assert!(complaint(url, None).contains("HOST, which is not set"));
}

#[test]
fn what_is_wrong_with_a_client_s_file_is_told_with_its_place() {
    let server = |body: &str| format!("{{\"mcpServers\":{{\n\"a\": {body}}}}}");
    for (text, expected) in [
        ("{".to_owned(), "1:2: the text ends too early"),
        (
            "{\n  \"a\": tru\n}".to_owned(),
            "2:11: unexpected byte 0x0A",
        ),
        ("[]".to_owned(), "1:1: the file names no servers"),
        ("{\"mcpServers\":{}}".to_owned(), "1:15: there is no server"),
        (server("1"), "2:6: `a` is not an object"),
        (server("{}"), "2:6: `a` has neither `command` nor `url`"),
        (
            server("{\"command\":\"\"}"),
            "2:6: `command` of `a` is empty",
        ),
        (
            server("{\"command\":[\"a\"]}"),
            "2:17: `command` is not a string",
        ),
        (
            server("{\"command\":\"a\",\"args\":\"b\"}"),
            "2:28: `args` is not an array",
        ),
        (
            server("{\"command\":\"a\",\"args\":[1]}"),
            "2:29: a word of the command is not a string",
        ),
        (
            server("{\"command\":\"a\",\"env\":{\"b=\":\"\"}}"),
            "2:6: `env` has the name `b=`, which no variable can have",
        ),
        (
            server("{\"command\":\"a\",\"url\":\"http://h/\"}"),
            "2:6: `a` has both `command` and `url`",
        ),
        (
            server("{\"command\":\"a\",\"env\":{\"B\":\"${input:b}\"}}"),
            "2:32: `B` of `env`: `${input:b}` is a value that only the client has",
        ),
        (
            server("{\"url\":\"ftp://h/\"}"),
            "2:13: `url` is not the URL of a server: the scheme is ftp",
        ),
        (
            server("{\"url\":\"http://h/\",\"headers\":{\"Mcp-Method\":\"a\"}}"),
            "2:6: the header `Mcp-Method`: mcpspec sets this header itself, since it repeats what is in the body of each request",
        ),
        (
            server("{\"type\":\"sse\",\"url\":\"http://h/\"}"),
            "2:6: `a` is reached by sse, a transport of older revisions, which mcpspec does not judge",
        ),
        (
            server("{\"type\":\"ws\",\"url\":\"ws://h/\"}"),
            "2:6: `a` has the type `ws`, which mcpspec cannot reach",
        ),
    ] {
        assert_eq!(
            complaint(&text, None),
            format!("servers.json:{expected}"),
            "{text}"
        );
    }
}

#[test]
fn one_of_several_servers_has_to_be_chosen() {
    let text = r#"{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}"#;
    let error = read(text, None).expect_err("there are two");
    assert_eq!(error.to_string(), "servers.json:1:15: there are 2 servers");
    assert_eq!(
        error.help.as_deref(),
        Some("choose one by --server: `a`, `b`")
    );
    assert_eq!(
        complaint(text, Some("c")),
        "servers.json:1:15: there is no server `c`"
    );
}

#[test]
fn packages_are_started_by_the_usual_runner() {
    for (package, command) in [
        (
            r#""registryType":"npm","identifier":"@a/b","version":"1.0.2","transport":{"type":"stdio"}"#,
            "npx -y @a/b@1.0.2",
        ),
        (
            r#""registryType":"npm","identifier":"b","version":"1","runtimeHint":"bunx""#,
            "bunx b@1",
        ),
        (
            r#""registryType":"npm","identifier":"b","version":"1","runtimeArguments":[{"type":"named","name":"--yes"}]"#,
            "npx --yes b@1",
        ),
        (
            r#""registryType":"pypi","identifier":"b","version":"0.5""#,
            "uvx b==0.5",
        ),
        (r#""registryType":"pypi","identifier":"b""#, "uvx b"),
        (
            r#""registryType":"nuget","identifier":"B.C","version":"0.4","runtimeHint":"dnx","packageArguments":[{"type":"positional","value":"mcp"}]"#,
            "dnx B.C@0.4 --yes -- mcp",
        ),
        (
            r#""registryType":"oci","identifier":"ghcr.io/a/b:1.2""#,
            "docker run -i --rm ghcr.io/a/b:1.2",
        ),
        (
            r#""registryType":"oci","registryBaseUrl":"https://ghcr.io","identifier":"a/b","version":"1.2""#,
            "docker run -i --rm ghcr.io/a/b:1.2",
        ),
        (
            r#""registryType":"oci","identifier":"a/b@sha256:00","runtimeHint":"podman","runtimeArguments":[{"type":"positional","value":"run"},{"type":"named","name":"--rm"}]"#,
            "podman run --rm -i a/b@sha256:00",
        ),
        (
            r#""registryType":"oci","identifier":"a/b","version":"1","runtimeArguments":[{"type":"named","name":"-e","value":"DB={db}","variables":{"db":{"isRequired":true}}}],"environmentVariables":[{"name":"LEVEL","default":"info"},{"name":"GONE"}]"#,
            "docker run -i --rm -e DB=notes -e LEVEL a/b:1",
        ),
    ] {
        assert_eq!(started(package), command, "{package}");
    }
}

#[test]
fn arguments_take_the_value_of_the_file_or_of_the_environment_or_their_default() {
    for (argument, words) in [
        (
            r#""type":"positional","value":"{a} {db}","variables":{"db":{}}"#,
            " {a} notes",
        ),
        (
            r#""type":"positional","valueHint":"db","default":"other""#,
            " notes",
        ),
        (
            r#""type":"positional","valueHint":"gone","default":"other""#,
            " other",
        ),
        (r#""type":"positional","valueHint":"gone""#, ""),
        (
            r#""type":"named","name":"--db","isRequired":true"#,
            " --db notes",
        ),
        (r#""type":"named","name":"--port","format":"number""#, ""),
        (
            r#""type":"named","name":"--port","default":"1""#,
            " --port 1",
        ),
        (r#""type":"named","name":"--verbose""#, " --verbose"),
    ] {
        let package =
            format!(r#""registryType":"npm","identifier":"b","packageArguments":[{{{argument}}}]"#);
        assert_eq!(started(&package), format!("npx -y b{words}"), "{argument}");
    }
}

#[test]
fn a_package_may_be_reached_by_a_url_that_its_arguments_make() {
    let text = r#"{"packages":[{"registryType":"npm","identifier":"b","version":"1",
        "packageArguments":[{"type":"named","name":"--port","default":"3000"}],
        "environmentVariables":[{"name":"TOKEN","isRequired":true,"isSecret":true}],
        "transport":{"type":"streamable-http","url":"http://127.0.0.1:{--port}/mcp"}}]}"#;
    let target = target(text, None);
    assert_eq!(values(&target.command), "npx -y b@1 --port 3000");
    assert_eq!(values(&target.url), "http://127.0.0.1:3000/mcp");
    assert_eq!(target.env[0].1.value, "s3cr3t-token");
    assert_eq!(target.env[0].1.written, "${TOKEN}");
}

#[test]
fn a_remote_is_reached_with_its_headers() {
    let text = r#"{"server":{"remotes":[{"type":"streamable-http","url":"https://{db}.example.com/mcp",
        "variables":{"db":{"isRequired":true}},
        "headers":[{"name":"Authorization","value":"Bearer {TOKEN}","variables":{"TOKEN":{}}},
            {"name":"X-Given","isRequired":true},{"name":"X-Region","default":"eu"},{"name":"X-None"}]}]}}"#;
    let target = target(text, None);
    assert_eq!(values(&target.url), "https://notes.example.com/mcp");
    let headers: Vec<_> = target
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.value.as_str()))
        .collect();
    assert_eq!(
        headers,
        [("Authorization", "Bearer s3cr3t-token"), ("X-Region", "eu")]
    );
}

#[test]
fn a_package_or_remote_is_chosen_by_type_identifier_or_url() {
    let text = r#"{"packages":[{"registryType":"npm","identifier":"b"},{"registryType":"pypi","identifier":"b"}],
        "remotes":[{"type":"streamable-http","url":"https://h/mcp"}]}"#;
    assert_eq!(values(&target(text, Some("pypi")).command), "uvx b");
    assert_eq!(
        values(&target(text, Some("https://h/mcp")).url),
        "https://h/mcp"
    );
    assert_eq!(
        values(&target(text, Some("streamable-http")).url),
        "https://h/mcp"
    );
    assert_eq!(
        complaint(text, Some("b")),
        "servers.json:1:1: `b` is said of 2 packages or remotes"
    );
    let error = read(text, None).expect_err("there are three");
    assert_eq!(
        error.to_string(),
        "servers.json:1:1: there are 3 packages or remotes"
    );
    assert_eq!(
        error.help.as_deref(),
        Some("choose one by --server: `npm`, `pypi`, `streamable-http`")
    );
}

#[test]
fn two_packages_of_one_type_and_identifier_are_chosen_by_number() {
    let text = r#"{"packages":[{"registryType":"npm","identifier":"b","version":"1.0.0"},
        {"registryType":"npm","identifier":"b","version":"2.0.0"},{"registryType":"npm","identifier":"c"}]}"#;
    let error = read(text, Some("b")).expect_err("two are named so");
    assert_eq!(
        error.help.as_deref(),
        Some("choose one by --server: `1` (npm b 1.0.0), `2` (npm b 2.0.0)")
    );
    assert_eq!(values(&target(text, Some("2")).command), "npx -y b@2.0.0");
    assert_eq!(values(&target(text, Some("c")).command), "npx -y c");
}

#[test]
fn what_cannot_be_started_or_reached_is_told() {
    let package = |body: &str| format!("{{\"packages\":[\n{{{body}}}]}}");
    for (text, expected) in [
        (
            package(r#""registryType":"mcpb","identifier":"https://h/a.mcpb""#),
            "`https://h/a.mcpb` is a package of the type `mcpb`, which mcpspec cannot start",
        ),
        (
            package(r#""registryType":"nuget","identifier":"B""#),
            "`B` is a package of the type `nuget`, and no `runtimeHint` says what starts it",
        ),
        (
            package(r#""registryType":"pypi","identifier":"b","runtimeHint":"python""#),
            "`b` wants to be started by `python`, and mcpspec does not know how",
        ),
        (
            package(
                r#""registryType":"npm","identifier":"b","registryBaseUrl":"https://npm.example.com""#,
            ),
            "`b` is in the registry https://npm.example.com, which npx does not ask",
        ),
        (
            package(
                r#""registryType":"npm","identifier":"b","environmentVariables":[{"name":"KEY","isRequired":true}],"packageArguments":[{"type":"named","name":"--api-key","isRequired":true}]"#,
            ),
            "`b` wants environment variables that are not set: KEY, api_key",
        ),
        (
            "{\"remotes\":[\n{\"type\":\"sse\",\"url\":\"https://h/sse\"}]}".to_owned(),
            "`https://h/sse` is reached by sse, a transport of older revisions, which mcpspec does not judge",
        ),
        (
            "{\"remotes\":[\n{\"type\":\"streamable-http\",\"url\":\"https://{tenant}.h/\"}]}"
                .to_owned(),
            "`https://{tenant}.h/` wants the environment variable tenant, which is not set",
        ),
    ] {
        assert_eq!(
            complaint(&text, None),
            format!("servers.json:2:1: {expected}"),
            "{text}"
        );
    }
    let header = "{\"remotes\":[{\"type\":\"streamable-http\",\"url\":\"https://h/\",\"headers\":[\n{\"name\":\"X-Key\",\"isRequired\":true}]}]}";
    let error = read(header, None).expect_err("the header has no value");
    assert_eq!(
        error.to_string(),
        "servers.json:2:1: the header `X-Key` is required, and the file has no value for it"
    );
    assert!(
        error
            .help
            .is_some_and(|help| help.contains("--header 'X-Key: VALUE'"))
    );
    let old = package(r#""registry_type":"npm","identifier":"b""#);
    let error = read(&old, None).expect_err("the form is old");
    assert!(error.help.is_some_and(|help| help.contains("registryType")));
}
