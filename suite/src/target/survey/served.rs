//! Trying one request of each method.

use std::collections::BTreeSet;

use mcpspec_wire::{Object, Value};

use crate::arguments;
use crate::config::{Trigger, TriggerAction, WholeRequest};
use crate::target::Permit;

use super::asker::{Asker, Said};
use super::{Sought, Survey, definitions, known};

/// How many requests of one method are tried until one is answered with a result.
const ATTEMPTS: usize = 5;

/// Requests for lists, with the pointer of the capability that offers them and the member that holds the items.
pub(super) const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "/tools", "tools"),
    ("resources/list", "/resources", "resources"),
    (
        "resources/templates/list",
        "/resources",
        "resourceTemplates",
    ),
    ("prompts/list", "/prompts", "prompts"),
];

/// Tries requests of the methods that are no lists, and notes those that are served. Gives the tools that left a call unanswered.
pub(super) async fn try_all(
    asker: &mut Asker<'_>,
    survey: &mut Survey,
    sought: &Sought,
    permit: &Permit,
) -> BTreeSet<String> {
    let mut silent = BTreeSet::new();
    if sought.callable {
        survey.callable = callable(asker, survey, permit, &mut silent).await;
    }
    if let Some((call, _)) = &survey.callable {
        survey.requests.push(call.clone());
    }
    let configured =
        |survey: &Survey, name: &str| survey.triggers.get(name).and_then(request_of).cloned();
    let reads = configured(survey, "listed-resource")
        .into_iter()
        .chain(definitions::reads(survey));
    try_first(asker, survey, reads.collect()).await;
    let prompts = configured(survey, "listed-prompt")
        .into_iter()
        .chain(definitions::prompts(survey));
    try_first(asker, survey, prompts.collect()).await;
    for completions in definitions::completions(survey) {
        try_first(asker, survey, completions).await;
    }
    if let Some(listen) = definitions::listen(survey) {
        try_first(asker, survey, vec![listen]).await;
    }
    silent
}

/// Notes the first of some requests of one method that is served.
async fn try_first(asker: &mut Asker<'_>, survey: &mut Survey, candidates: Vec<WholeRequest>) {
    for whole in candidates.into_iter().take(ATTEMPTS) {
        match asker.ask(&whole).await.what {
            Said::Result(result) if is_complete(&result) => return survey.requests.push(whole),
            Said::Acknowledged => return survey.requests.push(whole),
            _ => {}
        }
    }
}

/// A call of a permitted tool, and its definition: that which is named, else the first that gives a result without asking
/// for anything, else the first that gives a result at all. One that gives none tells nothing of calls, and is `silent` if it gives
/// no answer whatever.
async fn callable(
    asker: &mut Asker<'_>,
    survey: &Survey,
    permit: &Permit,
    silent: &mut BTreeSet<String>,
) -> Option<(WholeRequest, Value)> {
    let named = survey.triggers.get("callable-tool").and_then(request_of);
    if let Some(call) = named {
        let name = call.params.get("name").and_then(Value::as_str)?;
        let definition = known::definition(&survey.tools, name)?.clone();
        return Some((call.clone(), definition));
    }
    let mut first = None;
    let mut late = Vec::new();
    for (call, definition) in calls(survey, permit).await {
        // One that gives no answer is not to keep the others from being called.
        let within = asker.timeout() * 3 / 10;
        match asker.ask_of_a_tool(&call, within).await.what {
            Said::Result(result) if is_usable(&result) => return Some((call, definition)),
            Said::Result(_) => {
                first.get_or_insert((call, definition));
            }
            Said::Error(_) | Said::Other(_) => {}
            _ => late.push((call, definition)),
        }
    }
    let names = late
        .iter()
        .filter_map(|(call, _)| call.params.get("name")?.as_str());
    silent.extend(names.map(str::to_owned));
    if first.is_some() {
        return first;
    }
    let (call, definition) = late.into_iter().next()?;
    let within = asker.timeout();
    match asker.ask_of_a_tool(&call, within).await.what {
        Said::Result(_) => Some((call, definition)),
        _ => None,
    }
}

/// Calls of tools that may be called, each with the tool's definition.
async fn calls(survey: &Survey, permit: &Permit) -> Vec<(WholeRequest, Value)> {
    let named = known::named_calls(&survey.triggers);
    let mut calls = Vec::new();
    for definition in &survey.tools {
        // A tool that is permitted since a trigger names it is called as it is named, if that is quick.
        let name = definition.get("name").and_then(Value::as_str);
        let call = match name.and_then(|name| named.get(name).copied().flatten()) {
            Some(whole) => Some(WholeRequest::new(&whole.method, whole.params.clone())),
            None => call_of(definition, permit).await,
        };
        calls.extend(call.map(|call| (call, definition.clone())));
        if calls.len() == ATTEMPTS {
            break;
        }
    }
    calls
}

fn is_usable(result: &Value) -> bool {
    is_complete(result) && result.get("isError") != Some(&Value::Bool(true))
}

/// A call of a tool with the arguments that it requires, if it may be called and they can be made. The gate is told if they cannot.
pub(super) async fn call_of(definition: &Value, permit: &Permit) -> Option<WholeRequest> {
    let name = definition.get("name")?.as_str()?;
    permit.decide(name).ok()?;
    let schema = definition.get("inputSchema")?.clone();
    // Work on a hostile schema takes bounded time, but not none.
    let made = tokio::task::spawn_blocking(move || arguments::required_members(&schema)).await;
    match made.ok()? {
        Ok(arguments) => Some(call(name, arguments)),
        Err(problem) => {
            permit.passed_over(name, &problem.to_string());
            None
        }
    }
}

/// A call of a tool.
pub(super) fn call(name: &str, arguments: Value) -> WholeRequest {
    let params: Object = [("name", Value::from(name)), ("arguments", arguments)]
        .into_iter()
        .collect();
    WholeRequest::new("tools/call", Value::Object(params))
}

/// The request of a trigger, if it is one.
pub(super) fn request_of(trigger: &Trigger) -> Option<&WholeRequest> {
    match &trigger.action {
        TriggerAction::Request(whole) => Some(whole),
        TriggerAction::Command(_) | TriggerAction::Variants => None,
    }
}

/// Whether a result asks for nothing more. One that does not say is complete.
pub(super) fn is_complete(result: &Value) -> bool {
    result
        .get("resultType")
        .is_none_or(|kind| kind.as_str() == Some("complete"))
}
