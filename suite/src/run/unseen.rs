//! Why a watch saw nothing that it looks at, and what would bring it.

use crate::case::{Body, Case, Condition, Suite, Watch, WatchKind};
use crate::matcher::Asked;
use crate::spec::TriggerKind;
use crate::template::Location;

use super::conditions::{CAPABILITIES, Conditions};
use super::lack::Lack;

/// What has to be known of a server so that it sends a notification.
const NOTIFICATIONS: [(&str, &[&str]); 7] = [
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
const INPUTS: [(&str, &[&str]); 4] = [
    ("elicitation/create", &["elicitation-tool"]),
    ("sampling/createMessage", &["sampling-tool"]),
    ("roots/list", &["roots-tool"]),
    ("^roots/", &["roots-tool"]),
];

/// The same, so that a request of this method is answered.
const METHODS: [(&str, &[&str]); 8] = [
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
const BLOCKS: [(&str, &[&str]); 4] = [
    ("audio", &["audio-tool"]),
    ("image", &["image-tool"]),
    ("resource", &["embedded-resource"]),
    ("resource_link", &["embedded-resource"]),
];

/// The same, so that a result is of this type.
const RESULT_TYPES: [(&str, &[&str]); 2] = [
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
pub(super) fn never_seen(conditions: &Conditions<'_>, suite: &Suite, case: &Case) -> Lack {
    let Body::Watch(watch) = &case.body else {
        unreachable!("only watches see things");
    };
    let asked = watch.filter.as_ref().map(|filter| filter.asked());
    let asked = asked.unwrap_or_default();
    let own: Vec<Condition> = words(&asked).into_iter().map(condition).collect();
    conditions
        .unmet(&own)
        .or_else(|| unmet_by_siblings(conditions, suite, case))
        .unwrap_or_else(|| nothing(watch, &asked).into())
}

/// Conditions under which a server sends what is asked for, the more particular ones first.
fn words(asked: &[Asked]) -> Vec<&'static str> {
    let mut words = Vec::new();
    let is_of_a_call = asked
        .iter()
        .any(|one| is_at(one, &["request", "method"]) && text(one) == "tools/call");
    let is_by_url = asked
        .iter()
        .any(|one| one.path.iter().any(|name| name == "mode") && text(one) == "url");
    for one in asked {
        let is_input = one.path.iter().any(|name| name == "inputRequests");
        let last = one.path.last().map(String::as_str).unwrap_or_default();
        words.extend(match last {
            "method" if is_input => of(&INPUTS, one),
            "method" if !is_at(one, &["request", "method"]) => of(&NOTIFICATIONS, one),
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
        .filter(|one| is_at(one, &["request", "method"]) && !one.is_one_of);
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

/// What did not come, although nothing is missing that would be known to bring it.
fn nothing(watch: &Watch, asked: &[Asked]) -> String {
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
        .filter(|one| is_at(one, &["request", "method"]))
        .map(text)
        .filter(|text| !text.is_empty())
        .collect();
    let of = match methods.split_last() {
        None => String::new(),
        Some((only, [])) => format!(" of {only}"),
        Some((last, others)) => format!(" of {} or {last}", others.join(", ")),
    };
    let media_type = asked
        .iter()
        .find(|one| is_at(one, &["type"]) && !one.is_one_of);
    let had = match (media_type.map(text), particular(asked)) {
        (None, None) => "came".to_owned(),
        (Some(kind), None) => format!("came as {kind}"),
        (Some(kind), Some(one)) => format!("came as {kind} with {}", shown(one)),
        (None, Some(one)) => format!("had {}", shown(one)),
    };
    let is_of_calls = matches!(watch.kind, WatchKind::Notification)
        || methods.iter().any(|method| CALLS.contains(method))
        || asked
            .iter()
            .any(|one| one.path.iter().any(|name| name == "inputRequests"));
    let hint = match is_of_calls {
        true => "if some request brings that, name it under [triggers] in mcpspec.toml",
        false => "that is judged as soon as the server sends it",
    };
    format!("no {kind}{of} {had}: {hint}")
}

/// What of all that is asked for of a message is told: what lies deepest, and rather what nothing else would do for.
fn particular(asked: &[Asked]) -> Option<&Asked> {
    let details = asked.iter().filter(|one| {
        let first = one.path.first().map(String::as_str);
        !first.is_some_and(|first| BESIDE.contains(&first))
    });
    // Of several the first.
    let depth = |one: &&Asked| (!one.is_one_of, one.path.len());
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::case::{SuiteFile, load_case};

    use super::*;

    fn watch(kind: &str, filter: &str) -> Arc<Case> {
        let file = SuiteFile {
            path: "a/b/c.yaml".to_owned(),
            shown: "c.yaml".to_owned(),
            text: format!(
                "summary: s\nrequirement: x.y\nwatch: {kind}\nwhere: {filter}\nexpect: {{}}\n"
            ),
        };
        Arc::new(load_case(&file).expect("the case is right"))
    }

    fn words_of(kind: &str, filter: &str) -> (Vec<&'static str>, String) {
        let case = watch(kind, filter);
        let Body::Watch(watch) = &case.body else {
            panic!("it is a watch")
        };
        let asked = watch.filter.as_ref().expect("it has one").asked();
        (words(&asked), nothing(watch, &asked))
    }

    #[test]
    fn what_would_bring_what_a_watch_looks_at_is_read_from_its_filter() {
        for (kind, filter, due) in [
            (
                "notification",
                "{ method: notifications/progress, params: { message: {} } }",
                &["progress-tool"][..],
            ),
            (
                "notification",
                "{ method: notifications/resources/updated }",
                &["resources.subscribe", "resource-update"],
            ),
            (
                "result",
                "{ result: { inputRequests: { $some: { method: elicitation/create, params: { mode: url } } } } }",
                &["url-elicitation-tool"],
            ),
            (
                "result",
                "{ request: { method: tools/call }, result: { content: { $some: { type: image } } } }",
                &["image-tool", "tools", "callable-tool"],
            ),
            (
                "result",
                "{ request: { method: { $any: [tools/list, prompts/list] } } }",
                &[],
            ),
            (
                "exchange",
                "{ notifications: { $some: { method: notifications/progress } } }",
                &["progress-tool"],
            ),
        ] {
            assert_eq!(words_of(kind, filter).0, due, "{filter}");
        }
    }

    #[test]
    fn what_did_not_come_is_told_by_its_place() {
        for (kind, filter, due) in [
            (
                "result",
                "{ request: { method: tools/list }, result: { tools: { $some: { outputSchema: {} } } } }",
                "no result of tools/list had `tools[].outputSchema`: that is judged as soon as the server sends it",
            ),
            (
                "result",
                "{ request: { method: { $any: [tools/call, prompts/get] } }, result: { content: { $some: { type: audio } } } }",
                "no result of tools/call or prompts/get had `content[].type` audio: if some request brings that, name it under [triggers] in mcpspec.toml",
            ),
            (
                "exchange",
                "{ type: text/event-stream }",
                "no answer came as text/event-stream: that is judged as soon as the server sends it",
            ),
            (
                "exchange",
                "{ type: text/event-stream, result: { resultType: input_required }, cancelled: false }",
                "no answer came as text/event-stream with `resultType` input_required: that is judged as soon as the server sends it",
            ),
            (
                "exchange",
                "{ body: {}, type: application/json }",
                "no answer came as application/json: that is judged as soon as the server sends it",
            ),
            (
                "notification",
                "{ method: notifications/cancelled }",
                "no notification had `method` notifications/cancelled: if some request brings that, name it under [triggers] in mcpspec.toml",
            ),
        ] {
            assert_eq!(words_of(kind, filter).1, due, "{filter}");
        }
    }
}
