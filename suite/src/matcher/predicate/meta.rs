//! The keys of `_meta` (page `basic/index`, anchor `_meta`), and the ids of extensions, which follow the same rules.

use mcpspec_wire::Value;

use super::super::compare::child;
use super::super::finding::{Breach, Finding};
use super::super::format::is_token;
use super::message::members;

/// A rule on the keys of every `_meta` in a message, or on the trace values in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum MetaRule {
    /// Labels of a prefix begin with a letter and end with a letter or digit, with hyphens between.
    Label,
    /// The part after the prefix, unless empty, begins and ends alphanumeric, with `-`, `_` and `.` between.
    Name,
    /// A prefix is dot-separated labels, none of them empty, and a slash.
    Prefix,
    /// `traceparent`, `tracestate` and `baggage` are written as the W3C defines them.
    Trace,
}

impl MetaRule {
    pub(super) fn check(self, message: &Value) -> Finding {
        let mut breaches = Vec::new();
        for (pointer, name, member) in members(message) {
            let (true, Some(meta)) = (name == "_meta", member.as_object()) else {
                continue;
            };
            for (key, value) in meta.iter() {
                if let Some(rule) = self.broken(key, value) {
                    let pointer = child(&pointer, key);
                    breaches.push(Breach { pointer, rule });
                }
            }
        }
        Finding::of_breaches(breaches)
    }

    /// What is due where a key or its value breaks the rule.
    fn broken(self, key: &str, value: &Value) -> Option<String> {
        let (prefix, name) = match key.split_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, key),
        };
        let mut labels = prefix.into_iter().flat_map(|prefix| prefix.split('.'));
        match self {
            // An empty label is a fault of the prefix, not of the label.
            MetaRule::Label => labels
                .find(|label| !label.is_empty() && !is_label(label))
                .map(|label| format!("the label `{label}` begins with a letter, ends with a letter or digit, and has only letters, digits and hyphens")),
            MetaRule::Prefix => labels
                .any(str::is_empty)
                .then(|| "a prefix is labels with a dot between and a slash after".to_owned()),
            MetaRule::Name => (!is_name(name)).then(|| {
                format!("the name `{name}` begins and ends with a letter or digit, and has only letters, digits, `-`, `_` and `.`")
            }),
            MetaRule::Trace => {
                let fits = match key {
                    "traceparent" => is_traceparent,
                    "tracestate" => is_tracestate,
                    "baggage" => is_baggage,
                    _ => return None,
                };
                (!value.as_str().is_some_and(fits))
                    .then(|| format!("a `{key}` as the W3C defines it"))
            }
        }
    }
}

/// Whether every key of a map of extensions is one of `_meta` with a prefix (page `basic/versioning`, anchor
/// `extension-negotiation`).
pub(super) fn extension_ids(extensions: &Value) -> Finding {
    let Some(extensions) = extensions.as_object() else {
        return Finding::Holds;
    };
    let breaches = extensions
        .iter()
        .filter(|(id, _)| !is_extension_id(id))
        .map(|(id, _)| Breach {
            pointer: child("", id),
            rule:
                "the id of an extension is a prefix, labels with a dot between, a slash, and a name"
                    .to_owned(),
        });
    Finding::of_breaches(breaches.collect())
}

fn is_extension_id(id: &str) -> bool {
    id.split_once('/')
        .is_some_and(|(prefix, name)| prefix.split('.').all(is_label) && is_name(name))
}

fn is_label(label: &str) -> bool {
    label.starts_with(|first: char| first.is_ascii_alphabetic())
        && label.ends_with(|last: char| last.is_ascii_alphanumeric())
        && label
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn is_name(name: &str) -> bool {
    let is_edge = |character: char| character.is_ascii_alphanumeric();
    name.is_empty()
        || name.starts_with(is_edge)
            && name.ends_with(is_edge)
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// W3C Trace Context, `traceparent`: version, trace id, parent id and flags in lower-case hexadecimal digits.
fn is_traceparent(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_hex = |part: &&str, length: usize| {
        part.len() == length
            && part
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let lengths = [2, 32, 16, 2];
    parts.len() == lengths.len()
        && parts
            .iter()
            .zip(lengths)
            .all(|(part, length)| is_hex(part, length))
        && parts[0] != "ff"
        && !is_zero(parts[1])
        && !is_zero(parts[2])
}

/// W3C Trace Context, `tracestate`: at most 32 members `key=value` with commas between; empty members count for nothing.
fn is_tracestate(text: &str) -> bool {
    let is_key = |key: &str| {
        key.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit())
            && key.len() <= 256
            && key.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-*/@".contains(&byte)
            })
    };
    let is_value = |value: &str| {
        !value.is_empty()
            && value.len() <= 256
            && !value.ends_with(' ')
            && value
                .bytes()
                .all(|byte| matches!(byte, b' '..=b'~') && byte != b',' && byte != b'=')
    };
    let members: Vec<&str> = text
        .split(',')
        .map(|member| member.trim_matches([' ', '\t']))
        .filter(|member| !member.is_empty())
        .collect();
    members.len() <= 32
        && members.iter().all(|member| {
            member
                .split_once('=')
                .is_some_and(|(key, value)| is_key(key) && is_value(value))
        })
}

