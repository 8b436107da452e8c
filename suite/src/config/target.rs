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

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::case::Diagnostic;

use super::document::{Entry, Source, entries};
use super::trigger::read_triggers;
use super::variables::{Expanded, expand};
use super::{Surroundings, Trigger, header_problem, url_problem};

/// Keys of a target.
pub(super) const KEYS: [&str; 9] = [
    "call-tools",
    "command",
    "cwd",
    "env",
    "headers",
    "name",
    "profile",
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
    /// Headers of every HTTP request.
    pub headers: Vec<(String, Expanded)>,
    /// Working directory of the command.
    pub cwd: Option<Expanded>,
    /// `all`, `listed`, `none` or `readonly`.
    pub call_tools: Option<String>,
    /// Name of the profile to use.
    pub profile: Option<String>,
    /// Triggers of this target alone; they count before those of the whole file.
    pub triggers: BTreeMap<String, Trigger>,
}

impl TargetSettings {
    /// Names and values of the environment variables that were put in for `${NAME}`.
    pub fn secrets(&self) -> impl Iterator<Item = &(String, String)> {
        let named = self.env.iter().chain(&self.headers).map(|(_, value)| value);
        let values = self.command.iter().chain(&self.url).chain(&self.cwd);
        values.chain(named).flat_map(|value| &value.variables)
    }
}

/// Reads the `[[target]]` tables.
pub(super) fn read_targets<'a>(
    source: Source<'a>,
    list: &Entry<'a>,
    around: &Surroundings<'_>,
) -> Result<Vec<TargetSettings>, Diagnostic> {
    let items = list
        .value
        .as_array()
        .ok_or_else(|| source.wrong_type(list, "a list of [[target]] tables"))?;
    let reader = Reader { source, around };
    let mut targets: Vec<TargetSettings> = Vec::new();
    for item in items {
        let at = item.span().start;
        let table = item
            .get_ref()
            .as_table()
            .ok_or_else(|| source.error(at, "a target is a table"))?;
        let target = reader.target(table, at)?;
        if targets.iter().any(|other| other.name == target.name) {
            return Err(source.error(at, format!("two targets are named `{}`", target.name)));
        }
        targets.push(target);
    }
    Ok(targets)
}

struct Reader<'a, 'b> {
    source: Source<'a>,
    around: &'b Surroundings<'b>,
}

impl<'a> Reader<'a, '_> {
    fn target(&self, table: &'a DeTable<'a>, at: usize) -> Result<TargetSettings, Diagnostic> {
        let source = self.source;
        let mut target = TargetSettings::default();
        for entry in entries(table) {
            match entry.key {
                "call-tools" => target.call_tools = Some(self.choice(&entry, &CALL_TOOLS)?),
                "command" => target.command = self.command(&entry)?,
                "cwd" => target.cwd = Some(self.expanded(&entry)?),
                "env" => target.env = self.env(&entry)?,
                "headers" => target.headers = self.headers(&entry)?,
                "name" => target.name = source.string(&entry)?,
                "profile" => target.profile = Some(self.choice(&entry, self.around.profiles)?),
                "triggers" => {
                    target.triggers =
                        read_triggers(source, source.table(&entry)?, "configuration")?;
                }
                "url" => target.url = Some(self.url(&entry)?),
                _ => return Err(source.unknown(&entry, "key of a target", &KEYS)),
            }
        }
        let name = &target.name;
        let complain = |what: &str| Err(source.error(at, format!("target `{name}` {what}")));
        let has_command = !target.command.is_empty();
        if name.is_empty() {
            return Err(source.error(at, "a target has no `name`"));
        }
        if !has_command && target.url.is_none() {
            return complain("has neither `command` nor `url`");
        }
        if target.url.is_none() && !target.headers.is_empty() {
            return complain("has `headers`, but no `url`");
        }
        if !has_command && (!target.env.is_empty() || target.cwd.is_some()) {
            return complain("has `env` or `cwd`, but no `command`");
        }
        Ok(target)
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
        items.iter().map(|item| self.word(item)).collect()
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
            Some(problem) => {
                let message = format!("`url` is not the URL of a server: {problem}");
                Err(self.source.error(entry.at, message))
            }
            None => Ok(url),
        }
    }

    fn headers(&self, entry: &Entry<'a>) -> Result<Vec<(String, Expanded)>, Diagnostic> {
        self.named(entry, header_problem)
    }

    fn env(&self, entry: &Entry<'a>) -> Result<Vec<(String, Expanded)>, Diagnostic> {
        self.named(entry, |name, _| {
            (name.is_empty() || name.contains('=')).then_some("the name is none")
        })
    }

    /// The members of a table, each a text that may be empty.
    fn named(
        &self,
        entry: &Entry<'a>,
        problem: impl Fn(&str, &str) -> Option<&'static str>,
    ) -> Result<Vec<(String, Expanded)>, Diagnostic> {
        let mut named = Vec::new();
        for member in entries(self.source.table(entry)?) {
            let text = member
                .value
                .as_str()
                .ok_or_else(|| self.source.wrong_type(&member, "a string"))?;
            let value = self.expand(text, member.at)?;
            if let Some(problem) = problem(member.key, &value.value) {
                let message = format!("`{}`: {problem}", member.key);
                return Err(self.source.error(member.at, message));
            }
            named.push((member.key.to_owned(), value));
        }
        Ok(named)
    }

    fn expanded(&self, entry: &Entry<'a>) -> Result<Expanded, Diagnostic> {
        self.expand(&self.source.string(entry)?, entry.at)
    }

    fn expand(&self, text: &str, at: usize) -> Result<Expanded, Diagnostic> {
        let expanded =
            expand(text, self.around.variables).map_err(|error| self.source.error(at, error))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;

    fn read(text: &str) -> Result<Settings, String> {
        let variables = |name: &str| (name == "TOKEN").then(|| "s3cr3t".to_owned());
        let around = Surroundings {
            variables: &variables,
            profiles: &["bench"],
        };
        Settings::read("mcpspec.toml", text, &around).map_err(|error| {
            let (at, message) = (error.at, &error.message);
            format!("{}:{}:{}: {message}", error.file, at.line, at.column)
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
                "1:1: target `a` has `headers`, but no `url`",
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
                "name = \"a\"\ncomand = [\"a\"]",
                "3:1: unknown key of a target `comand`",
            ),
            (
                "name = \"a\"\ncommand = [\"a\"]\n[[target]]\nname = \"a\"\ncommand = [\"b\"]",
                "4:1: two targets are named `a`",
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
            Err(
                "mcpspec.toml:1:2: `target` is a table, not a list of [[target]] tables".to_owned()
            )
        );
    }
}
