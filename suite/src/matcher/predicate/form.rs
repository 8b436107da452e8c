//! Whether the parts of a form agree (page `client/elicitation`, anchor `requested-schema`).
//!
//! What has another type than it should is passed over: the shapes judge that.

use std::cmp::Ordering;

use mcpspec_wire::{Object, Value};

use super::super::compare::child;
use super::super::finding::Finding;
use super::secret::is_secret;

/// Lower and upper bounds that go together.
const BOUNDS: [(&str, &str); 3] = [
    ("minItems", "maxItems"),
    ("minLength", "maxLength"),
    ("minimum", "maximum"),
];

/// The bounds of a field leave something between them, its default is one of its choices, and it has as many names as choices.
pub(super) fn field_is_consistent(field: &Value) -> Finding {
    for (low, high) in BOUNDS {
        let bound = |name: &str| field.get(name).and_then(Value::as_number);
        if let (Some(least), Some(most)) = (bound(low), bound(high))
            && least.cmp_value(most) == Ordering::Greater
        {
            return breach(low, &format!("at most {high}"));
        }
    }
    if let (Some(choices), Some(default)) = (choices(field), field.get("default")) {
        let defaults = default.as_array().unwrap_or(std::slice::from_ref(default));
        if !defaults.iter().all(|default| choices.contains(&default)) {
            return breach("default", "one of the choices");
        }
    }
    let length = |name: &str| {
        field
            .get(name)
            .and_then(Value::as_array)
            .map(<[Value]>::len)
    };
    match (length("enum"), length("enumNames")) {
        (Some(choices), Some(names)) if choices != names => {
            breach("enumNames", "as many names as enum has choices")
        }
        _ => Finding::Holds,
    }
}

/// Every name in `required` of a form is among its properties.
pub(super) fn required_fields_exist(form: &Value) -> Finding {
    let required = form.get("required").and_then(Value::as_array);
    let missing = required.into_iter().flatten().position(|name| {
        name.as_str().is_some_and(|name| {
            form.get("properties")
                .and_then(|properties| properties.get(name))
                .is_none()
        })
    });
    missing.map_or(Finding::Holds, |index| {
        breach(&format!("required/{index}"), "the name of a property")
    })
}

/// No property of a form is named like a secret. A guess: the names of what is entered are free.
pub(super) fn asks_no_secret(form: &Value) -> Finding {
    let fields = form.get("properties").and_then(Value::as_object);
    let secret = fields
        .into_iter()
        .flat_map(Object::iter)
        .find(|(name, field)| {
            field
                .as_object()
                .is_some_and(|schema| is_secret(name, schema))
        });
    secret.map_or(Finding::Holds, |(name, _)| {
        Finding::breach(
            child("/properties", name),
            "no field for a secret".to_owned(),
        )
    })
}

/// What can be chosen, if the field is a choice.
fn choices(field: &Value) -> Option<Vec<&Value>> {
    let items = field.get("items");
    plain(field, "enum")
        .or_else(|| titled(field, "oneOf"))
        .or_else(|| plain(items?, "enum"))
        .or_else(|| titled(items?, "anyOf"))
}

fn plain<'a>(schema: &'a Value, keyword: &str) -> Option<Vec<&'a Value>> {
    Some(schema.get(keyword)?.as_array()?.iter().collect())
}

fn titled<'a>(schema: &'a Value, keyword: &str) -> Option<Vec<&'a Value>> {
    let options = schema.get(keyword)?.as_array()?;
    options.iter().map(|option| option.get("const")).collect()
}

fn breach(pointer: &str, rule: &str) -> Finding {
    Finding::breach(format!("/{pointer}"), rule.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bounds_defaults_and_names_agree() {
        let titled = json!([{ "const": "a", "title": "A" }]);
        for (field, holds) in [
            (
                json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
                true,
            ),
            (
                json!({ "type": "string", "minLength": 2, "maxLength": 1 }),
                false,
            ),
            (
                json!({ "type": "string", "minLength": "2", "maxLength": 1 }),
                true,
            ),
            (
                json!({ "type": "number", "minimum": 0.5, "maximum": 0.25 }),
                false,
            ),
            (
                json!({ "type": "array", "items": { "enum": ["a"] }, "minItems": 2, "maxItems": 1 }),
                false,
            ),
            (
                json!({ "type": "string", "enum": ["a"], "default": "a" }),
                true,
            ),
            (
                json!({ "type": "string", "enum": ["a"], "default": "b" }),
                false,
            ),
            (
                json!({ "type": "string", "oneOf": titled, "default": "b" }),
                false,
            ),
            (
                json!({ "type": "array", "items": { "enum": ["a"] }, "default": ["a"] }),
                true,
            ),
            (
                json!({ "type": "array", "items": { "anyOf": titled }, "default": ["a", "b"] }),
                false,
            ),
            (json!({ "type": "string", "default": "b" }), true),
            (
                json!({ "type": "string", "enum": ["a"], "enumNames": ["A"] }),
                true,
            ),
            (
                json!({ "type": "string", "enum": ["a"], "enumNames": [] }),
                false,
            ),
            (json!(5), true),
        ] {
            let finding = field_is_consistent(&Value::from(field.clone()));
            assert_eq!(finding == Finding::Holds, holds, "{field} {finding:?}");
        }
    }

    #[test]
    fn a_field_for_a_password_is_one_for_a_secret() {
        for (fields, holds) in [
            (json!({ "password": { "type": "string" } }), false),
            (json!({ "user": {}, "apiKey": { "type": "string" } }), false),
            (json!({ "reset_password": { "type": "boolean" } }), true),
            (json!({ "passport": { "type": "string" } }), true),
        ] {
            let form = json!({ "properties": fields });
            let finding = asks_no_secret(&Value::from(form.clone()));
            assert_eq!(finding == Finding::Holds, holds, "{form} {finding:?}");
        }
        assert_eq!(asks_no_secret(&Value::from(json!({}))), Finding::Holds);
    }

    #[test]
    fn required_names_are_those_of_properties() {
        for (form, holds) in [
            (
                json!({ "properties": { "a": {} }, "required": ["a"] }),
                true,
            ),
            (json!({ "properties": { "a": {} } }), true),
            (
                json!({ "properties": { "a": {} }, "required": ["a", "b"] }),
                false,
            ),
            (json!({ "required": ["a"] }), false),
            (json!({ "properties": {}, "required": "a" }), true),
        ] {
            let finding = required_fields_exist(&Value::from(form.clone()));
            assert_eq!(finding == Finding::Holds, holds, "{form} {finding:?}");
        }
    }
}
