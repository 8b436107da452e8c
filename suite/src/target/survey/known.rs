//! Triggers that the configuration or a profile names, and what they permit.

use std::collections::BTreeMap;

use mcpspec_wire::Value;

use crate::config::{Profile, Trigger, TriggerAction, WholeRequest};
use crate::spec::TriggerKind;
use crate::target::Permit;
use crate::target::permit::is_destructive;

/// The profile that fits a server: its name matches exactly, and every tool that the profile names is listed.
pub(super) fn fitting<'a>(
    profiles: &'a [Profile],
    server_info: Option<&Value>,
    tools: &[Value],
) -> Option<&'a Profile> {
    let name = server_info?.get("name")?.as_str()?;
    let mut profiles = profiles.iter().filter(|profile| profile.server == name);
    profiles.find(|profile| {
        named_tools(&profile.triggers)
            .keys()
            .all(|tool| definition(tools, tool).is_some())
    })
}

/// The triggers of a profile that call no tool which says that it may destroy something.
pub(super) fn harmless(
    triggers: &BTreeMap<String, Trigger>,
    tools: &[Value],
) -> BTreeMap<String, Trigger> {
    kept(triggers, &|whole| {
        let tool = called_tool(whole).and_then(|tool| definition(tools, tool));
        !tool.is_some_and(is_destructive)
    })
}

/// The triggers that call no tool which may not be called.
pub(super) fn permitted(
    triggers: &BTreeMap<String, Trigger>,
    permit: &Permit,
) -> BTreeMap<String, Trigger> {
    kept(triggers, &|whole| {
        called_tool(whole).is_none_or(|tool| permit.decide(tool).is_ok())
    })
}

/// The triggers, and variants as `TRIGGER.VARIANT`, that call a tool which may not be called, and why it may not.
pub(super) fn forbidden(
    triggers: &BTreeMap<String, Trigger>,
    permit: &Permit,
) -> BTreeMap<String, String> {
    let mut forbidden = BTreeMap::new();
    for (name, trigger) in triggers {
        let tool = match &trigger.action {
            TriggerAction::Request(whole) => called_tool(whole),
            TriggerAction::Command(_) | TriggerAction::Variants => None,
        };
        if let Some(Err(error)) = tool.map(|tool| permit.decide(tool)) {
            forbidden.insert(name.clone(), error.to_string());
        }
        let variants = self::forbidden(&trigger.variants, permit).into_iter();
        forbidden.extend(variants.map(|(variant, why)| (format!("{name}.{variant}"), why)));
    }
    forbidden
}

/// Tools that triggers call, each with where the trigger is known from.
pub fn named_tools(triggers: &BTreeMap<String, Trigger>) -> BTreeMap<String, String> {
    let mut named = BTreeMap::new();
    for trigger in triggers.values() {
        if let TriggerAction::Request(whole) = &trigger.action
            && let Some(tool) = called_tool(whole)
        {
            named.insert(tool.to_owned(), trigger.source.clone());
        }
        named.extend(named_tools(&trigger.variants));
    }
    named
}

/// Triggers whose calls take long, or change what others look at: nothing more is learned from them.
const COSTLY: [&str; 3] = ["list-change", "resource-update", "slow-tool"];

/// The tools that triggers call, each with a request that does, unless only a costly one does.
pub(super) fn named_calls(
    triggers: &BTreeMap<String, Trigger>,
) -> BTreeMap<&str, Option<&WholeRequest>> {
    let mut named: BTreeMap<&str, Option<&WholeRequest>> = BTreeMap::new();
    for (name, trigger) in triggers {
        for whole in requests(trigger) {
            let Some(tool) = called_tool(whole) else {
                continue;
            };
            let call = (!COSTLY.contains(&name.as_str())).then_some(whole);
            let known = named.entry(tool).or_default();
            *known = known.or(call);
        }
    }
    named
}

/// The requests of a trigger and of its variants.
fn requests(trigger: &Trigger) -> Vec<&WholeRequest> {
    let own = match &trigger.action {
        TriggerAction::Request(whole) => Some(whole),
        TriggerAction::Command(_) | TriggerAction::Variants => None,
    };
    let variants = trigger.variants.values().flat_map(requests);
    own.into_iter().chain(variants).collect()
}

/// Adds the definition of the tool to triggers that tell it.
pub(super) fn with_definitions(triggers: &mut BTreeMap<String, Trigger>, tools: &[Value]) {
    for (name, trigger) in triggers {
        let tells_tool = TriggerKind::of(name).is_some_and(|kind| kind.property("tool").is_some());
        if tells_tool
            && let TriggerAction::Request(whole) = &trigger.action
            && let Some(definition) = called_tool(whole).and_then(|tool| definition(tools, tool))
        {
            trigger
                .properties
                .entry("tool".to_owned())
                .or_insert_with(|| definition.clone());
        }
    }
}

/// The listed definition of a tool.
pub(super) fn definition<'a>(tools: &'a [Value], name: &str) -> Option<&'a Value> {
    tools
        .iter()
        .find(|tool| tool.get("name").and_then(Value::as_str) == Some(name))
}

fn called_tool(whole: &WholeRequest) -> Option<&str> {
    if whole.method == "tools/call" {
        whole.params.get("name")?.as_str()
    } else {
        None
    }
}

/// The triggers and variants whose requests are `fit`. A trigger goes with all its variants if its own request is not.
fn kept(
    triggers: &BTreeMap<String, Trigger>,
    fit: &dyn Fn(&WholeRequest) -> bool,
) -> BTreeMap<String, Trigger> {
    let is_fit = |trigger: &&Trigger| match &trigger.action {
        TriggerAction::Request(whole) => fit(whole),
        TriggerAction::Command(_) | TriggerAction::Variants => true,
    };
    let fitting = triggers.iter().filter(|(_, trigger)| is_fit(trigger));
    fitting
        .map(|(name, trigger)| {
            let variants = kept(&trigger.variants, fit);
            (
                name.clone(),
                Trigger {
                    variants,
                    ..trigger.clone()
                },
            )
        })
        .collect()
}
