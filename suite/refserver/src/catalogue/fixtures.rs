//! What the official conformance suite expects by name: tools, prompts and resources that are there only if they are asked for.
//!
//! The names, the keys of input requests and the few values that its checks compare are the suite's.

use std::{sync::LazyLock, time::Duration};

use serde_json::{Map, Value, json};

use super::{
    asking::{form, roots, said as spoken},
    content::{PNG, WAV, base64, media, text},
    prompts::{Prompt, PromptWork, message},
    tools::{Job, Tool, Work, object, said},
};
use crate::{
    admit::Need,
    call::{Call, Level},
    interview::{Answers, Interview, Question},
    server::{Outcome, Reply},
    world::ListKind,
};

/// The template of the fixtures.
pub(super) const TEMPLATE: &str = "test://template/{id}/data";

/// What is proposed for the arguments of the prompts.
pub(super) const ARGUMENT_VALUES: &[&str] = &["test", "testValue1", "testValue2"];

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";

/// The time between two notifications of a tool.
const PAUSE: Duration = Duration::from_millis(50);

/// The tools, in the order in which they are listed.
pub(super) fn tools() -> &'static [Tool] {
    static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        let groups = [contents(), streaming(), asking(), changing()];
        groups.into_iter().flatten().collect()
    });
    &ALL
}

fn plain(name: &'static str, description: &str, work: Work) -> Tool {
    Tool::read_only(name, description, object(json!({}), &[]), work)
}

fn contents() -> Vec<Tool> {
    vec![
        plain(
            "test_simple_text",
            "Gives a text.",
            Work::Now(|_, _| said("Nothing but text.")),
        ),
        plain(
            "test_image_content",
            "Gives a picture.",
            Work::Now(|_, _| json!({ "content": [media("image", PNG, "image/png")] })),
        ),
        plain(
            "test_audio_content",
            "Gives a sound.",
            Work::Now(|_, _| json!({ "content": [media("audio", WAV, "audio/wav")] })),
        ),
        plain(
            "test_embedded_resource",
            "Gives a resource.",
            Work::Now(|_, _| json!({ "content": [embedded("test://embedded-resource")] })),
        ),
        plain(
            "test_multiple_content_types",
            "Gives a text, a picture and a resource.",
            Work::Now(|_, _| {
                let blocks = [
                    text("One of each:"),
                    media("image", PNG, "image/png"),
                    embedded("test://mixed-content-resource"),
                ];
                json!({ "content": blocks })
            }),
        ),
        plain(
            "test_error_handling",
            "Fails whenever it is called.",
            Work::Now(
                |_, _| json!({ "content": [text("It failed, as it always does.")], "isError": true }),
            ),
        ),
        Tool::read_only(
            "json_schema_2020_12_tool",
            "Notes how somebody can be reached.",
            contact_schema(),
            Work::Now(|_, arguments| said(Value::Object(arguments.clone()).to_string())),
        ),
    ]
}

fn embedded(uri: &str) -> Value {
    json!({ "type": "resource", "resource": { "uri": uri, "mimeType": "text/plain", "text": "What was embedded." } })
}

/// A schema with keywords that a careless library drops.
fn contact_schema() -> Value {
    let address = json!({
        "$anchor": "postal",
        "type": "object",
        "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
    });
    let mut schema = object(
        json!({
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "reach": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string", "format": "email" },
        }),
        &[],
    );
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["$defs"] = json!({ "address": address });
    schema["allOf"] = json!([{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }]);
    schema["if"] =
        json!({ "properties": { "reach": { "const": "phone" } }, "required": ["reach"] });
    schema["then"] = json!({ "required": ["phone"] });
    schema["else"] = json!({ "required": ["email"] });
    schema
}

fn streaming() -> Vec<Tool> {
    vec![
        plain(
            "test_tool_with_progress",
            "Reports progress three times.",
            Work::Takes(|job| Box::pin(progress(job))),
        ),
        plain(
            "test_logging_tool",
            "Logs three messages of level info.",
            Work::Takes(|job| Box::pin(log(job))),
        ),
    ]
}

async fn progress(job: Job) -> Outcome {
    for percent in [0, 50, 100] {
        job.sink.progress(percent, 100, "So many percent.");
        tokio::time::sleep(PAUSE).await;
    }
    Ok(Reply::from(said("All of it is done.")))
}

