//! Whether the conditions of `needs` and `when` hold on a target (`cases/README.md`, section 11).

use mcpspec_wire::Value;

use crate::case::Condition;
use crate::config::Trigger;
use crate::spec::Transport;
use crate::target::{Permit, Survey};

use super::lack::{Lack, lack, lines_to_add};
use super::request::Credentials;

/// What conditions are decided by.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    pub(super) survey: &'a Survey,
    pub(super) transport: Transport,
    pub(super) stoppable: bool,
    pub(super) credentials: &'a Credentials,
    pub(super) permit: &'a Permit,
}

/// Capabilities of the server that are conditions, as pointers into `capabilities`.
pub(super) const CAPABILITIES: [(&str, &str); 9] = [
    ("tools", "/tools"),
    ("tools.listChanged", "/tools/listChanged"),
    ("prompts", "/prompts"),
    ("prompts.listChanged", "/prompts/listChanged"),
    ("resources", "/resources"),
    ("resources.listChanged", "/resources/listChanged"),
    ("resources.subscribe", "/resources/subscribe"),
    ("completions", "/completions"),
    ("logging", "/logging"),
];

/// The kinds of change that can be listened to.
const LISTENABLE: [&str; 4] = [
    "tools.listChanged",
    "prompts.listChanged",
    "resources.listChanged",
    "resources.subscribe",
];

impl Conditions<'_> {
    /// Whether a condition holds.
    pub(super) fn holds(&self, condition: &Condition) -> bool {
        self.word_holds(&condition.word) != condition.negated
    }

    /// The first of some conditions that does not hold, and how to provide it.
    pub(super) fn unmet(&self, conditions: &[Condition]) -> Option<Lack> {
        conditions
            .iter()
            .find(|condition| !self.holds(condition))
            .map(|condition| Lack {
                reason: lack(self, condition),
                add: lines_to_add(self, condition),
            })
    }

    fn word_holds(&self, word: &str) -> bool {
        match word {
            "http" => self.transport == Transport::Http,
            "stdio" => self.transport == Transport::Stdio,
            "era.legacy" | "dual-era" => self.survey.legacy_version.is_some(),
            "listen" => LISTENABLE.iter().any(|word| self.declares(word)),
            "auth" => self.survey.auth,
            "auth.second" => self.survey.auth && self.credentials.second.is_some(),
            "auth.low" => self.survey.auth && self.credentials.low.is_some(),
            "stoppable" => self.stoppable,
            "callable-tool" => self.survey.callable.is_some(),
            "tasks-extension" => self
                .survey
                .capabilities
                .pointer("/extensions/io.modelcontextprotocol~1tasks")
                .is_some(),
            _ => match word.strip_prefix("version.") {
                Some(version) => self.serves(version),
                None => self.declares(word) || self.has_trigger(word),
            },
        }
    }

    /// Whether the server declares a capability.
    pub(super) fn declares(&self, word: &str) -> bool {
        let pointer = CAPABILITIES
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, pointer)| pointer);
        match pointer.and_then(|pointer| self.survey.capabilities.pointer(pointer)) {
            Some(Value::Bool(declared)) => *declared,
            Some(Value::Object(_)) => true,
            _ => false,
        }
    }

    fn serves(&self, version: &str) -> bool {
        self.survey
            .supported_versions
            .iter()
            .any(|supported| supported == version)
            || self.survey.legacy_version.as_deref() == Some(version)
    }

    fn has_trigger(&self, word: &str) -> bool {
        let (name, option) = word
            .split_once('.')
            .map_or((word, None), |(name, option)| (name, Some(option)));
        let Some(trigger) = self.survey.triggers.get(name) else {
            return false;
        };
        option.is_none_or(|option| has_option(trigger, option))
    }
}

/// Whether a trigger has a variant of that name, or a property that does not deny it.
fn has_option(trigger: &Trigger, option: &str) -> bool {
    trigger.variants.contains_key(option)
        || trigger
            .properties
            .get(option)
            .is_some_and(|value| value.as_bool() != Some(false))
}
