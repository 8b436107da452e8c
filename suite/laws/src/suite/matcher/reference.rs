//! The table of operators, read slowly. What it leaves out is what takes an engine of its own: expressions, formats,
//! predicates and schemas.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::suite::schema::equal;

/// Whether a value, or its absence, matches. Nothing where this reads no further.
pub(super) fn matches(matcher: &Value, value: Option<&Value>, is_status: bool) -> Option<bool> {
    match matcher {
        Value::Object(entries) if entries.is_empty() => Some(value.is_some()),
        Value::Object(entries) => {
            let mut all = true;
            for (name, operand) in entries {
                all &= match name.strip_prefix('$') {
                    Some(literal) if literal.starts_with('$') => member(literal, operand, value)?,
                    Some(operator) if !operator.starts_with('(') => {
                        holds(operator, operand, value, is_status)?
                    }
                    _ => member(name, operand, value)?,
                };
            }
            Some(all)
        }
        Value::Array(items) => {
            let Some(Value::Array(values)) = value else {
                return Some(false);
            };
            let mut all = items.len() == values.len();
            for (item, value) in items.iter().zip(values) {
                all &= matches(item, Some(value), false)?;
            }
            Some(all)
        }
        Value::String(class) if is_status && ["2xx", "4xx", "5xx"].contains(&class.as_str()) => {
            let hundred = i64::from(class.as_bytes()[0] - b'0');
            let Some(status) = value.filter(|value| value.is_number()) else {
                return Some(false);
            };
            let status = status.as_i64().or_else(|| {
                let double = status.as_f64().filter(|double| double.fract() == 0.0)?;
                (double.abs() < 1e15).then_some(double as i64)
            });
            Some(
                status.is_some_and(|status| (hundred * 100..hundred * 100 + 100).contains(&status)),
            )
        }
        scalar => match value {
            Some(value) => equal(scalar, value),
            None => Some(false),
        },
    }
}

fn member(name: &str, matcher: &Value, value: Option<&Value>) -> Option<bool> {
    match value {
        Some(Value::Object(members)) => matches(matcher, members.get(name), name == "status"),
        _ => Some(false),
    }
}

fn holds(operator: &str, operand: &Value, value: Option<&Value>, is_status: bool) -> Option<bool> {
    match operator {
        "absent" => Some(value.is_none()),
        "not" => Some(!matches(operand, value, is_status)?),
        "any" => {
            let mut any = false;
            for alternative in operand.as_array()? {
                any |= matches(alternative, value, is_status)?;
            }
            Some(any)
        }
        "eq" => value.map_or(Some(false), |value| equal(operand, value)),
        "is" => is(operand.as_str()?, value),
        "gte" => bound(operand, value, Ordering::is_ge),
        "lte" => bound(operand, value, Ordering::is_le),
        "len" => {
            let length = match value {
                Some(Value::Array(items)) => items.len(),
                Some(Value::Object(members)) => members.len(),
                Some(Value::String(text)) => text.chars().count(),
                _ => return Some(false),
            };
            matches(operand, Some(&length.into()), false)
        }
        "each" => {
            let mut all = true;
            for item in items(value) {
                all &= matches(operand, Some(item), false)?;
            }
            Some(all && countable(value))
        }
        "some" => {
            let mut any = false;
            for item in items(value) {
                any |= matches(operand, Some(item), false)?;
            }
            Some(any)
        }
        "same_items" => same_items(operand.as_array()?, value),
        "unique_by" if operand == "." => {
            let Some(Value::Array(items)) = value else {
                return None;
            };
            let mut unique = true;
            for (index, item) in items.iter().enumerate() {
                for other in &items[..index] {
                    unique &= !equal(item, other)?;
                }
            }
            Some(unique)
        }
        _ => None,
    }
}

/// The items of a list or the values of an object; none of anything else.
fn items(value: Option<&Value>) -> Vec<&Value> {
    match value {
        Some(Value::Array(items)) => items.iter().collect(),
        Some(Value::Object(members)) => Map::values(members).collect(),
        _ => Vec::new(),
    }
}

fn countable(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.is_array() || value.is_object())
}

fn is(name: &str, value: Option<&Value>) -> Option<bool> {
    let Some(value) = value else {
        return Some(false);
    };
    Some(match name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "integer" => {
            let double = value.as_f64();
            value.is_i64() || value.is_u64() || double.is_some_and(|double| double.fract() == 0.0)
        }
        _ => return None,
    })
}

fn bound(operand: &Value, value: Option<&Value>, wanted: fn(Ordering) -> bool) -> Option<bool> {
    match (operand, value) {
        (Value::String(operand), Some(Value::String(value))) => {
            Some(wanted(value.chars().cmp(operand.chars())))
        }
        (Value::Number(_), Some(value @ Value::Number(_))) => {
            crate::suite::schema::compare(value, operand).map(wanted)
        }
        _ => Some(false),
    }
}

fn same_items(wanted: &[Value], value: Option<&Value>) -> Option<bool> {
    let Some(Value::Array(items)) = value else {
        return Some(false);
    };
    let mut left: Vec<&Value> = items.iter().collect();
    for wanted in wanted {
        let mut place = None;
        for (index, item) in left.iter().enumerate() {
            if equal(wanted, item)? {
                place = Some(index);
            }
        }
        match place {
            Some(place) => drop(left.swap_remove(place)),
            None => return Some(false),
        }
    }
    Some(left.is_empty())
}
