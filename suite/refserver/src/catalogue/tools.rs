//! The tools.

use std::{
    pin::Pin,
    sync::{Arc, LazyLock},
};

use serde_json::{Map, Value, json};

use super::{
    asking,
    content::{self, icon, media, text},
    dialects, fixtures, routing, streaming,
};
use crate::{
    interview::Interview,
    serve::Sink,
    server::{Outcome, Server},
    world::ListKind,
};

/// A call that is being worked on.
pub(crate) struct Job {
    pub(crate) server: Arc<Server>,
    pub(crate) sink: Sink,
    pub(crate) arguments: Map<String, Value>,
}

/// How a tool works.
pub(crate) enum Work {
    /// At once.
    Now(fn(&Server, &Map<String, Value>) -> Value),
    /// With answers of the client.
    Asks(fn(&Map<String, Value>) -> Interview),
    /// For a while.
    Takes(fn(Job) -> Pin<Box<dyn Future<Output = Outcome> + Send>>),
}

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    /// The definition without the name.
    pub(crate) definition: Value,
    pub(crate) work: Work,
}

impl Tool {
    /// A tool that changes nothing.
    pub(super) fn read_only(
        name: &'static str,
        description: &str,
        input_schema: Value,
        work: Work,
    ) -> Self {
        let annotations = json!({ "readOnlyHint": true, "openWorldHint": false });
        let definition = json!({ "description": description, "inputSchema": input_schema, "annotations": annotations });
        Self {
            name,
            definition,
            work,
        }
    }

    /// A tool that changes something and destroys nothing.
    pub(super) fn changing(
        name: &'static str,
        description: &str,
        input_schema: Value,
        work: Work,
    ) -> Self {
        let mut tool = Self::read_only(name, description, input_schema, work);
        tool.definition["annotations"] =
            json!({ "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false });
        tool
    }

    pub(super) fn with(mut self, member: &str, value: Value) -> Self {
        self.definition[member] = value;
        self
    }

    /// The schema of its arguments.
    pub(crate) fn input_schema(&self) -> &Value {
        &self.definition["inputSchema"]
    }

    /// As `tools/list` shows it.
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

/// The schema of an object with these properties and no others.
pub(super) fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

pub(super) fn said(words: impl Into<String>) -> Value {
    json!({ "content": [text(words)] })
}

/// An argument; null if it was not given, which happens where a mutant does not look at arguments.
pub(super) fn argument<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a Value {
    arguments.get(name).unwrap_or(&Value::Null)
}

/// All tools, in the order in which they are listed. The first are there only with the fixtures, the last only if the list is
/// extended.
pub(crate) fn tools(server: &Server) -> impl Iterator<Item = &'static Tool> {
    static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        let groups = [
            plain(),
            asking::tools(),
            streaming::tools(),
            routing::tools(),
            dialects::tools(),
            changing(),
        ];
        groups.into_iter().flatten().chain([extra()]).collect()
    });
    let extended = server.world().is_extended(ListKind::Tools);
    let fixtures = server.options().fixtures.then(fixtures::tools);
    let own = &ALL[..ALL.len() - usize::from(!extended)];
    fixtures.into_iter().flatten().chain(own)
}

fn extra() -> Tool {
    Tool::read_only(
        "extra",
        "Is there every other time.",
        object(json!({}), &[]),
        Work::Now(|_, _| said("Here I am.")),
    )
}

fn plain() -> Vec<Tool> {
    vec![
        Tool::read_only(
            "echo",
            "Says what it is told.",
            object(
                json!({ "text": { "type": "string", "description": "What to say" } }),
                &["text"],
            ),
            Work::Now(|_, arguments| {
                said(argument(arguments, "text").as_str().unwrap_or_default())
            }),
        )
        .with("title", "Echo".into())
        .with("icons", json!([icon()])),
        Tool::read_only(
            "add",
            "Adds two numbers.",
            object(
                json!({ "a": { "type": "number" }, "b": { "type": "number" } }),
                &["a", "b"],
            ),
            Work::Now(|_, arguments| add(arguments)),
        )
        .with(
            "outputSchema",
            object(json!({ "sum": { "type": "number" } }), &["sum"]),
        ),
        Tool::read_only(
            "fail",
            "Fails.",
            object(json!({}), &[]),
            Work::Now(
                |_, _| json!({ "content": [text("This tool always fails.")], "isError": true }),
            ),
        ),
        Tool::read_only(
            "image",
            "Gives an image.",
            object(json!({}), &[]),
            Work::Now(|_, _| json!({ "content": [media("image", content::PNG, "image/png")] })),
        ),
        Tool::read_only(
            "audio",
            "Gives a sound.",
            object(json!({}), &[]),
            Work::Now(|_, _| json!({ "content": [media("audio", content::WAV, "audio/wav")] })),
        ),
        Tool::read_only(
            "embed",
            "Gives a resource and a link to one.",
            object(json!({}), &[]),
            Work::Now(|_, _| embed()),
        ),
    ]
}

fn add(arguments: &Map<String, Value>) -> Value {
    let number = |name: &str| argument(arguments, name).as_f64().unwrap_or_default();
    // An integer is shown as one.
    let sum = match ["a", "b"].map(|name| argument(arguments, name).as_i64()) {
        [Some(a), Some(b)] if a.checked_add(b).is_some() => json!({ "sum": a + b }),
        _ => json!({ "sum": number("a") + number("b") }),
    };
    json!({ "content": [text(sum.to_string())], "structuredContent": sum })
}

fn embed() -> Value {
    json!({ "content": [
        { "type": "resource", "resource": { "uri": "refserver://note", "mimeType": "text/plain", "text": "A note.\nIn two lines." } },
        { "type": "resource_link", "uri": "refserver://logo", "name": "logo", "mimeType": "image/png", "size": content::PNG.len(), "annotations": { "audience": ["user"], "priority": 1 } },
    ] })
}

fn changing() -> Vec<Tool> {
    let lists = ListKind::ALL.map(ListKind::name);
    vec![
        Tool::changing(
            "bump",
            "Adds an item to a list, or takes it away again.",
            object(
                json!({ "list": { "type": "string", "enum": lists } }),
                &["list"],
            ),
            Work::Now(|server, arguments| {
                let list = ListKind::ALL
                    .into_iter()
                    .find(|list| argument(arguments, "list") == list.name());
                list.into_iter()
                    .for_each(|list| server.world().toggle(list));
                said("The list has changed.")
            }),
        ),
        Tool::changing(
            "touch",
            "Changes a resource.",
            object(
                json!({ "uri": { "type": "string", "enum": ["refserver://counter", "refserver://tally"] } }),
                &["uri"],
            ),
            Work::Now(|server, arguments| {
                let uri = argument(arguments, "uri").as_str().unwrap_or_default();
                server.world().touch(uri);
                said("The resource has changed.")
            }),
        ),
    ]
}
