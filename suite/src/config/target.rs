//! `[[target]]` of `mcpspec.toml`: a server that is judged where the command line names none.
//!
//! ```toml
//! [[target]]
//! name = "notes"
//! url = "https://example.com/mcp"
//! headers = { Authorization = "Bearer ${NOTES_TOKEN}" }
//! call-tools = "listed"
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::case::Diagnostic;
use crate::template::duration;

use super::document::{Entry, Source, entries};
use super::trigger::read_triggers;
use super::variables::{Expanded, expand};
use super::{Surroundings, Trigger, header_problem, token_problem, url_problem};

/// The header that carries a token.
const AUTHORIZATION: &str = "Authorization";

/// Keys of a target.
pub(super) const KEYS: [&str; 14] = [
    "bearer-env",
    "call-tools",
    "command",
    "cwd",
    "env",
    "headers",
    "low-scope-bearer-env",
    "name",
    "profile",
    "second-bearer-env",
    "startup-timeout",
    "timeout",
    "triggers",
    "url",
];

/// What `call-tools` can be, as `--call-tools` has it.
pub(super) const CALL_TOOLS: [&str; 4] = ["all", "listed", "none", "readonly"];

/// A server that the configuration names. It has a command, a URL, or both.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TargetSettings {
    /// What the user calls it.
    pub name: String,
    /// The words of its command; empty where none is started.
    pub command: Vec<Expanded>,
    /// Its endpoint.
    pub url: Option<Expanded>,
    /// Environment variables of the command.
    pub env: Vec<(String, Expanded)>,
    /// Headers of every HTTP request, that of `bearer-env` among them.
    pub headers: Vec<(String, Expanded)>,
    /// The value of Authorization for another principal.
    pub second_bearer: Option<Expanded>,
    /// The value of Authorization for a token that may do less.
    pub low_scope_bearer: Option<Expanded>,
    /// Working directory of the command.
    pub cwd: Option<Expanded>,
    /// `all`, `listed`, `none` or `readonly`.
    pub call_tools: Option<String>,
    /// Name of the profile to use.
    pub profile: Option<String>,
    /// How long its start may take.
    pub startup_timeout: Option<Duration>,
    /// How long an answer of it may take.
    pub timeout: Option<Duration>,
    /// Triggers of this target alone; they count before those of the whole file.
    pub triggers: BTreeMap<String, Trigger>,
}

impl TargetSettings {
    /// Names and values of the environment variables that were put in for `${NAME}`.
    pub fn secrets(&self) -> impl Iterator<Item = &(String, String)> {
        let named = self.env.iter().chain(&self.headers).map(|(_, value)| value);
        let tokens = self.second_bearer.iter().chain(&self.low_scope_bearer);
        let values = self
            .command
            .iter()
            .chain(&self.url)
            .chain(&self.cwd)
            .chain(tokens);
        values.chain(named).flat_map(|value| &value.variables)
    }

    /// Names of the environment variables whose values go to the host of the URL, each once.
    pub fn told_to_host(&self) -> Vec<&str> {
        let headers = self.headers.iter().map(|(_, value)| value);
        let tokens = self.second_bearer.iter().chain(&self.low_scope_bearer);
        names_in(self.url.iter().chain(headers).chain(tokens))
    }

    /// Names of the environment variables whose values the command gets in its words, its variables or its folder, each once.
    pub fn told_to_command(&self) -> Vec<&str> {
        let env = self.env.iter().map(|(_, value)| value);
        names_in(self.command.iter().chain(env).chain(&self.cwd))
    }
}

