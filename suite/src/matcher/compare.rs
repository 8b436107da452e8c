//! Comparing values: an order for sets, and where two values differ.

use std::cmp::Ordering;

use mcpspec_wire::{Object, Value};

/// Most differences that are told of one comparison.
const MOST: usize = 5;

/// Where two values differ: JSON pointer, what was expected and what was there.
pub(super) struct Difference<'a> {
    pub(super) pointer: String,
    pub(super) expected: Option<&'a Value>,
    pub(super) actual: Option<&'a Value>,
}

/// Whether an actual object may have members that the expected one does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Members {
    /// It has at least those.
    AtLeast,
    /// It has those and no others.
    Exactly,
}

/// The first differences between two values; none if they match.
pub(super) fn differences<'a>(
    expected: &'a Value,
    actual: &'a Value,
    members: Members,
    pointer: &str,
) -> Vec<Difference<'a>> {
    let mut found = Vec::new();
    compare(expected, actual, members, pointer, &mut found);
    found
}

fn compare<'a>(
    expected: &'a Value,
    actual: &'a Value,
    members: Members,
    pointer: &str,
    found: &mut Vec<Difference<'a>>,
) {
    if found.len() >= MOST {
        return;
    }
    let before = found.len();
    match (expected, actual) {
        (Value::Array(wanted), Value::Array(got)) if wanted.len() == got.len() => {
            for (index, (wanted, got)) in wanted.iter().zip(got).enumerate() {
                compare(wanted, got, members, &format!("{pointer}/{index}"), found);
            }
        }
        (Value::Object(wanted), Value::Object(got)) => {
            objects(wanted, got, members, pointer, found);
            // Members that share a name can differ without any that a lookup finds.
            if members == Members::Exactly && found.len() == before && wanted != got {
                found.push(Difference {
                    pointer: pointer.to_owned(),
                    expected: Some(expected),
                    actual: Some(actual),
                });
            }
        }
        _ if expected == actual => {}
        _ => found.push(Difference {
            pointer: pointer.to_owned(),
            expected: Some(expected),
            actual: Some(actual),
        }),
    }
}

fn objects<'a>(
    wanted: &'a Object,
    got: &'a Object,
    members: Members,
    pointer: &str,
    found: &mut Vec<Difference<'a>>,
) {
    for (name, value) in wanted.iter() {
        let pointer = child(pointer, name);
        match got.get(name) {
            Some(actual) => compare(value, actual, members, &pointer, found),
            None if found.len() < MOST => found.push(Difference {
                pointer,
                expected: Some(value),
                actual: None,
            }),
            None => {}
        }
    }
    if members == Members::AtLeast {
        return;
    }
    for (name, value) in got.iter() {
        if !wanted.contains_key(name) && found.len() < MOST {
            found.push(Difference {
                pointer: child(pointer, name),
                expected: None,
                actual: Some(value),
            });
        }
    }
}

/// The pointer of a member or item.
pub(super) fn child(pointer: &str, token: &str) -> String {
    format!("{pointer}/{}", token.replace('~', "~0").replace('/', "~1"))
}

/// A total order in which values are equal exactly if `==` says so.
pub(super) fn order(left: &Value, right: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    };
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => left.cmp_value(right),
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Array(left), Value::Array(right)) => lists(left.iter(), right.iter()),
        (Value::Object(left), Value::Object(right)) => {
            let (left, right) = (sorted(left), sorted(right));
            let names = |members: &[(&str, &Value)]| -> Vec<String> {
                members.iter().map(|(name, _)| (*name).to_owned()).collect()
            };
            names(&left).cmp(&names(&right)).then_with(|| {
                lists(
                    left.iter().map(|(_, value)| *value),
                    right.iter().map(|(_, value)| *value),
                )
            })
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

fn lists<'a>(
    mut left: impl Iterator<Item = &'a Value>,
    mut right: impl Iterator<Item = &'a Value>,
) -> Ordering {
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) => match order(left, right) {
                Ordering::Equal => {}
                other => return other,
            },
        }
    }
}

fn sorted(object: &Object) -> Vec<(&str, &Value)> {
    let mut members: Vec<_> = object.iter().collect();
    members.sort_by_key(|(name, _)| *name);
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pointers(
        expected: serde_json::Value,
        actual: serde_json::Value,
        members: Members,
    ) -> Vec<String> {
        let (expected, actual) = (Value::from(expected), Value::from(actual));
        differences(&expected, &actual, members, "")
            .into_iter()
            .map(|difference| difference.pointer)
            .collect()
    }

    #[test]
    fn differences_are_told_by_pointer() {
        use Members::{AtLeast, Exactly};
        for (expected, actual, members, found) in [
            (
                json!({ "a": 1 }),
                json!({ "a": 1.0, "b": 2 }),
                AtLeast,
                vec![],
            ),
            (
                json!({ "a": 1 }),
                json!({ "a": 1, "b/c": 2 }),
                Exactly,
                vec!["/b~1c"],
            ),
            (
                json!({ "a": [1, 2] }),
                json!({ "a": [1, 3] }),
                AtLeast,
                vec!["/a/1"],
            ),
            (json!([1]), json!([1, 2]), AtLeast, vec![""]),
            (json!({ "a": null }), json!({}), AtLeast, vec!["/a"]),
            (json!("1"), json!(1), Exactly, vec![""]),
            (json!({}), json!([]), AtLeast, vec![""]),
        ] {
            assert_eq!(
                pointers(expected.clone(), actual.clone(), members),
                found,
                "{expected} {actual}"
            );
        }
    }

    #[test]
    fn the_order_agrees_with_equality() {
        let values: Vec<Value> = [
            json!(null),
            json!(true),
            json!(1),
            json!(1.0),
            json!("1"),
            json!([1]),
            json!([1, 2]),
            json!({ "a": 1, "b": 2 }),
            json!({ "b": 2, "a": 1 }),
            json!({ "a": 1 }),
        ]
        .map(Value::from)
        .into();
        for left in &values {
            for right in &values {
                assert_eq!(order(left, right).is_eq(), left == right, "{left} {right}");
                assert_eq!(order(left, right), order(right, left).reverse());
            }
        }
    }
}
