//! Mutants of `Mcp-Param-*`.

use serde_json::json;

use crate::compare::{MISMATCH, Seen::Result, call, compare, region};

#[tokio::test(start_paused = true)]
async fn parameters_in_headers_are_not_what_they_have_to_be() {
    let header = |value: &str| json!({ "Mcp-Param-Region": value });
    let none = || json!({});
    let nested = call("route_nested", json!({ "target": { "host": "us-west1" } }));
    let boolean = call("route_boolean", json!({ "dry_run": true }));
    let integer = call("route_integer", json!({ "shard": 42 }));
    for (name, message, headers, due, seen) in [
        (
            "refuses-param-headers",
            region("us-west1"),
            header("us-west1"),
            Result(200),
            MISMATCH,
        ),
        (
            "ignores-param-header",
            region("us-west1"),
            header("eu-1"),
            MISMATCH,
            Result(200),
        ),
        (
            "param-header-optional",
            region("us-west1"),
            none(),
            MISMATCH,
            Result(200),
        ),
        (
            "ignores-nested-params",
            nested.clone(),
            json!({ "Mcp-Param-Host-Name": "eu-1" }),
            MISMATCH,
            Result(200),
        ),
        (
            "ignores-nested-params",
            region("us-west1"),
            header("eu-1"),
            MISMATCH,
            MISMATCH,
        ),
        (
            "demands-param-header-always",
            call("route", json!({ "query": "q" })),
            none(),
            Result(200),
            MISMATCH,
        ),
        // A tool that marks two parameters can still be called with one.
        (
            "demands-param-header-always",
            region("us-west1"),
            header("us-west1"),
            Result(200),
            Result(200),
        ),
        (
            "demands-param-header-always",
            call("route", json!({ "region": null })),
            none(),
            Result(200),
            Result(200),
        ),
        (
            "demands-header-for-null",
            call("route", json!({ "region": null })),
            none(),
            Result(200),
            MISMATCH,
        ),
        (
            "demands-header-for-null",
            call("route", json!({})),
            none(),
            Result(200),
            Result(200),
        ),
        (
            "compares-encoded-param",
            region("Hello"),
            header("=?base64?SGVsbG8=?="),
            Result(200),
            MISMATCH,
        ),
        (
            "skips-encoded-param",
            region("Hello"),
            header("=?base64?V29ybGQ=?="),
            MISMATCH,
            Result(200),
        ),
        (
            "decodes-param-twice",
            region("=?base64?literal?="),
            header("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            Result(200),
            MISMATCH,
        ),
        (
            "decodes-param-twice",
            region("Hello"),
            header("=?base64?SGVsbG8=?="),
            Result(200),
            Result(200),
        ),
        (
            "decodes-without-sentinel",
            region("SGVsbG8="),
            header("SGVsbG8="),
            Result(200),
            MISMATCH,
        ),
        (
            "decodes-without-sentinel",
            region("us-west1"),
            header("us-west1"),
            Result(200),
            Result(200),
        ),
        (
            "accepts-raw-utf8-param",
            region("é"),
            header("é"),
            MISMATCH,
            Result(200),
        ),
        (
            "accepts-raw-utf8-param",
            region("é"),
            header("è"),
            MISMATCH,
            MISMATCH,
        ),
        (
            "capitalises-booleans",
            boolean.clone(),
            json!({ "Mcp-Param-Dry-Run": "true" }),
            Result(200),
            MISMATCH,
        ),
        (
            "capitalises-booleans",
            boolean,
            json!({ "Mcp-Param-Dry-Run": "True" }),
            MISMATCH,
            Result(200),
        ),
        (
            "compares-integers-as-text",
            integer.clone(),
            json!({ "Mcp-Param-Shard": "42.0" }),
            Result(200),
            MISMATCH,
        ),
        (
            "compares-integers-as-text",
            integer,
            json!({ "Mcp-Param-Shard": "42" }),
            Result(200),
            Result(200),
        ),
    ] {
        compare(name, message, headers, due, seen).await;
    }
}
