//! Small changes to an example.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// What an object may have: names of members, each with the words of which its schema lists one.
pub(crate) type Members = BTreeMap<String, BTreeSet<String>>;

/// What was done at a pointer. All but the first three give the place a value of that kind, also where there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// The member or item is gone.
    Drop,
    /// The string, array or object has nothing in it.
    Empty,
    /// The string has a tail, so that it is no longer one of those that are listed.
    Tail,
    Null,
    Boolean,
    Integer,
    Negative,
    Fraction,
    String,
    /// An array of a string.
    Strings,
    /// An array of a number.
    Numbers,
    /// An object whose only member is a number.
    Object,
    /// One of the words that the schema of the member lists.
    Word,
    /// An array of such a word.
    Words,
}

/// An example with every single change, each with the pointer to where it was made. `members` are what an object may be given beside what it has.
pub(crate) fn changed(
    example: &Value,
    members: &Members,
) -> impl Iterator<Item = (String, Change, Value)> {
    let mut places = Vec::new();
    collect(example, "", members, &mut places);
    let example = example.clone();
    places.into_iter().map(move |(pointer, change, value)| {
        let mut whole = example.clone();
        put(&mut whole, &pointer, value);
        (pointer, change, whole)
    })
}

/// A change: where, what, and the value that is there then.
type Place = (String, Change, Option<Value>);

fn collect(value: &Value, pointer: &str, members: &Members, places: &mut Vec<Place>) {
    let retyped = samples()
        .into_iter()
        .filter(|(change, sample)| {
            kind(sample) != kind(value)
                || *change == Change::Fraction
                || *change == Change::Negative
        })
        .map(|(change, sample)| (pointer.to_owned(), change, Some(sample)));
    places.extend(retyped);
    let emptied = match value {
        Value::String(text) => {
            let tail = Value::from(format!("{text}-x"));
            places.push((pointer.to_owned(), Change::Tail, Some(tail)));
            Some(Value::from(""))
        }
        Value::Array(_) => Some(json!([])),
        Value::Object(_) => Some(Value::Object(Map::new())),
        _ => None,
    };
    if let Some(emptied) = emptied {
        places.push((pointer.to_owned(), Change::Empty, Some(emptied)));
    }
    if !pointer.is_empty() {
        places.push((pointer.to_owned(), Change::Drop, None));
    }
    match value {
        Value::Object(object) => {
            for (name, member) in object {
                collect(member, &step(pointer, name), members, places);
            }
            for (name, words) in members {
                let pointer = step(pointer, name);
                if !object.contains_key(name) {
                    let added =
                        samples().map(|(change, sample)| (pointer.clone(), change, Some(sample)));
                    places.extend(added);
                }
                for word in words
                    .iter()
                    .filter(|word| object.get(name) != Some(&json!(word)))
                {
                    places.push((pointer.clone(), Change::Word, Some(json!(word))));
                    places.push((pointer.clone(), Change::Words, Some(json!([word]))));
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{pointer}/{index}"), members, places);
            }
        }
        _ => {}
    }
}

/// A value of each kind.
fn samples() -> [(Change, Value); 9] {
    [
        (Change::Null, Value::Null),
        (Change::Boolean, json!(true)),
        (Change::Integer, json!(7)),
        (Change::Negative, json!(-7)),
        (Change::Fraction, json!(0.5)),
        (Change::String, json!("other")),
        (Change::Strings, json!(["other"])),
        (Change::Numbers, json!([7])),
        (Change::Object, json!({ "other": 7 })),
    ]
}

fn kind(value: &Value) -> std::mem::Discriminant<Value> {
    std::mem::discriminant(value)
}

fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Gives the place a value, or takes it away.
fn put(whole: &mut Value, pointer: &str, value: Option<Value>) {
    let Some((parent, last)) = pointer.rsplit_once('/') else {
        *whole = value.expect("the whole is never dropped");
        return;
    };
    let last = last.replace("~1", "/").replace("~0", "~");
    match (whole.pointer_mut(parent), value) {
        (Some(Value::Object(object)), Some(value)) => {
            object.insert(last, value);
        }
        (Some(Value::Object(object)), None) => {
            object.remove(&last);
        }
        (Some(Value::Array(items)), value) => {
            let index: usize = last.parse().expect("the step into an array is an index");
            match value {
                Some(value) => items[index] = value,
                None => drop(items.remove(index)),
            }
        }
        _ => panic!("{pointer} leads into nothing"),
    }
}
