//! Mutants of what a model is asked, and of what is done with its answer (`client/sampling`).

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks,
    mutant::{BOTH, Mutant},
    rounds::{brings, params_asked},
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Need, Rule, Subject},
    call::Call,
    rpc::Message,
    server::Outcome,
};

const AREA: &str = "sampling";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "sampling-without-max-tokens",
        "maxTokens is missing",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("draft"),
            "/result/inputRequests/draft/params/maxTokens",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "sampling-without-messages",
        "messages are missing",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("draft"),
            "/result/inputRequests/draft/params/messages",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "sampling-role-system",
        "the role of a message is system",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("draft"),
            "/result/inputRequests/draft/params/messages/0/role",
            Do::Set(r#""system""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "hints-as-strings",
        "hints at a model are texts",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("draft"),
            "/result/inputRequests/draft/params/modelPreferences/hints",
            Do::Set(r#"["small"]"#),
        )]),
    ),
    Mutant::new(
        AREA,
        "stop-sequences-as-string",
        "stopSequences is one text",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("draft"),
            "/result/inputRequests/draft/params/stopSequences",
            Do::Set(r#""END""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "model-priority-out-of-range",
        "a priority is 8",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("draft"),
            "/result/inputRequests/draft/params/modelPreferences/speedPriority",
            Do::Set(r#"8"#),
        )]),
    ),
    Mutant::new(
        AREA,
        "tool-choice-any",
        "the mode of toolChoice is any",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("plan"),
            "/result/inputRequests/plan/params/toolChoice/mode",
            Do::Set(r#""any""#),
        )]),
    ),
    Mutant::new(
        AREA,
        "sampling-tool-without-schema",
        "a tool for the model has no inputSchema",
        BOTH,
        Breaks::Shape(&[Edit(
            On::Asks("plan"),
            "/result/inputRequests/plan/params/tools/*/inputSchema",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "includes-this-server-context",
        "a client that declares context is asked for that of this server",
        BOTH,
        Breaks::Message(|call, message| include_context(call, message, true, "thisServer")),
    ),
    Mutant::new(
        AREA,
        "includes-context-undeclared",
        "a client that declares no context is asked for that of all servers",
        BOTH,
        Breaks::Message(|call, message| include_context(call, message, false, "allServers")),
    ),
    Mutant::new(
        AREA,
        "tools-to-plain-sampling-client",
        "tools are offered to the model of a client that declares sampling alone",
        BOTH,
        Breaks::Check(|check, call, found| {
            let offers_tools = matches!(check.subject, Subject::Need(Need::SamplingTools));
            if offers_tools && call.capabilities().contains_key("sampling") {
                return Ok(());
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "text-beside-tool-result",
        "the message with the tool results ends with a text",
        BOTH,
        Breaks::Message(|_, message| {
            change_results(message, |results| {
                results.push(json!({ "type": "text", "text": "Go on." }));
            });
        }),
    ),
    Mutant::new(
        AREA,
        "drops-one-tool-result",
        "of several tool results the last is left out",
        BOTH,
        Breaks::Message(|_, message| {
            change_results(message, |results| {
                results.truncate(results.len().saturating_sub(1).max(1));
            });
        }),
    ),
    Mutant::new(
        AREA,
        "drops-tool-use-meta",
        "the _meta of a tool use is lost",
        BOTH,
        Breaks::Message(|_, message| {
            for block in conversation(message).into_iter().flatten().flat_map(blocks) {
                if let Some(block) = block.as_object_mut() {
                    block.shift_remove("_meta");
                }
            }
        }),
    ),
    Mutant::new(
        AREA,
        "endless-tool-loop",
        "a model that wants a tool is asked again and again",
        BOTH,
        Breaks::Outcome(ask_for_ever),
    ),
    Mutant::new(
        AREA,
        "accepts-bogus-sampling-content",
        "content of any type counts as an answer",
        BOTH,
        Breaks::Check(|check, call, found| {
            let has_type = |answer: &Value| answer["content"]["type"].is_string();
            if check.rule == Rule::Answer && brings(call, has_type) {
                return Ok(());
            }
            found
        }),
    ),
];

fn include_context(call: Option<&Call>, message: &mut Message, declared: bool, value: &str) {
    let declares = call.is_some_and(|call| {
        call.capabilities()
            .get("sampling")
            .is_some_and(|sampling| sampling.get("context").is_some())
    });
    if declares == declared
        && let Some(params) = params_asked(message, "draft")
    {
        params.insert("includeContext".to_owned(), value.into());
    }
}

/// The messages that tell a model what its tools gave.
fn conversation(message: &mut Message) -> Option<&mut Vec<Value>> {
    params_asked(message, "summary")?
        .get_mut("messages")?
        .as_array_mut()
}

fn blocks(message: &mut Value) -> impl Iterator<Item = &mut Value> {
    let content = message.get_mut("content").map(|content| match content {
        Value::Array(blocks) => blocks.as_mut_slice(),
        block => std::slice::from_mut(block),
    });
    content.into_iter().flatten()
}

fn change_results(message: &mut Message, change: fn(&mut Vec<Value>)) {
    let last = conversation(message).and_then(|messages| messages.last_mut());
    if let Some(results) = last.and_then(|message| message.get_mut("content")?.as_array_mut()) {
        change(results);
    }
}

fn ask_for_ever(call: &Call, outcome: Outcome) -> Outcome {
    let mut reply = outcome?;
    let wants_tool = brings(call, |answer| answer["stopReason"] == "toolUse");
    if wants_tool
        && reply.result["resultType"] == "complete"
        && let Some(state) = call.param("requestState")
    {
        let first = json!({ "role": "user", "content": { "type": "text", "text": "Go on." } });
        let params = json!({ "messages": [first], "maxTokens": 100 });
        let request = json!({ "method": "sampling/createMessage", "params": params });
        let meta = reply.result.shift_remove("_meta").unwrap_or_default();
        reply.result = Map::from_iter([
            ("resultType".to_owned(), "input_required".into()),
            ("inputRequests".to_owned(), json!({ "summary": request })),
            ("requestState".to_owned(), state.clone()),
            ("_meta".to_owned(), meta),
        ]);
    }
    Ok(reply)
}
