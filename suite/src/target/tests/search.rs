//! Triggers that are found by calling.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use mcpspec_refserver::Options;
use mcpspec_wire::Value as Wire;
use serde_json::{Value, json};

use crate::config::{Trigger, TriggerAction, read_profiles};
use crate::spec::Transport;
use crate::target::{CallTools, Sought, Survey, survey};
use crate::transport::Pacer;

use super::scripted::{Changes, DEAFENS, Record, Script, serve, serve_changing, tool};
use super::*;

async fn surveyed(endpoint: Endpoint, call_tools: CallTools, timeout: Duration) -> Survey {
    let options = TargetOptions {
        call_tools,
        timeout,
        ..TargetOptions::default()
    };
    let (survey, _) = surveyed_for(&Sought::everything(), endpoint, options).await;
    survey
}

/// What was found of what is sought, and the tools that were not called, each with the reason.
async fn surveyed_for(
    sought: &Sought,
    endpoint: Endpoint,
    options: TargetOptions,
) -> (Survey, Vec<String>) {
    let target = start(endpoint, options).await;
    let none = BTreeMap::new();
    let survey = tokio::time::timeout(PATIENCE, survey(&target, &[], &none, sought)).await;
    let not_called = target.not_called().into_iter();
    let not_called = not_called.map(|one| format!("{}: {}", one.tool, one.why));
    let not_called = not_called.collect();
    target.finish().await;
    let survey = survey.expect("in time").expect("the server is usable");
    (survey, not_called)
}

async fn of_script(tools: Value, script: Script) -> (Survey, Record) {
    let (endpoint, record) = serve(tools, script).await;
    let survey = surveyed(endpoint, CallTools::Readonly, Duration::from_secs(2)).await;
    (survey, record)
}

/// Triggers that were found by calling, variants as `TRIGGER.VARIANT`.
fn by_calls(triggers: &BTreeMap<String, Trigger>) -> BTreeMap<String, &Trigger> {
    let mut found = BTreeMap::new();
    for (name, trigger) in triggers {
        let variants = trigger.variants.iter();
        let variants = variants.map(|(variant, trigger)| (format!("{name}.{variant}"), trigger));
        found.extend(variants.chain([(name.clone(), trigger)]));
    }
    found.retain(|_, trigger| trigger.source.contains("(a call of"));
    found
}

fn names(survey: &Survey) -> Vec<String> {
    by_calls(&survey.triggers).into_keys().collect()
}

fn shown(trigger: &Trigger) -> String {
    let TriggerAction::Request(whole) = &trigger.action else {
        return "(no request)".to_owned();
    };
    let capabilities = whole.capabilities.as_ref().map(Wire::to_json);
    let properties = trigger.properties.iter();
    let properties = properties
        .filter(|(name, _)| *name != "tool")
        .map(|(name, value)| format!(" {name}={}", value.to_json()));
    format!(
        "{} {} {}{}",
        whole.method,
        whole.params.to_json(),
        capabilities.as_deref().unwrap_or("-"),
        properties.collect::<String>()
    )
}

#[tokio::test(start_paused = true)]
async fn the_reference_server_shows_by_calls_what_its_profile_names() {
    let text = include_str!("../../../../cases/profiles/reference.toml");
    let profiles = read_profiles("reference.toml", text).expect("the profile is right");
    let mut seen = Vec::new();
    for transport in Transport::ALL {
        let endpoint = Endpoint::Memory(Options::default(), transport);
        let timeout = TargetOptions::default().timeout;
        let survey = surveyed(endpoint, CallTools::All, timeout).await;
        let found = by_calls(&survey.triggers);
        let mut lines: Vec<String> = found
            .iter()
            .map(|(name, trigger)| format!("{name}: {}", shown(trigger)))
            .collect();
        let all: BTreeSet<String> = lines_of(&profiles[0].triggers).into_iter().collect();
        let every = lines_of(&survey.triggers);
        let missing = all.iter().filter(|name| !every.contains(name));
        lines.extend(missing.map(|name| format!("only the profile names {name}")));
        for name in found.keys() {
            assert!(all.contains(name), "the profile does not name {name}");
        }
        seen.push(lines.join("\n"));
    }
    assert_eq!(seen[0], seen[1]);
    insta::assert_snapshot!(seen[0]);
}

