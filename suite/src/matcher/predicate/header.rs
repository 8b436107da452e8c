//! `x-mcp-header` annotations in an inputSchema (page `server/tools`, anchor `x-mcp-header`).

use std::collections::BTreeMap;

use mcpspec_wire::{Number, Object, Value};

use super::super::compare::child;
use super::super::finding::{Breach, Finding};
use super::super::format::is_token;
use super::secret::is_secret;

const ANNOTATION: &str = "x-mcp-header";

/// The greatest integer that every JSON reader keeps exactly.
const SAFE: i64 = 9_007_199_254_740_991;

/// Keywords whose value is a map of schemas by names that are no keywords.
const MAPS: [&str; 6] = [
    "$defs",
    "definitions",
    "dependencies",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Keywords whose value is a schema, or a list of them.
const SCHEMAS: [&str; 16] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// A rule on every annotation in an inputSchema. What deserves only a warning does not break it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum HeaderRule {
    /// The annotation has no control characters.
    NoControl,
    /// The annotated property is not named like a secret, nor written as one. Names only suggest it.
    NoSecret,
    /// The annotation is not the empty string.
    NotEmpty,
    /// The annotated property has one of the types integer, string and boolean, or a union of one of them with null, or none.
    Primitive,
    /// The annotation is reached from the root through `properties` alone.
    Reachable,
    /// Bounds and values of an annotated integer are within the safe range.
    SafeInteger,
    /// The annotation is an HTTP token.
    Token,
    /// The annotated property has exactly one of the types integer, string and boolean.
    Typed,
    /// Annotations differ, letter case aside.
    Unique,
}

/// An annotation and the schema it stands in.
struct Annotation<'a> {
    pointer: String,
    value: &'a Value,
    schema: &'a Object,
    is_reachable: bool,
}

impl HeaderRule {
    pub(super) fn check(self, schema: &Value) -> Finding {
        let mut annotations = Vec::new();
        collect(schema, "", true, &mut annotations);
        if self == HeaderRule::Unique {
            return Finding::of_breaches(repeated(&annotations));
        }
        Finding::of_breaches(
            annotations
                .iter()
                .filter_map(|annotation| self.broken(annotation))
                .collect(),
        )
    }

    fn broken(self, annotation: &Annotation<'_>) -> Option<Breach> {
        let schema_at = annotation
            .pointer
            .strip_suffix(&child("", ANNOTATION))
            .unwrap_or_default();
        let breach = |pointer: String, rule: &str| {
            Some(Breach {
                pointer,
                rule: rule.to_owned(),
            })
        };
        match self {
            HeaderRule::Token if !annotation.value.as_str().is_some_and(is_token) => {
                breach(annotation.pointer.clone(), "an HTTP token")
            }
            HeaderRule::NotEmpty if annotation.value.as_str() == Some("") => {
                breach(annotation.pointer.clone(), "not empty")
            }
            HeaderRule::NoControl if has_control(annotation.value) => {
                breach(annotation.pointer.clone(), "no control characters")
            }
            HeaderRule::NoSecret
                if is_secret(
                    schema_at.rsplit('/').next().unwrap_or_default(),
                    annotation.schema,
                ) =>
            {
                breach(
                    annotation.pointer.clone(),
                    "no secret, since headers are logged on their way",
                )
            }
            HeaderRule::Typed => {
                let is_one = annotation.schema.get("type").is_some_and(is_one_primitive);
                (!is_one).then(|| Breach {
                    pointer: child(schema_at, "type"),
                    rule: "exactly one of integer, string and boolean".to_owned(),
                })
            }
            HeaderRule::Reachable if !annotation.is_reachable => breach(
                annotation.pointer.clone(),
                "reached from the root through `properties` alone",
            ),
            HeaderRule::Primitive => {
                let kind = annotation.schema.get("type")?;
                (!is_primitive(kind)).then(|| Breach {
                    pointer: child(schema_at, "type"),
                    rule: "integer, string or boolean".to_owned(),
                })
            }
            HeaderRule::SafeInteger => {
                let unsafe_at = unsafe_number(annotation.schema)?;
                breach(
                    format!("{schema_at}{unsafe_at}"),
                    "an integer from -(2^53-1) to 2^53-1",
                )
            }
            _ => None,
        }
    }
}

