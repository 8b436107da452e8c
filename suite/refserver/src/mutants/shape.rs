//! Mutants that are edits of what is sent.

use serde_json::{Map, Value};

use super::rounds::asked;
use crate::{
    call::Call,
    rpc::{Kind, Message},
};

/// The messages that an edit is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum On {
    /// Results, errors or notifications of any method.
    Kind(Kind),
    /// Responses, results and errors alike, to requests with one of these methods.
    Response(&'static [&'static str]),
    /// Final results of requests with one of these methods.
    Complete(&'static [&'static str]),
    /// Final results of calls of this tool.
    Called(&'static str),
    /// Results that ask for input.
    InputRequired,
    /// Results that ask for input under this key.
    Asks(&'static str),
    /// Errors with this code.
    Error(i64),
    /// Notifications with this method.
    Notification(&'static str),
}

/// What is done at the pointer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Do {
    /// The member is left out.
    Remove,
    /// The member is this JSON text. Objects on the way are made where they are missing.
    Set(&'static str),
    /// The member, where it is there, has another name.
    Rename(&'static str),
}

/// One edit: which messages, where (a JSON pointer; `*` is every member or item, `=x` every item whose name or type is x), what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit(pub(super) On, pub(super) &'static str, pub(super) Do);

/// Makes the edit if the message is one of those it is for.
pub(super) fn apply(edit: &Edit, call: Option<&Call>, message: &mut Message) {
    let Edit(on, pointer, what) = edit;
    if concerns(*on, call, message) {
        let steps: Vec<String> = pointer
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~"))
            .collect();
        edit_object(&mut message.body, &steps, *what);
    }
}

fn concerns(on: On, call: Option<&Call>, message: &Message) -> bool {
    let result_type = || {
        message
            .body
            .get("result")
            .and_then(|result| result.get("resultType"))
            .and_then(Value::as_str)
    };
    match on {
        On::Kind(kind) => message.kind == kind,
        On::Response(methods) => message.is_response() && is_one_of(call, methods),
        On::Complete(methods) => {
            message.kind == Kind::Result
                && result_type() == Some("complete")
                && is_one_of(call, methods)
        }
        On::Called(tool) => {
            concerns(On::Complete(&["tools/call"]), call, message)
                && call
                    .and_then(|call| call.param("name"))
                    .and_then(Value::as_str)
                    == Some(tool)
        }
        On::InputRequired => {
            message.kind == Kind::Result && result_type() == Some("input_required")
        }
        On::Asks(key) => message
            .body
            .get("result")
            .and_then(Value::as_object)
            .and_then(asked)
            .is_some_and(|requests| requests.contains_key(key)),
        On::Error(code) => {
            message.kind == Kind::Error
                && message
                    .body
                    .get("error")
                    .and_then(|error| error.get("code"))
                    .and_then(Value::as_i64)
                    == Some(code)
        }
        On::Notification(method) => {
            message.kind == Kind::Notification && message.method() == method
        }
    }
}

fn is_one_of(call: Option<&Call>, methods: &[&str]) -> bool {
    call.is_some_and(|call| methods.contains(&call.method()))
}

fn edit_object(object: &mut Map<String, Value>, steps: &[String], what: Do) {
    match steps {
        [] => {}
        [name] if name == "*" => {
            for name in object.keys().cloned().collect::<Vec<_>>() {
                edit_member(object, &name, what);
            }
        }
        [name] => edit_member(object, name, what),
        [name, rest @ ..] if name == "*" => object
            .values_mut()
            .for_each(|value| edit_value(value, rest, what)),
        [name, rest @ ..] => {
            if matches!(what, Do::Set(_)) && !object.contains_key(name) {
                object.insert(name.clone(), Value::Object(Map::new()));
            }
            if let Some(value) = object.get_mut(name) {
                edit_value(value, rest, what);
            }
        }
    }
}

fn edit_value(value: &mut Value, steps: &[String], what: Do) {
    match (value, steps) {
        (Value::Object(object), _) => edit_object(object, steps, what),
        (Value::Array(items), [step, rest @ ..]) => {
            for (index, item) in items.iter_mut().enumerate() {
                if step == "*" || *step == index.to_string() || is_called(item, step) {
                    match (rest, what) {
                        ([], Do::Set(text)) => *item = parsed(text),
                        ([], _) => {}
                        _ => edit_value(item, rest, what),
                    }
                }
            }
        }
        _ => {}
    }
}

/// Whether a step `=x` leads to an item, by its name or its type.
fn is_called(item: &Value, step: &str) -> bool {
    step.strip_prefix('=').is_some_and(|called| {
        ["name", "type"]
            .iter()
            .any(|member| item[member].as_str() == Some(called))
    })
}

fn edit_member(object: &mut Map<String, Value>, name: &str, what: Do) {
    match what {
        Do::Remove => {
            object.shift_remove(name);
        }
        Do::Set(text) => {
            object.insert(name.to_owned(), parsed(text));
        }
        Do::Rename(new) => {
            if let Some(value) = object.shift_remove(name) {
                object.insert(new.to_owned(), value);
            }
        }
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text)
        .expect("the rows of the tables hold JSON texts, as a test of this file checks")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edited(mut value: Value, pointer: &str, what: Do) -> Value {
        let steps: Vec<String> = pointer.split('/').skip(1).map(str::to_owned).collect();
        edit_object(value.as_object_mut().unwrap(), &steps, what);
        value
    }

    #[test]
    fn an_edit_reaches_members_and_items() {
        let value = || json!({ "a": { "b": [{ "c": 1 }, { "c": 2 }] } });
        assert_eq!(
            edited(value(), "/a/b/*/c", Do::Remove),
            json!({ "a": { "b": [{}, {}] } })
        );
        assert_eq!(
            edited(value(), "/a/b/1/c", Do::Set("null")),
            json!({ "a": { "b": [{ "c": 1 }, { "c": null }] } })
        );
        assert_eq!(
            edited(value(), "/a/b", Do::Rename("d")),
            json!({ "a": { "d": [{ "c": 1 }, { "c": 2 }] } })
        );
        let items = || json!({ "a": [{ "name": "x" }, { "name": "y" }, { "type": "x" }] });
        assert_eq!(
            edited(items(), "/a/=x/b", Do::Set("1")),
            json!({ "a": [{ "name": "x", "b": 1 }, { "name": "y" }, { "type": "x", "b": 1 }] })
        );
        assert_eq!(
            edited(json!({}), "/x/y", Do::Set("[1]")),
            json!({ "x": { "y": [1] } })
        );
        assert_eq!(edited(json!({}), "/x/y", Do::Remove), json!({}));
    }
}
