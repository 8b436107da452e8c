//! What `init` learned of a server, made ready to be written. Text of the server is redacted here, and escaped where it is written.

use std::collections::BTreeMap;

use mcpspec_wire::{Object, Value};

use crate::arguments;
use crate::config::{KnownTrigger, Profile, ToolClass, ToolUse, Trigger, WholeRequest};
use crate::run::Outlook;
use crate::spec::Transport;
use crate::target::{Permit, ServedEra, Survey, named_tools};
use crate::text::{Redactor, counted, terminal_safe};

/// Longest name that is shown, in bytes.
const LONGEST_NAME: usize = 100;

/// Longest reason that is shown, in bytes.
const LONGEST_REASON: usize = 400;

/// What was learned of a server.
pub(super) struct Learned<'a> {
    pub(super) survey: &'a Survey,
    pub(super) permit: &'a Permit,
    pub(super) outlook: &'a Outlook,
    pub(super) redactor: &'a Redactor,
}

impl Learned<'_> {
    /// The server's own name, as far as it can be typed.
    pub(super) fn name(&self) -> String {
        let name = self.own("name").unwrap_or_else(|| "server".to_owned());
        terminal_safe(&name).into_owned()
    }

    fn shown(&self, text: &str) -> String {
        self.redactor.bounded(text, LONGEST_NAME)
    }

    /// A member of what the server calls itself.
    fn own(&self, member: &str) -> Option<String> {
        let text = self.survey.server_info.as_ref()?.get(member)?.as_str()?;
        Some(self.shown(text)).filter(|text| !text.trim().is_empty())
    }

    /// What the server says of itself.
    pub(super) fn sentences(&self) -> Vec<String> {
        vec![self.identity(), self.offer()]
    }

    fn identity(&self) -> String {
        let name = self
            .own("name")
            .unwrap_or_else(|| "without a name".to_owned());
        let version = self.own("version").map(|version| format!(" {version}"));
        let versions: Vec<String> = self
            .survey
            .supported_versions
            .iter()
            .map(|version| self.shown(version))
            .collect();
        let versions = match versions.as_slice() {
            [] => "no revision is named".to_owned(),
            [version] => format!("revision {version}"),
            versions => format!("revisions {}", versions.join(", ")),
        };
        let older = match (&self.survey.era, &self.survey.legacy_version) {
            (ServedEra::Dual, Some(version)) => {
                format!(" It answers initialize, too, with {}.", self.shown(version))
            }
            _ => String::new(),
        };
        let version = version.unwrap_or_default();
        format!("The server: {name}{version}, {versions}.{older}")
    }

    fn offer(&self) -> String {
        let declared = self.declared();
        let declared = match declared.as_slice() {
            [] => "no capability".to_owned(),
            declared => declared.join(", "),
        };
        let lists = [
            (&self.survey.tools, "tool"),
            (&self.survey.resources, "resource"),
            (&self.survey.templates, "resource template"),
            (&self.survey.prompts, "prompt"),
        ];
        let listed: Vec<String> = lists
            .iter()
            .filter(|(items, _)| !items.is_empty())
            .map(|(items, noun)| counted(items.len(), noun))
            .collect();
        let listed = match listed.as_slice() {
            [] => "It lists nothing.".to_owned(),
            listed => format!("It lists {}.", listed.join(", ")),
        };
        let auth = if self.survey.auth {
            " It wants a token."
        } else {
            ""
        };
        format!("It declares {declared}. {listed}{auth}")
    }

    /// Capabilities, and what is declared inside of each.
    fn declared(&self) -> Vec<String> {
        let members = |value: &Value| -> Vec<String> {
            let members = value.as_object().into_iter().flat_map(Object::iter);
            members
                .filter(|(_, value)| value.as_bool() != Some(false))
                .map(|(name, _)| self.shown(name))
                .collect()
        };
        let capabilities = self.survey.capabilities.as_object();
        capabilities
            .into_iter()
            .flat_map(Object::iter)
            .map(|(name, value)| match members(value).as_slice() {
                [] => self.shown(name),
                members => format!("{} ({})", self.shown(name), members.join(", ")),
            })
            .collect()
    }

    /// The tools by what the gate says of them.
    pub(super) fn tools(&self) -> Vec<ToolClass> {
        let mut classes: Vec<ToolClass> = Vec::new();
        let names = self.survey.tools.iter();
        for name in names.filter_map(|tool| tool.get("name")?.as_str()) {
            let (use_of_it, why) = match (self.permit.decide(name), self.permit.hindered(name)) {
                (Ok(why), None) => (ToolUse::Called, why),
                (Ok(_), Some(why)) => (ToolUse::Hindered, format!("it may be called, but {why}")),
                (Err(error), _) => (ToolUse::Forbidden, error.why().to_owned()),
            };
            let why = self.redactor.bounded(&why, LONGEST_REASON);
            let shown = self.shown(name);
            let same = |class: &&mut ToolClass| class.use_of_it == use_of_it && class.why == why;
            match classes.iter_mut().find(same) {
                Some(class) => class.names.push(shown),
                None => classes.push(ToolClass {
                    use_of_it,
                    why,
                    names: vec![shown],
                }),
            }
        }
        classes.sort_by_key(|class| class.use_of_it);
        classes
    }

    /// The triggers of the survey, and those of the profile that it leaves out because they call a tool that may not be called.
    pub(super) fn known(
        &self,
        asked: &BTreeMap<String, Trigger>,
        profiles: &[Profile],
    ) -> BTreeMap<String, KnownTrigger> {
        let is_applied = |profile: &&Profile| Some(&profile.name) == self.survey.profile.as_ref();
        let applied = profiles.iter().find(is_applied);
        let mut triggers = self.survey.triggers.clone();
        // What the survey keeps of a trigger can lack variants.
        triggers.extend(
            applied
                .into_iter()
                .flat_map(|profile| profile.triggers.clone()),
        );
        triggers.extend(asked.clone());
        let known = triggers.into_iter().map(|(name, trigger)| {
            let is_used = self.survey.triggers.contains_key(&name);
            let lacks = self.outlook.lacking.get(&name).cloned();
            let known = KnownTrigger {
                trigger,
                unused: (!is_used).then(|| self.unused(&name)),
                lacks: lacks.unwrap_or_default(),
            };
            (name, known)
        });
        known.collect()
    }

    fn unused(&self, name: &str) -> String {
        let why = self.survey.forbidden.get(name).map_or(
            "its tool says that it may destroy something",
            String::as_str,
        );
        self.redactor.bounded(why, LONGEST_REASON)
    }

    /// What would get more judged, triggers aside.
    pub(super) fn suggestions(&self, transport: Transport, profiles: &[Profile]) -> Vec<String> {
        let mut suggestions = Vec::new();
        if self.outlook.stoppable > 0 {
            suggestions.push(format!(
                "{} by a `command` beside the `url`: mcpspec starts the server then, and can stop it",
                counted(self.outlook.stoppable, "case")
            ));
        }
        if self.outlook.principals > 0 {
            suggestions.push(format!(
                "{} with a token of another user under `second-bearer-env`, and one that may do less under `low-scope-bearer-env`: each names an environment variable",
                counted(self.outlook.principals, "case")
            ));
        }
        let (other, how) = match transport {
            Transport::Stdio => ("HTTP", "its `url`, and a `command` if it has to be started"),
            Transport::Http => ("stdio", "the `command` that speaks it"),
        };
        suggestions.push(format!(
            "{} over {other}: if the server speaks that, too, add a second [[target]] with {how}",
            counted(self.outlook.elsewhere, "case")
        ));
        suggestions.extend(self.fitting(profiles).map(|name| {
            format!("those for the profile {name}: the server lists every tool that it names, so that `profile = \"{name}\"` may fit")
        }));
        suggestions
    }

    /// A profile of another server all of whose tools this one lists.
    fn fitting<'a>(&self, profiles: &'a [Profile]) -> Option<&'a str> {
        if self.survey.profile.is_some() {
            return None;
        }
        let is_listed = |tool: &String| {
            let mut names = self
                .survey
                .tools
                .iter()
                .filter_map(|tool| tool.get("name")?.as_str());
            names.any(|name| name == tool)
        };
        let mut profiles = profiles.iter();
        let found = profiles.find(|profile| {
            let tools = named_tools(&profile.triggers);
            !tools.is_empty() && tools.keys().all(is_listed)
        });
        found.map(|profile| profile.name.as_str())
    }
}

/// A call of the first tool that is not permitted and does not say that it may destroy something, if one can be made.
pub(super) async fn example(survey: &Survey, permit: &Permit) -> Option<WholeRequest> {
    let tool = survey.tools.iter().find(|tool| {
        let hint = tool.pointer("/annotations/destructiveHint");
        let name = tool.get("name").and_then(Value::as_str);
        name.is_some_and(|name| permit.decide(name).is_err())
            && hint.and_then(Value::as_bool) != Some(true)
    })?;
    let name = tool.get("name")?.clone();
    let schema = tool.get("inputSchema")?.clone();
    // Work on a hostile schema takes bounded time, but not none.
    let made = tokio::task::spawn_blocking(move || arguments::required_members(&schema)).await;
    let params: Object = [("name", name), ("arguments", made.ok()?.ok()?)]
        .into_iter()
        .collect();
    Some(WholeRequest::new("tools/call", Value::Object(params)))
}
