//! Requests and triggers made from what a target lists.

use std::collections::{BTreeMap, BTreeSet};

use mcpspec_wire::{Object, Value};

use crate::arguments;
use crate::config::{Trigger, TriggerAction, WholeRequest};
use crate::target::{Permit, mirror};

use super::Survey;
use super::served::call;

/// What triggers of the survey are known from.
const SOURCE: &str = "survey";

/// The triggers that definitions and declarations show. No `silent` tool is called.
pub(super) async fn triggers(
    survey: &Survey,
    permit: &Permit,
    silent: &BTreeSet<String>,
    paginated: Option<&str>,
) -> BTreeMap<String, Trigger> {
    let mut found = BTreeMap::new();
    let mut add = |name: &str, trigger: Option<Trigger>| {
        if let Some(trigger) = trigger {
            found.insert(name.to_owned(), trigger);
        }
    };
    let served = |method: &str| {
        survey
            .requests
            .iter()
            .find(|request| request.method == method)
            .cloned()
    };
    add(
        "callable-tool",
        survey.callable.clone().map(|(call, _)| request(call)),
    );
    add(
        "listed-resource",
        served("resources/read")
            .or_else(|| reads(survey).next())
            .map(request),
    );
    add(
        "listed-prompt",
        served("prompts/get")
            .or_else(|| prompts(survey).next())
            .map(request),
    );
    let with_arguments = |whole: &WholeRequest| whole.params.get("arguments").is_some();
    add(
        "prompt-with-args",
        prompts(survey).find(with_arguments).map(request),
    );
    add(
        "resource-template",
        survey.templates.iter().find_map(expanded).map(request),
    );
    add("completion", served("completion/complete").map(request));
    add(
        "paginated-list",
        paginated.map(|method| request(WholeRequest::new(method, Value::Object(Object::new())))),
    );
    add("icons", with_icons(survey).map(request));
    add("dual-era", survey.legacy_version.is_some().then(nothing));
    add(
        "tasks-extension",
        survey
            .declares("/extensions/io.modelcontextprotocol~1tasks")
            .then(nothing),
    );
    add("x-mcp-header-tool", marked(survey, permit, silent).await);
    found
}

/// A read of each listed resource.
pub(super) fn reads(survey: &Survey) -> impl Iterator<Item = WholeRequest> {
    let uris = survey
        .resources
        .iter()
        .filter_map(|resource| resource.get("uri")?.as_str());
    uris.map(read)
}

/// A request for each listed prompt, every declared argument given.
pub(super) fn prompts(survey: &Survey) -> impl Iterator<Item = WholeRequest> {
    survey.prompts.iter().filter_map(|prompt| {
        let mut params = Object::new();
        params.insert("name", prompt.get("name")?.as_str()?);
        let arguments: Object = names(prompt).map(|name| (name, "x")).collect();
        if !arguments.is_empty() {
            params.insert("arguments", arguments);
        }
        Some(WholeRequest::new("prompts/get", Value::Object(params)))
    })
}

impl Survey {
    /// A completion request for the first argument of a listed prompt, and for the first variable of a listed template, whatever
    /// became of it.
    pub fn first_completions(&self) -> [Option<WholeRequest>; 2] {
        completions(self).map(|requests| requests.into_iter().next())
    }
}

/// Completion requests for arguments of prompts, and for variables of templates.
pub(super) fn completions(survey: &Survey) -> [Vec<WholeRequest>; 2] {
    if !survey.declares("/completions") {
        return [Vec::new(), Vec::new()];
    }
    let of_prompts = survey.prompts.iter().filter_map(|prompt| {
        Some(complete(
            [
                ("type", "ref/prompt"),
                ("name", prompt.get("name")?.as_str()?),
            ],
            names(prompt).next()?,
        ))
    });
    let of_templates = survey.templates.iter().filter_map(|template| {
        let template = template.get("uriTemplate")?.as_str()?;
        let name = variables(template).into_iter().next()?;
        Some(complete(
            [("type", "ref/resource"), ("uri", template)],
            &name,
        ))
    });
    [of_prompts.collect(), of_templates.collect()]
}

/// A subscription to every type that the server declares (page `basic/patterns/subscriptions`).
pub(super) fn listen(survey: &Survey) -> Option<WholeRequest> {
    let mut filter = Object::new();
    for (name, pointer) in [
        ("toolsListChanged", "/tools/listChanged"),
        ("promptsListChanged", "/prompts/listChanged"),
        ("resourcesListChanged", "/resources/listChanged"),
    ] {
        if survey.declares(pointer) {
            filter.insert(name, true);
        }
    }
    let uri = survey
        .resources
        .first()
        .and_then(|resource| resource.get("uri"))
        .filter(|uri| uri.as_str().is_some());
    if let Some(uri) = uri.filter(|_| survey.declares("/resources/subscribe")) {
        filter.insert("resourceSubscriptions", vec![uri.clone()]);
    }
    if filter.is_empty() {
        return None;
    }
    let params: Object = [("notifications", filter)].into_iter().collect();
    Some(WholeRequest::new(
        "subscriptions/listen",
        Value::Object(params),
    ))
}

fn read(uri: &str) -> WholeRequest {
    let params: Object = [("uri", uri)].into_iter().collect();
    WholeRequest::new("resources/read", Value::Object(params))
}

