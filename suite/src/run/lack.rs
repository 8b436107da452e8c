//! Why a case does not apply to a target: what about this server is the reason and, where the user can change it, how.

use mcpspec_wire::Value;

use crate::case::Condition;
use crate::config;
use crate::spec::{Transport, TriggerKind};
use crate::target::CallTools;

use super::conditions::{CAPABILITIES, Conditions};

/// Where a user names triggers.
const FILE: &str = "mcpspec.toml";

/// Variants of triggers that are no calls of tools.
const NO_TOOLS: [&str; 3] = ["completion", "prompt", "resource"];

/// Why a case does not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lack {
    /// In a sentence.
    pub(super) reason: String,
    /// Lines of `mcpspec.toml` with which it would apply, if there are some.
    pub(super) add: Option<String>,
}

impl From<String> for Lack {
    fn from(reason: String) -> Lack {
        Lack { reason, add: None }
    }
}

/// What a user who knows the server would add to `mcpspec.toml`, so that the condition holds.
pub(super) fn lines_to_add(conditions: &Conditions<'_>, condition: &Condition) -> Option<String> {
    let word = condition.word.as_str();
    if condition.negated || !is_nameable(conditions, word) {
        return None;
    }
    let (name, option) = parts(word);
    let known = conditions.survey.triggers.get(name);
    Some(config::lines_to_add(TriggerKind::of(name)?, option, known)?.join("\n"))
}

/// Why this condition does not hold.
pub(super) fn lack(conditions: &Conditions<'_>, condition: &Condition) -> String {
    let word = condition.word.as_str();
    if condition.negated {
        return surplus(word);
    }
    if CAPABILITIES.iter().any(|(name, _)| *name == word) {
        return format!("the server does not declare {word}");
    }
    match word {
        "http" => elsewhere(&[Transport::Http]),
        "stdio" => elsewhere(&[Transport::Stdio]),
        "listen" => "the server declares nothing that can be listened to: neither listChanged nor subscribe".to_owned(),
        "era.legacy" | "dual-era" => "the server does not answer initialize, with which older revisions begin".to_owned(),
        "auth" => open("", "bearer-env"),
        "auth.second" if !conditions.survey.auth => {
            open(" of two principals", "bearer-env and second-bearer-env")
        }
        "auth.low" if !conditions.survey.auth => {
            open(" of more and of less scope", "bearer-env and low-scope-bearer-env")
        }
        "auth.second" => format!(
            "no token of a second principal is known: name the environment variable that holds one by second-bearer-env under [[target]] in {FILE}"
        ),
        "auth.low" => format!(
            "no token with less scope is known: name the environment variable that holds one by low-scope-bearer-env under [[target]] in {FILE}"
        ),
        "open-cors" => "nothing says that the server is meant to be open to foreign origins".to_owned(),
        "stoppable" => "mcpspec cannot stop the server, which it did not start: give its command behind the URL, as in URL -- COMMAND".to_owned(),
        "callable-tool" => no_callable_tool(conditions),
        "tasks-extension" => "the server does not declare the extension io.modelcontextprotocol/tasks".to_owned(),
        _ => match word.strip_prefix("version.") {
            Some(version) => format!("the server does not serve revision {version}"),
            None => no_trigger(conditions, word),
        },
    }
}

/// Why a case about tokens does not apply to a server that asks for none.
fn open(tokens: &str, keys: &str) -> String {
    format!(
        "the server answers requests without a token: if it can ask for them, start it so, and name the environment variables that hold tokens{tokens} by {keys} under [[target]] in {FILE}"
    )
}

/// Why a case about other transports does not apply.
pub(super) fn elsewhere(transports: &[Transport]) -> String {
    let names: Vec<&str> = transports
        .iter()
        .map(|transport| spelt(*transport))
        .collect();
    let how = match transports {
        [Transport::Http] => {
            ": if the server has a URL too, check that as well (mcpspec check URL)"
        }
        [Transport::Stdio] => {
            ": if the server has a command that speaks stdio too, check that as well (mcpspec check -- COMMAND)"
        }
        _ => "",
    };
    let names = names.join(" and ");
    format!("it is about {names}, over which this server is not reached here{how}")
}

/// Why a case that compares transports does not apply.
pub(super) fn alone(transport: Transport) -> String {
    let here = spelt(transport);
    format!(
        "it compares a server over stdio with the same server over HTTP, and this run reaches it over {here} only: if it has both, write a [[target]] for each in {FILE}"
    )
}

