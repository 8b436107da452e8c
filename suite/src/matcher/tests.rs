//! Each operator on a table of values, and the laws of matchers.

use mcpspec_wire::Value;
use proptest::prelude::*;
use serde_json::json;

use super::{Check, Context, Matcher};
use crate::spec::Shapes;
use crate::template::{Resolved, Scope, SourcePath, Unresolved, read_yaml};

/// A scope whose sources are the members of one object.
struct Sources(Value);

impl Scope for Sources {
    fn source(&self, path: &SourcePath) -> Resolved {
        match path.descend(&self.0, 0) {
            Some(value) => Resolved::Value(value.clone()),
            None => Resolved::Absent,
        }
    }
}

fn sources() -> Sources {
    Sources(Value::from(json!({
        "null-row": null,
        "id": 7,
        "name": "a.b",
        "class": "4xx",
        "object": { "a": 1, "_meta": { "x": 1 } },
        "empty": {},
        "list": ["a", { "b": 1 }, 401],
        "schema": { "type": "integer", "minimum": 2 },
    })))
}

fn compile(yaml: &str) -> Matcher {
    let data = read_yaml(yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"));
    Matcher::compile(&data).unwrap_or_else(|error| panic!("{yaml}: {error}"))
}

fn shapes() -> Shapes {
    let text = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "x-results": { "tools/list": "Listing" },
        "x-interim": "Interim",
        "x-notifications": {},
        "$defs": {
            "Listing": {
                "type": "object",
                "required": ["tools"],
                "properties": { "tools": { "type": "array", "items": { "$ref": "#/$defs/Tool" } } },
            },
            "Tool": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } },
            "Interim": { "type": "object", "required": ["inputRequests"] },
        },
    });
    Shapes::load("shapes.json", &text.to_string()).unwrap_or_else(|error| panic!("{error}"))
}

fn try_check(yaml: &str, actual: Option<&Value>, ignored: &[&str]) -> Result<Check, Unresolved> {
    let (scope, shapes) = (sources(), shapes());
    let context = Context {
        scope: &scope,
        shapes: &shapes,
        ignored,
    };
    compile(yaml).check(actual, context)
}

fn check(yaml: &str, actual: serde_json::Value) -> Check {
    try_check(yaml, Some(&Value::from(actual)), &[])
        .unwrap_or_else(|error| panic!("{yaml}: {error}"))
}

/// Holds a matcher against values that it matches and values that it does not.
fn holds(yaml: &str, matching: &[serde_json::Value], differing: &[serde_json::Value]) {
    for value in matching {
        let found = check(yaml, value.clone());
        assert!(found.matches(), "{yaml} against {value}: {found:?}");
    }
    for value in differing {
        let found = check(yaml, value.clone());
        assert!(
            matches!(found, Check::Differs(_)),
            "{yaml} against {value}: {found:?}"
        );
    }
}

/// Whether a matcher holds of nothing at all.
fn holds_of_nothing(yaml: &str) -> bool {
    try_check(yaml, None, &[])
        .unwrap_or_else(|error| panic!("{yaml}: {error}"))
        .matches()
}

/// The mismatches as `pointer expected / actual`.
fn told(yaml: &str, actual: serde_json::Value) -> Vec<String> {
    match check(yaml, actual) {
        Check::Differs(mismatches) => mismatches
            .into_iter()
            .map(|mismatch| {
                format!(
                    "{} {} / {}",
                    mismatch.pointer, mismatch.expected, mismatch.actual
                )
            })
            .collect(),
        other => panic!("{yaml}: {other:?}"),
    }
}

