//! Making values of any type.

use mcpspec_wire::{Object, Value, planted};

use crate::matcher::fits_schema;

use super::{number, text};

/// Deepest nesting of a made value, references followed included.
const MAX_DEPTH: usize = 32;

/// How many schemas are looked at for one value, since references and alternatives can multiply without end.
const MAX_STEPS: usize = 10_000;

/// Most items of a made array.
const MAX_ITEMS: i64 = 1000;

/// Why a value cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no value can be made for the schema: {0}")]
pub struct Unmakeable(pub String);

/// An object with the members that a schema requires: defaults, else examples, else the smallest valid values. Arguments
/// of a tool.
pub fn required_members(schema: &Value) -> Result<Value, Unmakeable> {
    checked(schema, Members::Required, &[])
}

/// The same with one more member, which the names in `path` lead to.
pub fn required_members_and(schema: &Value, path: &[String]) -> Result<Value, Unmakeable> {
    checked(schema, Members::Required, path)
}

/// An object with every property of a schema: defaults, else the smallest valid values. Content for a form.
pub fn all_members(schema: &Value) -> Result<Value, Unmakeable> {
    checked(schema, Members::All, &[])
}

/// Which properties of an object are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Members {
    Required,
    /// All of the outermost object, and the required ones of those inside.
    All,
}

/// Makes a value that fits. Where its defaults and examples break the schema, it is made without them.
fn checked(schema: &Value, members: Members, wanted: &[String]) -> Result<Value, Unmakeable> {
    let attempt = |takes_hints: bool| {
        let mut maker = Maker {
            root: schema,
            members,
            wanted,
            takes_hints,
            steps: 0,
        };
        let made = maker.object(schema, "", 0)?;
        if !planted("made-unchecked") {
            fits_schema(schema, &made).map_err(Unmakeable)?;
        }
        Ok(made)
    };
    attempt(true).or_else(|_| attempt(false))
}

struct Maker<'a> {
    root: &'a Value,
    members: Members,
    /// The names that lead to a member which is made in any case.
    wanted: &'a [String],
    /// Whether defaults and examples are taken.
    takes_hints: bool,
    steps: usize,
}

