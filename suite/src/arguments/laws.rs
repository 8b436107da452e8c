//! Laws of made values, over schemas that are put together at random.

use mcpspec_wire::Value;
use proptest::collection::btree_map;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{all_members, required_members, required_members_and};

/// Schemas for which a value can always be made.
fn schema() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(json!({ "type": "boolean" })),
        Just(json!({ "type": "null" })),
        Just(json!({ "type": ["null", "integer"] })),
        Just(json!({})),
        Just(json!(true)),
        (0_u8..20, 0_u8..20)
            .prop_map(|(least, more)| json!({ "type": "string", "minLength": least, "maxLength": least + more })),
        (-1000_i32..1000, 0_i32..1000)
            .prop_map(|(least, more)| json!({ "type": "integer", "minimum": least, "maximum": least + more })),
        (-1000_i32..1000).prop_map(|least| json!({ "type": "integer", "exclusiveMinimum": least })),
        (-1000_i32..1000).prop_map(|most| json!({ "type": "number", "exclusiveMaximum": f64::from(most) / 8.0 })),
        (1_u32..100).prop_map(|step| json!({ "type": "integer", "multipleOf": step })),
        "[a-z]{0,5}".prop_map(|text| json!({ "const": text })),
        ("[a-z]{0,5}", any::<i32>()).prop_map(|(text, number)| json!({ "enum": [text, number] })),
        "[a-z]{0,5}".prop_map(|text| json!({ "type": "string", "minLength": 3, "default": text })),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            object(inner.clone()),
            (inner.clone(), 0_u8..4).prop_map(
                |(items, least)| json!({ "type": "array", "items": items, "minItems": least })
            ),
            (inner.clone(), inner.clone())
                .prop_map(|(one, other)| json!({ "anyOf": [one, other] })),
            inner.prop_map(|inner| json!({ "$defs": { "inner": inner }, "anyOf": [inner] })),
        ]
    })
}

/// An object some of whose members are required.
fn object(inner: impl Strategy<Value = Json>) -> impl Strategy<Value = Json> {
    btree_map("[a-z]{1,4}", (inner, any::<bool>()), 0..4).prop_map(|members| {
        let required: Vec<&String> =
            members.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name).collect();
        let properties: serde_json::Map<String, Json> =
            members.iter().map(|(name, (schema, _))| (name.clone(), schema.clone())).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    })
}

fn is_valid(schema: &Json, made: &Value) -> bool {
    let made = made.to_serde().expect("made values are plain");
    jsonschema::is_valid(schema, &made)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_made_is_valid_and_holds_no_more_than_asked_for(schema in object(schema())) {
        let server = Value::from_serde(schema.clone());
        let required = required_members(&server);
        let made = required.map_err(|problem| TestCaseError::fail(format!("{schema}: {problem}")))?;
        prop_assert!(is_valid(&schema, &made), "{schema}: {made}");
        let names = schema["required"].as_array().map_or(0, Vec::len);
        prop_assert_eq!(made.as_object().map(mcpspec_wire::Object::len), Some(names));

        let all = all_members(&server).map_err(|problem| TestCaseError::fail(format!("{schema}: {problem}")))?;
        prop_assert!(is_valid(&schema, &all), "{schema}: {all}");
        let names = schema["properties"].as_object().map_or(0, serde_json::Map::len);
        prop_assert_eq!(all.as_object().map(mcpspec_wire::Object::len), Some(names));
    }

    #[test]
    fn a_member_that_is_wanted_is_made(outer in object(schema()), inner in schema()) {
        let mut schema = outer;
        schema["properties"]["Outer"] = json!({ "type": "object", "properties": { "Inner": inner }, "default": {} });
        let path = ["Outer".to_owned(), "Inner".to_owned()];
        let made = required_members_and(&Value::from_serde(schema.clone()), &path)
            .map_err(|problem| TestCaseError::fail(format!("{schema}: {problem}")))?;
        prop_assert!(is_valid(&schema, &made), "{schema}: {made}");
        prop_assert!(made.pointer("/Outer/Inner").is_some(), "{schema}: {made}");
    }

    #[test]
    fn no_schema_makes_it_panic(schema in any_json()) {
        // What comes out is checked by the maker itself; here it has only to come out.
        let _ = required_members(&Value::from_serde(schema));
    }
}

/// JSON with the keywords of schemas in it, right or wrong.
fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(|number| json!(number)),
        prop_oneof![
            Just("string"),
            Just("object"),
            Just("#/properties/a"),
            Just("#"),
            Just("["),
            Just("")
        ]
        .prop_map(Json::from),
    ];
    let keyword = prop_oneof![
        Just("type"),
        Just("properties"),
        Just("required"),
        Just("a"),
        Just("$ref"),
        Just("anyOf"),
        Just("allOf"),
        Just("minLength"),
        Just("minimum"),
        Just("multipleOf"),
        Just("minItems"),
        Just("items"),
        Just("pattern"),
        Just("enum"),
        Just("default"),
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            proptest::collection::vec((keyword.clone(), inner), 0..4).prop_map(|members| members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}