#[test]
fn scalars_match_equal_scalars() {
    holds(
        "1",
        &[json!(1), json!(1.0)],
        &[json!("1"), json!(2), json!(null), json!([1])],
    );
    holds("\"1\"", &[json!("1")], &[json!(1)]);
    holds(
        "null",
        &[json!(null)],
        &[json!(false), json!(""), json!({})],
    );
    holds("true", &[json!(true)], &[json!("true"), json!(1)]);
    holds("2026-07-28", &[json!("2026-07-28")], &[json!("2026-07-29")]);
    holds(
        "9007199254740993",
        &[json!(9_007_199_254_740_993_u64)],
        &[json!(9_007_199_254_740_992_u64)],
    );
    assert!(!holds_of_nothing("1"));
    assert!(!holds_of_nothing("null"));
}

#[test]
fn maps_match_objects_that_have_at_least_their_members() {
    holds(
        "{ a: 1, b: { c: x } }",
        &[json!({ "a": 1, "b": { "c": "x", "d": 1 }, "e": 1 })],
        &[
            json!({ "a": 1 }),
            json!({ "a": 2, "b": { "c": "x" } }),
            json!([]),
            json!(1),
        ],
    );
    holds("{}", &[json!({}), json!(null), json!(0), json!("")], &[]);
    assert!(!holds_of_nothing("{}"));
    assert!(!holds_of_nothing("{ a: { $absent: true } }"));
    holds(
        "{ $$schema: x }",
        &[json!({ "$schema": "x" })],
        &[json!({ "schema": "x" })],
    );
}

#[test]
fn lists_match_item_by_item() {
    holds(
        "[1, { a: 1 }]",
        &[json!([1, { "a": 1, "b": 2 }])],
        &[json!([1]), json!([1, { "a": 1 }, 2]), json!({})],
    );
    holds("[]", &[json!([])], &[json!([1]), json!({}), json!(null)]);
}

#[test]
fn what_is_absent_matches_three_operators_only() {
    for yaml in [
        "{ $absent: true }",
        "{ $not: 1 }",
        "{ $any: [1, { $absent: true }] }",
        "{ $any: [{ $not: 1 }, 2] }",
        "$(nowhere | optional)",
        "{ $eq: $(nowhere | optional) }",
        "{ $same_as: $(nowhere | optional) }",
    ] {
        assert!(holds_of_nothing(yaml), "{yaml}");
    }
    for yaml in [
        "{ $not: { $absent: true } }",
        "{ $any: [1, {}] }",
        "{ $eq: 1 }",
        "{ $is: string }",
        "{ $regex: x }",
        "{ $gte: 1 }",
        "{ $len: 0 }",
        "{ $each: {} }",
        "{ $some: {} }",
        "{ $unique_by: \".\" }",
        "{ $increasing_by: a }",
        "{ $same_items: [] }",
        "{ $fits: {} }",
        "$(id)",
    ] {
        assert!(!holds_of_nothing(yaml), "{yaml}");
    }
    holds(
        "{ a: { $absent: true } }",
        &[json!({})],
        &[json!({ "a": null }), json!([])],
    );
    holds(
        "{ a: $(nowhere | optional) }",
        &[json!({})],
        &[json!({ "a": null })],
    );
}

#[test]
fn members_and_operators_of_one_map_all_have_to_hold() {
    holds(
        "{ a: 1, $len: 2, $not: { b: 3 } }",
        &[json!({ "a": 1, "b": 2 })],
        &[json!({ "a": 1 }), json!({ "a": 1, "b": 3 })],
    );
}

#[test]
fn eq_is_exact() {
    holds(
        "{ $eq: { a: 1, b: [null] } }",
        &[json!({ "b": [null], "a": 1.0 })],
        &[
            json!({ "a": 1, "b": [null], "c": 1 }),
            json!({ "a": 1 }),
            json!(1),
        ],
    );
    holds(
        "{ $eq: { a: null } }",
        &[json!({ "a": null })],
        &[json!({})],
    );
}