fn lines_of(triggers: &BTreeMap<String, Trigger>) -> Vec<String> {
    let mut names: Vec<String> = triggers.keys().cloned().collect();
    for (name, trigger) in triggers {
        let variants = trigger.variants.keys();
        names.extend(variants.map(|variant| format!("{name}.{variant}")));
    }
    names
}

#[tokio::test(start_paused = true)]
async fn where_a_profile_names_everything_nothing_is_called_to_find_triggers() {
    let text = include_str!("../../../../cases/profiles/reference.toml");
    let profiles = read_profiles("reference.toml", text).expect("the profile is right");
    let endpoint = Endpoint::Memory(Options::default(), Transport::Stdio);
    let target = start(endpoint, TargetOptions::default()).await;
    let survey = survey(&target, &profiles, &BTreeMap::new(), &Sought::everything()).await;
    let survey = survey.expect("the reference server is usable");
    assert_eq!(target.calls(), []);
    assert!(names(&survey).is_empty());
}

#[tokio::test]
async fn no_tool_is_called_that_may_not_be() {
    let tools = || {
        json!([
            { "name": "silent_about_it", "inputSchema": { "type": "object" } },
            { "name": "destroy", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true, "destructiveHint": true } },
            { "name": "phone", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true, "openWorldHint": true } },
            tool("look"),
        ])
    };
    let script: Script = |_, params, _| Some(asks(params, "elicitation/create"));
    let (survey, record) = of_script(tools(), script).await;
    assert_eq!(record.called(), ["look"]);
    assert_eq!(names(&survey), ["elicitation-tool"]);
    let (endpoint, record) = serve(tools(), script).await;
    let survey = surveyed(endpoint, CallTools::None, Duration::from_secs(2)).await;
    assert!(record.called().is_empty() && names(&survey).is_empty());
}

/// A result, or a question by that method to a client that has not answered it yet. Without the capability it is refused.
fn asks(params: &Value, method: &str) -> Value {
    let declared = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
    if declared["elicitation"].is_null() {
        return json!({ "error": { "code": -32021, "message": "no" } });
    }
    if params["inputResponses"]["who"]["action"] == "accept" {
        return content("text");
    }
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let question =
        json!({ "method": method, "params": { "message": "?", "requestedSchema": schema } });
    json!({ "result": { "resultType": "input_required", "inputRequests": { "who": question } } })
}

fn content(kind: &str) -> Value {
    json!({ "result": { "resultType": "complete", "content": [{ "type": kind, "text": "" }] } })
}

