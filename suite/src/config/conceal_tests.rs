//! What is concealed comes back, and shows no secret.

use proptest::prelude::*;

use super::conceal::{GivenTarget, reference};
use super::variables::expand;
use crate::text::is_told_by_itself;

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn what_may_be_a_secret_becomes_a_reference() {
    let given = GivenTarget {
        command: vec![
            "node".to_owned(),
            "--key=s3cr3t-key".to_owned(),
            "${HOME}".to_owned(),
        ],
        url: Some("https://me:pa55word@host/mcp?api-key=k3y&v=1&bare#top".to_owned()),
        env: vec![
            pair("KEY", "s3cr3t-key"),
            pair("EMPTY", "not any more"),
            pair("EMPTY", ""),
            pair("PATH", "/mine"),
        ],
        headers: vec![
            pair("Authorization", "Bearer t0ken"),
            pair("X-Api-Key", "k3y"),
        ],
        cwd: Some("/srv/pa55word".to_owned()),
        ..GivenTarget::default()
    };
    let environment = |name: &str| (name == "PATH").then(|| "/usr/bin".to_owned());
    let concealed = given.conceal(&environment);
    assert_eq!(concealed.command, ["node", "--key=${KEY}", "$${HOME}"]);
    assert_eq!(
        concealed.url.as_deref(),
        Some(
            "https://${URL_USER}:${URL_PASSWORD}@host/mcp?api-key=${URL_API_KEY}&v=${URL_V}&${URL_QUERY}#top"
        )
    );
    assert_eq!(
        concealed.env,
        [
            pair("KEY", "${KEY}"),
            pair("EMPTY", ""),
            pair("PATH", "${MCPSPEC_PATH}")
        ]
    );
    assert_eq!(
        concealed.headers,
        [
            pair("Authorization", "Bearer ${BEARER_TOKEN}"),
            pair("X-Api-Key", "${X_API_KEY}")
        ]
    );
    assert_eq!(concealed.cwd.as_deref(), Some("/srv/${URL_PASSWORD}"));
    let names: Vec<&str> = concealed
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "KEY",
            "MCPSPEC_PATH",
            "URL_USER",
            "URL_PASSWORD",
            "URL_API_KEY",
            "URL_V",
            "URL_QUERY",
            "BEARER_TOKEN",
            "X_API_KEY"
        ]
    );
}

#[test]
fn a_variable_that_is_named_keeps_its_name() {
    let given = GivenTarget {
        url: Some("https://host/mcp".to_owned()),
        bearer: Some(pair("NOTES_TOKEN", "t0ken")),
        env: vec![pair("UNUSED", "x")],
        ..GivenTarget::default()
    };
    let set = |name: &str| (name == "NOTES_TOKEN").then(|| "t0ken".to_owned());
    let concealed = given.conceal(&set);
    assert_eq!(concealed.bearer_env.as_deref(), Some("NOTES_TOKEN"));
    assert!(concealed.headers.is_empty());
    assert!(concealed.env.is_empty(), "no command would get it");
}

#[test]
fn variables_that_are_referred_to_already_keep_their_names() {
    let given = GivenTarget {
        command: vec!["a".to_owned(), "--key=s3cr3t-key".to_owned()],
        env: vec![pair("KEY", "s3cr3t-key"), pair("OTHER", "s3cr3t-other")],
        variables: vec![pair("NOTES_KEY", "s3cr3t-key")],
        ..GivenTarget::default()
    };
    let concealed = given.conceal(&|_| None);
    assert_eq!(concealed.command, ["a", "--key=${NOTES_KEY}"]);
    assert_eq!(
        concealed.env,
        [pair("KEY", "${NOTES_KEY}"), pair("OTHER", "${OTHER}")]
    );
}

#[test]
fn a_dollar_sign_before_a_secret_conceals_the_whole_word() {
    let given = GivenTarget {
        command: vec!["a".to_owned(), "x$s3cr3t".to_owned()],
        env: vec![pair("KEY", "s3cr3t")],
        ..GivenTarget::default()
    };
    assert_eq!(given.conceal(&|_| None).command, ["a", "${COMMAND_1}"]);
}

