//! Values: equality, ids, pointers, printing, and the way to serde_json and back.

use mcpspec_wire::{Document, LossyConversion, Object, Value, same_id};
use serde_json::json;

fn parse(text: &str) -> Value {
    Document::parse(text.as_bytes())
        .expect("a JSON text")
        .into_value()
}

#[test]
fn objects_are_equal_in_any_order() {
    assert_eq!(parse(r#"{"a":1,"b":[2]}"#), parse(r#"{"b":[2.0],"a":1e0}"#));
    assert_ne!(parse(r#"{"a":1}"#), parse(r#"{"a":1,"b":null}"#));
    assert_ne!(parse(r#"{"a":1,"b":2}"#), parse(r#"{"a":2,"b":1}"#));
    assert_ne!(parse("[1,2]"), parse("[2,1]"));
}

#[test]
fn members_that_share_a_name_are_compared_in_order() {
    assert_eq!(
        parse(r#"{"a":1,"a":2,"b":3}"#),
        parse(r#"{"b":3,"a":1,"a":2}"#)
    );
    assert_ne!(parse(r#"{"a":1,"a":2}"#), parse(r#"{"a":2,"a":1}"#));
    assert_ne!(parse(r#"{"a":1,"a":1}"#), parse(r#"{"a":1}"#));
}

#[test]
fn ids_are_the_same_by_type_and_spelling() {
    let same = |left: &str, right: &str| same_id(&parse(left), &parse(right));
    assert!(same("1", "1"));
    assert!(same("9007199254740993", "9007199254740993"));
    assert!(same(r#""é""#, r#""\u00e9""#));
    assert!(!same("1", "1.0"));
    assert!(!same("1", r#""1""#));
    assert!(!same("9007199254740993", "9007199254740992"));
    assert!(!same("null", "null"));
}

#[test]
fn an_object_is_edited_in_place() {
    let mut object: Object = [("a", 1), ("b", 2), ("a", 3)].into_iter().collect();
    assert_eq!(object.insert("a", "new"), Some(Value::from(3)));
    assert_eq!(object.insert("c", Value::Null), None);
    assert_eq!(
        Value::from(object.clone()).to_json(),
        r#"{"a":1,"b":2,"a":"new","c":null}"#
    );
    assert_eq!(object.remove("a"), Some(Value::from("new")));
    assert_eq!(object.remove("a"), None);
    assert_eq!(Value::from(object).to_json(), r#"{"b":2,"c":null}"#);
}

#[test]
fn pointers_lead_where_rfc_6901_says() {
    // The document and the pointers of RFC 6901, section 5.
    let value = parse(
        r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#,
    );
    for (pointer, expected) in [
        ("/foo", json!(["bar", "baz"])),
        ("/foo/0", json!("bar")),
        ("/", json!(0)),
        ("/a~1b", json!(1)),
        ("/c%d", json!(2)),
        ("/e^f", json!(3)),
        ("/g|h", json!(4)),
        ("/i\\j", json!(5)),
        ("/k\"l", json!(6)),
        ("/ ", json!(7)),
        ("/m~0n", json!(8)),
    ] {
        assert_eq!(
            value.pointer(pointer),
            Some(&Value::from_serde(expected)),
            "{pointer}"
        );
    }
    assert_eq!(value.pointer(""), Some(&value));
    for pointer in [
        "foo", "/foo/2", "/foo/-", "/foo/00", "/foo/+1", "/foo/0/x", "/none",
    ] {
        assert_eq!(value.pointer(pointer), None, "{pointer}");
    }
}

#[test]
fn printing_keeps_spelling_and_escapes_controls() {
    let text = r#"{"a":[1.0,-0,1E+2,"é\u0000\u001f\b\f\n\r\t\"\\/"],"":{},"b":[]}"#;
    assert_eq!(parse(text).to_json(), text);
    assert_eq!(parse("\"\u{7f}\u{2028}\"").to_json(), "\"\u{7f}\u{2028}\"");
}

#[test]
fn conversion_to_serde_refuses_what_it_would_lose() {
    let kept = parse(r#"{"a":[1,-1,18446744073709551615,1.5,0.1,1e2,1.0,"x",null,true]}"#);
    assert_eq!(
        kept.to_serde(),
        Ok(json!({"a": [1, -1, u64::MAX, 1.5, 0.1, 100.0, 1.0, "x", null, true]})),
    );
    for token in [
        "18446744073709551616.5",
        "9007199254740993.0",
        "1e400",
        "0.1000000000000000055511151231257827",
        "1e-400",
    ] {
        let refused = LossyConversion::Number {
            pointer: "/a~1b/0".into(),
            token: token.into(),
        };
        assert_eq!(
            parse(&format!(r#"{{"a/b":[{token}]}}"#)).to_serde(),
            Err(refused)
        );
    }
    let refused = LossyConversion::DuplicateMember {
        pointer: "/0".into(),
        name: "a".into(),
    };
    assert_eq!(parse(r#"[{"a":1,"a":1}]"#).to_serde(), Err(refused));
}
