//! `server/discover`.

use serde_json::{Map, Value, json};

use crate::{
    catalogue::icon,
    options::{Capability, Options},
    server::{Reply, Server},
};

/// Who the server says it is.
pub(crate) fn server_info() -> Value {
    json!({
        "name": "mcpspec-refserver",
        "title": "mcpspec reference server",
        "version": env!("CARGO_PKG_VERSION"),
        "websiteUrl": env!("CARGO_PKG_REPOSITORY"),
        "icons": [icon()],
        "description": "Keeps to revision 2026-07-28 of the Model Context Protocol, or breaks exactly one rule of it.",
    })
}

/// The answer to `server/discover`.
pub(crate) fn discover(server: &Server) -> Reply {
    let options = server.options();
    Reply::from(json!({
        "supportedVersions": options.supported_versions(),
        "capabilities": capabilities(options),
        "instructions": "Every tool says what it is good for. Nothing here acts on the world outside.",
        "ttlMs": 300_000,
        "cacheScope": "public",
    }))
}

/// The capabilities that the server declares.
pub(crate) fn capabilities(options: &Options) -> Value {
    type Part = (Capability, &'static str);
    const WHOLES: [(Capability, &str, &[Part]); 5] = [
        (
            Capability::Tools,
            "tools",
            &[(Capability::ToolsListChanged, "listChanged")],
        ),
        (
            Capability::Prompts,
            "prompts",
            &[(Capability::PromptsListChanged, "listChanged")],
        ),
        (
            Capability::Resources,
            "resources",
            &[
                (Capability::ResourcesListChanged, "listChanged"),
                (Capability::ResourcesSubscribe, "subscribe"),
            ],
        ),
        (Capability::Completions, "completions", &[]),
        (Capability::Logging, "logging", &[]),
    ];
    let mut declared = Map::new();
    for (capability, name, members) in WHOLES {
        if options.offers(capability) {
            let members = members.iter().filter(|(member, _)| options.offers(*member));
            let members: Map<String, Value> = members
                .map(|(_, name)| ((*name).to_owned(), Value::Bool(true)))
                .collect();
            declared.insert(name.to_owned(), Value::Object(members));
        }
    }
    Value::Object(declared)
}