/// Texts that are likely to hold each other, dollar signs and braces.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c${}=:@/?&]{0,8}",
        "(secret|other1){1,3}[$]?",
        "\\PC{0,8}"
    ]
}

/// Words of commands, many of which say that they hold a secret.
fn word() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["--token", "--key=", "KEY=", "x-key: ", "-c", "a://b:"]);
    prop_oneof![
        text(),
        name.prop_map(str::to_owned),
        (name_like(), text()).prop_map(|(a, b)| a + &b)
    ]
}

fn name_like() -> impl Strategy<Value = String> {
    "(--)?(key|token|mode)(=|: ?Bearer |://x:)"
}

#[test]
fn what_a_command_says_to_be_a_secret_becomes_a_reference() {
    let given = GivenTarget {
        command: [
            "node",
            "--api-key",
            "abc",
            "--token=s3cr3t",
            "x-s3cr3t",
            "TOKEN=$",
            "--mode=fast",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..GivenTarget::default()
    };
    let concealed = given.conceal(&|_| None);
    assert_eq!(
        concealed.command,
        [
            "node",
            "--api-key",
            "${API_KEY}",
            "--token=${TOKEN}",
            "x-${TOKEN}",
            "TOKEN=${MCPSPEC_TOKEN}",
            "--mode=fast"
        ]
    );
    assert_eq!(concealed.variables[0].what, "`api-key` in the command");
}

proptest! {
    #[test]
    fn what_is_concealed_comes_back_and_shows_no_secret(
        command in prop::collection::vec(word(), 1..5),
        url in text(),
        env in prop::collection::vec(text(), 0..3),
        header in text(),
        cwd in text(),
        taken in text(),
    ) {
        let env: Vec<_> = env.into_iter().enumerate().map(|(index, value)| (format!("V{index}"), value)).collect();
        let given = GivenTarget {
            command,
            url: Some(format!("http://{url}")),
            env,
            headers: vec![pair("X-Key", &header)],
            cwd: Some(cwd),
            bearer: Some(pair("TOKEN", "the-token")),
            variables: vec![pair("KEPT", &taken), pair("KE.PT", &header)],
        };
        let environment = |name: &str| matches!(name, "V0" | "X_KEY").then(|| taken.clone());
        let concealed = given.conceal(&environment);
        let value = |name: &str| {
            let mut variables = concealed.variables.iter();
            variables.find(|variable| variable.name == name).map(|variable| variable.value.clone())
        };
        let back = |text: &String| expand(text, &value).expect("it can be expanded").value;
        let pairs = |pairs: &[(String, String)]| pairs.iter().map(|(name, value)| (name.clone(), back(value))).collect::<Vec<_>>();
        prop_assert_eq!(concealed.command.iter().map(back).collect::<Vec<_>>(), given.command.clone());
        prop_assert_eq!(concealed.url.as_ref().map(back), given.url.clone());
        prop_assert_eq!(concealed.cwd.as_ref().map(back), given.cwd.clone());
        prop_assert_eq!(pairs(&concealed.env), given.env.clone());
        prop_assert_eq!(pairs(&concealed.headers), given.headers.clone());
        let bearer = concealed.bearer_env.as_deref().and_then(value);
        prop_assert_eq!(bearer.as_deref(), Some("the-token"));
        for variable in &concealed.variables {
            prop_assert!(environment(&variable.name).is_none_or(|other| other == variable.value));
        }
        let written = concealed.command.iter().chain(&concealed.url).chain(&concealed.cwd);
        for secret in concealed.variables.iter().filter(|secret| is_told_by_itself(&secret.name, &secret.value)) {
            for text in written.clone().chain(concealed.env.iter().chain(&concealed.headers).map(|(_, text)| text)) {
                // A name can happen to hold what a secret is.
                let without_names = concealed.variables.iter().fold(text.clone(), |text, other| text.replace(&reference(&other.name), "\n"));
                prop_assert!(!without_names.contains(&secret.value), "{} shows {}", text, secret.value);
            }
        }
    }
}
