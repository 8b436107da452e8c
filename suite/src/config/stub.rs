//! The lines of `mcpspec.toml` that tell of a trigger: of one that is known, or of one that whoever knows the server fills in.
//!
//! They stand under `[triggers.…]`, which counts for every target and is right in every such file: `[target.triggers.…]` needs a
//! `[[target]]` before it, and belongs to the last one.

use crate::spec::{PropertyValue, TriggerKind};
use crate::text::{Redactor, toml_key, toml_string};

use super::inline::{Unsayable, inline};
use super::{Trigger, TriggerAction};

/// Where triggers stand that count for every target.
const TABLE: &str = "triggers";

/// Longest value that is written of a trigger, in bytes.
const LONGEST: usize = 2000;

/// The table of a trigger or of a variant.
pub(super) fn table(name: &str, variant: Option<&str>) -> String {
    match variant {
        Some(variant) => format!("{TABLE}.{name}.{variant}"),
        None => format!("{TABLE}.{name}"),
    }
}

/// The lines that would tell of a trigger, or of an option of one, where whoever knows the server puts in what stands there in capitals.
/// `known` is the trigger as it is known, all of which has to stand in the file, since the file counts before what is found out.
///
/// None if the trigger cannot be written, or stands in the file already, so that a second table would be a fault.
pub fn lines_to_add(
    kind: &'static TriggerKind,
    option: Option<&str>,
    known: Option<&Trigger>,
) -> Option<Vec<String>> {
    let variant = option.filter(|option| kind.variants.contains(option));
    let Some(known) = known else {
        let mut lines = stub_lines(kind, variant, None);
        if variant.is_none() {
            lines.extend(option.and_then(|option| setting(kind, option)));
        }
        return Some(lines);
    };
    if let Some(place) = known.table() {
        return variant
            .filter(|_| place == TABLE)
            .map(|variant| stub_lines(kind, Some(variant), None));
    }
    let mut lines = trigger_lines(kind.name, known, &Redactor::new()).ok()?;
    match variant {
        Some(variant) => lines.extend(stub_lines(kind, Some(variant), None)),
        None => {
            // Behind the first table, before those of variants.
            let own = |line: &String| line.starts_with('[');
            let end = lines.iter().skip(1).position(own);
            let end = end.map_or(lines.len(), |index| index + 1);
            let setting = option.and_then(|option| setting(kind, option))?;
            lines.insert(end, setting);
        }
    }
    Some(lines)
}

/// The lines that would name another request for a trigger, or for a variant of one, than the one that is known. What else is known of
/// it stays.
///
/// None if that cannot be written, or stands in the file already, so that a second table would be a fault.
pub fn lines_in_place(
    kind: &'static TriggerKind,
    option: Option<&str>,
    known: Option<&Trigger>,
) -> Option<Vec<String>> {
    let variant = option.filter(|option| kind.variants.contains(option));
    let stub = stub_lines(kind, variant, None);
    let Some(known) = known else {
        return Some(stub);
    };
    if known.table().is_some() {
        return None;
    }
    let mut rest = known.clone();
    match variant {
        Some(variant) => drop(rest.variants.remove(variant)),
        None => {
            rest.action = TriggerAction::Variants;
            rest.properties.clear();
        }
    }
    let rest = trigger_lines(kind.name, &rest, &Redactor::new()).ok()?;
    Some(match variant {
        Some(_) => [rest, stub].concat(),
        None => [stub, rest].concat(),
    })
}

/// The table of a trigger or of a variant, to be filled in. `params` is what it could be called with, if that is known.
pub(super) fn stub_lines(
    kind: &'static TriggerKind,
    variant: Option<&str>,
    params: Option<&str>,
) -> Vec<String> {
    let (method, stub_params, capabilities) = stub(kind.name, variant);
    let mut lines = vec![
        format!("[{}]", table(kind.name, variant)),
        format!("method = \"{method}\""),
        format!("params = {}", params.unwrap_or(stub_params)),
    ];
    lines.extend(capabilities.map(|capabilities| format!("capabilities = {capabilities}")));
    let told = TOLD
        .iter()
        .filter(|(name, of, _)| *name == kind.name && variant == Some(*of));
    lines.extend(told.filter_map(|(_, _, property)| setting(kind, property)));
    lines
}