#[test]
fn any_and_not_take_matchers() {
    holds(
        "{ $any: [1, { a: 1 }, x] }",
        &[json!(1), json!({ "a": 1, "b": 1 }), json!("x")],
        &[json!(2), json!(null)],
    );
    holds(
        "{ $any: $(list) }",
        &[json!("a"), json!({ "b": 1, "c": 1 }), json!(401)],
        &[json!("b"), json!([])],
    );
    holds(
        "{ $not: { a: 1 } }",
        &[json!({ "a": 2 }), json!({}), json!(1)],
        &[json!({ "a": 1, "b": 1 })],
    );
}

#[test]
fn regex_looks_for_a_match_in_text_or_json_text() {
    holds(
        "{ $regex: \"^a.c$\" }",
        &[json!("abc")],
        &[json!("xabc"), json!(1)],
    );
    holds(
        "{ $regex: 2026-07-28 }",
        &[json!({ "data": { "supported": ["2026-07-28"] } })],
        &[json!({})],
    );
    holds(
        "{ $regex: \"^$(name)$\" }",
        &[json!("a.b"), json!("axb")],
        &[json!("a.bc")],
    );
}

#[test]
fn bounds_compare_numbers_by_value_and_strings_by_code_point() {
    holds(
        "{ $gte: 1, $lte: 2.5 }",
        &[json!(1), json!(2.5), json!(1.0)],
        &[json!(0.9), json!(3), json!("2")],
    );
    holds(
        "{ $gte: 2026-07-28 }",
        &[json!("2026-07-28"), json!("2027-01-01")],
        &[json!("2025-11-25"), json!(1)],
    );
    holds("{ $lte: $(id) }", &[json!(7)], &[json!(8)]);
    assert!(try_check("{ $gte: $(list) }", Some(&Value::from(1)), &[]).is_err());
}

#[test]
fn len_counts_items_members_and_characters() {
    holds(
        "{ $len: 2 }",
        &[json!([1, 2]), json!({ "a": 1, "b": 2 }), json!("é世")],
        &[json!([1]), json!(2), json!(null)],
    );
    holds("{ $len: { $gte: 1 } }", &[json!([1])], &[json!([])]);
}

#[test]
fn each_and_some_look_into_lists_and_objects() {
    holds(
        "{ $each: { a: 1 } }",
        &[json!([]), json!([{ "a": 1 }]), json!({ "x": { "a": 1 } })],
        &[json!([{ "a": 1 }, {}]), json!(1)],
    );
    holds(
        "{ $some: { a: 1 } }",
        &[json!([{}, { "a": 1 }]), json!({ "x": { "a": 1 } })],
        &[json!([]), json!([{}]), json!("a")],
    );
}

#[test]
fn unique_by_and_increasing_by_skip_items_without_the_path() {
    holds(
        "{ $unique_by: a.b }",
        &[
            json!([]),
            json!([{ "a": { "b": 1 } }, {}, { "a": { "b": 2 } }, {}]),
        ],
        &[
            json!([{ "a": { "b": 1 } }, { "a": { "b": 1.0 } }]),
            json!(1),
        ],
    );
    holds(
        "{ $unique_by: \".\" }",
        &[json!([1, "1", 2])],
        &[json!([{ "a": 1, "b": 2 }, { "b": 2, "a": 1 }])],
    );
    holds(
        "{ $increasing_by: p }",
        &[json!([{ "p": 1 }, {}, { "p": 1.5 }])],
        &[
            json!([{ "p": 1 }, { "p": 1 }]),
            json!([{ "p": 2 }, { "p": 1 }]),
            json!([{ "p": "1" }]),
        ],
    );
}

#[test]
fn same_as_leaves_volatile_members_of_a_result_out() {
    holds(
        "{ $same_as: $(object) }",
        &[
            json!({ "a": 1 }),
            json!({ "ttlMs": 5, "nextCursor": "x", "a": 1, "_meta": {} }),
        ],
        &[
            json!({ "a": 2 }),
            json!({ "a": 1, "b": 1 }),
            json!({ "a": 1, "x": { "_meta": 1 } }),
        ],
    );
}