async fn log(job: Job) -> Outcome {
    for word in ["Begun.", "Going on.", "Over."] {
        job.sink.log(Level::Info, json!(word));
        tokio::time::sleep(PAUSE).await;
    }
    Ok(Reply::from(said("Three messages were logged.")))
}

fn changing() -> Vec<Tool> {
    let toggles = |name, description: &str, work| {
        Tool::changing(name, description, object(json!({}), &[]), Work::Now(work))
    };
    vec![
        toggles(
            "test_trigger_tool_change",
            "Adds a tool, or takes it away again.",
            |server, _| {
                server.world().toggle(ListKind::Tools);
                said("There are other tools now.")
            },
        ),
        toggles(
            "test_trigger_prompt_change",
            "Adds a prompt, or takes it away again.",
            |server, _| {
                server.world().toggle(ListKind::Prompts);
                said("There are other prompts now.")
            },
        ),
    ]
}

fn asking() -> Vec<Tool> {
    vec![
        plain(
            "test_input_required_result_elicitation",
            "Asks a person for a name, and keeps no state.",
            Work::Asks(|_| stateless(|_| vec![name("user_name")])),
        ),
        plain(
            "test_input_required_result_sampling",
            "Asks a model for a capital, and keeps no state.",
            Work::Asks(|_| stateless(|_| vec![capital("capital_question")])),
        ),
        plain(
            "test_input_required_result_list_roots",
            "Asks for the roots of the client, and keeps no state.",
            Work::Asks(|_| stateless(|_| vec![roots("client_roots")])),
        ),
        plain(
            "test_input_required_result_request_state",
            "Asks for consent, and says whether it got its state back.",
            Work::Asks(|_| {
                // Without its state it would ask again.
                Interview::new(|_| vec![consent("confirm")], |_, _| said("state-ok"))
            }),
        ),
        plain(
            "test_input_required_result_multiple_inputs",
            "Asks a person, a model and for roots, all at once.",
            Work::Asks(|_| Interview::new(everything, conclude)),
        ),
        plain(
            "test_input_required_result_multi_round",
            "Asks a person twice.",
            Work::Asks(|_| Interview::new(one_by_one, conclude)),
        ),
        plain(
            "test_input_required_result_tampered_state",
            "Asks for consent, and takes no state but its own.",
            Work::Asks(|_| Interview::new(|_| vec![consent("confirm")], conclude)),
        ),
        plain(
            "test_input_required_result_capabilities",
            "Asks for what the client declares, be it a person, a model or roots.",
            Work::Asks(|_| Interview {
                obliging: true,
                ..Interview::new(everything, conclude)
            }),
        ),
        plain(
            "test_missing_capability",
            "Asks a model, which the client has to offer.",
            Work::Asks(|_| Interview::new(|_| vec![capital("capital_question")], conclude)),
        ),
        plain(
            "test_streaming_elicitation",
            "Asks a person.",
            Work::Asks(|_| Interview::new(|_| vec![name("user_name")], conclude)),
        ),
    ]
}

fn stateless(questions: fn(&Answers) -> Vec<Question>) -> Interview {
    Interview {
        stateless: true,
        ..Interview::new(questions, conclude)
    }
}

fn name(key: &'static str) -> Question {
    let fields = json!({ "name": { "type": "string", "title": "Name" } });
    form(key, "Please tell your name.", fields, &["name"])
}

fn consent(key: &'static str) -> Question {
    let fields = json!({ "ok": { "type": "boolean", "title": "Agreed" } });
    form(key, "Shall this go on?", fields, &["ok"])
}

fn colour(key: &'static str) -> Question {
    let fields = json!({ "color": { "type": "string", "title": "Colour" } });
    form(key, "Which colour do you like?", fields, &["color"])
}

fn capital(key: &'static str) -> Question {
    let question = spoken("user", text("Which city is the capital of France?"));
    Question {
        key,
        need: Need::Sampling,
        request: json!({ "method": "sampling/createMessage", "params": { "messages": [question], "maxTokens": 100 } }),
    }
}

fn everything(_answers: &Answers) -> Vec<Question> {
    vec![
        name("user_name"),
        capital("greeting"),
        roots("client_roots"),
    ]
}

fn one_by_one(answers: &Answers) -> Vec<Question> {
    let mut questions = vec![name("step1")];
    if answers.contains_key("step1") {
        questions.push(colour("step2"));
    }
    questions
}

