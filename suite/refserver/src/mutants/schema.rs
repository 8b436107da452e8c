//! Mutants of message shapes and of JSON Schema (`schema`, `basic/index#json-schema-usage`).

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{self, Own, Shape},
    hooks::{Arrival, Hooks},
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::Rule,
    call::{Call, Link, Transport},
    rpc::{Fault, Kind, codes},
    server::{Outcome, Reply},
};

const AREA: &str = "schema";

pub(super) static MUTANTS: &[Mutant] = &[
    shape(
        "list-item-without-name",
        "the templates of resources/templates/list have no name",
        &[Edit(
            On::Complete(&["resources/templates/list"]),
            "/result/resourceTemplates/*/name",
            Do::Remove,
        )],
    ),
    shape(
        "sends-null-title",
        "the title of prompts is null",
        &[Edit(
            On::Complete(&["prompts/list"]),
            "/result/prompts/*/title",
            Do::Set("null"),
        )],
    ),
    shape(
        "server-title-null",
        "the title of the server is null",
        &[Edit(
            On::Kind(Kind::Result),
            "/result/_meta/io.modelcontextprotocol~1serverInfo/title",
            Do::Set("null"),
        )],
    ),
    shape(
        "version-error-without-data",
        "the error for an unsupported version has no data",
        &[Edit(
            On::Error(codes::UNSUPPORTED_VERSION),
            "/error/data",
            Do::Remove,
        )],
    ),
    shape(
        "publishes-draft-04-schemas",
        "the input schemas of tools name draft 04",
        &[Edit(
            On::Complete(&["tools/list"]),
            "/result/tools/*/inputSchema/$schema",
            Do::Set("\"http://json-schema.org/draft-04/schema#\""),
        )],
    ),
    outcome(
        "rejects-unknown-params",
        "an unknown member of the params of a list is refused",
        |call, outcome| {
            let is_known = |name: &String| ["cursor", "_meta"].contains(&name.as_str());
            let params = call.params().and_then(Value::as_object);
            let are_known = params.is_none_or(|params| params.keys().all(is_known));
            if outcome.is_ok() && call.method().ends_with("/list") && !are_known {
                let why = "The params have an unknown member.";
                return Err(Fault::invalid_params(Rule::Params, why));
            }
            outcome
        },
    ),
    outcome(
        "never-validates-arguments",
        "the arguments of tools are not validated",
        |_, outcome| outcome.map(served_anyway),
    ),
    outcome(
        "validates-as-draft-07",
        "prefixItems counts for nothing where no dialect is named",
        |call, outcome| {
            if call.param("name") == Some(&json!("pair")) {
                return outcome.map(served_anyway);
            }
            outcome
        },
    ),
    outcome(
        "refuses-explicit-2020-12",
        "a tool whose schema names 2020-12 cannot be called",
        |call, outcome| {
            if call.param("name") == Some(&json!("pair_2020")) {
                let why = "The dialect of the schema is unknown.";
                return Err(Fault::new(Rule::Work, codes::INTERNAL, why));
            }
            outcome
        },
    ),
    Mutant::new(
        AREA,
        "overflows-on-deep-arguments",
        "a call with deep arguments ends the process",
        BOTH,
        Own(|| Box::new(OverflowsOnDeepArguments)),
    ),
];

const fn shape(name: &'static str, about: &'static str, edits: &'static [Edit]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edits))
}

const fn outcome(
    name: &'static str,
    about: &'static str,
    hook: fn(&Call, Outcome) -> Outcome,
) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Breaks::Outcome(hook))
}

/// Takes back that a tool has refused its arguments.
fn served_anyway(reply: Reply) -> Reply {
    if reply.rule != Some(Rule::ToolArguments) {
        return reply;
    }
    let mut served = Reply::from(json!({ "content": [{ "type": "text", "text": "Done." }] }));
    for (name, value) in reply.result {
        if !["content", "isError"].contains(&name.as_str()) {
            served.result.insert(name, value);
        }
    }
    served
}

/// `overflows-on-deep-arguments`.
struct OverflowsOnDeepArguments;

impl Hooks for OverflowsOnDeepArguments {
    fn bytes_in(&self, _transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        let is_call = String::from_utf8_lossy(&bytes).contains("\"tools/call\"");
        if is_call && depth(&bytes) > 300 {
            Arrival::Crash(134)
        } else {
            Arrival::Read(bytes)
        }
    }
}

/// How deep brackets are nested, those in strings included.
pub(super) fn depth(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for byte in text {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
