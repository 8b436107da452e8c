//! Sources: they exist, what they need is asked for, and they stand where they can.

use super::super::{Body, Condition, Each};
use super::ground::Ground;
use super::uses::{Place, Use, of_step, outside_steps};
use crate::spec::TriggerKind;
use crate::template::{Kind, Placeholder, Problem};
use crate::text::closest;

/// Sources that hold others, by name.
const GROUPS: [(&str, &[&str]); 7] = [
    ("auth", &["low", "protected", "scoped", "second"]),
    ("completion", &["prompt", "template"]),
    ("prompt", &["bad-calls", "call", "name"]),
    ("resource", &["name", "uri"]),
    (
        "survey",
        &[
            "capabilities",
            "filter",
            "filter-all",
            "lists",
            "prompts",
            "requests",
            "resources",
            "server-info",
            "tools",
            "unlisted",
            "versions",
        ],
    ),
    ("target", &["other-urls", "path", "url"]),
    ("tool", &["bad-calls", "call", "definition", "name"]),
];

/// Sources that are a value of their own.
const SINGLE: [&str; 3] = ["null", "random", "uuid"];

/// Sources that take an argument.
const WITH_ARGUMENT: [&str; 4] = ["byte", "deep", "message", "text"];

/// Sources that give a list, for a table.
const LISTS: [&str; 10] = [
    "prompt.bad-calls",
    "survey.lists",
    "survey.prompts",
    "survey.requests",
    "survey.resources",
    "survey.tools",
    "survey.unlisted",
    "survey.versions",
    "target.other-urls",
    "tool.bad-calls",
];

/// Members of a whole request.
const REQUEST: [&str; 5] = ["capabilities", "command", "label", "method", "params"];

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    let mut uses = outside_steps(ground);
    for index in 0..ground.steps.len() {
        uses.extend(of_step(ground, index));
    }
    for found in &uses {
        if found.placeholder.source.segments[0] == "byte"
            && found.placeholder.source.argument.is_some()
            && found.place == Place::Other
        {
            problems.push(Problem::new(
                found.at,
                "`$(byte HH)` stands in header values, in `raw` and in rows only",
            ));
        }
        // A source that there is not needs nothing; names are told elsewhere.
        if !is_variable(ground, found.placeholder) && unknown(found.placeholder).is_none() {
            needed(found, problems);
        }
    }
    table(ground, problems);
}

/// Whether a placeholder reads a variable of the table.
pub(super) fn is_variable(ground: &Ground<'_>, placeholder: &Placeholder) -> bool {
    let name = &placeholder.source.segments[0];
    placeholder.source.argument.is_none() && variables(ground).iter().any(|known| known == name)
}

/// Names of the variables of the table.
pub(super) fn variables<'a>(ground: &Ground<'a>) -> Vec<&'a str> {
    let Body::Steps(steps) = &ground.case.body else {
        return Vec::new();
    };
    match &steps.each {
        None => Vec::new(),
        Some(Each::Column { name, .. }) => vec![name],
        Some(Each::Rows(rows)) => {
            let first = rows.first().into_iter().flatten();
            first
                .map(|(name, _)| name.as_str())
                .filter(|name| *name != "label")
                .collect()
        }
    }
}

/// What is wrong with a source that is neither a variable nor an outcome; nothing if there is such a source.
pub(super) fn unknown(placeholder: &Placeholder) -> Option<(String, Option<String>)> {
    let source = &placeholder.source;
    let name = source.segments[0].as_str();
    let second = source.segments.get(1).map(String::as_str);
    let meant = |name: &str, known: &[&str]| {
        closest(name, known.iter().copied()).map(|close| format!("did you mean `{close}`?"))
    };
    if WITH_ARGUMENT.contains(&name) {
        return source
            .argument
            .is_none()
            .then(|| (format!("`$({name})` needs an argument"), None));
    }
    if SINGLE.contains(&name) {
        return second.map(|_| (format!("`{name}` has no members"), None));
    }
    if name == "trigger" {
        return unknown_trigger(&source.segments);
    }
    if let Some((_, members)) = GROUPS.iter().find(|(group, _)| *group == name) {
        return match second {
            Some(second) if members.contains(&second) => None,
            Some(second) => Some((
                format!("there is no source `{name}.{second}`"),
                closest(second, members.iter().copied())
                    .map(|close| format!("did you mean `{name}.{close}`?")),
            )),
            None => Some((
                format!("`{name}` alone is no source"),
                Some(format!(
                    "there are {name}.{}",
                    members.join(&format!(", {name}."))
                )),
            )),
        };
    }
    let mut known: Vec<&str> = GROUPS.iter().map(|(group, _)| *group).collect();
    known.extend(SINGLE.iter().chain(&WITH_ARGUMENT).chain(&["trigger"]));
    Some((format!("there is no source `{name}`"), meant(name, &known)))
}