impl<'a> Maker<'a> {
    fn make(&mut self, schema: &'a Value, at: &str, depth: usize) -> Result<Value, Unmakeable> {
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return Err(Unmakeable(format!("at `{at}` it goes on without end")));
        }
        match schema {
            Value::Bool(true) => return Ok(Value::from("x")),
            Value::Bool(false) => {
                return Err(Unmakeable(format!("`false` at `{at}` permits no value")));
            }
            _ => {}
        }
        if let Some(value) = self.given(schema).filter(|_| self.wanted_in(at).is_none()) {
            return Ok(value);
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self
                .target(reference)
                .ok_or_else(|| Unmakeable(format!("`$ref` at `{at}` leads outside the schema")))?;
            return self.make(target, at, depth + 1);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(choices) = schema.get(keyword).and_then(Value::as_array) {
                return self.first(choices, at, depth + 1);
            }
        }
        self.typed(schema, at, depth)
    }

    /// What the schema itself says a value could be.
    fn given(&self, schema: &Value) -> Option<Value> {
        let first = |name: &str| schema.get(name)?.as_array()?.first();
        let fixed = schema.get("const").or_else(|| first("enum"));
        let hint = || schema.get("default").or_else(|| first("examples"));
        fixed
            .or_else(|| hint().filter(|_| self.takes_hints))
            .cloned()
    }

    fn first(&mut self, choices: &'a [Value], at: &str, depth: usize) -> Result<Value, Unmakeable> {
        let mut failure = Unmakeable(format!("at `{at}` there is nothing to choose from"));
        for choice in choices {
            match self.make(choice, at, depth) {
                Ok(value) => return Ok(value),
                Err(problem) => failure = problem,
            }
        }
        Err(failure)
    }

    fn typed(&mut self, schema: &'a Value, at: &str, depth: usize) -> Result<Value, Unmakeable> {
        match type_of(schema) {
            "string" => text::smallest(schema)
                .map(Value::from)
                .map_err(|problem| Unmakeable(format!("{problem} at `{at}`"))),
            "integer" | "number" => number::smallest(schema, type_of(schema) == "integer")
                .map_err(|problem| Unmakeable(format!("{problem} at `{at}`"))),
            "boolean" => Ok(Value::from(false)),
            "null" => Ok(Value::Null),
            "array" => self.array(schema, at, depth),
            "object" => self.object(schema, at, depth),
            other => Err(Unmakeable(format!(
                "the type `{other}` at `{at}` is none of JSON"
            ))),
        }
    }

    fn array(&mut self, schema: &'a Value, at: &str, depth: usize) -> Result<Value, Unmakeable> {
        let least = schema.get("minItems").and_then(Value::as_i64).unwrap_or(0);
        if least > MAX_ITEMS {
            return Err(Unmakeable(format!("`minItems` at `{at}` is too many")));
        }
        let first = schema
            .get("prefixItems")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let mut items = Vec::new();
        for index in 0..usize::try_from(least).unwrap_or(0) {
            let of_item = first.get(index).or_else(|| schema.get("items"));
            let place = format!("{at}/{index}");
            let item = of_item.map_or(Ok(Value::from("x")), |of_item| {
                self.make(of_item, &place, depth + 1)
            })?;
            items.push(item);
        }
        Ok(Value::from(items))
    }

    fn object(&mut self, schema: &'a Value, at: &str, depth: usize) -> Result<Value, Unmakeable> {
        let mut made = Object::new();
        self.collect(schema, at, depth, &mut made)?;
        Ok(Value::Object(made))
    }

    /// Adds the members that one schema of an object asks for. Those that `allOf` holds ask for theirs too.
    fn collect(
        &mut self,
        schema: &'a Value,
        at: &str,
        depth: usize,
        made: &mut Object,
    ) -> Result<(), Unmakeable> {
        if depth > MAX_DEPTH {
            return Err(Unmakeable(format!("at `{at}` it goes on without end")));
        }
        if let Some(target) = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| self.target(reference))
        {
            self.collect(target, at, depth + 1, made)?;
        }
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .unwrap_or_default()
        {
            self.collect(part, at, depth + 1, made)?;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema
            .get("required")
            .and_then(Value::as_array)
            .unwrap_or_default();
        let mut names: Vec<&str> = required.iter().filter_map(Value::as_str).collect();
        if self.members == Members::All && at.is_empty() {
            names.extend(
                properties
                    .into_iter()
                    .flat_map(Object::iter)
                    .map(|(name, _)| name),
            );
        }
        names.extend(self.wanted_in(at));
        for name in names {
            if made.contains_key(name) {
                continue;
            }
            let place = format!("{at}/{name}");
            let value = match properties.and_then(|properties| properties.get(name)) {
                Some(property) => self.make(property, &place, depth + 1)?,
                None => Value::from("x"),
            };
            made.insert(name, value);
        }
        Ok(())
    }

    /// The wanted member of the object at a place, or that which leads to it.
    fn wanted_in(&self, at: &str) -> Option<&'a str> {
        let depth = at.matches('/').count();
        let leads_here = self.wanted[..depth.min(self.wanted.len())]
            .iter()
            .fold(String::new(), |at, name| at + "/" + name)
            == at;
        self.wanted
            .get(depth)
            .filter(|_| leads_here)
            .map(String::as_str)
    }

    /// What a reference inside the schema leads to.
    fn target(&self, reference: &str) -> Option<&'a Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }
}

/// The type that a schema asks for, the first but null of several; without one, what its keywords speak of.
fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => return name,
        Some(Value::Array(names)) => {
            let mut names = names.iter().filter_map(Value::as_str);
            return names
                .clone()
                .find(|name| *name != "null")
                .or_else(|| names.next())
                .unwrap_or("string");
        }
        _ => {}
    }
    let speaks_of =
        |keywords: &[&str]| keywords.iter().any(|keyword| schema.get(keyword).is_some());
    if speaks_of(&["properties", "required", "allOf"]) {
        "object"
    } else if speaks_of(&["items", "prefixItems", "minItems"]) {
        "array"
    } else if speaks_of(&[
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
    ]) {
        "number"
    } else {
        "string"
    }
}

#[cfg(test)]
mod tests {
    use mcpspec_wire::Document;

    use super::*;

