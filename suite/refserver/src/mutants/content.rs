//! Mutants of blocks of content (`server/tools#tool-result`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Message, Shape},
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};
use crate::{call::Call, rpc};

const AREA: &str = "content";

const ECHOED: On = On::Called("echo");

const EMBEDDED: On = On::Called("embed");

/// Edits one block of what a tool gives.
const fn block(name: &'static str, about: &'static str, edit: &'static [Edit; 1]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edit))
}

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "annotation-priority-out-of-range",
        "the priority in annotations of content and resources is 2",
        BOTH,
        Message(|_, message| {
            if let Some(result) = message.body.get_mut("result") {
                raise_priorities(result);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "audio-data-uri",
        "the data of a sound begins with data:audio/wav;base64,",
        BOTH,
        Message(|call, message| as_data_uri(call, message, "audio")),
    ),
    Mutant::new(
        AREA,
        "image-data-uri",
        "the data of an image begins with data:image/png;base64,",
        BOTH,
        Message(|call, message| as_data_uri(call, message, "image")),
    ),
    block(
        "embedded-resource-as-string",
        "an embedded resource is a string",
        &[Edit(
            EMBEDDED,
            "/result/content/=resource/resource",
            Do::Set("\"refserver://note\""),
        )],
    ),
    block(
        "json-content-block",
        "a block has the type json",
        &[Edit(
            ECHOED,
            "/result/content/=text",
            Do::Set("{\"type\":\"json\",\"json\":{}}"),
        )],
    ),
    block(
        "resource-link-without-name",
        "a link to a resource has no name",
        &[Edit(
            EMBEDDED,
            "/result/content/=resource_link/name",
            Do::Remove,
        )],
    ),
    block(
        "text-block-as-object",
        "the text of a block is an object",
        &[Edit(
            ECHOED,
            "/result/content/=text/text",
            Do::Set("{\"value\":\"x\"}"),
        )],
    ),
    block(
        "tool-use-in-result",
        "a block has the type tool_use",
        &[Edit(
            ECHOED,
            "/result/content/=text",
            Do::Set("{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"echo\",\"input\":{}}"),
        )],
    ),
];

/// Annotations of tools have no priority.
fn raise_priorities(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(raise_priorities),
        Value::Object(object) => {
            for (name, member) in object {
                match member.get_mut("priority") {
                    Some(priority) if name == "annotations" => *priority = json!(2),
                    _ => raise_priorities(member),
                }
            }
        }
        _ => {}
    }
}

/// In tools' results and in prompts alike.
fn as_data_uri(call: Option<&Call>, message: &mut rpc::Message, kind: &str) {
    let Some(result) = message.result_mut() else {
        return;
    };
    let blocks: Vec<&mut Value> = match call.map(Call::method) {
        Some("tools/call") => items(result.get_mut("content")).collect(),
        Some("prompts/get") => items(result.get_mut("messages"))
            .filter_map(|message| message.get_mut("content"))
            .collect(),
        _ => return,
    };
    for block in blocks {
        if block["type"] == kind
            && let (Some(data), Some(mime_type)) =
                (block["data"].as_str(), block["mimeType"].as_str())
        {
            block["data"] = json!(format!("data:{mime_type};base64,{data}"));
        }
    }
}

fn items(list: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    list.and_then(Value::as_array_mut).into_iter().flatten()
}
