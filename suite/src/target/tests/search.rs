//! Triggers that are found by calling.

use std::collections::{BTreeMap, BTreeSet};

use mcpspec_refserver::Options;
use mcpspec_wire::Value as Wire;
use serde_json::{Value, json};

use crate::config::{Trigger, TriggerAction, read_profiles};
use crate::spec::Transport;
use crate::target::{CallTools, Sought, Survey, survey};

use super::scripted::{Record, Script, serve, tool};
use super::*;

async fn surveyed(endpoint: Endpoint, call_tools: CallTools, timeout: Duration) -> Survey {
    let options = TargetOptions {
        call_tools,
        timeout,
        ..TargetOptions::default()
    };
    let target = start(endpoint, options).await;
    let survey = tokio::time::timeout(
        PATIENCE,
        survey(&target, &[], &BTreeMap::new(), &Sought::everything()),
    )
    .await;
    target.finish().await;
    survey.expect("in time").expect("the server is usable")
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

#[tokio::test]
async fn a_tool_that_gives_no_answer_is_called_once_and_the_others_are_tried() {
    let tools = json!([
        tool("hang"),
        tool("picture"),
        tool("hang_too"),
        tool("sound")
    ]);
    let began = std::time::Instant::now();
    let (survey, record) = of_script(tools, |name, _, _| match name {
        "picture" => Some(content("image")),
        "sound" => Some(content("audio")),
        _ => None,
    })
    .await;
    assert_eq!(names(&survey), ["audio-tool", "image-tool"]);
    for tool in ["hang", "hang_too"] {
        assert_eq!(record.calls(tool).len(), 1, "{tool}");
    }
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_server_all_of_whose_tools_hang_is_surveyed_in_bounded_time() {
    let tools: Vec<Value> = (0..40)
        .map(|number| tool(&format!("hang_{number}")))
        .collect();
    let began = tokio::time::Instant::now();
    let (survey, record) = of_script(Value::from(tools), |_, _, _| None).await;
    assert!(names(&survey).is_empty());
    // Two before nothing more is asked for a callable tool, and those that fit into the limit of one answer.
    let calls = record.called().len();
    assert!((3..=6).contains(&calls), "{calls}");
    assert!(began.elapsed() < Duration::from_secs(15));
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