    fn made(properties: &str, required: &str) -> Result<String, String> {
        let text =
            format!(r#"{{"type":"object","properties":{properties},"required":{required}}}"#);
        let schema = Document::parse(text.as_bytes())
            .expect("the test's JSON is right")
            .into_value();
        required_members(&schema)
            .map(|value| value.to_json())
            .map_err(|problem| problem.0)
    }

    #[test]
    fn only_required_members_are_made_for_a_call_and_all_of_them_for_a_form() {
        let text = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean","default":true}},"required":["a"]}"#;
        let schema = Document::parse(text.as_bytes())
            .expect("the test's JSON is right")
            .into_value();
        assert_eq!(
            required_members(&schema).expect("makeable").to_json(),
            r#"{"a":"x"}"#
        );
        assert_eq!(
            all_members(&schema).expect("makeable").to_json(),
            r#"{"a":"x","b":true}"#
        );
        assert_eq!(made("{}", "[]"), Ok("{}".to_owned()));
    }

    #[test]
    fn each_keyword_leads_to_a_valid_value() {
        for (schema, expected) in [
            (r#"{"type":"string"}"#, r#""x""#),
            (r#"{"type":"string","minLength":3}"#, r#""xxx""#),
            (r#"{"type":"string","maxLength":0}"#, r#""""#),
            (r#"{"type":"string","enum":["b","a"]}"#, r#""b""#),
            (r#"{"const":[1]}"#, "[1]"),
            (
                r#"{"type":"string","default":"d","examples":["e"]}"#,
                r#""d""#,
            ),
            (r#"{"type":"string","examples":["e"]}"#, r#""e""#),
            (r#"{"type":"string","default":"","minLength":1}"#, r#""x""#),
            (r#"{"type":"integer"}"#, "1"),
            (r#"{"type":"integer","minimum":5}"#, "5"),
            (r#"{"type":"integer","exclusiveMinimum":5}"#, "6"),
            (r#"{"type":"integer","maximum":-2.5}"#, "-3"),
            (r#"{"type":"integer","multipleOf":7}"#, "7"),
            (r#"{"type":"number","minimum":2.5}"#, "2.5"),
            (r#"{"type":"number","exclusiveMaximum":0}"#, "-1"),
            (r#"{"type":"boolean"}"#, "false"),
            (r#"{"type":["null","integer"]}"#, "1"),
            (r#"{"type":"null"}"#, "null"),
            (r#"{"type":"array","items":{"type":"integer"}}"#, "[]"),
            (
                r#"{"type":"array","items":{"type":"integer"},"minItems":2}"#,
                "[1,1]",
            ),
            (
                r#"{"type":"object","properties":{"a":{"type":"null"},"b":{}},"required":["a"]}"#,
                r#"{"a":null}"#,
            ),
            (
                r#"{"anyOf":[{"type":"string","pattern":"^\\d\\D\\d{9}$"},{"type":"boolean"}]}"#,
                "false",
            ),
            (
                r#"{"allOf":[{"properties":{"a":{"type":"integer"}},"required":["a"]}],"properties":{"b":{}},"required":["b"]}"#,
                r#"{"a":1,"b":"x"}"#,
            ),
            (r#"{"type":"string","format":"date"}"#, r#""2026-07-28""#),
            (r#"{"type":"string","pattern":"^[0-9]+$"}"#, r#""1""#),
            ("true", r#""x""#),
            ("{}", r#""x""#),
        ] {
            assert_eq!(
                made(&format!(r#"{{"v":{schema}}}"#), r#"["v"]"#),
                Ok(format!(r#"{{"v":{expected}}}"#)),
                "{schema}"
            );
        }
    }

    #[test]
    fn references_inside_the_schema_are_followed() {
        let text = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/n"}},"required":["a"],"$defs":{"n":{"type":"integer"}}}"##;
        let schema = Document::parse(text.as_bytes())
            .expect("the test's JSON is right")
            .into_value();
        assert_eq!(
            required_members(&schema).expect("makeable").to_json(),
            r#"{"a":1}"#
        );
    }

    #[test]
    fn what_cannot_be_made_names_the_keyword() {
        for (schema, keyword) in [
            (r#"{"type":"string","pattern":"^\\d\\D\\d{9}$"}"#, "pattern"),
            (
                r#"{"type":"array","items":{"type":"integer"},"minItems":2,"uniqueItems":true}"#,
                "non-unique",
            ),
            (r#"{"type":"array","minItems":2000}"#, "minItems"),
            (r#"{"type":"strange"}"#, "strange"),
            (r#"{"$ref":"https://example.com/x"}"#, "$ref"),
            (r##"{"$ref":"#/properties/v"}"##, "without end"),
            (r#"{"not":{}}"#, "not"),
            ("false", "false"),
        ] {
            let problem = made(&format!(r#"{{"v":{schema}}}"#), r#"["v"]"#).expect_err(schema);
            assert!(problem.contains(keyword), "{schema}: {problem}");
        }
    }
}