fn unknown_trigger(segments: &[String]) -> Option<(String, Option<String>)> {
    let Some(trigger) = segments.get(1) else {
        return Some(("`trigger` alone is no source".to_owned(), None));
    };
    let Some(kind) = TriggerKind::of(trigger) else {
        let known = crate::spec::TRIGGERS.iter().map(|kind| kind.name);
        let help = closest(trigger, known).map(|close| format!("did you mean `{close}`?"));
        return Some((format!("there is no trigger `{trigger}`"), help));
    };
    let option = segments.get(2)?;
    if kind.has_option(option) || REQUEST.contains(&option.as_str()) {
        return None;
    }
    let known = kind.variants.iter().copied();
    let known = known.chain(kind.properties.iter().map(|property| property.name));
    let help = closest(option, known).map(|close| format!("did you mean `{close}`?"));
    Some((format!("`{trigger}` has no option `{option}`"), help))
}

/// A source whose condition is nowhere asked for gives nothing on most targets.
fn needed(found: &Use<'_>, problems: &mut Vec<Problem>) {
    if found.placeholder.is_optional() {
        return;
    }
    let segments = &found.placeholder.source.segments;
    let wanted = conditions_of(segments);
    let holds = |condition: &&Condition| {
        !condition.negated && wanted.iter().any(|word| fits(word, &condition.word))
    };
    if wanted.is_empty() || found.conditions.iter().any(holds) {
        return;
    }
    let problem = Problem::new(
        found.at,
        format!(
            "`$({})` needs the condition `{}`",
            found.placeholder.text, wanted[0]
        ),
    );
    problems.push(problem.with_help(format!(
        "name it under `needs`, or under `when` here: `{}`",
        wanted[0]
    )));
}

/// Whether a condition is the wanted word; a trigger's option says that there is the trigger.
fn fits(wanted: &str, word: &str) -> bool {
    word == wanted
        || word
            .strip_prefix(wanted)
            .is_some_and(|option| option.starts_with('.') && TriggerKind::of(wanted).is_some())
}

/// The conditions one of which a source needs, the usual one first.
fn conditions_of(segments: &[String]) -> Vec<String> {
    let second = segments.get(1).map(String::as_str);
    let words: &[&str] = match (segments[0].as_str(), second) {
        ("tool", _) => &["callable-tool"],
        ("resource", _) => &["listed-resource"],
        ("prompt", _) => &["listed-prompt", "prompt-with-args"],
        ("completion", _) => &["completion"],
        ("auth", Some("second")) => &["auth.second"],
        ("auth", Some("low" | "scoped")) => &["auth.low"],
        ("auth", _) => &["auth", "auth.second", "auth.low"],
        ("trigger", Some(trigger)) => {
            let variant = segments.get(2).filter(|option| {
                TriggerKind::of(trigger)
                    .is_some_and(|kind| kind.variants.contains(&option.as_str()))
            });
            return vec![match variant {
                Some(variant) => format!("{trigger}.{variant}"),
                None => trigger.to_owned(),
            }];
        }
        _ => &[],
    };
    words.iter().map(ToString::to_string).collect()
}

/// A table that comes from a source needs a list.
fn table(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    let Body::Steps(steps) = &ground.case.body else {
        return;
    };
    let Some(Each::Column { list, .. }) = &steps.each else {
        return;
    };
    let Kind::Text(template) = &list.kind else {
        return;
    };
    let Some(placeholder) = template.whole() else {
        return;
    };
    let path = placeholder.source.segments.join(".");
    let is_plain = placeholder
        .filters
        .iter()
        .all(|filter| filter.literal() == Some("optional"));
    if !is_plain || !LISTS.contains(&path.as_str()) {
        problems.push(
            Problem::new(list.at, format!("`$({})` is no list", placeholder.text))
                .with_help(format!("lists are {}", LISTS.join(", "))),
        );
    }
}
