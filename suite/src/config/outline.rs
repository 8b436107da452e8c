//! What `mcpspec init` writes: a target, and what was learned of its server.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::case::Diagnostic;
use crate::spec::TriggerKind;

use super::{ConcealedTarget, Settings, Surroundings, Trigger, TriggerAction, WholeRequest};

/// A target as `mcpspec.toml` is to hold it, and what its comments tell.
///
/// Text of the server may be in any state: it is escaped where it is written. Secrets in it are not known here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// What the user may call the target; not empty.
    pub name: String,
    /// How it is reached.
    pub target: ConcealedTarget,
    /// `all`, `listed`, `none` or `readonly`, if the user said so.
    pub call_tools: Option<String>,
    /// The profile, if the user named one.
    pub profile: Option<String>,
    /// How long its start may take, if the user said so.
    pub startup_timeout: Option<Duration>,
    /// How long an answer may take, if the user said so.
    pub timeout: Option<Duration>,
    /// What the server says of itself, a sentence each.
    pub learned: Vec<String>,
    /// Its tools, sorted by whether and why they may be called.
    pub tools: Vec<ToolClass>,
    /// Triggers that are known, by name.
    pub known: BTreeMap<String, KnownTrigger>,
    /// Triggers that are not known, and that some case waits for.
    pub missing: Vec<MissingTrigger>,
    /// A call of a tool that has to be permitted first.
    pub example: Option<WholeRequest>,
    /// What would get more judged, a sentence each.
    pub suggestions: Vec<String>,
}

/// Whether tools are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ToolUse {
    /// They are.
    Called,
    /// They may be, but something hinders it.
    Hindered,
    /// They may not be.
    Forbidden,
}

/// Tools of which the same is decided for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolClass {
    /// Whether they are called.
    pub use_of_it: ToolUse,
    /// Why, or why not.
    pub why: String,
    /// Their names.
    pub names: Vec<String>,
}

/// A trigger that `check` knows without being told.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownTrigger {
    /// The trigger.
    pub trigger: Trigger,
    /// Why it is not used, if so.
    pub unused: Option<String>,
    /// Options that it does not have, with the number of cases that wait for each.
    pub lacks: Vec<(String, usize)>,
}

/// A trigger that would get more judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTrigger {
    /// Which.
    pub kind: &'static TriggerKind,
    /// Whether cases use the trigger itself, and not only variants of it.
    pub is_whole: bool,
    /// How many cases it would enable without any option.
    pub cases: usize,
    /// Its options, with the number of cases that wait for each.
    pub options: Vec<(String, usize)>,
}

/// Why what was written is of no use: a defect of mcpspec.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unreadable {
    /// It cannot be read.
    #[error("line {}: {}", .0.at.line, .0.message)]
    Refused(Box<Diagnostic>),
    /// It is read as something else.
    #[error("it is read as another target")]
    Different,
}

impl KnownTrigger {
    /// Whether there is a request or a command, so that it is more than something that the server says of itself.
    pub(super) fn does_something(&self) -> bool {
        self.trigger.action != TriggerAction::Variants || !self.trigger.variants.is_empty()
    }
}

impl Outline {
    /// How many triggers are written that `check` uses.
    pub fn used(&self) -> usize {
        let known = self.known.values();
        known
            .filter(|known| known.unused.is_none() && known.does_something())
            .count()
    }

    /// Reads a text back that was written of this, as `check` would.
    ///
    /// # Errors
    ///
    /// It does not give this target.
    pub fn read_back(&self, text: &str, profiles: &[&str]) -> Result<(), Unreadable> {
        let value = |name: &str| {
            let mut variables = self.target.variables.iter();
            let known = variables.find(|variable| variable.name == name);
            known.map(|variable| variable.value.clone())
        };
        let around = Surroundings {
            variables: &value,
            profiles,
            is_chosen: &|_| true,
        };
        let settings = Settings::read(Settings::FILE, text, &around).map_err(|faults| {
            let first = faults.into_iter().next();
            first.map_or(Unreadable::Different, |first| {
                Unreadable::Refused(Box::new(first))
            })
        })?;
        let [target] = settings.targets.as_slice() else {
            return Err(Unreadable::Different);
        };
        let pairs = |pairs: &[(String, super::Expanded)]| -> Vec<(String, String)> {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| (name.clone(), value.written.clone()))
                .collect()
        };
        let mut headers = self.target.headers.clone();
        let bearer = self.target.bearer_env.iter();
        headers.extend(bearer.map(|name| {
            let value = format!("Bearer ${{{name}}}");
            ("Authorization".to_owned(), value)
        }));
        let words = target.command.iter().map(|word| word.written.clone());
        let given = &self.target;
        let is_same = target.name == self.name
            && words.collect::<Vec<_>>() == given.command
            && target.url.as_ref().map(|url| &url.written) == given.url.as_ref()
            && target.cwd.as_ref().map(|cwd| &cwd.written) == given.cwd.as_ref()
            && pairs(&target.env) == given.env
            && pairs(&target.headers) == headers
            && target.call_tools == self.call_tools
            && target.profile == self.profile
            && target.startup_timeout == self.startup_timeout
            && target.timeout == self.timeout
            && target.triggers.is_empty()
            && settings.triggers.is_empty();
        is_same.then_some(()).ok_or(Unreadable::Different)
    }
}