#[tokio::test]
async fn what_a_tool_does_once_is_no_trigger() {
    let tools = json!([tool("once"), tool("always"), tool("changing_mind")]);
    let (survey, record) = of_script(tools, |name, _, nth| {
        let is_first = nth < 2;
        Some(match name {
            // The first call of all finds a tool that can be called.
            "once" if is_first => content("image"),
            "always" => content("audio"),
            "changing_mind" if nth == 0 => {
                json!({ "result": { "resultType": "complete", "content": [], "isError": true } })
            }
            _ => content("text"),
        })
    })
    .await;
    assert_eq!(names(&survey), ["audio-tool"]);
    assert_eq!(record.calls("once").len(), 3);
    let whole = shown(&survey.triggers["audio-tool"]);
    assert_eq!(whole, r#"tools/call {"name":"always","arguments":{}} -"#);
    assert_eq!(
        survey.triggers["audio-tool"].source,
        "survey (a call of `always`)"
    );
}

/// Tools of which those named `hang…` give no answer, and the others a picture or a sound.
fn hanging(name: &str, _: &Value, _: usize) -> Option<Value> {
    match name {
        "picture" => Some(content("image")),
        "sound" => Some(content("audio")),
        _ => None,
    }
}

fn tools(names: &[&str]) -> Value {
    names.iter().map(|name| tool(name)).collect()
}

#[tokio::test]
async fn tools_that_hang_keep_no_other_from_being_called() {
    let all = ["picture", "hang", "hang_2", "hang_3", "hang_4", "sound"];
    for rate in [None, Some(4)] {
        let (endpoint, record) = serve(tools(&all), hanging).await;
        let pacer = rate.and_then(NonZeroU32::new).map(Pacer::new);
        let options = TargetOptions {
            timeout: Duration::from_secs(5),
            pacer: pacer.map(Arc::new),
            ..TargetOptions::default()
        };
        let (survey, not_called) = surveyed_for(&Sought::everything(), endpoint, options).await;
        assert_eq!(names(&survey), ["audio-tool", "image-tool"], "{rate:?}");
        assert_eq!(record.called().len(), all.len());
        assert!(not_called.is_empty(), "{not_called:?}");
    }
}

#[tokio::test]
async fn tools_that_the_search_does_not_come_to_are_told() {
    let mut all: Vec<String> = (0..40).map(|number| format!("hang_{number}")).collect();
    all.insert(0, "picture".to_owned());
    let names: Vec<&str> = all.iter().map(String::as_str).collect();
    let (endpoint, record) = serve(tools(&names), hanging).await;
    let options = TargetOptions {
        timeout: Duration::from_secs(2),
        ..TargetOptions::default()
    };
    let (_, not_called) = surveyed_for(&Sought::everything(), endpoint, options).await;
    let called = record.called().len();
    assert!((5..=12).contains(&called), "{called}");
    assert_eq!(not_called.len(), all.len() - called);
    let first = &not_called[0];
    assert!(
        first.contains(
            ": it may be called, but the search for triggers did not come to it: it was over after "
        ),
        "{first}"
    );
    let last = not_called.last().expect("there is one");
    assert!(last.ends_with("calls no more than 32 tools"), "{last}");
}

#[tokio::test]
async fn a_slow_tool_is_found_although_its_first_call_is_withdrawn() {
    let (endpoint, record) = serve(tools(&["slow", "picture"]), |name, _, nth| {
        // The first two calls find a tool that can be called, and see that this one takes longer than others wait for.
        if name == "slow" {
            return (nth > 1).then(|| {
                let mut late = content("text");
                late["after"] = json!(1600);
                late
            });
        }
        Some(content("image"))
    })
    .await;
    let survey = surveyed(endpoint, CallTools::Readonly, Duration::from_secs(10)).await;
    assert_eq!(names(&survey), ["image-tool", "slow-tool"]);
    assert_eq!(record.calls("slow").len(), 4);
}

#[tokio::test]
async fn a_server_all_of_whose_tools_hang_is_surveyed_in_bounded_time() {
    let tools: Vec<Value> = (0..40)
        .map(|number| tool(&format!("hang_{number}")))
        .collect();
    let began = tokio::time::Instant::now();
    let (survey, record) = of_script(Value::from(tools), |_, _, _| None).await;
    assert!(names(&survey).is_empty());
    // Five to find a callable tool, and those that fit into the limit of one answer.
    let calls = record.called().len();
    assert!((6..=16).contains(&calls), "{calls}");
    assert!(began.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn the_search_is_over_in_time_whatever_hangs_then() {
    // Two thirds of the time go by while these hang, and the rest while it is looked whether the server still answers.
    let mut all = vec!["picture"];
    let hanging_ones: Vec<String> = (0..7).map(|number| format!("hang_{number}")).collect();
    all.extend(hanging_ones.iter().map(String::as_str));
    all.extend([DEAFENS, "never_called"]);
    let (endpoint, record) = serve(tools(&all), hanging).await;
    let limit = Duration::from_secs(3);
    let options = TargetOptions {
        timeout: limit,
        ..TargetOptions::default()
    };
    let began = tokio::time::Instant::now();
    let (_, not_called) = surveyed_for(&Sought::everything(), endpoint, options).await;
    let took = began.elapsed();
    assert_eq!(record.calls(DEAFENS).len(), 1);
    assert_eq!(not_called.len(), 1, "{not_called:?}");
    // What goes before the search takes no time, and a fifth more than it may take is for a slow machine.
    assert!(took < limit + limit / 5, "{took:?}");
}

#[tokio::test]
async fn nothing_is_called_for_what_nobody_seeks() {
    for (sought, due) in [
        (Sought::default(), &[][..]),
        (
            Sought {
                callable: true,
                ..Sought::default()
            },
            &["picture"],
        ),
        (
            Sought {
                triggers: BTreeSet::from(["audio-tool".to_owned()]),
                ..Sought::default()
            },
            &["picture", "sound"],
        ),
    ] {
        let (endpoint, record) = serve(tools(&["picture", "sound", "text"]), hanging).await;
        let (survey, _) = surveyed_for(&sought, endpoint, TargetOptions::default()).await;
        assert_eq!(record.called(), due, "{sought:?}");
        let found: Vec<String> = sought.triggers.into_iter().collect();
        assert_eq!(names(&survey), found);
    }
}

async fn changing(changes: Changes) -> Survey {
    let script: Script = |_, _, _| Some(content("text"));
    let (endpoint, _) = serve_changing(tools(&["look", "bump"]), script, changes).await;
    surveyed(endpoint, CallTools::Readonly, Duration::from_secs(5)).await
}

#[tokio::test]
async fn what_ticks_by_itself_is_not_put_down_to_a_tool() {
    let survey = changing(Changes::Each(Duration::from_millis(600))).await;
    assert!(names(&survey).is_empty(), "{:?}", names(&survey));
}

#[tokio::test]
async fn what_a_tool_changes_each_time_is_put_down_to_it() {
    let survey = changing(Changes::After("bump")).await;
    let due = ["list-change", "list-change.tools", "resource-update"];
    assert_eq!(names(&survey), due);
    let update = &survey.triggers["resource-update"];
    assert_eq!(
        shown(update),
        r#"tools/call {"name":"bump","arguments":{}} - uri="test://clock""#
    );
}

#[tokio::test]
async fn a_tool_whose_questions_come_to_no_end_asks_for_nothing_that_cases_could_rely_on() {
    let tools = json!([
        tool("never_content"),
        tool("refuses_answers"),
        tool("asks_twice")
    ]);
    let (survey, _) = of_script(tools, |name, params, _| {
        let mut params = params.clone();
        let is_answered = !params["inputResponses"].is_null();
        Some(match name {
            "never_content" => {
                params["inputResponses"] = Value::Null;
                asks(&params, "elicitation/create")
            }
            "refuses_answers" if is_answered => {
                json!({ "error": { "code": -32602, "message": "no such name" } })
            }
            _ => asks(&params, "elicitation/create"),
        })
    })
    .await;
    assert_eq!(names(&survey), ["elicitation-tool"]);
    let due = r#"tools/call {"name":"asks_twice","arguments":{}} {"elicitation":{"form":{}}} required=true"#;
    assert_eq!(shown(&survey.triggers["elicitation-tool"]), due);
}

#[tokio::test]
async fn a_tool_that_asks_before_it_destroys_something_gets_no_answer() {
    let tools = json!([{ "name": "wipe", "inputSchema": { "type": "object" }, "annotations": { "destructiveHint": true } }]);
    let script: Script = |_, params, _| Some(asks(params, "elicitation/create"));
    let (endpoint, record) = serve(tools, script).await;
    let survey = surveyed(endpoint, CallTools::All, Duration::from_secs(2)).await;
    assert!(names(&survey).is_empty());
    let calls = record.calls("wipe");
    assert!(!calls.is_empty());
    assert!(calls.iter().all(|call| call["inputResponses"].is_null()));
}

#[tokio::test]
async fn a_tool_that_does_without_the_capability_does_not_require_it() {
    let (survey, _) = of_script(json!([tool("ask")]), |_, params, _| {
        let declared = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"];
        Some(match declared["elicitation"].is_null() {
            true => content("text"),
            false => asks(params, "elicitation/create"),
        })
    })
    .await;
    let properties = &survey.triggers["elicitation-tool"].properties;
    assert!(properties.is_empty(), "{properties:?}");
}

#[tokio::test]
async fn a_tool_that_is_named_is_called_as_it_is_named() {
    let (endpoint, record) = serve(
        json!([{ "name": "import", "inputSchema": { "type": "object", "properties": { "rows": { "type": "integer" } }, "required": ["rows"] } }]),
        |_, _, _| Some(content("image")),
    )
    .await;
    let target = start(endpoint, TargetOptions::default()).await;
    let text = "[[profile]]\nname = \"p\"\nserver = \"s\"\n[profile.triggers.progress-tool]\nmethod = \"tools/call\"\nparams = { name = \"import\", arguments = { rows = 7 } }\n";
    let named = read_profiles("p.toml", text).expect("the profile is right");
    let survey = survey(&target, &[], &named[0].triggers, &Sought::everything()).await;
    let survey = survey.expect("the server is usable");
    assert_eq!(names(&survey), ["image-tool"]);
    let calls = record.calls("import");
    let rows: Vec<&Value> = calls
        .iter()
        .map(|call| &call["arguments"]["rows"])
        .collect();
    // To find a tool that can be called, then to see what it does, and whether it does it again.
    assert_eq!(rows, [&json!(7), &json!(7), &json!(7)]);
}
