//! Why a watch saw nothing that it looks at, and what would bring it.

use crate::case::{Body, Case, Condition, Suite, Watch, WatchKind};
use crate::config::{self, Trigger};
use crate::judge::Near;
use crate::matcher::Asked;
use crate::spec::TriggerKind;
use crate::template::Location;

use super::conditions::{CAPABILITIES, Conditions};
use super::lack::{Lack, is_nameable, parts};

/// What has to be known of a server so that it sends a notification.
pub(super) const NOTIFICATIONS: [(&str, &[&str]); 7] = [
    ("notifications/progress", &["progress-tool"]),
    ("notifications/message", &["logging-tool"]),
    (
        "notifications/tools/list_changed",
        &["tools.listChanged", "list-change.tools"],
    ),
    (
        "notifications/prompts/list_changed",
        &["prompts.listChanged", "list-change.prompts"],
    ),
    (
        "notifications/resources/list_changed",
        &["resources.listChanged", "list-change.resources"],
    ),
    (
        "notifications/resources/updated",
        &["resources.subscribe", "resource-update"],
    ),
    ("notifications/subscriptions/acknowledged", &["listen"]),
];

/// The same, so that it asks for input.
pub(super) const INPUTS: [(&str, &[&str]); 3] = [
    ("elicitation/create", &["elicitation-tool"]),
    ("sampling/createMessage", &["sampling-tool"]),
    ("^roots/", &["roots-tool"]),
];

/// The same, so that a request of this method is answered.
pub(super) const METHODS: [(&str, &[&str]); 8] = [
    ("completion/complete", &["completions", "completion"]),
    ("prompts/get", &["prompts", "listed-prompt"]),
    ("prompts/list", &["prompts"]),
    ("resources/list", &["resources"]),
    ("resources/read", &["resources", "listed-resource"]),
    (
        "resources/templates/list",
        &["resources", "resource-template"],
    ),
    ("tools/call", &["tools", "callable-tool"]),
    ("tools/list", &["tools"]),
];

/// The same, so that the result of a call has such a block.
pub(super) const BLOCKS: [(&str, &[&str]); 4] = [
    ("audio", &["audio-tool"]),
    ("image", &["image-tool"]),
    ("resource", &["embedded-resource"]),
    ("resource_link", &["embedded-resource"]),
];

/// The same, so that a result is of this type.
pub(super) const RESULT_TYPES: [(&str, &[&str]); 2] = [
    ("input_required", &["elicitation-tool"]),
    ("task", &["tasks-extension"]),
];

/// Methods of requests whose answers depend on what is asked for.
const CALLS: [&str; 3] = ["prompts/get", "resources/read", "tools/call"];

/// Members of what a watch looks at that are no part of a message.
const BESIDE: [&str; 11] = [
    "body",
    "cancelled",
    "closed",
    "ended_after",
    "era",
    "request",
    "responses",
    "served_after",
    "silent",
    "status",
    "type",
];

/// Why a watch that saw nothing does not apply: what is missing that would bring what it looks at, else what did not come.
pub(super) fn never_seen(
    conditions: &Conditions<'_>,
    suite: &Suite,
    case: &Case,
    near: &Near,
) -> Lack {
    let Body::Watch(watch) = &case.body else {
        unreachable!("only watches see things");
    };
    let asked = watch.filter.as_ref().map(|filter| filter.asked());
    let asked = asked.unwrap_or_default();
    let words = words(&asked);
    let own: Vec<Condition> = words.iter().copied().map(condition).collect();
    conditions
        .unmet(&own)
        .or_else(|| unmet_by_siblings(conditions, suite, case))
        .unwrap_or_else(|| {
            let word = bringing(&words, &asked).filter(|word| {
                is_nameable(conditions, word) && !missing(&asked, &near.somewhere).is_empty()
            });
            Lack {
                reason: format!(
                    "{}: {}",
                    nothing(watch, &asked, near),
                    hint(conditions, word)
                ),
                add: word.and_then(|word| lines(conditions, word)),
            }
        })
}

