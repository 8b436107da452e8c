//! Where the values of placeholders come from during a run (`cases/README.md`, section 3.1).

use std::collections::BTreeMap;

use mcpspec_wire::{Object, Value};

use crate::config::{Trigger, TriggerAction, WholeRequest};
use crate::spec::LEGACY_REVISIONS;
use crate::target::{Draft, IdSource, Survey};
use crate::template::{Data, Resolved, Scope, SourcePath};

use super::bad_calls;
use super::random::Invented;
use super::request::Credentials;

/// Sources that depend on the target alone. Watches know no others.
#[derive(Clone, Copy)]
pub(super) struct TargetScope<'a> {
    pub(super) survey: &'a Survey,
    pub(super) url: Option<&'a str>,
    pub(super) other_urls: &'a [String],
    pub(super) ids: &'a IdSource,
    pub(super) credentials: &'a Credentials,
}

/// Most listed items that a case is given.
const MAX_ITEMS: usize = 20;

/// Variable of a row: as its file writes it, or an item of a list that the target gave.
#[derive(Debug, Clone)]
pub(super) enum Variable {
    Data(Data),
    Value(Value),
}

/// Sources of a row: its variables, its outcomes, and those of the target.
pub(super) struct RowScope<'a> {
    pub(super) target: TargetScope<'a>,
    pub(super) variables: &'a [(String, Variable)],
    pub(super) outcomes: BTreeMap<&'a str, &'a Value>,
    /// Steps of a rehearsal: what would come for them stands for itself.
    pub(super) rehearsed: &'a [&'a str],
    pub(super) invented: &'a Invented,
}

impl Scope for RowScope<'_> {
    fn source(&self, path: &SourcePath) -> Resolved {
        let (name, rest) = split(path);
        if let Some((_, variable)) = self.variables.iter().find(|(variable, _)| variable == name) {
            return match variable {
                Variable::Value(value) => walk(value, rest),
                Variable::Data(data) => match data.resolve(&self.target) {
                    Ok(Resolved::Value(value)) => walk(&value, rest),
                    Ok(_) | Err(_) => Resolved::Absent,
                },
            };
        }
        if let Some(outcome) = self.outcomes.get(name) {
            return walk(outcome, rest);
        }
        if self.rehearsed.contains(&name) {
            let written = format!("$({})", path.segments.join("."));
            return Resolved::Value(Value::from(written));
        }
        match name {
            "random" => Resolved::Value(Value::from(self.invented.word())),
            "uuid" => Resolved::Value(Value::from(self.invented.uuid())),
            _ => self.target.source(path),
        }
    }

    fn row(&self, name: &str) -> Option<&Data> {
        self.variables
            .iter()
            .find_map(|(variable, value)| match value {
                Variable::Data(data) if variable == name => Some(data),
                _ => None,
            })
    }
}

impl Scope for TargetScope<'_> {
    fn source(&self, path: &SourcePath) -> Resolved {
        let (name, rest) = split(path);
        let first = rest.first().map(String::as_str);
        let found = match name {
            "survey" => first.and_then(|first| self.surveyed(first)),
            "tool" => first.and_then(|first| self.tool(first)),
            "resource" => {
                first.and_then(|first| self.survey.resources.first()?.get(first).cloned())
            }
            "prompt" => first.and_then(|first| self.prompt(first)),
            "completion" => first.and_then(|first| self.completion(first)),
            "trigger" => first.and_then(|first| self.survey.triggers.get(first).map(trigger_value)),
            "target" => first.and_then(|first| self.endpoint(first)),
            "auth" => first.and_then(|first| self.credential(first)),
            "message" => path.argument.as_deref().map(|method| self.message(method)),
            _ => None,
        };
        match found {
            Some(value) => walk(&value, rest.get(1..).unwrap_or_default()),
            None => Resolved::Absent,
        }
    }
}

