//! Mutants of the headers that mirror the body, and of how their lines are read.

use serde_json::json;

use crate::{
    client::{exchange, headers, post, posted},
    compare::{
        MISMATCH, Seen,
        Seen::{Error, Other, Result},
        call, compare, conforming, discover, echo, mutant, prompt, read, region, templates,
    },
};

#[tokio::test(start_paused = true)]
async fn version_and_method_headers_are_not_what_they_have_to_be() {
    let none = || json!({ "Mcp-Method": null });
    for (name, message, headers, due, seen) in [
        (
            "version-header-optional",
            discover(),
            json!({ "MCP-Protocol-Version": null }),
            MISMATCH,
            Result(200),
        ),
        (
            "ignores-version-header",
            discover(),
            json!({ "MCP-Protocol-Version": "1900-01-01" }),
            MISMATCH,
            Result(200),
        ),
        (
            "header-selects-legacy",
            discover(),
            json!({ "MCP-Protocol-Version": "2025-06-18" }),
            MISMATCH,
            Error(400, -32600),
        ),
        (
            "mcp-method-optional",
            discover(),
            none(),
            MISMATCH,
            Result(200),
        ),
        (
            "checks-mcp-method-on-call-only",
            discover(),
            none(),
            MISMATCH,
            Result(200),
        ),
        (
            "checks-mcp-method-on-call-only",
            echo(),
            none(),
            MISMATCH,
            MISMATCH,
        ),
        (
            "ignores-mcp-method",
            discover(),
            json!({ "Mcp-Method": "tools/list" }),
            MISMATCH,
            Result(200),
        ),
        ("ignores-mcp-method", discover(), none(), MISMATCH, MISMATCH),
        (
            "folds-header-value-case",
            discover(),
            json!({ "Mcp-Method": "SERVER/DISCOVER" }),
            MISMATCH,
            Result(200),
        ),
        (
            "refuses-unknown-param-header",
            discover(),
            json!({ "Mcp-Param-Xconformance": "1" }),
            Result(200),
            MISMATCH,
        ),
    ] {
        compare(name, message, headers, due, seen).await;
    }
}

#[tokio::test(start_paused = true)]
async fn names_in_headers_are_not_what_they_have_to_be() {
    let name = |value: &str| json!({ "Mcp-Name": value });
    let none = || json!({ "Mcp-Name": null });
    for (mutant, message, headers, due, seen) in [
        (
            "tool-mcp-name-optional",
            echo(),
            none(),
            MISMATCH,
            Result(200),
        ),
        (
            "resource-mcp-name-optional",
            read(),
            none(),
            MISMATCH,
            Result(200),
        ),
        (
            "prompt-mcp-name-optional",
            prompt(),
            none(),
            MISMATCH,
            Result(200),
        ),
        (
            "prompt-mcp-name-optional",
            echo(),
            none(),
            MISMATCH,
            MISMATCH,
        ),
        (
            "ignores-tool-mcp-name",
            echo(),
            name("x-other"),
            MISMATCH,
            Result(200),
        ),
        (
            "ignores-prompt-mcp-name",
            prompt(),
            name("x-other"),
            MISMATCH,
            Result(200),
        ),
        (
            "compares-resource-name",
            read(),
            name("=?base64?dGV4dA==?="),
            MISMATCH,
            Result(200),
        ),
        (
            "compares-resource-name",
            read(),
            name("refserver://textx"),
            MISMATCH,
            MISMATCH,
        ),
        (
            "refuses-uri-in-mcp-name",
            read(),
            json!({}),
            Result(200),
            MISMATCH,
        ),
        (
            "demands-mcp-name-everywhere",
            templates(),
            none(),
            Result(200),
            MISMATCH,
        ),
        (
            "compares-encoded-name",
            echo(),
            name("=?base64?ZWNobw==?="),
            Result(200),
            MISMATCH,
        ),
        (
            "skips-encoded-name",
            echo(),
            name("=?base64?eC1vdGhlcg==?="),
            MISMATCH,
            Result(200),
        ),
        (
            "bad-base64-name-500",
            echo(),
            name("=?base64?SGVs!!!bG8?="),
            MISMATCH,
            Error(500, -32603),
        ),
        (
            "folds-sentinel-case",
            echo(),
            name("=?BASE64?ZWNobw==?="),
            MISMATCH,
            Result(200),
        ),
    ] {
        compare(mutant, message, headers, due, seen).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_refused_for_its_headers_has_run_all_the_same() {
    for (name, steps) in [(None, "0"), (Some("validates-after-run"), "6")] {
        let server = name.map_or_else(conforming, mutant);
        let slow = call("slow", json!({ "seconds": 0.3 }));
        let answer = posted(&server, slow, json!({ "Mcp-Name": "x-other" })).await;
        assert_eq!(Seen::of(&answer), MISMATCH, "{name:?}");
        let count = posted(&server, call("count", json!({})), json!({})).await;
        assert_eq!(
            count.json()["result"]["content"][0]["text"],
            steps,
            "{name:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn header_lines_are_read_in_another_way() {
    for (name, message, from, to, due, seen) in [
        (
            "strips-invalid-header-bytes",
            discover(),
            "Mcp-Method: server/",
            "Mcp-Method: server/é",
            MISMATCH,
            Result(200),
        ),
        (
            "strips-invalid-header-bytes",
            echo(),
            "Mcp-Name: echo",
            "Mcp-Name: echo\u{1}",
            Other(400),
            Result(200),
        ),
        (
            "untrimmed-header-values",
            discover(),
            "Mcp-Method: server/discover",
            "Mcp-Method:    server/discover  ",
            Result(200),
            MISMATCH,
        ),
        (
            "exact-case-header-lookup",
            discover(),
            "Mcp-Method",
            "MCP-METHOD",
            Result(200),
            MISMATCH,
        ),
        (
            "exact-case-param-lookup",
            region("a"),
            "Mcp-Param-Region",
            "MCP-PARAM-REGION",
            Result(200),
            MISMATCH,
        ),
        (
            "exact-case-param-lookup",
            region("a"),
            "Mcp-Param-Region",
            "mcp-param-region",
            Result(200),
            Result(200),
        ),
    ] {
        let mut lines = headers(&message);
        lines.insert("Mcp-Param-Region".to_owned(), "a".into());
        let plain = post(&lines, &message.to_string());
        let text = plain.replacen(from, to, 1);
        assert_ne!(text, plain, "{name}");
        let answer = exchange(&conforming(), &text).await;
        assert_eq!(Seen::of(&answer), due, "{name}, conforming");
        let mutated = mutant(name);
        assert_eq!(
            Seen::of(&exchange(&mutated, &text).await),
            seen,
            "{name}: {text:?}"
        );
        assert_eq!(
            Seen::of(&exchange(&mutated, &plain).await),
            Result(200),
            "{name}"
        );
    }
}