/// Conditions under which a server sends what is asked for, the more particular ones first.
pub(super) fn words(asked: &[Asked]) -> Vec<&'static str> {
    let mut words = Vec::new();
    let is_of_a_call = asked
        .iter()
        .any(|one| is_of_the_request(one) && text(one) == "tools/call");
    let is_by_url = asked
        .iter()
        .any(|one| one.path.iter().any(|name| name == "mode") && text(one) == "url");
    for one in asked {
        let is_input = one.path.iter().any(|name| name == "inputRequests");
        let last = one.path.last().map(String::as_str).unwrap_or_default();
        words.extend(match last {
            "method" if is_input => of(&INPUTS, one),
            "method" if !is_of_the_request(one) => of(&NOTIFICATIONS, one),
            "resultType" => of(&RESULT_TYPES, one),
            "type" if is_of_a_call => of(&BLOCKS, one),
            "structuredContent" => &["structured-tool"],
            "ack" => &["listen"],
            "inputRequests" => &["elicitation-tool"],
            "text" if text(one).contains("icons") => &["icons"],
            _ => &[],
        });
    }
    for word in &mut words {
        if is_by_url && *word == "elicitation-tool" {
            *word = "url-elicitation-tool";
        }
    }
    let methods = asked
        .iter()
        .filter(|one| is_of_the_request(one) && one.choice.is_none());
    for one in methods {
        match text(one) {
            "subscriptions/listen" => words.push("listen"),
            _ => words.extend(of(&METHODS, one)),
        }
    }
    words
}

fn of(table: &[(&str, &'static [&'static str])], asked: &Asked) -> &'static [&'static str] {
    let found = table.iter().find(|(name, _)| *name == text(asked));
    found.map_or(&[], |(_, words)| words)
}

fn is_at(asked: &Asked, path: &[&str]) -> bool {
    asked
        .path
        .iter()
        .map(String::as_str)
        .eq(path.iter().copied())
}

fn text(asked: &Asked) -> &str {
    asked.text.as_deref().unwrap_or_default()
}

fn condition(word: &str) -> Condition {
    Condition {
        word: word.to_owned(),
        negated: false,
        at: Location::default(),
    }
}

/// What the other cases of the same requirements need, if none of them has it: they provoke what the watch looks at.
fn unmet_by_siblings(conditions: &Conditions<'_>, suite: &Suite, case: &Case) -> Option<Lack> {
    let is_shared = |other: &&Case| {
        let mut ids = other.requirements.iter().map(|(id, _)| id);
        ids.any(|id| case.requirements.iter().any(|(own, _)| own == id))
    };
    let brings = |condition: &&Condition| {
        let word = condition.word.split('.').next().unwrap_or_default();
        let is_capability = CAPABILITIES.iter().any(|(name, _)| *name == condition.word);
        let is_told = is_capability || word == "listen" || TriggerKind::of(word).is_some();
        !condition.negated && is_told
    };
    let others = suite.cases().iter().map(|other| other.as_ref());
    let others = others.filter(|other| other.id != case.id).filter(is_shared);
    let mut unmet = others.map(|other| {
        let needs: Vec<Condition> = other.needs.iter().filter(brings).cloned().collect();
        conditions.unmet(&needs)
    });
    let first = unmet.next()??;
    unmet.all(|unmet| unmet.is_some()).then_some(first)
}

