//! Tools with parameters that HTTP headers mirror (`server/tools#x-mcp-header`). Each marks one type first.

use serde_json::{Value, json};

use super::{
    content::text,
    tools::{Tool, Work, object},
};

/// The tools.
pub(super) fn tools() -> Vec<Tool> {
    let marked = |kind: &str, header: &str| json!({ "type": kind, "x-mcp-header": header });
    let routes = |name, description: &str, properties: Value| {
        Tool::read_only(
            name,
            description,
            object(properties, &[]),
            Work::Now(
                |_, arguments| json!({ "content": [text(format!("Routed by {}.", Value::Object(arguments.clone())))] }),
            ),
        )
    };
    vec![
        routes(
            "route",
            "Goes where the region says; the header says it too.",
            json!({ "region": marked("string", "Region"), "tenant": marked("string", "Tenant"), "query": { "type": "string" } }),
        ),
        routes(
            "route_integer",
            "Goes by a number.",
            json!({ "shard": marked("integer", "Shard") }),
        ),
        routes(
            "route_boolean",
            "Goes by a switch.",
            json!({ "dry_run": marked("boolean", "Dry-Run") }),
        ),
        routes(
            "route_nested",
            "Goes where an inner host says, and not where an outer one does.",
            json!({
                "target": { "type": "object", "properties": { "host": marked("string", "Host-Name") }, "additionalProperties": false },
                "host": { "type": "string" },
            }),
        ),
    ]
}
