//! Validation by the few keywords of JSON Schema that the server's own schemas use.

use serde_json::{Map, Value};

/// Says why `value` is not valid under `schema`.
pub(crate) fn validate(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    Within { root: schema }.validate(schema, value, at)
}

/// Validation inside a schema, against which references are resolved.
#[derive(Clone, Copy)]
struct Within<'a> {
    root: &'a Value,
}

impl Within<'_> {
    fn validate(self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        if *schema == Value::Bool(false) {
            return Err(format!("there has to be no {at}"));
        }
        let Some(schema) = schema.as_object() else {
            return Ok(());
        };
        let text = |name: &str| schema.get(name).and_then(Value::as_str);
        if let Some(kind) = text("type")
            && !is_a(kind, value)
        {
            return Err(format!("{at} has to be of type {kind}"));
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array)
            && !choices.contains(value)
        {
            return Err(format!("{at} is not one of its choices"));
        }
        if schema.get("const").is_some_and(|due| due != value) {
            return Err(format!("{at} does not have its only value"));
        }
        self.validate_combined(schema, value, at)?;
        match value {
            Value::Object(object) => self.validate_object(schema, object, at),
            Value::Array(items) => self.validate_array(schema, items, at),
            Value::String(string) => validate_string(schema, string, at),
            Value::Number(number) => bounded(
                schema,
                ["minimum", "maximum"],
                number.as_f64().unwrap_or_default(),
                at,
                "value",
            ),
            Value::Null | Value::Bool(_) => Ok(()),
        }
    }

    /// The keywords that apply other schemas to the same value.
    fn validate_combined(
        self,
        schema: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let list = |name: &str| schema.get(name).and_then(Value::as_array);
        let fits = |other: &Value| self.validate(other, value, at).is_ok();
        let referred = schema.get("$ref").and_then(Value::as_str);
        let referred =
            referred.and_then(|reference| self.root.pointer(reference.strip_prefix('#')?));
        for other in referred
            .into_iter()
            .chain(list("allOf").into_iter().flatten())
        {
            self.validate(other, value, at)?;
        }
        let any = list("anyOf").is_none_or(|options| options.iter().any(fits));
        let one = list("oneOf")
            .is_none_or(|options| options.iter().filter(|option| fits(option)).count() == 1);
        if !any || !one {
            return Err(format!("{at} is not one of its choices"));
        }
        let branch = schema
            .get("if")
            .map(|condition| if fits(condition) { "then" } else { "else" });
        match branch.and_then(|branch| schema.get(branch)) {
            Some(other) => self.validate(other, value, at),
            None => Ok(()),
        }
    }

    fn validate_object(
        self,
        schema: &Map<String, Value>,
        object: &Map<String, Value>,
        at: &str,
    ) -> Result<(), String> {
        let list = |name: &str| {
            schema
                .get(name)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        if let Some(missing) = list("required")
            .filter_map(Value::as_str)
            .find(|name| !object.contains_key(*name))
        {
            return Err(format!("{at} lacks {missing}"));
        }
        for (name, value) in object {
            match schema
                .get("properties")
                .and_then(|properties| properties.get(name))
            {
                Some(property) => self.validate(property, value, &format!("{at}.{name}"))?,
                None if schema.get("additionalProperties") == Some(&Value::Bool(false)) => {
                    return Err(format!("{at} has a member {name:?}, which is unknown"));
                }
                None => {}
            }
        }
        Ok(())
    }

    fn validate_array(
        self,
        schema: &Map<String, Value>,
        items: &[Value],
        at: &str,
    ) -> Result<(), String> {
        bounded(
            schema,
            ["minItems", "maxItems"],
            items.len() as f64,
            at,
            "number of items",
        )?;
        let own = schema.get("prefixItems").and_then(Value::as_array);
        for (index, item) in items.iter().enumerate() {
            let own = own.and_then(|schemas| schemas.get(index));
            if let Some(item_schema) = own.or(schema.get("items")) {
                self.validate(item_schema, item, &format!("{at}[{index}]"))?;
            }
        }
        Ok(())
    }
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "null" => value.is_null(),
        _ => false,
    }
}

