//! Writing `mcpspec.toml`: a pure function of what was learned.

use std::time::Duration;

use crate::spec::TriggerKind;
use crate::text::{Redactor, counted, preview, toml_key, toml_string, visible};

use super::inline::inline;
use super::outline::{KnownTrigger, MissingTrigger, Outline, ToolClass, ToolUse};
use super::page::Page;
use super::stub::{fit, setting, stub_lines, table, trigger_lines};

/// Most tools that are named of a class.
const MOST_NAMES: usize = 50;

/// Longest name that is shown, in bytes.
const LONGEST_NAME: usize = 100;

/// Where the triggers and their options are told.
const CONTRACT: &str = "https://github.com/mcpspec/mcpspec/blob/main/cases/README.md#112-triggers";

impl Outline {
    /// The file. A trigger in which `redactor` finds a secret is left out of it, and that is said.
    pub fn write(&self, redactor: &Redactor) -> String {
        let mut page = Page::default();
        page.prose("What `mcpspec check` judges in this folder, written by `mcpspec init`.");
        page.prose("A line that begins with `#` and no blank behind it is a setting: it counts when the `#` is taken away.");
        self.variables(&mut page);
        page.blank();
        self.target(&mut page);
        page.blank();
        for sentence in &self.learned {
            page.prose(sentence);
        }
        self.tools(&mut page);
        if !self.known.is_empty() || !self.missing.is_empty() {
            page.blank();
            page.prose("A trigger is a request that makes the server do what some cases have to see. All of them, and their options:");
            page.prose(CONTRACT);
        }
        self.known(&mut page, redactor);
        self.missing(&mut page, redactor);
        if !self.suggestions.is_empty() {
            page.blank();
            page.prose("More would be judged:");
            for sentence in &self.suggestions {
                page.point(sentence);
            }
        }
        page.into_text()
    }

    fn variables(&self, page: &mut Page) {
        if self.target.variables.is_empty() {
            return;
        }
        page.blank();
        page.prose("The values of headers, of variables and of what is secret in a URL or a command do not stand here. Before `mcpspec check`, set the environment variables");
        for variable in &self.target.variables {
            page.point(&format!("{}: {}", variable.name, variable.what));
        }
    }

    fn target(&self, page: &mut Page) {
        let target = &self.target;
        page.setting("[[target]]");
        page.setting(&format!("name = {}", toml_string(&self.name)));
        if let Some(url) = &target.url {
            page.setting(&format!("url = {}", toml_string(url)));
        }
        if !target.command.is_empty() {
            let words: Vec<String> = target
                .command
                .iter()
                .map(|word| toml_string(word))
                .collect();
            page.setting(&format!("command = [{}]", words.join(", ")));
        }
        if let Some(cwd) = &target.cwd {
            page.setting(&format!("cwd = {}", toml_string(cwd)));
        }
        for (key, pairs) in [("env", &target.env), ("headers", &target.headers)] {
            if !pairs.is_empty() {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(name, value)| format!("{} = {}", toml_key(name), toml_string(value)))
                    .collect();
                page.setting(&format!("{key} = {{ {} }}", pairs.join(", ")));
            }
        }
        if let Some(name) = &target.bearer_env {
            page.setting(&format!("bearer-env = {}", toml_string(name)));
        }
        match &self.call_tools {
            Some(mode) => page.setting(&format!("call-tools = {}", toml_string(mode))),
            None if self.has_forbidden() => {
                page.idle("call-tools = \"all\"");
            }
            None => {}
        }
        if let Some(profile) = &self.profile {
            page.setting(&format!("profile = {}", toml_string(profile)));
        }
        for (key, time) in [
            ("startup-timeout", self.startup_timeout),
            ("timeout", self.timeout),
        ] {
            if let Some(time) = time {
                page.setting(&format!("{key} = \"{}\"", spelt(time)));
            }
        }
    }

    fn tools(&self, page: &mut Page) {
        if self.tools.is_empty() {
            return;
        }
        page.blank();
        page.prose("Its tools:");
        for class in &self.tools {
            page.point(&told(class));
        }
        if self
            .tools
            .iter()
            .any(|class| class.use_of_it == ToolUse::Hindered)
        {
            page.prose("Of these one that may be called is called as soon as a trigger below names it, with its arguments.");
        }
        if !self.has_forbidden() {
            return;
        }
        if self.call_tools.as_deref() == Some("none") {
            page.prose(
                "Without `call-tools = \"none\"` those are called that say that they only read.",
            );
            return;
        }
        page.prose("To permit one more, name it in a trigger below; to permit all, set `call-tools` above.");
    }

    /// Whether some tool may not be called.
    fn has_forbidden(&self) -> bool {
        let mut tools = self.tools.iter();
        tools.any(|class| class.use_of_it == ToolUse::Forbidden)
    }

    /// The params of the example, if they may stand here.
    fn example(&self, redactor: &Redactor) -> Option<String> {
        let params = inline(&self.example.as_ref()?.params).ok()?;
        fit(params, redactor).ok()
    }

    fn known(&self, page: &mut Page, redactor: &Redactor) {
        let mut written = self
            .known
            .iter()
            .filter(|(_, known)| known.does_something())
            .peekable();
        if written.peek().is_none() {
            return;
        }
        page.blank();
        page.prose("Triggers that are known. `mcpspec check` finds them by itself; take the `#` away only to change one.");
        for (name, known) in written {
            page.blank();
            self::known(page, name, known, redactor);
        }
    }

    fn missing(&self, page: &mut Page, redactor: &Redactor) {
        if self.missing.is_empty() {
            return;
        }
        page.blank();
        page.prose("Triggers that are not known. Where the server can do such a thing, put in which of its tools does, and what that takes.");
        if self.call_tools.as_deref() == Some("none") {
            page.prose("Those that call a tool count only without `call-tools = \"none\"`.");
        }
        for missing in &self.missing {
            page.blank();
            let example = self.example(redactor);
            self::missing(page, missing, example.as_deref());
        }
    }
}