/// The variables that were put into these texts, each once.
fn names_in<'a>(texts: impl Iterator<Item = &'a Expanded>) -> Vec<&'a str> {
    let mut names: Vec<&str> = texts
        .flat_map(|text| &text.variables)
        .map(|(name, _)| name.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Reads the `[[target]]` tables, and keeps what is wrong with each.
pub(super) fn read_targets<'a>(
    source: Source<'a>,
    list: &Entry<'a>,
    around: &Surroundings<'_>,
    faults: &mut Vec<Diagnostic>,
) -> Vec<TargetSettings> {
    let mut targets: Vec<TargetSettings> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let Some(items) = list.value.as_array() else {
        faults.push(source.wrong_type(list, "a list of [[target]] tables"));
        return targets;
    };
    for item in items {
        let at = item.span().start;
        let Some(table) = item.get_ref().as_table() else {
            faults.push(source.error(at, "a target is a table"));
            continue;
        };
        let name = table.get("name").and_then(|name| name.get_ref().as_str());
        // Whatever else is wrong with either.
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            if names.contains(&name) {
                faults.push(source.error(at, format!("two targets are named `{name}`")));
            }
            names.push(name);
        }
        let mut reader = Reader {
            source,
            around,
            is_chosen: name.is_none_or(around.is_chosen),
            faults: &mut *faults,
        };
        targets.extend(reader.target(table, at));
    }
    targets
}

struct Reader<'a, 'b> {
    source: Source<'a>,
    around: &'b Surroundings<'b>,
    /// Whether the target is judged; if not, no variable is looked up for it.
    is_chosen: bool,
    faults: &'b mut Vec<Diagnostic>,
}

/// Where the tokens of a target stand.
#[derive(Default)]
struct Tokens<'a> {
    /// The one that is used for everything, and its place.
    bearer: Option<(usize, Expanded)>,
    /// Places and keys of those of others.
    others: Vec<(usize, &'a str)>,
}

