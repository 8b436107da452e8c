//! The words of conditions (`cases/README.md`, section 11.1).

use std::fmt;

use super::Condition;
use crate::spec::{TRIGGERS, TriggerKind};
use crate::template::Location;
use crate::text::closest;

/// The words that are no triggers. `version.V` and the options of triggers come beside them.
const WORDS: [&str; 18] = [
    "auth",
    "auth.low",
    "auth.second",
    "completions",
    "era.legacy",
    "http",
    "listen",
    "logging",
    "open-cors",
    "prompts",
    "prompts.listChanged",
    "resources",
    "resources.listChanged",
    "resources.subscribe",
    "stdio",
    "stoppable",
    "tools",
    "tools.listChanged",
];

impl Condition {
    /// Reads a condition: a word of the closed list, or `not` and such a word.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what was probably meant.
    pub fn parse(text: &str, at: Location) -> Result<Condition, String> {
        let (word, negated) = match text.strip_prefix("not ") {
            Some(word) => (word.trim_start(), true),
            None => (text, false),
        };
        if is_word(word) {
            return Ok(Condition {
                word: word.to_owned(),
                negated,
                at,
            });
        }
        Err(unknown(word))
    }

    /// Every word of the closed list, `version.V` aside.
    pub fn words() -> Vec<String> {
        let mut words: Vec<String> = WORDS.iter().map(ToString::to_string).collect();
        for kind in TRIGGERS {
            words.push(kind.name.to_owned());
            let properties = kind.properties.iter().map(|property| property.name);
            for option in kind.variants.iter().copied().chain(properties) {
                words.push(format!("{}.{option}", kind.name));
            }
        }
        words.sort();
        words
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_str("not ")?;
        }
        f.write_str(&self.word)
    }
}

fn is_word(word: &str) -> bool {
    if WORDS.contains(&word) || TriggerKind::of(word).is_some() {
        return true;
    }
    match word.split_once('.') {
        Some(("version", version)) => is_version(version),
        Some((trigger, option)) => {
            TriggerKind::of(trigger).is_some_and(|kind| kind.has_option(option))
        }
        None => false,
    }
}

/// Whether a text looks like a revision of the protocol: `2026-07-28`.
fn is_version(text: &str) -> bool {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    lengths == [4, 2, 2]
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
}

fn unknown(word: &str) -> String {
    let words = Condition::words();
    match closest(word, words.iter().map(String::as_str)) {
        Some(close) => format!("there is no condition `{word}`; did you mean `{close}`?"),
        None => format!("there is no condition `{word}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_closed_list_are_read_and_others_are_not() {
        let at = Location::default();
        for text in [
            "http",
            "not stdio",
            "tools.listChanged",
            "version.2025-03-26",
            "not version.2024-11-05",
            "slow-tool.counter",
            "state-tool.ttl",
            "callable-tool",
            "listen",
        ] {
            let condition = Condition::parse(text, at).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(condition.to_string(), text);
        }
        for (text, part) in [
            ("tool", "did you mean `tools`?"),
            ("slow-tool.kounter", "did you mean `slow-tool.counter`?"),
            ("version.1", "no condition"),
            ("not", "no condition"),
            ("", "no condition"),
            ("not not http", "no condition"),
        ] {
            let error = Condition::parse(text, at).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn every_listed_word_is_one() {
        for word in Condition::words() {
            assert!(is_word(&word), "{word}");
        }
    }
}
