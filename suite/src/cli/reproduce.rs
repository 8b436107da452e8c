//! The line that judges a target again.

use crate::text::Redactor;

use super::check_args::{CheckArguments, TargetArguments};
use super::targets::Started;

/// What follows `mcpspec check --case ID ` to judge the same target again. Secrets are left out of it.
pub(super) fn reproduce(
    arguments: &CheckArguments,
    started: &Started,
    redactor: &Redactor,
) -> String {
    let TargetArguments {
        bearer_env,
        call_tools,
        cwd,
        env,
        header,
        insecure,
        max_rate,
        profile,
        startup_timeout: _,
    } = &arguments.target;
    let mut words: Vec<String> = Vec::new();
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), value.to_owned()]);
    if let Some(name) = bearer_env {
        option("--bearer-env", name);
    }
    if let Some(mode) = call_tools {
        option("--call-tools", mode.as_str());
    }
    for folder in &arguments.suite.directories {
        option("--cases", &folder.to_string_lossy());
    }
    if let Some(folder) = cwd {
        option("--cwd", &folder.to_string_lossy());
    }
    for variable in env {
        option("--env", variable);
    }
    for header in header {
        option("--header", header);
    }
    if started.own.is_none() {
        for (name, value) in &started.headers {
            option("--header", &format!("{name}: {value}"));
        }
    }
    if let Some(rate) = max_rate {
        option("--max-rate", &rate.to_string());
    }
    if let Some(profile) = profile {
        option("--profile", profile);
    }
    if *insecure {
        words.push("--insecure".to_owned());
    }
    if arguments.suite.replace_cases {
        words.push("--replace-cases".to_owned());
    }
    match &started.own {
        Some(own) => words.extend(own.again.iter().cloned()),
        None => {
            words.extend(started.shown_url.clone());
            if !started.shown_command.is_empty() {
                words.push("--".to_owned());
                words.extend(started.shown_command.iter().cloned());
            }
        }
    }
    let words: Vec<String> = words
        .iter()
        .map(|word| quoted(&redactor.redact(word)))
        .collect();
    words.join(" ")
}

/// A word as a POSIX shell takes it for one.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_blanks_and_quotes_are_quoted_for_a_shell() {
        for (word, expected) in [
            ("--stdio", "--stdio"),
            ("http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000/mcp"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("", "''"),
            ("$HOME", "'$HOME'"),
            ("a?b=c&d", "'a?b=c&d'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