/// Why a case that is repeated over this source has nothing to be repeated over.
pub(super) fn empty(source: &str) -> String {
    match source {
        "target.other-urls" => "the endpoint is not on a loopback address, or no other address of this host is known (in a container none is tried)".to_owned(),
        "survey.unlisted" => "the server serves every revision that mcpspec knows".to_owned(),
        "survey.lists" => "the server answers no list request with a result".to_owned(),
        "survey.requests" => "the server answers no request of the survey with a result".to_owned(),
        "survey.resources" => "the server lists no resource".to_owned(),
        "survey.prompts" => "the server lists no prompt".to_owned(),
        "survey.tools" => "the server lists no tool".to_owned(),
        "survey.versions" => "the server names no supported version".to_owned(),
        "tool.bad-calls" => "the tool that is called takes any arguments, or its input schema is of an unknown dialect, so that no call of it can be wrong".to_owned(),
        "prompt.bad-calls" => "the prompt that is asked for requires no argument, so that no call of it can be wrong".to_owned(),
        source => format!("the server gives nothing for $({source}), over which the case is repeated"),
    }
}

fn spelt(transport: Transport) -> &'static str {
    match transport {
        Transport::Http => "HTTP",
        Transport::Stdio => "stdio",
    }
}

/// Why a case about servers without something does not apply.
fn surplus(word: &str) -> String {
    let does = match word {
        "http" => return elsewhere(&[Transport::Stdio]),
        "stdio" => return elsewhere(&[Transport::Http]),
        "auth" => "wants a token".to_owned(),
        "era.legacy" | "dual-era" => "also answers initialize".to_owned(),
        "listen" => "declares something that can be listened to".to_owned(),
        _ if CAPABILITIES.iter().any(|(name, _)| *name == word) => format!("declares {word}"),
        _ => match word.strip_prefix("version.") {
            Some(version) => format!("serves revision {version}"),
            None => {
                return format!(
                    "`{word}` is known of the server, and the case is about servers without it"
                );
            }
        },
    };
    format!("the server {does}, and the case is about servers that do not")
}

fn no_callable_tool(conditions: &Conditions<'_>) -> String {
    let survey = conditions.survey;
    if let Some(problem) = beyond_naming(conditions, "callable-tool", None) {
        return problem;
    }
    if let Some(problem) = forbidden(conditions, "callable-tool", None) {
        return problem;
    }
    let names = survey
        .tools
        .iter()
        .filter_map(|tool| tool.get("name")?.as_str());
    if names
        .into_iter()
        .any(|name| conditions.permit.decide(name).is_ok())
    {
        return format!(
            "of the tools that may be called none gave a result, or no arguments could be made for it: give a call of one under [triggers.callable-tool] in {FILE}"
        );
    }
    match conditions.permit.mode() {
        CallTools::None => {
            "--call-tools none forbids to call a tool: leave it out to have those called that say that they only read".to_owned()
        }
        CallTools::Listed => format!(
            "--call-tools listed permits only tools that are named, and none is: give a call of one under [triggers.callable-tool] in {FILE}"
        ),
        CallTools::Readonly if survey.tools.iter().any(only_reads) => format!(
            "the tools that only read also say that they reach the outside or may destroy something (openWorldHint, destructiveHint): give a call of one that may be called under [triggers.callable-tool] in {FILE}, or permit all with --call-tools all"
        ),
        CallTools::Readonly | CallTools::All => format!(
            "no tool of the server says that it is harmless (readOnlyHint): give a call of one that is under [triggers.callable-tool] in {FILE}, or permit all with --call-tools all"
        ),
    }
}

fn only_reads(definition: &Value) -> bool {
    let hint = definition.pointer("/annotations/readOnlyHint");
    hint.and_then(Value::as_bool) == Some(true)
}

/// Why a request that would be made from a list is not known, if that is why.
fn nothing_listed(
    conditions: &Conditions<'_>,
    capability: &str,
    is_empty: bool,
    what: &str,
) -> Option<String> {
    if !conditions.declares(capability) {
        return Some(format!("the server does not declare {capability}"));
    }
    is_empty.then(|| format!("the server lists no {what}"))
}

/// Why a trigger, or an option of one, is not used although it is known, if so.
fn forbidden(conditions: &Conditions<'_>, name: &str, option: Option<&str>) -> Option<String> {
    let forbidden = &conditions.survey.forbidden;
    let whole = option.map_or_else(|| name.to_owned(), |option| format!("{name}.{option}"));
    let told = match (forbidden.get(&whole), forbidden.get(name)) {
        (Some(why), _) => format!("`{whole}` is known, but the {why}"),
        (None, Some(why)) => {
            format!("`{whole}` belongs to `{name}`, which is known, but the {why}")
        }
        (None, None) => return None,
    };
    Some(match conditions.permit.mode() {
        CallTools::None => format!("{told}; leave that option out to have it judged"),
        _ => told,
    })
}

