//! The operators.

use mcpspec_wire::Value;
use serde_json::json;

use super::{holds, holds_of_nothing, try_check};

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
