//! Mutants of prompts.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Call, Check, Fault, Instead, Messages, Outcome, Own, Shape},
    checks::without_method,
    listing::{Remembers, Varies, with_items},
    mutant::{BOTH, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::Rule,
    call::Call as Request,
    options::Capability,
    rpc::{self, Effect},
    server::{Outcome as Came, Reply},
};

const AREA: &str = "prompts";

const LIST: &str = "prompts/list";

const GET: &str = "prompts/get";

/// A mutant of the blocks of one type in what prompts are made of.
const fn block(
    name: &'static str,
    about: &'static str,
    change: fn(&Request, Came) -> Came,
) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Outcome(change))
}

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "prompts-undeclared",
        "the capability is absent, and prompts/list is served",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["server/discover"]),
            "/result/capabilities/prompts",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "empty-prompt-list-undeclared",
        "prompts/list gives an empty list where the capability is absent",
        BOTH,
        Instead(|call| {
            (call.method() == LIST).then(|| {
                Ok(Reply::from(
                    json!({ "prompts": [], "ttlMs": 0, "cacheScope": "public" }),
                ))
            })
        }),
    )
    .on(Variant {
        without: &[Capability::Prompts],
        ..Variant::DEFAULT
    }),
    block(
        "prompt-audio-bad-mime",
        "the mimeType of a sound is \"wav\"",
        |call, outcome| {
            with_blocks(call, outcome, "audio", |block| {
                block["mimeType"] = "wav".into()
            })
        },
    ),
    block(
        "prompt-image-bad-mime",
        "the mimeType of an image is \"png\"",
        |call, outcome| {
            with_blocks(call, outcome, "image", |block| {
                block["mimeType"] = "png".into()
            })
        },
    ),
    block(
        "prompt-resource-without-mime",
        "an embedded resource has no mimeType",
        |call, outcome| with_embedded(call, outcome, |resource| resource.remove("mimeType")),
    ),
    block(
        "prompt-resource-without-data",
        "an embedded resource has neither text nor blob",
        |call, outcome| with_embedded(call, outcome, |resource| resource.remove("text")),
    ),
    block(
        "prompt-resource-relative-uri",
        "the uri of an embedded resource is \"example\"",
        |call, outcome| {
            with_embedded(call, outcome, |resource| {
                resource.insert("uri".to_owned(), "example".into())
            })
        },
    ),
    block(
        "prompt-content-array",
        "the content of a message is a list",
        |call, outcome| {
            with_messages(call, outcome, |message| {
                message["content"] = json!([message["content"]]);
            })
        },
    ),
    Mutant::new(
        AREA,
        "prompt-required-as-string",
        "required of an argument is \"yes\"",
        BOTH,
        Outcome(|call, outcome| {
            with_items(call, outcome, LIST, |prompts| {
                let arguments = prompts
                    .iter_mut()
                    .filter_map(|prompt| prompt.get_mut("arguments")?.as_array_mut());
                for argument in arguments.flatten() {
                    argument["required"] = "yes".into();
                }
            })
        }),
    ),
    Mutant::new(
        AREA,
        "prompt-arguments-as-map",
        "the arguments of a prompt are a map by name",
        BOTH,
        Outcome(|call, outcome| {
            with_items(call, outcome, LIST, |prompts| {
                for prompt in prompts {
                    if prompt.get("arguments").is_some() {
                        prompt["arguments"] = json!({ "name": { "required": true } });
                    }
                }
            })
        }),
    ),
    Mutant::new(
        AREA,
        "duplicate-prompt-names",
        "two prompts have one name",
        BOTH,
        Outcome(|call, outcome| {
            let is_first = call.param("cursor").is_none();
            with_items(call, outcome, LIST, |prompts| {
                if let Some(mut twin) = prompts.first().filter(|_| is_first).cloned() {
                    twin["description"] = "Another prompt of that name.".into();
                    prompts.push(twin);
                }
            })
        }),
    ),
    Mutant::new(
        AREA,
        "prompt-failure-as-32602",
        "a failure inside gives -32602",
        BOTH,
        Fault(|call, fault| {
            if call.method() == GET && fault.rule == Rule::Work {
                *fault = rpc::Fault::invalid_params(fault.rule, fault.message.clone());
            }
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-missing-prompt-name",
        "prompts/get without a name ends the process",
        BOTH,
        Check(|check, call, found| {
            let is_nameless = call.method() == GET && call.param("name").is_none();
            if check.rule == Rule::MethodParams && is_nameless {
                return found.map_err(|fault| fault.with_effect(Effect::Crash(101)));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "demands-prompt-arguments",
        "prompts/get of picture without arguments is refused, although it has none",
        BOTH,
        Check(|check, call, found| {
            let lacks = call.method() == GET
                && call.param("name") == Some(&json!("picture"))
                && call.param("arguments").is_none();
            if check.rule == Rule::MethodParams && lacks {
                let why = "The member arguments is missing.";
                return Err(rpc::Fault::invalid_params(check.rule, why));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "renders-missing-argument",
        "a missing argument is rendered as \"undefined\"",
        BOTH,
        Call(|call| {
            if let Some(arguments) = arguments(call, "greet") {
                arguments
                    .entry("name".to_owned())
                    .or_insert_with(|| "undefined".into());
            }
        }),
    ),
    Mutant::new(
        AREA,
        "accepts-number-argument",
        "a number as argument is rendered",
        BOTH,
        Call(|call| {
            let Some(arguments) = arguments(call, "greet") else {
                return;
            };
            for value in arguments.values_mut().filter(|value| value.is_number()) {
                *value = value.to_string().into();
            }
        }),
    ),
    Mutant::new(
        AREA,
        "empty-prompt-for-unknown-name",
        "an unknown name gives a prompt without messages",
        BOTH,
        Outcome(|_, outcome| match outcome {
            Err(fault) if fault.rule == Rule::PromptKnown => Ok(Reply::from(
                json!({ "messages": [], "resultType": "complete" }),
            )),
            other => other,
        }),
    ),
    Mutant::new(
        AREA,
        "prompts-change-not-notified",
        "a change of the list is not told",
        BOTH,
        Messages(|_, message| {
            if message.method() == "notifications/prompts/list_changed" {
                Vec::new()
            } else {
                vec![message]
            }
        }),
    ),
    Mutant::new(
        AREA,
        "prompts-vary-per-connection",
        "one prompt is named after a number drawn per connection",
        BOTH,
        Own(|| {
            Box::new(Varies::new(
                LIST,
                |number| json!({ "name": format!("guest-{number}"), "description": "Somebody." }),
            ))
        }),
    ),
    Mutant::new(
        AREA,
        "prompt-vanishes-after-get",
        "prompts/get takes the prompt off the list of that connection",
        BOTH,
        Own(|| {
            Box::new(Remembers::new([GET, "name", LIST], |had, _, prompts| {
                prompts.retain(|prompt| !had.contains(prompt["name"].as_str().unwrap_or_default()));
            }))
        }),
    ),
    Mutant::new(
        AREA,
        "prompts-list-not-implemented",
        "the capability is declared, and prompts/list is an unknown method",
        BOTH,
        Check(|check, call, found| without_method(LIST, check, call, found)),
    ),
];

/// The arguments for a prompt to be changed, made where they are missing.
fn arguments<'a>(
    call: &'a mut Request,
    prompt: &str,
) -> Option<&'a mut serde_json::Map<String, Value>> {
    let is_meant = call.method() == GET && call.param("name").is_some_and(|name| name == prompt);
    let params = call.body.get_mut("params")?.as_object_mut()?;
    params
        .entry("arguments".to_owned())
        .or_insert_with(|| json!({}))
        .as_object_mut()
        .filter(|_| is_meant)
}

fn with_messages(call: &Request, outcome: Came, change: impl Fn(&mut Value)) -> Came {
    outcome.map(|mut reply| {
        let messages = reply
            .result
            .get_mut("messages")
            .and_then(Value::as_array_mut);
        if let Some(messages) = messages.filter(|_| call.method() == GET) {
            messages.iter_mut().for_each(change);
        }
        reply
    })
}

fn with_blocks(call: &Request, outcome: Came, kind: &str, change: impl Fn(&mut Value)) -> Came {
    with_messages(call, outcome, |message| {
        let block = &mut message["content"];
        if block["type"] == kind {
            change(block);
        }
    })
}

fn with_embedded<T>(
    call: &Request,
    outcome: Came,
    change: impl Fn(&mut serde_json::Map<String, Value>) -> T,
) -> Came {
    with_blocks(call, outcome, "resource", |block| {
        if let Some(resource) = block["resource"].as_object_mut() {
            change(resource);
        }
    })
}