impl<'a> Reader<'a, '_> {
    /// Reads a target. None if something is wrong with it.
    fn target(&mut self, table: &'a DeTable<'a>, at: usize) -> Option<TargetSettings> {
        let before = self.faults.len();
        let mut target = TargetSettings::default();
        let mut told = Tokens::default();
        for entry in entries(table) {
            if let Err(fault) = self.entry(&entry, &mut target, &mut told) {
                self.faults.push(fault);
            }
        }
        // What is missing may be what is wrong.
        if self.faults.len() > before {
            return None;
        }
        match self.whole(target, told, at) {
            Ok(target) => Some(target),
            Err(fault) => {
                self.faults.push(fault);
                None
            }
        }
    }

    fn entry(
        &mut self,
        entry: &Entry<'a>,
        target: &mut TargetSettings,
        told: &mut Tokens<'a>,
    ) -> Result<(), Diagnostic> {
        let source = self.source;
        match entry.key {
            "bearer-env" => told.bearer = Some((entry.at, self.bearer(entry)?)),
            "call-tools" => target.call_tools = Some(self.choice(entry, &CALL_TOOLS)?),
            "command" => target.command = self.command(entry)?,
            "cwd" => target.cwd = Some(self.expanded(entry)?),
            "env" => target.env = self.env(entry)?,
            "headers" => target.headers = self.named(entry, header_problem)?,
            "low-scope-bearer-env" => {
                told.others.push((entry.at, entry.key));
                target.low_scope_bearer = Some(self.bearer(entry)?);
            }
            "name" => target.name = source.string(entry)?,
            "profile" => target.profile = Some(self.choice(entry, self.around.profiles)?),
            "second-bearer-env" => {
                told.others.push((entry.at, entry.key));
                target.second_bearer = Some(self.bearer(entry)?);
            }
            "startup-timeout" => target.startup_timeout = Some(self.time(entry)?),
            "timeout" => target.timeout = Some(self.time(entry)?),
            "triggers" => {
                let table = source.table(entry)?;
                target.triggers = read_triggers(source, table, Trigger::OF_TARGET, self.faults);
            }
            "url" => target.url = Some(self.url(entry)?),
            _ => return Err(source.unknown(entry, "key of a target", &KEYS)),
        }
        Ok(())
    }

    /// The target, if its parts make one.
    fn whole(
        &self,
        mut target: TargetSettings,
        told: Tokens<'a>,
        at: usize,
    ) -> Result<TargetSettings, Diagnostic> {
        let source = self.source;
        if let Some((at, value)) = told.bearer {
            let mut named = target.headers.iter();
            if named.any(|(name, _)| name.eq_ignore_ascii_case(AUTHORIZATION)) {
                return Err(source.error(at, "`bearer-env` and `headers` both give Authorization"));
            }
            target.headers.push((AUTHORIZATION.to_owned(), value));
        }
        self.distinct_principals(&target, &told.others)?;
        let has_token = target.second_bearer.is_some() || target.low_scope_bearer.is_some();
        let name = &target.name;
        let complain = |what: &str| Err(source.error(at, format!("target `{name}` {what}")));
        let has_command = !target.command.is_empty();
        if name.is_empty() {
            return Err(source.error(at, "a target has no `name`"));
        }
        if !has_command && target.url.is_none() {
            return complain("has neither `command` nor `url`");
        }
        if target.url.is_none() && (!target.headers.is_empty() || has_token) {
            return complain("has headers or tokens, but no `url`");
        }
        if !has_command && (!target.env.is_empty() || target.cwd.is_some()) {
            return complain("has `env` or `cwd`, but no `command`");
        }
        Ok(target)
    }

    /// Whether the tokens at these places are those of others, and not the one that is used for everything else.
    fn distinct_principals(
        &self,
        target: &TargetSettings,
        others: &[(usize, &str)],
    ) -> Result<(), Diagnostic> {
        let mut named = target.headers.iter();
        let own = named.find(|(name, _)| name.eq_ignore_ascii_case(AUTHORIZATION));
        let Some((_, own)) = own.filter(|_| self.is_chosen) else {
            return Ok(());
        };
        for (at, key) in others {
            let (other, whose) = match *key {
                "second-bearer-env" => (&target.second_bearer, "another user"),
                _ => (&target.low_scope_bearer, "someone who may do less"),
            };
            if other.as_ref().is_some_and(|other| other.value == own.value) {
                let message = format!(
                    "`{key}` gives the token that is used for everything else: name the variable that holds one of {whose}, or leave it out"
                );
                return Err(self.source.error(*at, message));
            }
        }
        Ok(())
    }

    fn command(&self, entry: &Entry<'a>) -> Result<Vec<Expanded>, Diagnostic> {
        let items = entry
            .value
            .as_array()
            .filter(|items| !items.is_empty())
            .ok_or_else(|| {
                let message = "`command` is a list of words, such as [\"node\", \"server.js\"]";
                self.source.error(entry.at, message)
            })?;
        let words: Vec<Expanded> = items
            .iter()
            .map(|item| self.word(item))
            .collect::<Result<_, _>>()?;
        if self.is_chosen && words[0].value.trim().is_empty() {
            let message = "the first word of `command` is empty";
            return Err(self.source.error(entry.at, message));
        }
        Ok(words)
    }

    fn word(&self, item: &'a Spanned<DeValue<'a>>) -> Result<Expanded, Diagnostic> {
        let at = item.span().start;
        match item.get_ref().as_str() {
            Some(text) => self.expand(text, at),
            None => Err(self.source.error(at, "a word of `command` is a string")),
        }
    }

    fn url(&self, entry: &Entry<'a>) -> Result<Expanded, Diagnostic> {
        let url = self.expanded(entry)?;
        match url_problem(&url.value) {
            Some(problem) if self.is_chosen || url.variables.is_empty() => {
                let message = format!("`url` is not the URL of a server: {problem}");
                Err(self.source.error(entry.at, message))
            }
            _ => Ok(url),
        }
    }

    /// The value of Authorization with the token that the named variable holds.
    fn bearer(&self, entry: &Entry<'a>) -> Result<Expanded, Diagnostic> {
        let name = self.source.string(entry)?;
        let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
        if !name.chars().all(is_part) {
            let message = format!("`{}` is the name of an environment variable", entry.key);
            return Err(self.source.error(entry.at, message));
        }
        let value = self.expand(&format!("${{{name}}}"), entry.at)?;
        match token_problem(&value.value) {
            Some(problem) if self.is_chosen => {
                let message = format!("the environment variable {name} {problem}");
                Err(self.source.error(entry.at, message))
            }
            _ => Ok(Expanded {
                written: format!("Bearer {}", value.written),
                value: format!("Bearer {}", value.value),
                ..value
            }),
        }
    }

    fn time(&self, entry: &Entry<'a>) -> Result<Duration, Diagnostic> {
        // As on the command line: a number alone would be milliseconds, which nobody means by `timeout = 5`.
        let wanted = "a time with its unit, such as \"5s\"";
        let text = entry.value.as_str();
        let text = text.ok_or_else(|| self.source.wrong_type(entry, wanted))?;
        let problem = match duration(&text.into()) {
            Ok(time) if !time.is_zero() => return Ok(time),
            Ok(_) => "it has to be more than nothing".to_owned(),
            Err(problem) => problem.to_string(),
        };
        let message = format!("`{}`: {problem}", entry.key);
        Err(self.source.error(entry.at, message))
    }

    fn env(&mut self, entry: &Entry<'a>) -> Result<Vec<(String, Expanded)>, Diagnostic> {
        self.named(entry, |name, _| {
            (name.is_empty() || name.contains('=')).then_some("the name is none")
        })
    }

    /// The members of a table, each a text that may be empty. What is wrong with one is kept.
    fn named(
        &mut self,
        entry: &Entry<'a>,
        problem: impl Fn(&str, &str) -> Option<&'static str>,
    ) -> Result<Vec<(String, Expanded)>, Diagnostic> {
        let mut named = Vec::new();
        for member in entries(self.source.table(entry)?) {
            match self.pair(&member, &problem) {
                Ok(value) => named.push((member.key.to_owned(), value)),
                Err(fault) => self.faults.push(fault),
            }
        }
        Ok(named)
    }

    fn pair(
        &self,
        member: &Entry<'a>,
        problem: impl Fn(&str, &str) -> Option<&'static str>,
    ) -> Result<Expanded, Diagnostic> {
        let text = member
            .value
            .as_str()
            .ok_or_else(|| self.source.wrong_type(member, "a string"))?;
        let value = self.expand(text, member.at)?;
        match problem(member.key, &value.value) {
            Some(problem) => {
                let message = format!("`{}`: {problem}", member.key);
                Err(self.source.error(member.at, message))
            }
            None => Ok(value),
        }
    }

    fn expanded(&self, entry: &Entry<'a>) -> Result<Expanded, Diagnostic> {
        self.expand(&self.source.string(entry)?, entry.at)
    }

    fn expand(&self, text: &str, at: usize) -> Result<Expanded, Diagnostic> {
        let nothing = |_: &str| Some(String::new());
        let variables = match self.is_chosen {
            true => self.around.variables,
            false => &nothing,
        };
        let expanded = expand(text, variables).map_err(|error| self.source.error(at, error))?;
        // Neither a word of a command nor a variable can hold one, and starting the command would fail without a place.
        if expanded.value.contains('\0') {
            return Err(self.source.error(at, "the text holds a NUL"));
        }
        Ok(expanded)
    }

    fn choice(&self, entry: &Entry<'a>, known: &[&str]) -> Result<String, Diagnostic> {
        let text = self.source.string(entry)?;
        if known.contains(&text.as_str()) {
            return Ok(text);
        }
        let message = format!("`{}` cannot be `{text}`", entry.key);
        Err(self.source.closed(entry.at, message, &text, known))
    }
}
