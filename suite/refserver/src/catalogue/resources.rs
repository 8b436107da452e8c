//! The resources and their templates.

use serde_json::{Map, Value, json};

use super::{
    asking,
    content::{PNG, base64, icon},
    fixtures,
};
use crate::{
    admit::Rule,
    interview::Interview,
    rpc::{Fault, codes},
    server::Server,
    world::ListKind,
};

/// The text of the first resource. It has letters of two and three bytes, and two lines.
const TEXT: &str = "A naïve café, 世界.\nAnd a second line.\n";

/// The resource that belongs to one principal.
const PRIVATE: &str = "refserver://diary";

/// A resource that looks like a file. There are no files behind it.
const FILE: &str = "file:///refserver/handbook.txt";

/// The numbers that `refserver://item/{id}` knows.
const ITEMS: u32 = 120;

/// What is at a URI.
pub(crate) enum Readable {
    /// These contents.
    Contents(Value),
    /// Contents that depend on answers.
    Asks(Interview),
    /// Something that cannot be read.
    Broken(Fault),
}

/// Whether only its owner may see what is at a URI.
pub(crate) fn is_private(uri: &str) -> bool {
    uri == PRIVATE
}

/// The resources, in the order in which they are listed: those of [`resources`], and before them the fixtures, if there are any.
pub(crate) fn listed_resources(server: &Server, is_owner: bool) -> Vec<Value> {
    let extended = server.world().is_extended(ListKind::Resources);
    let fixtures = server.options().fixtures.then(fixtures::resources);
    let own = resources(extended, is_owner);
    fixtures.into_iter().flatten().chain(own).collect()
}

/// The resources of the server itself. The last two are there only for the owner of what is private, and if the list is extended.
pub(crate) fn resources(extended: bool, is_owner: bool) -> Vec<Value> {
    let mut resources = vec![
        json!({
            "uri": "refserver://text",
            "name": "text",
            "title": "A text",
            "description": "A text that never changes.",
            "mimeType": "text/plain",
            "size": TEXT.len(),
            "annotations": { "audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-07-28T00:00:00Z" },
            "icons": [icon()],
        }),
        json!({ "uri": "refserver://logo", "name": "logo", "description": "A pixel.", "mimeType": "image/png", "size": PNG.len() }),
        json!({ "uri": "refserver://counter", "name": "counter", "description": "How often it was touched.", "mimeType": "text/plain" }),
        json!({ "uri": "refserver://tally", "name": "tally", "description": "Like the counter.", "mimeType": "text/plain" }),
        json!({ "uri": "refserver://note", "name": "note", "description": "A note.", "mimeType": "text/plain" }),
        json!({ "uri": FILE, "name": "handbook.txt", "description": "A text with the URI of a file.", "mimeType": "text/plain" }),
    ];
    if is_owner {
        resources.push(json!({ "uri": PRIVATE, "name": "diary", "description": "What nobody else may read.", "mimeType": "text/plain" }));
    }
    if extended {
        resources.push(json!({
            "uri": "refserver://extra",
            "name": "extra",
            "description": "Is there every other time.",
            "mimeType": "text/plain",
        }));
    }
    resources
}

/// The resource templates.
pub(crate) fn templates(server: &Server) -> Vec<Value> {
    let mut templates = vec![
        json!({ "uriTemplate": "refserver://item/{id}", "name": "item", "description": "One of many items.", "mimeType": "text/plain", "annotations": { "audience": ["assistant"], "priority": 0 } }),
        json!({ "uriTemplate": "refserver://ask/{topic}", "name": "ask", "description": "Asks before it is read.", "mimeType": "text/plain" }),
    ];
    if server.options().fixtures {
        templates.insert(0, fixtures::template());
    }
    templates
}

/// Looks a URI up, whoever may read it.
pub(crate) fn find_resource(server: &Server, uri: &str) -> Option<Readable> {
    let world = server.world();
    let fixtures = server.options().fixtures;
    if let Some(contents) = fixtures.then(|| fixtures::read(uri)).flatten() {
        return Some(Readable::Contents(contents));
    }
    let plain = |words: String| {
        Some(Readable::Contents(
            json!({ "uri": uri, "mimeType": "text/plain", "text": words }),
        ))
    };
    match uri {
        "refserver://text" => plain(TEXT.to_owned()),
        "refserver://logo" => Some(Readable::Contents(
            json!({ "uri": uri, "mimeType": "image/png", "blob": base64(PNG) }),
        )),
        "refserver://counter" | "refserver://tally" => plain(world.counted(uri).to_string()),
        "refserver://note" => plain("A note.\nIn two lines.".to_owned()),
        FILE => plain("Keep calm.".to_owned()),
        PRIVATE => plain("Went to the dentist.".to_owned()),
        "refserver://extra" if world.is_extended(ListKind::Resources) => {
            plain("Here I am.".to_owned())
        }
        "refserver://broken" => Some(Readable::Broken(Fault::new(
            Rule::Work,
            codes::INTERNAL,
            "The resource cannot be read right now.",
        ))),
        _ => {
            if let Some(id) = uri.strip_prefix("refserver://item/") {
                let known = id
                    .parse::<u32>()
                    .is_ok_and(|number| (1..=ITEMS).contains(&number) && number.to_string() == id);
                return known.then(|| plain(format!("Item {id}."))).flatten();
            }
            let topic = uri.strip_prefix("refserver://ask/")?;
            let is_word =
                !topic.is_empty() && topic.bytes().all(|byte| byte.is_ascii_alphanumeric());
            is_word.then(|| Readable::Asks(Interview::new(|_| vec![asking::about_you()], answered)))
        }
    }
}

fn answered(call: &crate::call::Call, answers: &Map<String, Value>) -> Value {
    let words = if answers.values().all(|answer| answer["action"] == "accept") {
        "You told me."
    } else {
        "You did not tell me."
    };
    json!({ "contents": [{ "uri": call.param("uri"), "mimeType": "text/plain", "text": words }], "ttlMs": 0, "cacheScope": "private" })
}

/// The values that a template variable can have; `None` if there is no such template or variable.
pub(crate) fn completions(server: &Server, template: &str, variable: &str) -> Option<Vec<String>> {
    match (template, variable) {
        (fixtures::TEMPLATE, "id") if server.options().fixtures => Some(fixtures::numbers()),
        ("refserver://item/{id}", "id") => {
            Some((1..=ITEMS).map(|number| number.to_string()).collect())
        }
        ("refserver://ask/{topic}", "topic") => {
            Some(["art", "biology", "chess"].map(str::to_owned).to_vec())
        }
        _ => None,
    }
}