/// The result shows what was answered.
fn conclude(_call: &Call, answers: &Answers) -> Value {
    said(format!("The answers: {}", Value::Object(answers.clone())))
}

/// The prompts, in the order in which they are listed.
pub(super) fn prompts() -> Vec<Prompt> {
    vec![
        Prompt {
            name: "test_simple_prompt",
            definition: json!({ "description": "Takes nothing." }),
            work: PromptWork::Now(|_| says("Say hello.")),
        },
        Prompt {
            name: "test_prompt_with_arguments",
            definition: json!({
                "description": "Takes two words.",
                "arguments": [
                    { "name": "arg1", "description": "One word", "required": true },
                    { "name": "arg2", "description": "Another word", "required": true },
                ],
            }),
            work: PromptWork::Now(|arguments| {
                let [one, other] = ["arg1", "arg2"].map(|name| argument(arguments, name));
                says(format!("Compare {one} with {other}."))
            }),
        },
        Prompt {
            name: "test_prompt_with_embedded_resource",
            definition: json!({
                "description": "Takes the URI of a resource, and has one with that URI, or with another if it is none.",
                "arguments": [{ "name": "resourceUri", "description": "The URI", "required": true }],
            }),
            work: PromptWork::Now(|arguments| {
                let resource = embedded(uri_or_own(argument(arguments, "resourceUri")));
                json!({ "messages": [message("user", resource), message("user", text("Sum it up."))] })
            }),
        },
        Prompt {
            name: "test_prompt_with_image",
            definition: json!({ "description": "Has a picture." }),
            work: PromptWork::Now(|_| {
                let picture = media("image", PNG, "image/png");
                json!({ "messages": [message("user", picture), message("user", text("What is it?"))] })
            }),
        },
    ]
}

/// A prompt that is not listed, as it cannot be got without more ado.
pub(super) fn unlisted_prompt() -> Prompt {
    Prompt {
        name: "test_input_required_result_prompt",
        definition: json!({ "description": "Asks what it is about." }),
        work: PromptWork::Asks(|| Interview::new(|_| vec![context()], asked)),
    }
}

fn context() -> Question {
    let fields = json!({ "context": { "type": "string", "title": "Context" } });
    form("user_context", "What is it about?", fields, &["context"])
}

fn asked(_call: &Call, answers: &Answers) -> Value {
    let answer = answers.get("user_context");
    let context = answer.and_then(|answer| answer["content"]["context"].as_str());
    says(format!(
        "Say something about {}.",
        context.unwrap_or("anything")
    ))
}

fn says(words: impl Into<String>) -> Value {
    json!({ "messages": [message("user", text(words))] })
}

/// An embedded resource has a valid URI, whatever was given (`server/prompts#embedded-resources`).
fn uri_or_own(given: &str) -> &str {
    let (scheme, rest) = given.split_once(':').unwrap_or_default();
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let is_rest = rest
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}%#[]".contains(&byte));
    if is_scheme && is_rest && !rest.is_empty() {
        given
    } else {
        "test://embedded-resource"
    }
}

fn argument<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The resources, in the order in which they are listed.
pub(super) fn resources() -> [Value; 2] {
    [
        json!({ "uri": TEXT, "name": "static-text", "description": "A text.", "mimeType": "text/plain" }),
        json!({ "uri": BINARY, "name": "static-binary", "description": "A picture.", "mimeType": "image/png" }),
    ]
}

/// The resource template.
pub(super) fn template() -> Value {
    json!({ "uriTemplate": TEMPLATE, "name": "template", "description": "The data of a number.", "mimeType": "application/json" })
}

/// What is at a URI.
pub(super) fn read(uri: &str) -> Option<Value> {
    match uri {
        TEXT => Some(json!({ "uri": uri, "mimeType": "text/plain", "text": "Always the same." })),
        BINARY => Some(json!({ "uri": uri, "mimeType": "image/png", "blob": base64(PNG) })),
        _ => {
            let id = uri
                .strip_prefix("test://template/")?
                .strip_suffix("/data")?;
            let number: u32 = id
                .parse()
                .ok()
                .filter(|number: &u32| number.to_string() == id)?;
            let data = json!({ "id": number });
            Some(json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() }))
        }
    }
}

/// The numbers that are proposed for the template.
pub(super) fn numbers() -> Vec<String> {
    ["1", "12", "123"].map(str::to_owned).to_vec()
}