/// That the server does not declare the change which a trigger is to bring about, if so.
fn undeclared_change(
    conditions: &Conditions<'_>,
    name: &str,
    option: Option<&str>,
) -> Option<String> {
    const LISTS: [&str; 3] = ["tools", "prompts", "resources"];
    let is_missing = |capability: &str| !conditions.declares(capability);
    match (name, option) {
        ("resource-update", _) => is_missing("resources.subscribe")
            .then(|| "the server does not declare resources.subscribe".to_owned()),
        (_, Some(list)) => {
            let capability = format!("{list}.listChanged");
            is_missing(&capability).then(|| format!("the server does not declare {capability}"))
        }
        (_, None) => LISTS
            .iter()
            .all(|list| is_missing(&format!("{list}.listChanged")))
            .then(|| "the server declares no list whose changes it announces".to_owned()),
    }
}

/// Whether a trigger, or an option of one, that is not known would be used if the user named it.
pub(super) fn is_nameable(conditions: &Conditions<'_>, word: &str) -> bool {
    let (name, option) = parts(word);
    TriggerKind::of(name).is_some()
        && !matches!(name, "dual-era" | "tasks-extension")
        && beyond_naming(conditions, name, option).is_none()
        && forbidden(conditions, name, option).is_none()
        && (conditions.declares("tools") || !is_of_a_tool(name, option))
}

/// A trigger and its option.
pub(super) fn parts(word: &str) -> (&str, Option<&str>) {
    match word.split_once('.') {
        Some((name, option)) => (name, Some(option)),
        None => (word, None),
    }
}

/// Whether it is a tool that does what a trigger, or an option of one, is about.
fn is_of_a_tool(name: &str, option: Option<&str>) -> bool {
    name.ends_with("-tool") && !option.is_some_and(|option| NO_TOOLS.contains(&option))
}

/// What about the server is the reason that a trigger is not known, so that naming one would not help.
fn beyond_naming(conditions: &Conditions<'_>, name: &str, option: Option<&str>) -> Option<String> {
    let survey = conditions.survey;
    match name {
        "callable-tool" => nothing_listed(conditions, "tools", survey.tools.is_empty(), "tool"),
        "listed-resource" => nothing_listed(
            conditions,
            "resources",
            survey.resources.is_empty(),
            "resource",
        ),
        "resource-template" => nothing_listed(
            conditions,
            "resources",
            survey.templates.is_empty(),
            "resource template",
        ),
        "listed-prompt" => {
            nothing_listed(conditions, "prompts", survey.prompts.is_empty(), "prompt")
        }
        "prompt-with-args" => {
            nothing_listed(conditions, "prompts", survey.prompts.is_empty(), "prompt")
                .or_else(|| Some("no prompt that the server lists takes arguments".to_owned()))
        }
        "completion" if !conditions.declares("completions") => {
            Some("the server does not declare completions".to_owned())
        }
        "list-change" | "resource-update" => undeclared_change(conditions, name, option),
        "paginated-list" => Some("no list of the server has a second page".to_owned()),
        "icons" => Some("nothing that the server lists has an icon".to_owned()),
        _ => None,
    }
}

/// Why a trigger, or an option of one, is not known.
fn no_trigger(conditions: &Conditions<'_>, word: &str) -> String {
    let survey = conditions.survey;
    let (name, option) = parts(word);
    if let Some(problem) = beyond_naming(conditions, name, option) {
        return problem;
    }
    if let Some(problem) = forbidden(conditions, name, option) {
        return problem;
    }
    let kind = TriggerKind::of(name);
    let makes = kind.map_or("do that", |kind| kind.makes);
    let is_tool = is_of_a_tool(name, option);
    if is_tool && !conditions.declares("tools") {
        return format!(
            "the server does not declare tools, one of which would have to {makes} (`{word}`)"
        );
    }
    let is_variant = |option: &&str| kind.is_some_and(|kind| kind.variants.contains(option));
    let place = match option {
        Some(option) if is_variant(&option) => format!("under [triggers.{word}] in {FILE}"),
        Some(option) => format!("with `{option}` under [triggers.{name}] in {FILE}"),
        None => format!("under [triggers.{name}] in {FILE}"),
    };
    if let (Some(option), Some(known)) = (option, survey.triggers.get(name)) {
        let source = &known.source;
        return format!(
            "`{name}` is known from the {source}, but without `{option}`: if there is one, name it {place}"
        );
    }
    let first = match conditions.permit.mode() {
        CallTools::None if is_tool => "leave out --call-tools none, and ",
        _ => "",
    };
    format!("no request is known that makes the server {makes} (`{word}`): {first}name one {place}")
}
