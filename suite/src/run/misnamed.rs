//! What the user's own triggers name, and the server does not list: a slip of the pen, most often.

use std::collections::BTreeMap;

use mcpspec_wire::Value;

use crate::config::{Trigger, TriggerAction, WholeRequest};
use crate::target::Survey;
use crate::text::{closest, preview};

/// Longest name that is shown, in bytes.
const NAME: usize = 100;

/// A sentence for each tool, prompt or resource that a trigger of the configuration names and the server, though it answers the
/// request for the list, does not list.
pub(super) fn misnamed(triggers: &BTreeMap<String, Trigger>, survey: &Survey) -> Vec<String> {
    let mut told = Vec::new();
    for (name, trigger) in triggers {
        look(name, trigger, survey, &mut told);
    }
    told
}

fn look(path: &str, trigger: &Trigger, survey: &Survey, told: &mut Vec<String>) {
    let Some(table) = trigger.table() else {
        return;
    };
    if let TriggerAction::Request(whole) = &trigger.action
        && let Some((noun, name, known)) = named(whole, survey)
        && !known.contains(&name)
    {
        let meant = closest(name, known.iter().copied());
        let meant = meant.map_or(String::new(), |meant| {
            format!(": is it `{}`?", preview(meant, NAME))
        });
        let name = preview(name, NAME);
        told.push(format!(
            "[{table}.{path}] names the {noun} `{name}`, which the server does not list{meant}"
        ));
    }
    for (variant, trigger) in &trigger.variants {
        look(&format!("{path}.{variant}"), trigger, survey, told);
    }
}

/// What a request names, what that is, and what there is of the kind.
fn named<'a>(
    whole: &'a WholeRequest,
    survey: &'a Survey,
) -> Option<(&'static str, &'a str, Vec<&'a str>)> {
    let completes = |kind: &str| {
        let kind_pointer = whole.params.pointer("/ref/type");
        whole.method == "completion/complete" && kind_pointer.and_then(Value::as_str) == Some(kind)
    };
    let (noun, list, pointer, items, member) = match whole.method.as_str() {
        "tools/call" => ("tool", "tools/list", "/name", &survey.tools, "name"),
        "prompts/get" => ("prompt", "prompts/list", "/name", &survey.prompts, "name"),
        _ if completes("ref/prompt") => (
            "prompt",
            "prompts/list",
            "/ref/name",
            &survey.prompts,
            "name",
        ),
        // A template, too, can give a resource that is not listed.
        "resources/read" if survey.templates.is_empty() => (
            "resource",
            "resources/list",
            "/uri",
            &survey.resources,
            "uri",
        ),
        _ => return None,
    };
    let is_listed = survey.lists.iter().any(|whole| whole.method == list);
    let name = whole.params.pointer(pointer).and_then(Value::as_str);
    let items = items.iter();
    let known = items.filter_map(|item| item.get(member)?.as_str());
    name.filter(|_| is_listed)
        .map(|name| (noun, name, known.collect()))
}