/// W3C Baggage: members `key=value;property…` with commas between.
fn is_baggage(text: &str) -> bool {
    let is_value = |value: &str| {
        value
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte))
    };
    let is_pair = |pair: &str, needs_value: bool| match pair.split_once('=') {
        Some((key, value)) => {
            is_token(key.trim_matches([' ', '\t'])) && is_value(value.trim_matches([' ', '\t']))
        }
        None => !needs_value && is_token(pair.trim_matches([' ', '\t'])),
    };
    text.split(',').all(|member| {
        let mut parts = member.split(';');
        parts.next().is_some_and(|pair| is_pair(pair, true))
            && parts.all(|property| is_pair(property, false))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn broken(rule: MetaRule, key: &str, value: serde_json::Value) -> bool {
        rule.broken(key, &Value::from(value)).is_some()
    }

    #[test]
    fn each_rule_sees_its_own_fault_only() {
        use MetaRule::{Label, Name, Prefix};
        for (key, faulty) in [
            ("progressToken", None),
            ("com.example/x", None),
            ("com.example/", None),
            ("io.modelcontextprotocol/serverInfo", None),
            ("a-b.c1/x-y_z.1", None),
            ("x/y", None),
            ("", None),
            ("1com.example/x", Some(Label)),
            ("com.example-/x", Some(Label)),
            ("com.exa_mple/x", Some(Label)),
            ("a..b/c", Some(Prefix)),
            ("/x", Some(Prefix)),
            (".a/x", Some(Prefix)),
            ("com.example/_private", Some(Name)),
            ("com.example/x-", Some(Name)),
            ("com.example/a/b", Some(Name)),
            ("_x", Some(Name)),
            ("a b", Some(Name)),
        ] {
            for rule in [Label, Prefix, Name] {
                assert_eq!(
                    broken(rule, key, json!(1)),
                    faulty == Some(rule),
                    "{key} {rule:?}"
                );
            }
        }
    }

    #[test]
    fn an_extension_has_a_prefix() {
        for (id, is_good) in [
            ("io.modelcontextprotocol/tasks", true),
            ("com.example/", true),
            ("tasks", false),
            ("/tasks", false),
            ("com..example/x", false),
            ("com.example/a/b", false),
            ("", false),
        ] {
            let finding = extension_ids(&Value::from(json!({ (id): {} })));
            assert_eq!(matches!(finding, Finding::Holds), is_good, "{id}");
        }
    }

    #[test]
    fn trace_values_are_those_of_the_w3c() {
        let id = "4bf92f3577b34da6a3ce929d0e0e4736";
        let good = format!("00-{id}-00f067aa0ba902b7-01");
        for (key, value, is_broken) in [
            ("traceparent", json!(good), false),
            ("traceparent", json!(good.to_uppercase()), true),
            ("traceparent", json!("abc"), true),
            ("traceparent", json!(7), true),
            (
                "traceparent",
                json!(format!("ff-{id}-00f067aa0ba902b7-01")),
                true,
            ),
            (
                "traceparent",
                json!(format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32))),
                true,
            ),
            (
                "tracestate",
                json!("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
                false,
            ),
            ("tracestate", json!("fw529a3039@dt=FfkVMZ, ,a=b"), false),
            ("tracestate", json!(""), false),
            ("tracestate", json!("Rojo=1"), true),
            ("tracestate", json!("rojo"), true),
            ("baggage", json!("a=1,b = 2;meta;p=3"), false),
            ("baggage", json!("a=%20x"), false),
            ("baggage", json!("a"), true),
            ("baggage", json!("a=b c"), true),
            ("baggage", json!(""), true),
            ("com.example/traceparent", json!(1), false),
        ] {
            assert_eq!(
                broken(MetaRule::Trace, key, value.clone()),
                is_broken,
                "{key} {value}"
            );
        }
    }

    #[test]
    fn every_meta_of_a_message_is_looked_at() {
        let message = Value::from(json!({
            "result": { "tools": [{ "_meta": { "_x": 1 } }], "_meta": { "ok": 1 } },
        }));
        let Finding::Breaks(breaches) = MetaRule::Name.check(&message) else {
            panic!("a breach");
        };
        assert_eq!(breaches.len(), 1);
        assert_eq!(breaches[0].pointer, "/result/tools/0/_meta/_x");
    }
}
