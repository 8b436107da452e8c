//! What a check looks at beside the value: sources, shapes and ignored members.

use mcpspec_wire::Value;
use serde_json::json;

use super::super::Check;
use super::{check, compile, holds, told, try_check};
use crate::template::Unresolved;

#[test]
fn placeholders_match_as_data() {
    holds(
        "{ id: $(id) }",
        &[json!({ "id": 7 })],
        &[json!({ "id": "7" })],
    );
    holds(
        "$(object)",
        &[json!({ "a": 1, "_meta": { "x": 1 }, "b": 1 })],
        &[json!({ "a": 1 })],
    );
    holds(
        "$(empty)",
        &[json!({}), json!({ "a": 1 })],
        &[json!([]), json!(null)],
    );
    holds("\"x-$(name)\"", &[json!("x-a.b")], &[json!("x-")]);
    holds("{ \"$(name)\": 1 }", &[json!({ "a.b": 1 })], &[json!({})]);
    let nothing = try_check("{ a: $(nowhere.b) }", Some(&Value::from(json!({}))), &[]);
    assert_eq!(
        nothing,
        Err(Unresolved::Nothing {
            path: "nowhere.b".to_owned()
        })
    );
}

#[test]
fn types_and_formats_are_kinds() {
    holds(
        "{ $is: integer }",
        &[json!(1), json!(1.0), json!(-3)],
        &[json!(1.5), json!("1")],
    );
    holds("{ $is: number }", &[json!(1.5)], &[json!("1.5")]);
    holds("{ $is: object }", &[json!({})], &[json!([]), json!(null)]);
    holds(
        "{ $is: uri, $regex: \"^https:\" }",
        &[json!("https://example.com")],
        &[json!("http://example.com"), json!("https"), json!(1)],
    );
}

#[test]
fn shapes_tell_where_a_value_breaks_them() {
    let listing = json!({ "tools": [{ "name": "a" }, { "name": 1 }] });
    holds(
        "{ $is: Listing }",
        &[json!({ "tools": [] })],
        std::slice::from_ref(&listing),
    );
    assert_eq!(
        told("{ result: { $is: Listing } }", json!({ "result": listing })),
        ["/result/tools/1/name Listing: it is not of type \"string\" / integer 1"]
    );
    assert!(matches!(
        check("{ $is: Nothing }", json!({})),
        Check::Unknown(_)
    ));
}

#[test]
fn a_complete_result_is_held_against_the_shape_of_its_method() {
    let outcome = |method: &str, result: serde_json::Value| json!({ "request": { "method": method }, "result": result });
    holds(
        "{ $is: complete-result }",
        &[
            outcome(
                "tools/list",
                json!({ "tools": [], "resultType": "complete" }),
            ),
            outcome(
                "tools/list",
                json!({ "inputRequests": {}, "resultType": "input_required" }),
            ),
            outcome("x/unknown", json!({})),
            json!({ "result": {} }),
            json!({ "request": { "method": "tools/list" } }),
        ],
        &[
            outcome("tools/list", json!({ "resultType": "complete" })),
            outcome("tools/list", json!({})),
            outcome("tools/list", json!({ "resultType": "input_required" })),
        ],
    );
}

#[test]
fn members_of_http_are_ignored_where_there_is_no_http() {
    let on_stdio = |yaml: &str, actual: serde_json::Value| {
        try_check(yaml, Some(&Value::from(actual)), &["status", "type"])
            .unwrap_or_else(|error| panic!("{yaml}: {error}"))
            .matches()
    };
    let error = json!({ "error": { "code": 1, "status": 7 }, "all": [{ "error": {} }] });
    assert!(on_stdio(
        "{ status: 400, error: { code: 1 } }",
        error.clone()
    ));
    assert!(on_stdio(
        "{ $not: { status: 400 }, error: {} }",
        error.clone()
    ));
    assert!(on_stdio(
        "{ all: { $each: { status: 400, error: {} } } }",
        error.clone()
    ));
    assert!(on_stdio("{}", error.clone()));
    // Nothing but such members never matches, wherever it stands.
    assert!(!on_stdio("{ status: 400 }", error.clone()));
    assert!(!on_stdio("{ status: 400, type: {} }", error.clone()));
    assert!(!on_stdio("{ $not: { status: 400 } }", error.clone()));
    assert!(!on_stdio(
        "{ $any: [{ status: 400 }, { silent: true }] }",
        error.clone()
    ));
    assert!(!on_stdio(
        "{ all: { $each: { status: 400 } } }",
        error.clone()
    ));
    assert!(on_stdio(
        "{ $any: [{ status: 400 }, { error: {} }] }",
        error.clone()
    ));
    // Below the outcome a member of this name is no member of HTTP.
    assert!(!on_stdio("{ error: { status: 8 } }", error.clone()));
    assert!(on_stdio("{ error: { status: 7 } }", error));
}

#[test]
fn a_matcher_knows_the_members_it_names() {
    let matcher =
        compile("{ $any: [{ status: 400 }, { $not: { silent: true } }], error: { code: 1 } }");
    for member in ["status", "silent", "error"] {
        assert!(matcher.names(member), "{member}");
    }
    assert!(!matcher.names("code"));
    assert!(compile("{ id: { $absent: true } }").names("id"));
    assert!(compile("{ status: 4xx }").asks_only_for(&["status"]));
    assert!(!compile("{}").asks_only_for(&["status"]));
}
