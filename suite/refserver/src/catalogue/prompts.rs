//! The prompts.

use serde_json::{Map, Value, json};

use super::{
    asking,
    content::{PNG, WAV, media, text},
    fixtures,
};
use crate::{
    admit::Rule,
    call::Call,
    interview::Interview,
    rpc::{Fault, codes},
    server::Server,
    world::ListKind,
};

/// A prompt.
pub(crate) struct Prompt {
    pub(crate) name: &'static str,
    /// The definition without the name.
    pub(crate) definition: Value,
    pub(crate) work: PromptWork,
}

/// How a prompt is made.
pub(crate) enum PromptWork {
    /// Of its arguments.
    Now(fn(&Map<String, Value>) -> Value),
    /// With answers of the client.
    Asks(fn() -> Interview),
    /// Not at all.
    Broken(fn() -> Fault),
}

impl Prompt {
    /// Its arguments: name, and whether it is required.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = (&str, bool)> {
        let arguments = self.definition["arguments"]
            .as_array()
            .into_iter()
            .flatten();
        arguments.map(|argument| {
            (
                argument["name"].as_str().unwrap_or_default(),
                argument["required"] == true,
            )
        })
    }

    /// The values that an argument can have; `None` if there is no such argument.
    pub(crate) fn completions(&self, argument: &str) -> Option<Vec<String>> {
        self.arguments().find(|(name, _)| *name == argument)?;
        let values: &[&str] = match argument {
            "name" => &["Ada", "Alan", "Barbara", "Grace"],
            "tone" => &["brief", "formal", "friendly"],
            "entry" => &["dentist", "job interview"],
            "arg1" | "arg2" => fixtures::ARGUMENT_VALUES,
            _ => &[],
        };
        Some(values.iter().map(|value| (*value).to_owned()).collect())
    }

    /// Whether only its owner may see it.
    pub(crate) fn is_private(&self) -> bool {
        self.name == PRIVATE
    }

    /// As `prompts/list` shows it.
    pub(crate) fn listed(&self) -> Value {
        let mut listed = json!({ "name": self.name });
        if let (Some(listed), Some(definition)) =
            (listed.as_object_mut(), self.definition.as_object())
        {
            listed.extend(definition.clone());
        }
        listed
    }
}

/// The prompt that belongs to one principal.
const PRIVATE: &str = "diary";

pub(super) fn message(role: &str, content: Value) -> Value {
    json!({ "role": role, "content": content })
}

/// The prompts, in the order in which they are listed. The first are there only with the fixtures, the last two only for the owner
/// of what is private, and if the list is extended.
pub(crate) fn prompts(server: &Server, is_owner: bool) -> Vec<Prompt> {
    let fixtures = server.options().fixtures.then(fixtures::prompts);
    let mut prompts: Vec<Prompt> = fixtures.into_iter().flatten().chain(own()).collect();
    if is_owner {
        prompts.push(diary());
    }
    if server.world().is_extended(ListKind::Prompts) {
        prompts.push(extra());
    }
    prompts
}

fn own() -> [Prompt; 3] {
    [
        Prompt {
            name: "greet",
            definition: json!({
                "title": "Greet somebody",
                "description": "A greeting.",
                "arguments": [
                    { "name": "name", "description": "Who is greeted", "required": true },
                    { "name": "tone", "description": "How", "required": false },
                ],
            }),
            work: PromptWork::Now(greet),
        },
        Prompt {
            name: "plain",
            definition: json!({ "description": "A prompt without arguments." }),
            work: PromptWork::Now(
                |_| json!({ "messages": [message("user", text("Say something nice about cafés."))] }),
            ),
        },
        Prompt {
            name: "picture",
            definition: json!({ "description": "A prompt with a picture, a sound and a resource." }),
            work: PromptWork::Now(|_| picture()),
        },
    ]
}

fn diary() -> Prompt {
    Prompt {
        name: PRIVATE,
        definition: json!({ "description": "Looks back at a day.", "arguments": [{ "name": "entry", "required": true }] }),
        work: PromptWork::Now(|arguments| {
            let entry = arguments.get("entry").and_then(Value::as_str);
            let words = format!("How was the {}?", entry.unwrap_or_default());
            json!({ "messages": [message("user", text(words))] })
        }),
    }
}

fn extra() -> Prompt {
    Prompt {
        name: "extra",
        definition: json!({ "description": "Is there every other time." }),
        work: PromptWork::Now(|_| json!({ "messages": [message("user", text("Here I am."))] })),
    }
}

/// Two prompts that are not listed, so that all listed ones can be got without more ado.
fn unlisted() -> [Prompt; 2] {
    [
        Prompt {
            name: "ask",
            definition: json!({ "description": "Asks before it is made." }),
            work: PromptWork::Asks(|| Interview::new(|_| vec![asking::about_you()], asked)),
        },
        Prompt {
            name: "broken",
            definition: json!({ "description": "Cannot be made.", "arguments": [{ "name": "anything" }] }),
            work: PromptWork::Broken(|| {
                Fault::new(
                    Rule::Work,
                    codes::INTERNAL,
                    "The prompt cannot be made right now.",
                )
            }),
        },
    ]
}

/// The prompt with this name, whoever may see it.
pub(crate) fn find_prompt(server: &Server, name: &str) -> Option<Prompt> {
    let fixture = server.options().fixtures.then(fixtures::unlisted_prompt);
    prompts(server, true)
        .into_iter()
        .chain(unlisted())
        .chain(fixture)
        .find(|prompt| prompt.name == name)
}

fn greet(arguments: &Map<String, Value>) -> Value {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str);
    let words = format!(
        "Greet {} in a {} tone.",
        argument("name").unwrap_or_default(),
        argument("tone").unwrap_or("friendly")
    );
    json!({ "description": "A greeting", "messages": [message("user", text(words))] })
}

fn picture() -> Value {
    json!({ "messages": [
        message("user", media("image", PNG, "image/png")),
        message("user", media("audio", WAV, "audio/wav")),
        message("user", json!({
            "type": "resource",
            "resource": { "uri": "refserver://note", "mimeType": "text/plain", "text": "A note.\nIn two lines." },
        })),
        message("assistant", json!({
            "type": "text",
            "text": "I see one pixel.",
            "annotations": { "audience": ["user"], "priority": 0.5 },
        })),
    ] })
}

fn asked(_call: &Call, answers: &Map<String, Value>) -> Value {
    let words = if answers.values().all(|answer| answer["action"] == "accept") {
        "They told me."
    } else {
        "They did not tell me."
    };
    json!({ "messages": [message("user", text(words))] })
}