fn validate_string(schema: &Map<String, Value>, string: &str, at: &str) -> Result<(), String> {
    bounded(
        schema,
        ["minLength", "maxLength"],
        string.chars().count() as f64,
        at,
        "length",
    )?;
    match schema.get("format").and_then(Value::as_str) {
        Some("email")
            if !string
                .split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty()) =>
        {
            Err(format!("{at} is no e-mail address"))
        }
        _ => Ok(()),
    }
}

fn bounded(
    schema: &Map<String, Value>,
    names: [&str; 2],
    size: f64,
    at: &str,
    what: &str,
) -> Result<(), String> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let too_small = bound(names[0]).is_some_and(|least| size < least);
    let too_large = bound(names[1]).is_some_and(|most| size > most);
    if too_small || too_large {
        Err(format!("the {what} of {at} is out of bounds"))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problem(schema: Value, value: Value) -> Option<String> {
        validate(&schema, &value, "it").err()
    }

    #[test]
    fn each_keyword_is_held() {
        let object = json!({
            "type": "object",
            "properties": { "n": { "type": "integer", "minimum": 1 }, "s": { "type": "string", "maxLength": 2 } },
            "required": ["n"],
            "additionalProperties": false,
        });
        assert_eq!(
            problem(object.clone(), json!({ "n": 1.0, "s": "é世" })),
            None
        );
        for value in [
            json!([]),
            json!({}),
            json!({ "n": 0 }),
            json!({ "n": 1.5 }),
            json!({ "n": "1" }),
            json!({ "n": 1, "x": 1 }),
            json!({ "n": 1, "s": "abc" }),
        ] {
            assert!(problem(object.clone(), value.clone()).is_some(), "{value}");
        }
        let choice = json!({ "type": "array", "maxItems": 1, "items": { "type": "string", "enum": ["a", "b"] } });
        assert_eq!(problem(choice.clone(), json!(["a"])), None);
        assert!(problem(choice.clone(), json!(["c"])).is_some());
        assert!(problem(choice, json!(["a", "b"])).is_some());
        let pair = json!({ "prefixItems": [{ "type": "string" }], "items": false });
        assert_eq!(problem(pair.clone(), json!(["a"])), None);
        assert!(problem(pair.clone(), json!([1])).is_some());
        assert!(problem(pair, json!(["a", "b"])).is_some());
        let choices = json!({ "anyOf": [{ "required": ["a"] }, { "required": ["b"] }] });
        assert_eq!(problem(choices.clone(), json!({ "b": 1 })), None);
        assert!(problem(json!({ "allOf": [choices] }), json!({ "c": 1 })).is_some());
        let overlapping = json!({ "oneOf": [{ "minimum": 1 }, { "minimum": 2 }] });
        assert_eq!(problem(overlapping.clone(), json!(1)), None);
        assert!(problem(overlapping, json!(2)).is_some());
        let branches = json!({ "if": { "const": 1 }, "then": false, "else": { "type": "string" } });
        assert_eq!(problem(branches.clone(), json!("a")), None);
        for value in [json!(1), json!(2)] {
            assert!(problem(branches.clone(), value).is_some());
        }
        let referring =
            json!({ "$defs": { "a": { "type": "string" } }, "items": { "$ref": "#/$defs/a" } });
        assert_eq!(problem(referring.clone(), json!(["a"])), None);
        assert!(problem(referring, json!([1])).is_some());
        let titled = json!({ "type": "string", "oneOf": [{ "const": "a", "title": "A" }] });
        assert_eq!(problem(titled.clone(), json!("a")), None);
        assert!(problem(titled, json!("A")).is_some());
    }
}