/// The names of a prompt's arguments.
fn names(prompt: &Value) -> impl Iterator<Item = &str> {
    let arguments = prompt
        .get("arguments")
        .and_then(Value::as_array)
        .unwrap_or_default();
    arguments
        .iter()
        .filter_map(|argument| argument.get("name")?.as_str())
}

fn complete(reference: [(&str, &str); 2], name: &str) -> WholeRequest {
    let reference: Object = reference.into_iter().collect();
    let argument: Object = [("name", name), ("value", "")].into_iter().collect();
    let params: Object = [("ref", reference), ("argument", argument)]
        .into_iter()
        .collect();
    WholeRequest::new("completion/complete", Value::Object(params))
}

/// A read of what a template stands for, each variable being `1`.
fn expanded(template: &Value) -> Option<WholeRequest> {
    let mut rest = template.get("uriTemplate")?.as_str()?;
    let mut uri = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        let (expression, behind) = after.split_once('}')?;
        uri.push_str(before);
        // Expressions for queries and the like are optional by their nature.
        if expression
            .starts_with(|first: char| first == '+' || first.is_alphanumeric() || first == '_')
        {
            let values = vec!["1"; expression.split(',').count()];
            uri.push_str(&values.join(","));
        }
        rest = behind;
    }
    uri.push_str(rest);
    Some(read(&uri))
}

/// The names of the variables of a URI template (RFC 6570).
fn variables(template: &str) -> Vec<String> {
    let expressions = template
        .split('{')
        .skip(1)
        .filter_map(|part| Some(part.split_once('}')?.0));
    expressions
        .flat_map(|expression| {
            expression
                .trim_start_matches(['+', '#', '.', '/', ';', '?', '&'])
                .split(',')
        })
        .map(|variable| {
            variable
                .trim_end_matches('*')
                .split(':')
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .filter(|name| !name.is_empty())
        .collect()
}

/// A request whose answer shows icons.
fn with_icons(survey: &Survey) -> Option<WholeRequest> {
    let has_icons = |value: &Value| {
        value
            .get("icons")
            .and_then(Value::as_array)
            .is_some_and(|icons| !icons.is_empty())
    };
    let nothing = || Value::Object(Object::new());
    if survey.server_info.as_ref().is_some_and(has_icons) {
        return Some(WholeRequest::new("server/discover", nothing()));
    }
    let lists = [
        ("tools/list", &survey.tools),
        ("resources/list", &survey.resources),
        ("resources/templates/list", &survey.templates),
        ("prompts/list", &survey.prompts),
    ];
    let (method, _) = lists
        .into_iter()
        .find(|(_, items)| items.iter().any(has_icons))?;
    Some(WholeRequest::new(method, nothing()))
}

/// Calls of permitted tools with an argument that a header mirrors: one, and one of each kind.
async fn marked(survey: &Survey, permit: &Permit, silent: &BTreeSet<String>) -> Option<Trigger> {
    let is_silent = |tool: &&Value| {
        let name = tool.get("name").and_then(Value::as_str);
        name.is_some_and(|name| silent.contains(name))
    };
    let mut found: Option<Trigger> = None;
    for definition in survey.tools.iter().filter(|tool| !is_silent(tool)) {
        let Some(schema) = definition.get("inputSchema") else {
            continue;
        };
        for annotation in mirror::annotations(schema) {
            let Some(call) = call_with(definition, schema, &annotation.path, permit).await else {
                continue;
            };
            let mut trigger = request(call);
            trigger
                .properties
                .insert("header".to_owned(), Value::from(annotation.header.as_str()));
            let whole = found.get_or_insert_with(|| trigger.clone());
            for kind in kinds(&annotation) {
                whole
                    .variants
                    .entry(kind.to_owned())
                    .or_insert_with(|| trigger.clone());
            }
        }
    }
    found
}

/// The variants of `x-mcp-header-tool` that an annotation stands for.
fn kinds(annotation: &mirror::Annotation) -> Vec<&'static str> {
    let kind = annotation.schema.get("type");
    let types: Vec<&str> = match kind {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is_nested = annotation.path.len() > 1;
    let conditions = [
        ("string", types == ["string"] && !is_nested),
        ("integer", types == ["integer"] && !is_nested),
        ("boolean", types == ["boolean"] && !is_nested),
        ("nullable", types.contains(&"null")),
        ("nested", is_nested),
    ];
    conditions
        .into_iter()
        .filter(|(_, holds)| *holds)
        .map(|(name, _)| name)
        .collect()
}

/// A call that gives the argument at `path` beside the required ones.
async fn call_with(
    definition: &Value,
    schema: &Value,
    path: &[String],
    permit: &Permit,
) -> Option<WholeRequest> {
    let name = definition.get("name")?.as_str()?;
    permit.decide(name).ok()?;
    let (schema, path) = (schema.clone(), path.to_vec());
    // Work on a hostile schema takes bounded time, but not none.
    let made =
        tokio::task::spawn_blocking(move || arguments::required_members_and(&schema, &path)).await;
    Some(call(name, made.ok()?.ok()?))
}

fn request(whole: WholeRequest) -> Trigger {
    Trigger {
        action: TriggerAction::Request(whole),
        variants: BTreeMap::new(),
        properties: BTreeMap::new(),
        source: SOURCE.to_owned(),
    }
}

fn nothing() -> Trigger {
    Trigger {
        action: TriggerAction::Variants,
        ..request(WholeRequest::new("", Value::Null))
    }
}
