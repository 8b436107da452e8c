//! Looking for triggers by calling what may be called, once each, with every capability declared.
//!
//! What a call shows counts only if the request that cases will send shows it too: cases rely on it to happen again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use mcpspec_wire::{Object, Value};

use crate::arguments;
use crate::config::{Trigger, TriggerAction, WholeRequest};
use crate::target::Permit;
use crate::target::permit::is_destructive;

use super::asker::Asker;
use super::caller::{Caller, Came, SLOWER, Seen, declaring};
use super::changes::{Change, Changes, Changing};
use super::interview::{
    Input, Interview, asked, capabilities, everything, interview, offered_tool, using,
};
use super::role::Role;
use super::served::call_of;
use super::shown::effects;
use super::{Sought, Survey, definitions, known};

/// Most tools that are called, and most prompts and resources that are asked for.
const MAX_TOOLS: usize = 32;
const MAX_OTHERS: usize = 8;

/// The code of an error that says which capability a client lacks.
const MISSING_CAPABILITY: i64 = -32021;

/// What can be found by calling tools.
const SOUGHT: [&str; 17] = [
    "audio-tool",
    "elicitation-tool",
    "embedded-resource",
    "error-tool",
    "image-tool",
    "list-change",
    "logging-tool",
    "multi-round-tool",
    "output-schema-tool",
    "progress-tool",
    "resource-update",
    "roots-tool",
    "sampling-tool",
    "slow-tool",
    "state-tool",
    "structured-tool",
    "url-elicitation-tool",
];

/// Triggers that calls show of those that are sought, beside those that are known. Tools that gave no answer before are not called,
/// and those that give none are added to them. The gate is told of those that may be called and were not.
pub(super) async fn search(
    asker: &Asker<'_>,
    survey: &Survey,
    sought: &Sought,
    permit: &Permit,
    silent: &mut BTreeSet<String>,
) -> BTreeMap<String, Trigger> {
    let is_named =
        |name: &&str| survey.triggers.contains_key(*name) || survey.forbidden.contains_key(*name);
    let wanted = SOUGHT.into_iter().filter(|name| !is_named(name));
    let wanted: BTreeSet<&str> = wanted
        .filter(|name| sought.triggers.contains(*name))
        .collect();
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let calls = calls(survey, permit, silent).await;
    if calls.is_empty() {
        return BTreeMap::new();
    }
    let mut search = Search {
        caller: Caller::new(asker).await,
        wanted,
        found: BTreeMap::new(),
        with_tools: None,
    };
    search.tools(survey, &calls, permit, silent).await;
    search.others(survey).await;
    search.finish()
}

/// A call of a tool, its name, and its definition.
struct Call<'a> {
    tool: &'a str,
    whole: WholeRequest,
    definition: &'a Value,
}

/// One call of each tool that may be called. One that a trigger names is called as it is named there, since that is what it is
/// permitted for, and not at all if that takes long or changes something.
async fn calls<'a>(
    survey: &'a Survey,
    permit: &Permit,
    silent: &BTreeSet<String>,
) -> Vec<Call<'a>> {
    let named = known::named_calls(&survey.triggers);
    let mut calls = Vec::new();
    for definition in &survey.tools {
        let Some(tool) = definition.get("name").and_then(Value::as_str) else {
            continue;
        };
        if silent.contains(tool) {
            continue;
        }
        if calls.len() == MAX_TOOLS {
            let why = format!("the search for triggers calls no more than {MAX_TOOLS} tools");
            permit.passed_over(tool, &why);
            continue;
        }
        let whole = match named.get(tool) {
            Some(named) => named.cloned(),
            None => call_of(definition, permit).await,
        };
        if let Some(whole) = whole {
            calls.push(Call {
                tool,
                whole: WholeRequest::new(whole.method, whole.params),
                definition,
            });
        }
    }
    calls
}