impl TargetScope<'_> {
    fn surveyed(&self, name: &str) -> Option<Value> {
        let survey = self.survey;
        Some(match name {
            "lists" => requests(&survey.lists),
            "requests" => requests(&survey.requests),
            "resources" => items(&survey.resources),
            "prompts" => items(&survey.prompts),
            "tools" => items(&survey.tools),
            "filter" => filter(|word| declares(survey, word), survey),
            "filter-all" => filter(|_| true, survey),
            "versions" => survey
                .supported_versions
                .iter()
                .map(String::as_str)
                .map(Value::from)
                .collect(),
            "unlisted" => unlisted(survey),
            "capabilities" => survey.capabilities.clone(),
            "server-info" => return survey.server_info.clone(),
            _ => return None,
        })
    }

    fn tool(&self, name: &str) -> Option<Value> {
        let (call, definition) = self.survey.callable.as_ref()?;
        match name {
            "call" => Some(whole_value(call)),
            "name" => call.params.get("name").cloned(),
            "definition" => Some(definition.clone()),
            "bad-calls" => Some(requests(&bad_calls::of_tool(call, definition))),
            _ => None,
        }
    }

    fn prompt(&self, name: &str) -> Option<Value> {
        let call = self
            .survey
            .requests
            .iter()
            .find(|request| request.method == "prompts/get")?;
        match name {
            "call" => Some(whole_value(call)),
            "name" => call.params.get("name").cloned(),
            "bad-calls" => {
                let wanted = call.params.get("name");
                let prompt = self
                    .survey
                    .prompts
                    .iter()
                    .find(|prompt| prompt.get("name") == wanted)?;
                Some(requests(&bad_calls::of_prompt(call, prompt)))
            }
            _ => None,
        }
    }

    fn completion(&self, name: &str) -> Option<Value> {
        let [of_prompt, of_template] = self.survey.first_completions();
        let (kind, first) = match name {
            "prompt" => ("ref/prompt", of_prompt),
            "template" => ("ref/resource", of_template),
            _ => return None,
        };
        let completes = |request: &&WholeRequest| {
            request.method == "completion/complete"
                && request.params.pointer("/ref/type").and_then(Value::as_str) == Some(kind)
        };
        // A server that refuses every reference of a kind is to be seen refusing it.
        let served = self.survey.requests.iter().find(completes);
        served.or(first.as_ref()).map(whole_value)
    }

    fn endpoint(&self, name: &str) -> Option<Value> {
        let url = self.url?;
        match name {
            "url" => Some(Value::from(url)),
            "other-urls" => Some(
                self.other_urls
                    .iter()
                    .map(String::as_str)
                    .map(Value::from)
                    .collect(),
            ),
            "path" => {
                let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
                Some(Value::from(
                    after_scheme
                        .find('/')
                        .map_or("/", |start| &after_scheme[start..]),
                ))
            }
            _ => None,
        }
    }

    fn credential(&self, name: &str) -> Option<Value> {
        let value = match name {
            "second" => self.credentials.second.as_deref(),
            "low" => self.credentials.low.as_deref(),
            _ => None,
        };
        value.map(Value::from)
    }

    fn message(&self, method: &str) -> Value {
        let nothing = Value::Object(Object::new());
        if method.starts_with("notifications/") {
            Draft::notification(method, &nothing).message
        } else {
            Draft::request(self.ids.next_id(), method, &nothing, &nothing).message
        }
    }
}

/// A whole request as a value.
pub(super) fn whole_value(request: &WholeRequest) -> Value {
    let mut members = Object::new();
    members.insert("method", request.method.as_str());
    members.insert("params", request.params.clone());
    if let Some(capabilities) = &request.capabilities {
        members.insert("capabilities", capabilities.clone());
    }
    if let Some(label) = &request.label {
        members.insert("label", label.as_str());
    }
    Value::Object(members)
}

/// A trigger as a value: its request, its properties and its variants, each under its name.
fn trigger_value(trigger: &Trigger) -> Value {
    let mut members = match &trigger.action {
        TriggerAction::Request(request) => match whole_value(request) {
            Value::Object(members) => members,
            _ => Object::new(),
        },
        TriggerAction::Command(command) => [("command", command.as_str())].into_iter().collect(),
        TriggerAction::Variants => Object::new(),
    };
    for (name, value) in &trigger.properties {
        members.insert(name.as_str(), value.clone());
    }
    for (name, variant) in &trigger.variants {
        members.insert(name.as_str(), trigger_value(variant));
    }
    Value::Object(members)
}

fn split(path: &SourcePath) -> (&str, &[String]) {
    path.segments
        .split_first()
        .map_or(("", &[]), |(name, rest)| (name.as_str(), rest))
}

fn walk(value: &Value, path: &[String]) -> Resolved {
    let mut value = value;
    for segment in path {
        let inner = match value {
            Value::Object(_) => value.get(segment),
            Value::Array(items) => segment
                .parse::<usize>()
                .ok()
                .and_then(|index| items.get(index)),
            _ => None,
        };
        match inner {
            Some(inner) => value = inner,
            None => return Resolved::Absent,
        }
    }
    Resolved::Value(value.clone())
}

fn requests(requests: &[WholeRequest]) -> Value {
    requests.iter().map(whole_value).collect()
}

fn items(items: &[Value]) -> Value {
    items.iter().take(MAX_ITEMS).cloned().collect()
}

fn declares(survey: &Survey, word: &str) -> bool {
    survey.capabilities.pointer(word).and_then(Value::as_bool) == Some(true)
}

/// A listen filter with every type for which `wanted` holds (page `basic/patterns/subscriptions`).
fn filter(wanted: impl Fn(&str) -> bool, survey: &Survey) -> Value {
    let mut members = Object::new();
    for (name, pointer) in [
        ("toolsListChanged", "/tools/listChanged"),
        ("promptsListChanged", "/prompts/listChanged"),
        ("resourcesListChanged", "/resources/listChanged"),
    ] {
        if wanted(pointer) {
            members.insert(name, true);
        }
    }
    if wanted("/resources/subscribe") {
        let watched = survey
            .triggers
            .get("resource-update")
            .and_then(|trigger| trigger.properties.get("uri"));
        let first = survey
            .resources
            .first()
            .and_then(|resource| resource.get("uri"));
        let uris: Vec<Value> = watched.or(first).into_iter().cloned().collect();
        members.insert("resourceSubscriptions", uris);
    }
    Value::Object(members)
}

/// Known revisions that the server neither lists nor serves through `initialize`.
///
/// The survey shakes hands once, for the newest of the older revisions. A server that takes it may serve any of the others
/// in the same way, listed or not.
fn unlisted(survey: &Survey) -> Value {
    let may_serve_others = survey.legacy_version.is_some();
    let is_listed = |version: &str| {
        survey
            .supported_versions
            .iter()
            .any(|listed| listed == version)
    };
    LEGACY_REVISIONS
        .iter()
        .filter(|version| !may_serve_others && !is_listed(version))
        .map(|version| Value::from(*version))
        .collect()
}
