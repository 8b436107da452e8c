//! Mutants of extensions and of deprecated features (`basic/versioning#extension-negotiation`, `deprecated`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Outcome, Shape},
    mutant::{BOTH, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{call::Call, options::Capability};

const AREA: &str = "ext";

const DISCOVERED: On = On::Complete(&["server/discover"]);

const TASKS: &str = "io.modelcontextprotocol/tasks";

pub(super) static MUTANTS: &[Mutant] = &[
    discovered(
        "extensions-array",
        "capabilities.extensions is a list of ids",
        &[Edit(
            DISCOVERED,
            "/result/capabilities/extensions",
            Do::Set("[\"com.example/x\"]"),
        )],
    ),
    discovered(
        "extension-id-without-prefix",
        "capabilities.extensions has the key \"tasks\"",
        &[Edit(
            DISCOVERED,
            "/result/capabilities/extensions",
            Do::Set("{\"tasks\":{}}"),
        )],
    ),
    discovered(
        "adopts-logging-now",
        "the logging capability is declared",
        &[Edit(
            DISCOVERED,
            "/result/capabilities/logging",
            Do::Set("{}"),
        )],
    )
    .on(Variant {
        without: &[Capability::Logging],
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "extension-result-undeclared",
        "tools/call gives a task to a client that declares another extension only",
        BOTH,
        Outcome(|call, outcome| {
            outcome.map(|mut reply| {
                if call.method() == "tools/call" && declares_others_only(call) {
                    reply.result.insert("resultType".to_owned(), json!("task"));
                    reply.result.insert("taskId".to_owned(), json!("task-1"));
                    reply.result.insert("status".to_owned(), json!("working"));
                }
                reply
            })
        }),
    ),
];

const fn discovered(name: &'static str, about: &'static str, edits: &'static [Edit]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edits))
}

fn declares_others_only(call: &Call) -> bool {
    let capabilities = call.capabilities();
    let extensions = capabilities.get("extensions").and_then(Value::as_object);
    extensions.is_some_and(|extensions| !extensions.is_empty() && !extensions.contains_key(TASKS))
}
