//! A slow and plain reading of JSON Schema (2020-12), for the keywords that the shapes and simple input schemas use.

use std::cmp::Ordering;

use serde_json::{Map, Value};

/// Keywords that assert nothing.
const SILENT: &[&str] = &[
    "$comment",
    "$defs",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "default",
    "deprecated",
    "description",
    "examples",
    "format",
    "readOnly",
    "title",
    "writeOnly",
    "x-mcp-header",
];

/// How many schemas are applied before it is given up.
const MAX_STEPS: usize = 20_000;

/// Whether a value is valid under a schema. Nothing if the schema goes beyond what this reads, or on without end.
pub(crate) fn is_valid(schema: &Value, root: &Value, value: &Value) -> Option<bool> {
    Reading { root, steps: 0 }.valid(schema, value, 0)
}

struct Reading<'a> {
    root: &'a Value,
    steps: usize,
}

impl<'a> Reading<'a> {
    fn valid(&mut self, schema: &'a Value, value: &Value, depth: usize) -> Option<bool> {
        self.steps += 1;
        if self.steps > MAX_STEPS || depth > 60 {
            return None;
        }
        let keywords = match schema {
            Value::Bool(verdict) => return Some(*verdict),
            Value::Object(keywords) => keywords,
            _ => return None,
        };
        let mut valid = true;
        for (keyword, operand) in keywords {
            valid &= self.keyword(keyword, operand, keywords, value, depth + 1)?;
        }
        Some(valid)
    }

    /// How many of the schemas in a list hold.
    fn count(&mut self, schemas: &'a Value, value: &Value, depth: usize) -> Option<(usize, usize)> {
        let schemas = schemas.as_array().filter(|schemas| !schemas.is_empty())?;
        let mut count = 0;
        for schema in schemas {
            count += usize::from(self.valid(schema, value, depth)?);
        }
        Some((count, schemas.len()))
    }

    fn keyword(
        &mut self,
        keyword: &str,
        operand: &'a Value,
        keywords: &'a Map<String, Value>,
        value: &Value,
        depth: usize,
    ) -> Option<bool> {
        let bound = |wanted: fn(Ordering) -> bool| match value {
            Value::Number(_) => compare(value, operand).map(wanted),
            _ => operand.is_number().then_some(true),
        };
        let length = |length: Option<usize>, wanted: fn(&usize, &usize) -> bool| {
            let limit = usize::try_from(operand.as_u64()?).ok()?;
            Some(length.is_none_or(|length| wanted(&length, &limit)))
        };
        let characters = value.as_str().map(|text| text.chars().count());
        let items = value.as_array().map(Vec::len);
        match keyword {
            "$ref" => {
                let target = self.root.pointer(operand.as_str()?.strip_prefix('#')?)?;
                self.valid(target, value, depth)
            }
            "type" => types(operand, value),
            "const" => equal(operand, value),
            "enum" => {
                let mut found = false;
                for choice in operand.as_array()? {
                    found |= equal(choice, value)?;
                }
                Some(found)
            }
            "minimum" => bound(Ordering::is_ge),
            "maximum" => bound(Ordering::is_le),
            "exclusiveMinimum" => bound(Ordering::is_gt),
            "exclusiveMaximum" => bound(Ordering::is_lt),
            "multipleOf" => {
                let (step, number) = (operand.as_i64().filter(|step| *step > 0)?, value);
                match number {
                    Value::Number(number) => Some(number.as_i64()? % step == 0),
                    _ => Some(true),
                }
            }
            "minLength" => length(characters, usize::ge),
            "maxLength" => length(characters, usize::le),
            "minItems" => length(items, usize::ge),
            "maxItems" => length(items, usize::le),
            "required" => {
                let names = operand.as_array()?;
                let mut all = true;
                for name in names {
                    let name = name.as_str()?;
                    all &= value
                        .as_object()
                        .is_none_or(|object| object.contains_key(name));
                }
                Some(all)
            }
            "properties" => {
                let properties = operand.as_object()?;
                let mut valid = true;
                for (name, schema) in properties {
                    if let Some(member) = value.as_object().and_then(|object| object.get(name)) {
                        valid &= self.valid(schema, member, depth)?;
                    }
                }
                Some(valid)
            }
            "additionalProperties" => {
                let known = keywords.get("properties").and_then(Value::as_object);
                if keywords.contains_key("patternProperties") {
                    return None;
                }
                let mut valid = true;
                for (name, member) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        valid &= self.valid(operand, member, depth)?;
                    }
                }
                Some(valid)
            }
            "prefixItems" => {
                let schemas = operand.as_array()?;
                let mut valid = true;
                for (schema, item) in schemas.iter().zip(value.as_array().into_iter().flatten()) {
                    valid &= self.valid(schema, item, depth)?;
                }
                Some(valid)
            }
            "items" => {
                let first = match keywords.get("prefixItems") {
                    Some(schemas) => schemas.as_array()?.len(),
                    None => 0,
                };
                let mut valid = true;
                for item in value.as_array().into_iter().flatten().skip(first) {
                    valid &= self.valid(operand, item, depth)?;
                }
                Some(valid)
            }
            "allOf" => {
                let (count, of) = self.count(operand, value, depth)?;
                Some(count == of)
            }
            "anyOf" => Some(self.count(operand, value, depth)?.0 > 0),
            "oneOf" => Some(self.count(operand, value, depth)?.0 == 1),
            "not" => Some(!self.valid(operand, value, depth)?),
            "if" => {
                let branch = if self.valid(operand, value, depth)? {
                    "then"
                } else {
                    "else"
                };
                match keywords.get(branch) {
                    Some(schema) => self.valid(schema, value, depth),
                    None => Some(true),
                }
            }
            "then" | "else" => Some(true),
            _ => SILENT.contains(&keyword).then_some(true),
        }
    }
}

fn types(operand: &Value, value: &Value) -> Option<bool> {
    let names = match operand {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    let mut fits = false;
    for name in names {
        fits |= match name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "number" => value.is_number(),
            "integer" => {
                value.is_i64()
                    || value.is_u64()
                    || value.as_f64().is_some_and(|double| double.fract() == 0.0)
            }
            _ => return None,
        };
    }
    Some(fits)
}

/// The order of two numbers. Nothing where a double would have to stand for an integer that it cannot hold.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    if let (Some(left), Some(right)) = (integer(left), integer(right)) {
        return Some(left.cmp(&right));
    }
    let exact = |value: &Value| {
        let double = value.as_f64()?;
        (double.abs() < 9e15).then_some(double)
    };
    exact(left)?.partial_cmp(&exact(right)?)
}

fn integer(value: &Value) -> Option<i128> {
    value
        .as_i64()
        .map(i128::from)
        .or_else(|| value.as_u64().map(i128::from))
}

/// Whether two values are equal, numbers by value.
pub(crate) fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => compare(left, right).map(Ordering::is_eq),
        (Value::Array(left), Value::Array(right)) => {
            let mut same = left.len() == right.len();
            for (left, right) in left.iter().zip(right) {
                same &= equal(left, right)?;
            }
            Some(same)
        }
        (Value::Object(left), Value::Object(right)) => {
            let mut same = left.len() == right.len();
            for (name, left) in left {
                match right.get(name) {
                    Some(right) => same &= equal(left, right)?,
                    None => same = false,
                }
            }
            Some(same)
        }
        _ => Some(left == right),
    }
}
