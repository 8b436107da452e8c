//! `--bearer-env`: a token out of the environment.

use crate::check;
use crate::front::{Front, answer, mcp};

const TOKEN: &str = "tok-5e1f-not-for-anyone";

/// A server that wants the token, and repeats what it got in its place.
fn protected() -> Front {
    Front::new(|asked| match asked.header("authorization") {
        Some(value) if value == format!("Bearer {TOKEN}") => mcp(asked),
        value => answer(401, "", value.unwrap_or("nothing came")),
    })
}

#[test]
fn the_token_goes_out_with_every_request_and_into_no_report() {
    let front = protected();
    let url = front.url("/mcp");
    let run = check(
        &[("MCP_TOKEN", TOKEN)],
        &["--bearer-env", "MCP_TOKEN", &url],
    );
    assert_eq!(run.code, Some(0), "{}", run.said);
    assert!(!run.said.contains(TOKEN), "{}", run.said);
    assert!(front.asked().len() > 1);
}

#[test]
fn a_token_that_is_refused_is_told_from_one_that_is_missing() {
    let front = protected();
    let url = front.url("/mcp");
    let run = check(&[], &[&url]);
    assert!(run.unusable().contains("it wants a token"), "{}", run.said);
    let run = check(
        &[("MCP_TOKEN", "tok-of-yesterday")],
        &["--bearer-env", "MCP_TOKEN", &url],
    );
    assert_eq!(run.code, Some(3), "{}", run.said);
    let told = run.unusable();
    assert!(
        told.contains("answers 401 to the token that is given"),
        "{told}"
    );
}

#[test]
fn a_token_that_a_server_repeats_is_hidden() {
    let front = Front::new(|asked| {
        let sent = asked.header("authorization").unwrap_or_default();
        answer(200, "Content-Type: text/plain\r\n", sent)
    });
    let url = front.url("/mcp");
    let run = check(
        &[("MCP_TOKEN", TOKEN)],
        &["--bearer-env", "MCP_TOKEN", &url],
    );
    assert_eq!(run.code, Some(3), "{}", run.said);
    assert!(run.unusable().contains("[redacted]"), "{}", run.said);
    assert!(!run.said.contains(TOKEN), "{}", run.said);
}

#[test]
fn the_line_that_shows_a_failure_again_names_the_variable() {
    // A word of the same length, so that the rest of the answer stays right.
    let front = Front::new(|asked| mcp(asked).replace("complete", "finished"));
    let url = front.url("/mcp");
    let run = check(
        &[("MCP_TOKEN", TOKEN)],
        &[
            "--case",
            "discover/result-type/complete",
            "--bearer-env",
            "MCP_TOKEN",
            &url,
        ],
    );
    assert_eq!(run.code, Some(1), "{}", run.said);
    let line =
        format!("mcpspec check --case discover/result-type/complete --bearer-env MCP_TOKEN {url}");
    assert!(run.said.contains(&line), "{}", run.said);
    assert!(!run.said.contains(TOKEN), "{}", run.said);
}

#[test]
fn a_server_that_wants_a_token_is_told_with_both_ways_to_give_one() {
    let front = protected();
    let run = check(&[], &[&front.url("/mcp")]);
    assert_eq!(run.code, Some(3), "{}", run.said);
    for way in [
        "--bearer-env NAME",
        "--header 'Authorization: Bearer TOKEN'",
    ] {
        assert!(run.unusable().contains(way), "{}", run.said);
    }
}

#[test]
fn a_variable_that_holds_no_token_is_told_without_what_it_holds() {
    const URL: &str = "http://127.0.0.1:1/mcp";
    for (value, problem) in [
        (None, "is not set"),
        (Some(""), "is empty"),
        (Some("Bearer of-secrets"), "holds something else"),
        (Some("of-secrets\n"), "holds something else"),
    ] {
        let variables: Vec<_> = value
            .map(|value| ("MCP_TOKEN", value))
            .into_iter()
            .collect();
        let run = check(&variables, &["--bearer-env", "MCP_TOKEN", URL]);
        assert_eq!(run.code, Some(2), "{}", run.said);
        let error = format!("error: --bearer-env names an environment variable that {problem}");
        assert!(run.stderr.starts_with(&error), "{}", run.said);
        assert_eq!(run.stderr.lines().count(), 2, "{}", run.said);
        assert!(!run.said.contains("of-secrets"), "{}", run.said);
    }
}

#[test]
fn two_tokens_are_refused() {
    let run = check(
        &[("MCP_TOKEN", TOKEN)],
        &[
            "--bearer-env",
            "MCP_TOKEN",
            "--header",
            "authorization: Bearer another",
            "http://127.0.0.1:1/mcp",
        ],
    );
    assert_eq!(run.code, Some(2), "{}", run.said);
    assert!(
        run.stderr.contains("both give Authorization"),
        "{}",
        run.said
    );
}

/// A server that wants the token, and refuses everybody else with a bare challenge. With OAuth it publishes what that wants of a resource.
fn challenging(has_oauth: bool) -> Front {
    const METADATA: &str =
        r#"{"resource":"https://host/mcp","authorization_servers":["https://as.example/"]}"#;
    Front::new(move |asked| {
        if asked.target.starts_with("/.well-known/") {
            return match has_oauth {
                true => answer(200, "Content-Type: application/json\r\n", METADATA),
                false => answer(404, "", ""),
            };
        }
        match asked.header("authorization") {
            Some(value) if value == format!("Bearer {TOKEN}") => mcp(asked),
            _ => answer(401, "WWW-Authenticate: Bearer realm=\"all\"\r\n", ""),
        }
    })
}

#[test]
fn only_a_server_with_oauth_is_warned_of_what_its_challenges_lack() {
    for (has_oauth, due) in [(false, ["skip", "pass"]), (true, ["warn", "warn"])] {
        let front = challenging(has_oauth);
        let run = check(
            &[("MCP_TOKEN", TOKEN)],
            &[
                "--case",
                "auth/challenge/scope",
                "--case",
                "auth/token/invalid-401",
                "--bearer-env",
                "MCP_TOKEN",
                &front.url("/mcp"),
            ],
        );
        let verdict = |id: &str| {
            let mut cases = run.report["cases"].as_array().expect("a list").iter();
            let case = cases.find(|case| case["id"] == id);
            case.unwrap_or_else(|| panic!("{}", run.said))["verdict"].clone()
        };
        let found = ["auth/challenge/scope", "auth/token/invalid-401"].map(verdict);
        assert_eq!(found, due, "{has_oauth}: {}", run.said);
    }
}