#[test]
fn same_items_is_a_list_in_any_order() {
    holds(
        "{ $same_items: [1, { a: 1, b: 2 }, 1] }",
        &[json!([{ "b": 2, "a": 1 }, 1, 1.0])],
        &[
            json!([1, { "a": 1, "b": 2 }]),
            json!([1, 1, { "a": 1 }]),
            json!(1),
        ],
    );
}

#[test]
fn status_has_classes() {
    holds(
        "{ status: 4xx }",
        &[json!({ "status": 400 }), json!({ "status": 499 })],
        &[
            json!({ "status": 500 }),
            json!({ "status": 200 }),
            json!({ "status": "4xx" }),
            json!({}),
        ],
    );
    holds(
        "{ status: { $any: [200, 4xx] } }",
        &[json!({ "status": 200 }), json!({ "status": 404 })],
        &[json!({ "status": 202 })],
    );
    holds(
        "{ status: { $not: 5xx } }",
        &[json!({ "status": 200 })],
        &[json!({ "status": 503 })],
    );
    holds(
        "{ status: $(class) }",
        &[json!({ "status": 401 })],
        &[json!({ "status": 301 })],
    );
    holds(
        "{ status: { $any: $(list) } }",
        &[json!({ "status": 401 })],
        &[json!({ "status": 402 })],
    );
    holds(
        "{ code: 4xx }",
        &[json!({ "code": "4xx" })],
        &[json!({ "code": 400 })],
    );
}

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

#[test]
fn mismatches_name_the_place_and_both_sides() {
    for (yaml, actual, expected) in [
        (
            "{ error: { code: -32602 } }",
            json!({ "error": { "code": -32603 } }),
            vec!["/error/code integer -32602 / integer -32603"],
        ),
        (
            "{ error: { code: 1 } }",
            json!({}),
            vec!["/error object with { code: integer 1 } / absent"],
        ),
        (
            "{ a: 1, b: 2 }",
            json!({ "a": 2, "b": 1 }),
            vec!["/a integer 1 / integer 2", "/b integer 2 / integer 1"],
        ),
        (
            "{ a: { $any: [x, { b: 1 }] } }",
            json!({ "a": "y" }),
            vec!["/a one of: string \"x\"; object with { b: integer 1 } / string \"y\""],
        ),
        (
            "{ a: { $not: 1 } }",
            json!({ "a": 1 }),
            vec!["/a not integer 1 / integer 1"],
        ),
        (
            "{ a: { $absent: true } }",
            json!({ "a": null }),
            vec!["/a absent / null"],
        ),
        (
            "{ a: [1, 2] }",
            json!({ "a": [1] }),
            vec!["/a 2 items: array [integer 1, integer 2] / 1 items: array [1]"],
        ),
        (
            "{ a: { $len: { $gte: 2 } } }",
            json!({ "a": [1] }),
            vec!["/a length at least integer 2 / length 1: array [1]"],
        ),
        (
            "{ a: { $each: { b: 1 } } }",
            json!({ "a": [{ "b": 1 }, {}] }),
            vec!["/a/1/b integer 1 / absent"],
        ),
        (
            "{ a: { $some: 1 } }",
            json!({ "a": [] }),
            vec!["/a some: integer 1 / array []"],
        ),
        (
            "{ a: { $unique_by: b } }",
            json!({ "a": [{ "b": 1 }, { "b": 2 }, { "b": 1 }] }),
            vec!["/a/2 no two items with the same b / as in item 0: integer 1"],
        ),
        (
            "{ a: { $increasing_by: p } }",
            json!({ "a": [{ "p": 2 }, { "p": 1 }] }),
            vec!["/a/1 strictly increasing numbers at p / integer 1 after 2"],
        ),
        (
            "{ a: { $eq: { x: 1 } } }",
            json!({ "a": { "x": 1, "~/": 2 } }),
            vec!["/a/~0~1 absent / integer 2"],
        ),
        (
            "{ a: $(id) }",
            json!({ "a": 8 }),
            vec!["/a integer 7 / integer 8"],
        ),
        (
            "{ a: { $is: uri } }",
            json!({ "a": "x" }),
            vec!["/a uri / string \"x\""],
        ),
        (
            "{ a: { $fits: $(schema) } }",
            json!({ "a": 1 }),
            vec!["/a valid under the schema: it is less than the minimum of 2 / integer 1"],
        ),
    ] {
        assert_eq!(told(yaml, actual), expected, "{yaml}");
    }
}

