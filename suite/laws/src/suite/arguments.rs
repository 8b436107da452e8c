//! Laws of values that are made for a schema.

use mcpspec::arguments::{all_members, required_members, required_members_and};
use mcpspec_wire::Value;
use serde_json::Value as Json;

use super::schema;

/// Longest schema that is looked at: building validators takes the time.
const MAX_LENGTH: usize = 4096;

/// What is made for a schema is valid under it, by a validator and by a slow reading; holds what it has to, and no more; and
/// is the same each time.
///
/// The input is the schema as JSON text.
///
/// # Panics
/// If one of that does not hold.
pub fn arguments(input: &[u8]) {
    let Ok(schema) = serde_json::from_slice::<Json>(input) else {
        return;
    };
    if input.len() > MAX_LENGTH {
        return;
    }
    let value = Value::from_serde(schema.clone());
    let properties = schema.get("properties").and_then(Json::as_object);
    if let Ok(made) = required_members(&value) {
        assert_eq!(required_members(&value).as_ref(), Ok(&made), "once more");
        let made = valid(&schema, &made);
        if is_plain(&schema) {
            let required = names(&schema);
            for name in made.as_object().expect("an object is made").keys() {
                assert!(
                    required.contains(&name.as_str()),
                    "{name} is not required: {made}"
                );
            }
        }
    }
    if let Ok(made) = all_members(&value) {
        let made = valid(&schema, &made);
        for (name, _) in properties.into_iter().flatten() {
            assert!(made.get(name).is_some(), "no {name} in {made}");
        }
    }
    let wanted = properties.and_then(|properties| properties.keys().next_back());
    if let Some(name) = wanted.cloned()
        && let Ok(made) = required_members_and(&value, std::slice::from_ref(&name))
    {
        let made = valid(&schema, &made);
        assert!(made.get(&name).is_some(), "no {name} in {made}");
    }
}

/// The made value, which has to be valid.
fn valid(schema: &Json, made: &Value) -> Json {
    let made = made.to_serde().expect("a made value is plain");
    if let Some(valid) = schema::is_valid(schema, schema, &made) {
        assert!(valid, "{made} breaks {schema}");
    }
    made
}

/// Whether its own `required` is all that requires members.
fn is_plain(schema: &Json) -> bool {
    ["$ref", "allOf"]
        .iter()
        .all(|keyword| schema.get(keyword).is_none())
}

fn names(schema: &Json) -> Vec<&str> {
    let required = schema.get("required").and_then(Json::as_array);
    required
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect()
}
