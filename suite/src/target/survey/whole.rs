//! The whole survey, step by step.

use std::collections::BTreeMap;

use mcpspec_wire::{Object, Value};

use crate::config::{Profile, Trigger, WholeRequest};
use crate::target::Target;

use super::asker::Asker;
use super::served::LISTS;
use super::{
    ServedEra, Sought, Survey, SurveyError, Unanswered, definitions, era, known, lists, search,
    served,
};

/// Surveys a target: era by the specification's probe rules, versions, capabilities, lists, triggers. Configured triggers
/// go before those of a profile, those before what the survey finds by calling what it may, and those before what definitions show.
/// Tools are called only for what is `sought`.
///
/// # Errors
///
/// If the target cannot be opened, or answers nothing that an MCP server would. A server that only speaks older revisions
/// is no error: see [`ServedEra::Legacy`].
pub async fn survey(
    target: &Target,
    profiles: &[Profile],
    triggers: &BTreeMap<String, Trigger>,
    sought: &Sought,
) -> Result<Survey, SurveyError> {
    let mut asker = Asker::open(target, "survey").await?;
    let found = era::find(target, &asker).await;
    let mut survey = match found {
        Ok(found) => found,
        Err(error) => {
            asker.close().await;
            return Err(error);
        }
    };
    if survey.era == ServedEra::Legacy {
        survey.journals.extend(asker.close().await);
        return Ok(survey);
    }
    if survey.discover.is_some() {
        survey.requests.push(WholeRequest::new(
            "server/discover",
            Value::Object(Object::new()),
        ));
    }
    let walked = walk_lists(&mut asker, &mut survey).await;
    survey.lost = lost(target, &asker, &survey).await;
    if survey.lost.is_some() {
        survey.journals.extend(asker.close().await);
        return Ok(survey);
    }
    settle_triggers(target, &mut survey, profiles, triggers, walked.is_partial);
    asker.tools.clone_from(&survey.tools);
    let permit = target.permit();
    let mut silent = served::try_all(&mut asker, &mut survey, sought, permit).await;
    let by_calls = search::search(&asker, &survey, sought, permit, &mut silent).await;
    let by_definitions = definitions::triggers(&survey, permit, &silent, walked.paginated).await;
    for (name, trigger) in by_calls.into_iter().chain(by_definitions) {
        survey.triggers.entry(name).or_insert(trigger);
    }
    known::with_definitions(&mut survey.triggers, &survey.tools);
    survey.journals.extend(asker.close().await);
    if has_credentials(target) {
        let nobody = Asker::open(target, "survey without credentials").await?;
        let answer = nobody.discover_as(None, target.options().timeout).await;
        survey.auth = answer.head.is_some_and(|head| head.status == 401);
        survey.journals.extend(nobody.close().await);
    }
    Ok(survey)
}

/// What walking the lists tells beside their items.
struct Walked {
    /// Whether tools may exist that were not seen.
    is_partial: bool,
    /// The first list method with more than one page.
    paginated: Option<&'static str>,
}

async fn walk_lists(asker: &mut Asker<'_>, survey: &mut Survey) -> Walked {
    let mut walked = Walked {
        is_partial: false,
        paginated: None,
    };
    for (method, capability, member) in LISTS {
        if !survey.declares(capability) {
            continue;
        }
        let listed = lists::walk(asker, method, member).await;
        if let Some(unanswered) = listed.unanswered {
            survey.unanswered.insert(method.to_owned(), unanswered);
        }
        if listed.is_served {
            let whole = WholeRequest::new(method, Value::Object(Object::new()));
            survey.lists.push(whole.clone());
            survey.requests.push(whole);
        }
        if listed.is_paginated {
            walked.paginated.get_or_insert(method);
        }
        match method {
            "tools/list" => {
                walked.is_partial = listed.is_partial;
                survey.tools = listed.items;
            }
            "resources/list" => survey.resources = listed.items,
            "resources/templates/list" => survey.templates = listed.items,
            _ => survey.prompts = listed.items,
        }
    }
    walked
}

/// Why nothing can be judged any more, if a list was the last thing that the target was asked.
async fn lost(target: &Target, asker: &Asker<'_>, survey: &Survey) -> Option<String> {
    let suspicious = |unanswered: &&Unanswered| !unanswered.served_after;
    let last = survey.unanswered.values().find(suspicious)?;
    if asker.answers_discovery().await {
        return None;
    }
    let how = last.how.clone();
    Some(match target.epitaph().await {
        Some(epitaph) => format!("{how}; {epitaph}"),
        None => how,
    })
}

/// Settles which triggers are known beforehand, and tells the gate which tools there are.
fn settle_triggers(
    target: &Target,
    survey: &mut Survey,
    profiles: &[Profile],
    configured: &BTreeMap<String, Trigger>,
    is_partial: bool,
) {
    let mut triggers = BTreeMap::new();
    let mut named = BTreeMap::new();
    if let Some(profile) = known::fitting(profiles, survey.server_info.as_ref(), &survey.tools) {
        triggers = known::harmless(&profile.triggers, &survey.tools);
        named = known::named_tools(&triggers);
        survey.profile = Some(profile.name.clone());
    }
    named.extend(known::named_tools(configured));
    triggers.extend(configured.clone());
    target.permit().learn(&survey.tools, &named, is_partial);
    survey.triggers = known::permitted(&triggers, target.permit());
    survey.forbidden = known::forbidden(&triggers, target.permit());
    known::with_definitions(&mut survey.triggers, &survey.tools);
}

/// Whether requests to the target carry a token.
pub(super) fn has_credentials(target: &Target) -> bool {
    let headers = &target.options().headers;
    target.url().is_some()
        && headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
}