struct Search<'c, 'a> {
    caller: Caller<'c, 'a>,
    /// What is still looked for.
    wanted: BTreeSet<&'static str>,
    found: BTreeMap<String, Trigger>,
    /// The variant of `sampling-tool` that offers tools to the model.
    with_tools: Option<Trigger>,
}

impl Search<'_, '_> {
    async fn tools(
        &mut self,
        survey: &Survey,
        calls: &[Call<'_>],
        permit: &Permit,
        silent: &mut BTreeSet<String>,
    ) {
        let is_wanted =
            self.wanted.contains("list-change") || self.wanted.contains("resource-update");
        let mut changes = Changes::listen(&self.caller, survey, is_wanted).await;
        let mut failed = None;
        let mut late = Vec::new();
        for call in calls {
            if self.wanted.is_empty() {
                break;
            }
            if let Some(end) = self.caller.end() {
                let why = format!("the search for triggers did not come to it: {end}");
                permit.passed_over(call.tool, &why);
                continue;
            }
            let open = declaring(&call.whole, everything());
            let seen = match self.caller.try_briefly(&open).await {
                Came::Answer(seen) => seen,
                Came::Withdrawn(_) => {
                    late.push(call);
                    continue;
                }
                Came::Nothing => {
                    silent.insert(call.tool.to_owned());
                    continue;
                }
            };
            self.tool(call, &open, &seen).await;
            changes.note(&self.caller, call.tool, &call.whole);
            if call.definition.get("outputSchema").is_some()
                && effects(&seen, call.definition).contains("error-tool")
            {
                failed.get_or_insert(call);
            }
        }
        for call in late {
            let open = declaring(&call.whole, everything());
            match self.caller.call_again(&open).await {
                Some(seen) if seen.is_withdrawn => {
                    silent.insert(call.tool.to_owned());
                    self.add("slow-tool", call, lasting(seen.took));
                }
                Some(seen) => {
                    self.tool(call, &open, &seen).await;
                    changes.note(&self.caller, call.tool, &call.whole);
                }
                None => {
                    silent.insert(call.tool.to_owned());
                }
            }
        }
        for changing in changes.settle(&mut self.caller).await {
            self.changing(changing);
        }
        // That the call of a tool with an output schema failed says more than that there is none.
        if let Some(call) = failed {
            self.add("output-schema-tool", call, BTreeMap::new());
        }
    }

    /// What the answer of a tool shows.
    async fn tool(&mut self, call: &Call<'_>, open: &WholeRequest, seen: &Seen) {
        match asked(seen) {
            // What asks before it destroys something is not told to go on.
            Some(_) if is_destructive(call.definition) => {}
            Some(first) => self.asking(call, open, first).await,
            None => self.showing(call, seen).await,
        }
    }

    /// A tool that asks for nothing: whether it shows the same when it is called plainly.
    async fn showing(&mut self, call: &Call<'_>, seen: &Seen) {
        let mut effects: BTreeSet<&str> = effects(seen, call.definition);
        effects.retain(|name| self.wanted.contains(name));
        if effects.is_empty() {
            return;
        }
        let Some(again) = self.caller.call(&call.whole).await else {
            return;
        };
        effects.retain(|name| shows(&again, call.definition, name));
        let took = seen.took.min(again.took);
        if effects.contains("slow-tool") {
            let usual = self.caller.usual().await;
            if usual.is_none_or(|usual| took < usual * SLOWER) {
                effects.remove("slow-tool");
            }
        }
        for name in effects {
            let properties = match name {
                "slow-tool" => lasting(took),
                _ => BTreeMap::new(),
            };
            self.add(name, call, properties);
        }
    }

    /// A tool that asks for something: whether it asks for the same when the client can do just that, and takes the answers.
    async fn asking(&mut self, call: &Call<'_>, open: &WholeRequest, first: &Value) {
        let Some(shown) = interview(&mut self.caller, open, first).await else {
            return;
        };
        if let Some(tool) = offered_tool(first) {
            self.offering(call, open, tool).await;
        }
        let (whole, roles) = self.roles(&call.whole, &shown).await;
        if roles.is_empty() {
            return;
        }
        let is_input = |role: &Role| matches!(role, Role::Input(_));
        let is_required = roles.iter().any(is_input) && self.is_required(&call.whole).await;
        for role in roles {
            let mut properties = BTreeMap::new();
            match role {
                Role::MultiRound { together } if together => {
                    properties.insert("together".to_owned(), Value::from(true));
                }
                Role::Input(_) if is_required => {
                    properties.insert("required".to_owned(), Value::from(true));
                }
                _ => {}
            }
            let call = Call {
                tool: call.tool,
                whole: whole.clone(),
                definition: call.definition,
            };
            self.add(role.name(), &call, properties);
        }
    }

    /// What a request that asks for something stands for, and the request with the capabilities that it needs.
    async fn roles(
        &mut self,
        whole: &WholeRequest,
        shown: &Interview,
    ) -> (WholeRequest, Vec<Role>) {
        let whole = declaring(whole, capabilities(&shown.inputs));
        let mut roles = Role::of(shown);
        roles.retain(|role| self.wanted.contains(role.name()));
        if roles.is_empty() {
            return (whole, roles);
        }
        let again = match self.caller.call(&whole).await {
            Some(seen) => match asked(&seen) {
                Some(first) => interview(&mut self.caller, &whole, first).await,
                None => None,
            },
            None => None,
        };
        roles.retain(|role| {
            again
                .as_ref()
                .is_some_and(|again| Role::of(again).contains(role))
        });
        (whole, roles)
    }

    /// Whether a request is refused where nothing is declared, for that reason.
    async fn is_required(&mut self, whole: &WholeRequest) -> bool {
        let seen = self.caller.call(whole).await;
        seen.is_some_and(|seen| seen.code == Some(MISSING_CAPABILITY))
    }

    /// A tool that offers tools to the model: whether it asks again with the results of one.
    async fn offering(&mut self, call: &Call<'_>, open: &WholeRequest, tool: &Value) {
        let is_sought =
            self.wanted.contains("sampling-tool") || self.found.contains_key("sampling-tool");
        if !is_sought || self.with_tools.is_some() {
            return;
        }
        let used = tokio::time::timeout(self.caller.left(), use_of(tool)).await;
        let Ok(Some((name, input))) = used else {
            return;
        };
        let mut declared = Object::new();
        let tools: Object = [("tools", Object::new())].into_iter().collect();
        declared.insert("sampling", tools);
        let whole = declaring(open, Value::Object(declared));
        let Some(seen) = self.caller.call(&whole).await else {
            return;
        };
        let Some(asking) = asked(&seen) else { return };
        let next = self
            .caller
            .call(&using(&whole, asking, &name, &input))
            .await;
        if next.is_none_or(|next| asked(&next).is_none()) {
            return;
        }
        let members = [("name", Value::from(name)), ("input", input)];
        let used: Object = members.into_iter().collect();
        let properties = BTreeMap::from([("use".to_owned(), Value::Object(used))]);
        self.with_tools = Some(found(whole, properties, &source(call.tool)));
    }

    /// Prompts and resources that ask for the same as a tool does.
    async fn others(&mut self, survey: &Survey) {
        let inputs = [Input::Form, Input::Url, Input::Sampling, Input::Roots];
        if !inputs
            .iter()
            .any(|input| self.found.contains_key(input.trigger()))
        {
            return;
        }
        let prompts = definitions::prompts(survey).take(MAX_OTHERS);
        let reads = definitions::reads(survey).take(MAX_OTHERS);
        let others: Vec<WholeRequest> = prompts.chain(reads).collect();
        for whole in others {
            if self.caller.is_over() {
                return;
            }
            let open = declaring(&whole, everything());
            let Some(seen) = self.caller.call(&open).await else {
                continue;
            };
            let Some(first) = asked(&seen) else { continue };
            let Some(shown) = interview(&mut self.caller, &open, first).await else {
                continue;
            };
            self.other(&whole, &shown).await;
        }
    }

    async fn other(&mut self, whole: &WholeRequest, shown: &Interview) {
        let variant = match whole.method.as_str() {
            "prompts/get" => "prompt",
            _ => "resource",
        };
        let Some(name) = Role::of(shown).into_iter().find_map(|role| match role {
            Role::Input(input) => Some(input.trigger()),
            _ => None,
        }) else {
            return;
        };
        let whole = declaring(whole, capabilities(&shown.inputs));
        let Some(seen) = self.caller.call(&whole).await else {
            return;
        };
        let Some(first) = asked(&seen) else { return };
        let again = interview(&mut self.caller, &whole, first).await;
        if again.is_none_or(|again| again != *shown) {
            return;
        }
        let key = whole.params.get("name").or_else(|| whole.params.get("uri"));
        let key = key.and_then(Value::as_str).unwrap_or_default();
        let source = format!("survey (the {variant} `{key}`)");
        if let Some(trigger) = self.found.get_mut(name) {
            trigger
                .variants
                .entry(variant.to_owned())
                .or_insert_with(|| found(whole, BTreeMap::new(), &source));
        }
    }

    /// A tool that changes something each time.
    fn changing(&mut self, changing: Changing) {
        let source = source(&changing.tool);
        for change in changing.changes {
            let trigger = found(changing.call.clone(), BTreeMap::new(), &source);
            match change {
                Change::List(list) if self.wanted.contains("list-change") => {
                    let whole = self
                        .found
                        .entry("list-change".to_owned())
                        .or_insert_with(|| trigger.clone());
                    whole.variants.entry(list.to_owned()).or_insert(trigger);
                }
                Change::Resource(uri) if self.wanted.remove("resource-update") => {
                    let properties = BTreeMap::from([("uri".to_owned(), Value::from(uri))]);
                    let trigger = Trigger {
                        properties,
                        ..trigger
                    };
                    self.found.insert("resource-update".to_owned(), trigger);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &'static str, call: &Call<'_>, properties: BTreeMap<String, Value>) {
        if self.wanted.remove(name) {
            let trigger = found(call.whole.clone(), properties, &source(call.tool));
            self.found.insert(name.to_owned(), trigger);
        }
    }

    fn finish(mut self) -> BTreeMap<String, Trigger> {
        if let Some(variant) = self.with_tools
            && let Some(trigger) = self.found.get_mut("sampling-tool")
        {
            trigger.variants.insert("tools".to_owned(), variant);
        }
        self.found
    }
}

/// A use of a tool that is offered to a model.
async fn use_of(tool: &Value) -> Option<(String, Value)> {
    let name = tool.get("name")?.as_str()?.to_owned();
    let schema = tool.get("inputSchema")?.clone();
    // Work on a hostile schema takes bounded time, but not none.
    let made = tokio::task::spawn_blocking(move || arguments::required_members(&schema)).await;
    Some((name, made.ok()?.ok()?))
}

/// How long a call lasts at least.
fn lasting(took: Duration) -> BTreeMap<String, Value> {
    let lasts = format!("{}ms", took.as_millis());
    BTreeMap::from([("lasts".to_owned(), Value::from(lasts))])
}

fn shows(seen: &Seen, definition: &Value, name: &str) -> bool {
    effects(seen, definition).contains(name)
}

fn source(tool: &str) -> String {
    format!("survey (a call of `{tool}`)")
}

fn found(whole: WholeRequest, properties: BTreeMap<String, Value>, source: &str) -> Trigger {
    Trigger {
        action: TriggerAction::Request(whole),
        variants: BTreeMap::new(),
        properties,
        source: source.to_owned(),
    }
}