/// What a variant has to say beside its request, since that alone says nothing.
const TOLD: [(&str, &str, &str); 2] = [
    ("resource-update", "other", "uri"),
    ("state-tool", "expiring", "ttl"),
];

/// The line that gives a property. The definition of a tool is taken from what the server lists.
pub(super) fn setting(kind: &TriggerKind, option: &str) -> Option<String> {
    let property = kind.property(option).filter(|_| option != "tool")?;
    let value = match property.value {
        PropertyValue::Flag => "true".to_owned(),
        PropertyValue::Duration => "\"10s\"".to_owned(),
        PropertyValue::Text => toml_string(&option.to_uppercase()),
        PropertyValue::Object => "{}".to_owned(),
    };
    Some(format!("{} = {value}", toml_key(option)))
}

/// Why a trigger cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Omitted {
    #[error(transparent)]
    Unsayable(#[from] Unsayable),
    #[error("a secret stands in it")]
    Secret,
}

/// A value as it may stand here.
pub(super) fn fit(value: String, redactor: &Redactor) -> Result<String, Omitted> {
    if value.len() > LONGEST {
        Err(Unsayable::Length.into())
    } else if redactor.redact(&value) != value {
        Err(Omitted::Secret)
    } else {
        Ok(value)
    }
}

/// The tables of a trigger and its variants.
pub(super) fn trigger_lines(
    name: &str,
    trigger: &Trigger,
    redactor: &Redactor,
) -> Result<Vec<String>, Omitted> {
    lines(&table(name, None), trigger, redactor)
}

fn lines(path: &str, trigger: &Trigger, redactor: &Redactor) -> Result<Vec<String>, Omitted> {
    let mut lines = Vec::new();
    let mut add = |key: &str, value: Result<String, Unsayable>| {
        lines.push(format!("{} = {}", toml_key(key), fit(value?, redactor)?));
        Ok::<(), Omitted>(())
    };
    match &trigger.action {
        TriggerAction::Request(whole) => {
            add("method", Ok(toml_string(&whole.method)))?;
            add("params", inline(&whole.params))?;
            if let Some(capabilities) = &whole.capabilities {
                add("capabilities", inline(capabilities))?;
            }
        }
        TriggerAction::Command(command) => add("command", Ok(toml_string(command)))?,
        TriggerAction::Variants => {}
    }
    // The definition of the tool is taken from what the server lists.
    for (name, value) in trigger
        .properties
        .iter()
        .filter(|(name, _)| *name != "tool")
    {
        add(name, inline(value))?;
    }
    if !lines.is_empty() {
        lines.insert(0, format!("[{path}]"));
    }
    for (name, variant) in &trigger.variants {
        lines.extend(self::lines(&format!("{path}.{name}"), variant, redactor)?);
    }
    Ok(lines)
}

/// What a trigger could be: method, params, and the client's capabilities that it needs.
fn stub(name: &str, variant: Option<&str>) -> (&'static str, &'static str, Option<&'static str>) {
    let methods = TriggerKind::of(name).map(|kind| kind.methods(variant));
    let method = methods.and_then(<[_]>::first).copied();
    // Where any can be it, a tool is what most servers have.
    let method = method.unwrap_or("tools/call");
    let params = match method {
        "prompts/get" if name == "prompt-with-args" => {
            "{ name = \"PROMPT\", arguments = { ARGUMENT = \"VALUE\" } }"
        }
        "prompts/get" => "{ name = \"PROMPT\" }",
        "resources/read" => "{ uri = \"URI\" }",
        "completion/complete" => {
            "{ ref = { type = \"ref/prompt\", name = \"PROMPT\" }, argument = { name = \"ARGUMENT\", value = \"\" } }"
        }
        "tools/call" => "{ name = \"TOOL\", arguments = {} }",
        _ => "{}",
    };
    let capabilities = match name {
        "elicitation-tool" | "multi-round-tool" | "state-tool" => {
            Some("{ elicitation = { form = {} } }")
        }
        "url-elicitation-tool" => Some("{ elicitation = { url = {} } }"),
        "sampling-tool" if variant == Some("tools") => Some("{ sampling = { tools = {} } }"),
        "sampling-tool" => Some("{ sampling = {} }"),
        "roots-tool" => Some("{ roots = {} }"),
        _ => None,
    };
    (method, params, capabilities)
}