#[test]
fn what_is_no_matcher_is_told() {
    for (yaml, part) in [
        ("{ $regx: a }", "did you mean `$regex`?"),
        ("{ $schema: a }", "`$$schema`"),
        ("{ $any: [] }", "never matches"),
        ("{ $any: x }", "takes a list"),
        ("{ $absent: false }", "write `{}`"),
        ("{ $is: uuid }", "there is no kind"),
        ("{ $is: \"null\" }", "plain `null`"),
        ("{ $is: [string] }", "name of a kind"),
        ("{ $regex: \"(\" }", "no regular expression"),
        ("{ $regex: 1 }", "quote it"),
        ("{ $gte: [1] }", "number or a string"),
        ("{ $unique_by: a..b }", "name is missing"),
        ("{ $increasing_by: 1 }", "a path takes"),
        ("{ $same_items: 1 }", "takes a list"),
        ("{ $fits: 1 }", "JSON Schema"),
        ("{ a: { b: { $nope: 1 } } }", "no operator `$nope`"),
    ] {
        let data = read_yaml(yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"));
        let error = Matcher::compile(&data).expect_err(yaml);
        assert!(error.message.contains(part), "{yaml}: {error}");
    }
}

/// JSON values a few levels deep.
fn values() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|bool| json!(bool)),
        (-1000_i64..1000).prop_map(|number| json!(number)),
        (-1000.0..1000.0).prop_map(|number: f64| json!(number)),
        "[a-z$~/%. é]{0,6}".prop_map(|text| json!(text)),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| json!(items)),
            prop::collection::btree_map("[a-z$~/]{0,4}", inner, 0..5)
                .prop_map(|members| json!(members)),
        ]
    })
}

/// The matcher that a value is, written as YAML: JSON is a part of it.
fn written(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(name, value)| {
                    let name = match name.strip_prefix('$') {
                        Some(_) => format!("${name}"),
                        None => name.clone(),
                    };
                    format!("{}: {}", json!(name), written(value))
                })
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        serde_json::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

proptest! {
    #[test]
    fn a_matcher_made_from_a_value_matches_it(value in values()) {
        prop_assert!(check(&written(&value), value.clone()).matches());
        // JSON is YAML, and what `$eq` takes is data without escapes.
        let exact = format!("{{ $eq: {value} }}");
        prop_assert!(check(&exact, value).matches());
    }

    #[test]
    fn not_inverts(matcher in values(), value in values()) {
        let plain = check(&written(&matcher), value.clone());
        let inverted = check(&format!("{{ $not: {} }}", written(&matcher)), value);
        prop_assert_ne!(plain.matches(), inverted.matches());
    }

    #[test]
    fn the_pointer_of_a_mismatch_or_its_parent_is_there(matcher in values(), value in values()) {
        let actual = Value::from(value.clone());
        let plain = check(&written(&matcher), value.clone());
        let exact = check(&format!("{{ $eq: {matcher} }}"), value);
        for found in [plain, exact] {
            let Check::Differs(mismatches) = found else {
                continue;
            };
            prop_assert!(!mismatches.is_empty());
            for mismatch in mismatches {
                let parent = mismatch.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                let is_there = actual.pointer(&mismatch.pointer).is_some() || actual.pointer(parent).is_some();
                prop_assert!(is_there, "{mismatch:?} in {actual}");
            }
        }
    }
}
