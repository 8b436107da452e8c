//! What mismatches and errors say.

use serde_json::json;

use super::super::Matcher;
use super::told;
use crate::template::read_yaml;

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
            "{ a: { $any: [{ b: { c: { d: { e: 1 } } } }, { b: [[[{ f: 2 }]]] }] } }",
            json!({ "a": "y" }),
            vec![
                "/a one of: object with { b: object with { c: object with { d: object with { e: integer 1 } } } }; \
                 object with { b: array [array [array [object with { f: integer 2 }]]] } / string \"y\"",
            ],
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
