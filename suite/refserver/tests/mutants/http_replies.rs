//! Mutants of Origin, status codes and bodies.

use serde_json::json;

use crate::{
    client::{posted, request},
    compare::{
        Seen::{Error, Other, Result},
        compare, discover, mutant, templates,
    },
};

#[tokio::test(start_paused = true)]
async fn origins_are_judged_in_another_way() {
    let evil = || json!({ "Origin": "http://evil.example.com" });
    let notification = || json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "x-none" } });
    for (name, message, headers, due, seen) in [
        (
            "demands-origin",
            templates(),
            json!({}),
            Result(200),
            Other(403),
        ),
        (
            "demands-origin",
            templates(),
            json!({ "Origin": "http://localhost" }),
            Result(200),
            Result(200),
        ),
        (
            "demands-origin",
            discover(),
            json!({}),
            Result(200),
            Result(200),
        ),
        (
            "origin-prefix-match",
            discover(),
            json!({ "Origin": "http://localhost.evil.example.com" }),
            Other(403),
            Result(200),
        ),
        (
            "origin-prefix-match",
            discover(),
            evil(),
            Other(403),
            Other(403),
        ),
        (
            "checks-origin-on-requests-only",
            notification(),
            evil(),
            Other(403),
            Other(202),
        ),
        (
            "checks-origin-on-requests-only",
            discover(),
            evil(),
            Other(403),
            Other(403),
        ),
    ] {
        compare(name, message, headers, due, seen).await;
    }
}

#[tokio::test(start_paused = true)]
async fn statuses_differ() {
    let unknown = || request(1, "x-conformance/unknown", json!({}));
    let notification = |name: &str| json!({ "jsonrpc": "2.0", "method": name, "params": {} });
    for (name, message, due, seen) in [
        ("result-with-202", discover(), Result(200), Result(202)),
        (
            "method-not-found-200",
            unknown(),
            Error(404, -32601),
            Error(200, -32601),
        ),
        ("html-404", unknown(), Error(404, -32601), Other(404)),
        (
            "notification-200",
            notification("notifications/cancelled"),
            Other(202),
            Other(200),
        ),
        (
            "notification-error-200",
            notification("notifications/x-conformance"),
            Other(202),
            Error(200, -32601),
        ),
    ] {
        compare(name, message, json!({}), due, seen).await;
    }
}

#[tokio::test(start_paused = true)]
async fn bodies_and_their_labels_differ() {
    let completion = request(
        1,
        "completion/complete",
        json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": { "name": "name", "value": "" } }),
    );
    let unknown = request(1, "x-conformance/unknown", json!({}));
    for (name, message, headers, label, body) in [
        (
            "json-as-text-plain",
            discover(),
            json!({}),
            "text/plain",
            r#"{"jsonrpc":"#,
        ),
        (
            "json-as-text-plain",
            unknown.clone(),
            json!({}),
            "application/json",
            r#"{"jsonrpc":"#,
        ),
        (
            "error-as-text-plain",
            unknown.clone(),
            json!({}),
            "text/plain",
            r#"{"jsonrpc":"#,
        ),
        (
            "wraps-response-in-array",
            completion,
            json!({}),
            "application/json",
            r#"[{"jsonrpc":"#,
        ),
        (
            "plain-text-header-error",
            discover(),
            json!({ "Mcp-Method": null }),
            "text/plain",
            "Bad Request",
        ),
        (
            "html-404",
            unknown,
            json!({}),
            "text/html; charset=utf-8",
            "<!DOCTYPE html>",
        ),
    ] {
        let answer = posted(&mutant(name), message, headers).await;
        assert_eq!(answer.headers["content-type"], label, "{name}");
        assert!(answer.body.starts_with(body), "{name}: {}", answer.body);
    }
}