/// A time as the reader takes it.
fn spelt(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{}s", time.as_secs()),
        _ => format!("{}ms", time.as_millis()),
    }
}

/// A class of tools in a line.
fn told(class: &ToolClass) -> String {
    let shown: Vec<_> = class
        .names
        .iter()
        .take(MOST_NAMES)
        .map(|name| preview(&visible(name), LONGEST_NAME).into_owned())
        .collect();
    let more = match class.names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verdict = match class.use_of_it {
        ToolUse::Called => "called",
        ToolUse::Hindered | ToolUse::Forbidden => "not called",
    };
    format!("{verdict} ({}): {}{more}", class.why, shown.join(", "))
}

fn known(page: &mut Page, name: &str, known: &KnownTrigger, redactor: &Redactor) {
    let makes = TriggerKind::of(name).map_or("", |kind| kind.makes);
    let source = preview(&known.trigger.source, LONGEST_NAME);
    page.prose(&format!(
        "{name} makes the server {makes}. Known from the {source}."
    ));
    if let Some(why) = &known.unused {
        page.prose(&format!("Not used: {}.", preview(why, 500)));
    }
    if !known.lacks.is_empty() {
        let kind = TriggerKind::of(name);
        page.prose(&format!("Without {}.", options(kind, &known.lacks)));
    }
    match trigger_lines(name, &known.trigger, redactor) {
        Ok(lines) => {
            for line in lines {
                page.idle(&line);
            }
        }
        Err(problem) => page.prose(&format!("It cannot be written here, since {problem}.")),
    }
}

fn missing(page: &mut Page, missing: &MissingTrigger, example: Option<&str>) {
    let MissingTrigger {
        kind,
        is_whole,
        cases,
        options,
    } = missing;
    let would = match cases {
        0 => String::new(),
        _ => format!(": {}", counted(*cases, "case")),
    };
    page.prose(&format!(
        "{} makes the server {}{would}.",
        kind.name, kind.makes
    ));
    if !options.is_empty() {
        page.prose(&format!("With {}.", self::options(Some(kind), options)));
    }
    if kind.may_be_command {
        page.prose("A shell command will do as well: `command` in place of `method` and `params`.");
    }
    let variants = options.iter().map(|(name, _)| name.as_str());
    let variants = variants.filter(|name| kind.variants.contains(name));
    let stubs: Vec<Option<&str>> = match is_whole {
        true => vec![None],
        false => variants.map(Some).collect(),
    };
    for variant in stubs {
        let example = example.filter(|_| kind.name == "callable-tool");
        for line in stub_lines(kind, variant, example) {
            page.idle(&line);
        }
    }
}

/// `[triggers.slow-tool.counter]` (2 cases), `lasts = "10s"` (1 case)
fn options(kind: Option<&'static TriggerKind>, options: &[(String, usize)]) -> String {
    let told: Vec<String> = options
        .iter()
        .map(|(name, cases)| {
            let written = match kind {
                Some(kind) if kind.variants.contains(&name.as_str()) => {
                    format!("[{}]", table(kind.name, Some(name)))
                }
                Some(kind) => setting(kind, name).unwrap_or_else(|| name.clone()),
                None => name.clone(),
            };
            format!("`{written}` ({})", counted(*cases, "case"))
        })
        .collect();
    told.join(", ")
}