/// All annotations in a schema. Data under `enum`, `const`, `default` and `examples` is no schema.
fn collect<'a>(
    schema: &'a Value,
    pointer: &str,
    is_reachable: bool,
    found: &mut Vec<Annotation<'a>>,
) {
    let Some(object) = schema.as_object() else {
        return;
    };
    for (keyword, value) in object.iter() {
        let pointer = child(pointer, keyword);
        if keyword == ANNOTATION {
            found.push(Annotation {
                pointer,
                value,
                schema: object,
                is_reachable,
            });
        } else if MAPS.contains(&keyword) {
            let is_reachable = is_reachable && keyword == "properties";
            for (name, schema) in value.as_object().into_iter().flat_map(Object::iter) {
                collect(schema, &child(&pointer, name), is_reachable, found);
            }
        } else if SCHEMAS.contains(&keyword) {
            collect(value, &pointer, false, found);
            for (index, schema) in value.as_array().into_iter().flatten().enumerate() {
                collect(schema, &format!("{pointer}/{index}"), false, found);
            }
        }
    }
}

fn repeated(annotations: &[Annotation<'_>]) -> Vec<Breach> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let mut breaches = Vec::new();
    for annotation in annotations {
        let Some(name) = annotation.value.as_str() else {
            continue;
        };
        match seen.get(&name.to_ascii_lowercase()) {
            Some(first) => breaches.push(Breach {
                pointer: annotation.pointer.clone(),
                rule: format!("another name than at {first}"),
            }),
            None => {
                seen.insert(name.to_ascii_lowercase(), &annotation.pointer);
            }
        }
    }
    breaches
}

/// One of the three types, or a union of one of them with null, which is only advised against.
fn is_primitive(kind: &Value) -> bool {
    match kind {
        Value::Array(kinds) => {
            let mut others = kinds.iter().filter(|kind| kind.as_str() != Some("null"));
            others.next().is_some_and(is_one_primitive) && others.next().is_none()
        }
        kind => is_one_primitive(kind),
    }
}

fn is_one_primitive(kind: &Value) -> bool {
    matches!(kind.as_str(), Some("integer" | "string" | "boolean"))
}

fn has_control(annotation: &Value) -> bool {
    annotation
        .as_str()
        .is_some_and(|name| name.chars().any(|character| character.is_ascii_control()))
}

/// Pointer inside a schema of the first number that is out of the safe range, if the schema is that of an integer.
fn unsafe_number(schema: &Object) -> Option<String> {
    let is_integer = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind.as_str() == Some("integer")),
        kind => kind.and_then(Value::as_str) == Some("integer"),
    };
    if !is_integer {
        return None;
    }
    let is_unsafe = |value: &Value| {
        value
            .as_number()
            .is_some_and(|number| *number > Number::from(SAFE) || *number < Number::from(-SAFE))
    };
    let bounds = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "default",
        "const",
    ];
    let single = bounds
        .into_iter()
        .find(|name| schema.get(name).is_some_and(is_unsafe))
        .map(|name| format!("/{name}"));
    single.or_else(|| {
        let listed = schema.get("enum")?.as_array()?;
        let index = listed.iter().position(is_unsafe)?;
        Some(format!("/enum/{index}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pointers(rule: HeaderRule, schema: serde_json::Value) -> Vec<String> {
        match rule.check(&Value::from(schema)) {
            Finding::Breaks(breaches) => {
                breaches.into_iter().map(|breach| breach.pointer).collect()
            }
            Finding::Holds => Vec::new(),
            Finding::Unknown(reason) => panic!("{reason}"),
        }
    }

    fn property(schema: serde_json::Value) -> serde_json::Value {
        json!({ "type": "object", "properties": { "a": schema } })
    }

    #[test]
    fn annotations_are_tokens() {
        for (name, is_token) in [
            (json!("Region"), true),
            (json!(""), false),
            (json!("My Region"), false),
            (json!("Region\r\nX-Evil: 1"), false),
            (json!(7), false),
        ] {
            let schema = property(json!({ "type": "string", "x-mcp-header": name }));
            assert_eq!(
                pointers(HeaderRule::Token, schema).is_empty(),
                is_token,
                "{name}"
            );
        }
    }

    #[test]
    fn an_empty_annotation_and_one_with_control_characters_are_told_apart() {
        for (name, is_empty, has_control) in [
            (json!("Region"), false, false),
            (json!(""), true, false),
            (json!("My Region"), false, false),
            (json!("Region\r\nX-Evil: 1"), false, true),
            (json!("Region\u{7f}"), false, true),
            (json!(7), false, false),
        ] {
            let schema = property(json!({ "type": "string", "x-mcp-header": name }));
            let breaks = |rule| !pointers(rule, schema.clone()).is_empty();
            assert_eq!(breaks(HeaderRule::NotEmpty), is_empty, "{name}");
            assert_eq!(breaks(HeaderRule::NoControl), has_control, "{name}");
        }
    }

    #[test]
    fn annotations_differ_in_more_than_letter_case() {
        let schema = json!({ "properties": {
            "a": { "x-mcp-header": "Region" },
            "b": { "properties": { "c": { "x-mcp-header": "region" } } },
            "d": { "x-mcp-header": "Zone" },
        } });
        assert_eq!(
            pointers(HeaderRule::Unique, schema),
            ["/properties/b/properties/c/x-mcp-header"]
        );
    }

    #[test]
    fn annotations_stand_on_primitives() {
        for (kind, is_primitive) in [
            (json!("string"), true),
            (json!("integer"), true),
            (json!("boolean"), true),
            (json!(["string", "null"]), true),
            (json!("number"), false),
            (json!("object"), false),
            (json!("null"), false),
            (json!(["string", "integer"]), false),
            (json!(["null"]), false),
        ] {
            let schema = property(json!({ "type": kind, "x-mcp-header": "X" }));
            assert_eq!(
                pointers(HeaderRule::Primitive, schema).is_empty(),
                is_primitive,
                "{kind}"
            );
        }
        let untyped = property(json!({ "x-mcp-header": "X" }));
        assert!(pointers(HeaderRule::Primitive, untyped.clone()).is_empty());
        let union = property(json!({ "type": ["string", "null"], "x-mcp-header": "X" }));
        let typed = property(json!({ "type": "boolean", "x-mcp-header": "X" }));
        for (schema, is_typed) in [(untyped, false), (union, false), (typed, true)] {
            assert_eq!(
                pointers(HeaderRule::Typed, schema.clone()).is_empty(),
                is_typed,
                "{schema}"
            );
        }
    }

    #[test]
    fn annotations_are_reached_through_properties_alone() {
        let annotated = json!({ "type": "string", "x-mcp-header": "X" });
        for (schema, pointer) in [
            (property(annotated.clone()), None),
            (property(property(annotated.clone())), None),
            (
                property(json!({ "items": annotated })),
                Some("/properties/a/items/x-mcp-header"),
            ),
            (
                json!({ "anyOf": [property(annotated.clone())] }),
                Some("/anyOf/0/properties/a/x-mcp-header"),
            ),
            (
                json!({ "$defs": { "x": annotated } }),
                Some("/$defs/x/x-mcp-header"),
            ),
            (property(json!({ "default": annotated })), None),
            (property(json!({ "enum": [annotated] })), None),
            (
                json!({ "properties": { "x-mcp-header": { "type": "number" } } }),
                None,
            ),
        ] {
            assert_eq!(
                pointers(HeaderRule::Reachable, schema.clone()),
                pointer.into_iter().collect::<Vec<_>>(),
                "{schema}"
            );
        }
    }

    #[test]
    fn integers_stay_in_the_safe_range() {
        for (schema, pointer) in [
            (
                json!({ "type": "integer", "maximum": 9_007_199_254_740_991_u64 }),
                None,
            ),
            (
                json!({ "type": "integer", "maximum": 9_223_372_036_854_775_807_u64 }),
                Some("/properties/a/maximum"),
            ),
            (
                json!({ "type": "integer", "enum": [1, -9_007_199_254_740_992_i64] }),
                Some("/properties/a/enum/1"),
            ),
            (json!({ "type": "string", "default": 1e300 }), None),
        ] {
            let mut annotated = schema.clone();
            annotated["x-mcp-header"] = json!("X");
            assert_eq!(
                pointers(HeaderRule::SafeInteger, property(annotated)),
                pointer.into_iter().collect::<Vec<_>>(),
                "{schema}"
            );
        }
    }
}