/// The trigger that brings what is asked for, if there is one: the most particular one, else that of one of several requests.
fn bringing(words: &[&'static str], asked: &[Asked]) -> Option<&'static str> {
    let is_trigger = |word: &&str| TriggerKind::of(parts(word).0).is_some();
    let own = words.iter().copied().find(is_trigger);
    let methods = asked
        .iter()
        .filter(|one| is_of_the_request(one) && CALLS.contains(&text(one)));
    own.or_else(|| {
        let mut others = methods.flat_map(|one| of(&METHODS, one));
        others.find(|word| is_trigger(word)).copied()
    })
}

/// How what did not come could be had.
fn hint(conditions: &Conditions<'_>, word: Option<&str>) -> String {
    let Some(word) = word else {
        return "that is judged as soon as the server sends it".to_owned();
    };
    let known = conditions.survey.triggers.get(parts(word).0);
    match known.and_then(Trigger::table) {
        Some(table) => format!(
            "if another request brings that, name it in place of the one under [{table}.{word}] in mcpspec.toml"
        ),
        None => {
            format!("if some request brings that, name it under [triggers.{word}] in mcpspec.toml")
        }
    }
}

/// The lines that name another request for a trigger, unless it stands in the file already.
fn lines(conditions: &Conditions<'_>, word: &str) -> Option<String> {
    let (name, option) = parts(word);
    let known = conditions.survey.triggers.get(name);
    Some(config::lines_in_place(TriggerKind::of(name)?, option, known)?.join("\n"))
}

/// What did not come, although nothing is missing that would be known to bring it.
pub(super) fn nothing(watch: &Watch, asked: &[Asked], near: &Near) -> String {
    let kind = match watch.kind {
        WatchKind::Message => "message",
        WatchKind::Result => "result",
        WatchKind::Error => "error",
        WatchKind::Notification => "notification",
        WatchKind::Exchange => "answer",
        WatchKind::Line => "line",
    };
    let methods: Vec<&str> = asked
        .iter()
        .filter(|one| is_of_the_request(one))
        .map(text)
        .filter(|text| !text.is_empty())
        .collect();
    let of = match methods.split_last() {
        None => String::new(),
        Some((only, [])) => format!(" of {only}"),
        Some((last, others)) => format!(" of {} or {last}", others.join(", ")),
    };
    // What nothing had, else what the thing lacked that had most.
    let mut missing = self::missing(asked, &near.somewhere);
    if missing.is_empty() {
        missing = self::missing(asked, &near.most);
    }
    if missing.first().is_some_and(|one| is_of_the_request(one)) {
        return format!("no {kind}{of} came");
    }
    let media_type = asked
        .iter()
        .find(|one| is_at(one, &["type"]) && one.choice.is_none());
    let detail = missing.iter().copied().find(|one| is_detail(one));
    let mut had = match (media_type.map(text), detail.or_else(|| particular(asked))) {
        (None, None) => "came".to_owned(),
        (Some(kind), None) => format!("came as {kind}"),
        (Some(kind), Some(one)) => format!("came as {kind} with {}", shown(one)),
        (None, Some(one)) => format!("had {}", shown(one)),
    };
    let is_told = |one: &&Asked| is_detail(one) || is_at(one, &["type"]);
    let mut only = "";
    if missing.iter().any(|one| is_at(one, &["body"])) {
        had.push_str(" without a JSON-RPC message");
    } else if !missing.iter().any(is_told) {
        // What is told was there, only not with all that goes with it.
        only = " that the case looks at";
    }
    format!("no {kind}{of}{only} {had}")
}

/// Whether it is the method of the request.
fn is_of_the_request(asked: &Asked) -> bool {
    is_at(asked, &["request", "method"])
}

/// What of all that is asked for is not among what was met: the method of the request first.
fn missing<'a>(asked: &'a [Asked], met: &[bool]) -> Vec<&'a Asked> {
    let is_met = |index: usize| met.get(index).copied().unwrap_or_default();
    let is_had = |(index, one): &(usize, &Asked)| match one.choice {
        None => is_met(*index),
        Some(choice) => {
            let mut others = asked.iter().enumerate();
            others.any(|(index, other)| other.choice == Some(choice) && is_met(index))
        }
    };
    let lacking = asked.iter().enumerate().filter(|one| !is_had(one));
    let mut lacking: Vec<&Asked> = lacking.map(|(_, one)| one).collect();
    lacking.sort_by_key(|one| !is_of_the_request(one));
    lacking
}

/// Whether it is asked for of a message.
fn is_detail(asked: &Asked) -> bool {
    let first = asked.path.first().map(String::as_str);
    !first.is_some_and(|first| BESIDE.contains(&first))
}

/// What of all that is asked for of a message is told, where it is not known what was missing: what lies deepest, and rather what
/// nothing else would do for.
fn particular(asked: &[Asked]) -> Option<&Asked> {
    let details = asked.iter().filter(|one| is_detail(one));
    // Of several the first.
    let depth = |one: &&Asked| (one.choice.is_none(), one.path.len());
    details.rev().max_by_key(depth)
}

/// A place in a message, and what was looked for there.
fn shown(asked: &Asked) -> String {
    let mut path = String::new();
    let outer = ["result", "message"];
    let is_outer = asked.path.len() > 1 && outer.contains(&asked.path[0].as_str());
    for name in &asked.path[usize::from(is_outer)..] {
        if name != "[]" && !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
    }
    match &asked.text {
        Some(text) if asked.is_pattern => format!("`{path}` like {text}"),
        Some(text) => format!("`{path}` {text}"),
        None => format!("`{path}`"),
    }
}
