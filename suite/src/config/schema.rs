//! The JSON Schema of `mcpspec.toml`, for editors (`mcpspec schema config`).
//!
//! It knows keys, types and closed lists. What JSON Schema cannot say, such as which profiles and environment variables there
//! are, or that no two targets have one name, only the reader tells.

use serde_json::{Map, Value, json};

use crate::spec::{NAMINGS, PropertyValue, TRIGGERS, TriggerKind};

use super::target::CALL_TOOLS;

/// The schema as indented JSON, ending in a line feed.
pub fn json_schema() -> String {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "mcpspec.toml",
        "description": "Which servers `mcpspec check` judges, and what it cannot find out by itself.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "target": {
                "description": "The servers that are judged where the command line names none.",
                "type": "array",
                "items": { "$ref": "#/$defs/target" },
            },
            "triggers": {
                "description": "Requests that make every one of the servers do what some cases have to see.",
                "$ref": "#/$defs/triggers",
            },
        },
        "$defs": {
            "target": target(),
            "triggers": triggers(),
            "named": named(),
            "text": {
                "description": "`${NAME}` is the value of an environment variable, `$${` is `${` itself.",
                "type": "string",
                "pattern": REFERENCES,
            },
            "value": { "allOf": [{ "$ref": "#/$defs/text" }, { "minLength": 1 }] },
            "duration": {
                "description": "500ms, 2s, 1m or 8h; a number is milliseconds.",
                "anyOf": [
                    { "type": "string", "pattern": "^[0-9]+(ms|s|m|h)$" },
                    { "type": "number", "minimum": 0 },
                ],
            },
        },
    });
    format!("{schema:#}\n")
}

/// A text in which every `${` is closed around a name, unless a dollar sign stands before it.
const REFERENCES: &str = r"^([^$]|\$+[^${]|\$\$+\{|\$\{[A-Za-z0-9_]+\})*\$*$";

fn target() -> Value {
    json!({
        "type": "object",
        "required": ["name"],
        "anyOf": [{ "required": ["command"] }, { "required": ["url"] }],
        "dependentRequired": {
            "bearer-env": ["url"],
            "cwd": ["command"],
            "low-scope-bearer-env": ["url"],
            "second-bearer-env": ["url"],
        },
        "allOf": [filled("env", "command"), filled("headers", "url")],
        "additionalProperties": false,
        "properties": {
            "bearer-env": bearer("Environment variable that holds the bearer token of every HTTP request."),
            "call-tools": {
                "description": "Which tools may be called: those that say they only read (readonly, the default), those that are named here or by a profile (listed), all, or none.",
                "enum": CALL_TOOLS,
            },
            "command": {
                "description": "The words of the server's command, judged over stdio; with a url, it is started first, and the url is judged.",
                "type": "array",
                "minItems": 1,
                "prefixItems": [{ "$ref": "#/$defs/text", "pattern": r"\S" }],
                "items": { "$ref": "#/$defs/text" },
            },
            "cwd": { "description": "Working directory of the command.", "$ref": "#/$defs/value" },
            "env": {
                "description": "Environment variables of the command.",
                "type": "object",
                "propertyNames": { "pattern": "^[^=]+$" },
                "additionalProperties": { "$ref": "#/$defs/text" },
            },
            "headers": {
                "description": "Headers of every HTTP request.",
                "type": "object",
                "propertyNames": { "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
                "additionalProperties": { "$ref": "#/$defs/text", "pattern": "^[\\t -~]*$" },
            },
            "low-scope-bearer-env": bearer("Environment variable that holds a token which may do less."),
            "name": { "description": "What the report calls it.", "type": "string", "minLength": 1 },
            "profile": {
                "description": "Name of the profile whose triggers are used.",
                "type": "string",
                "minLength": 1,
            },
            "second-bearer-env": bearer("Environment variable that holds a token of another user."),
            "startup-timeout": time("How long the command may take to start; 20s if nothing is said."),
            "timeout": time("How long an answer may take; 10s if nothing is said."),
            "triggers": {
                "description": "Requests that make this server do what some cases have to see.",
                "$ref": "#/$defs/triggers",
            },
            "url": {
                "description": "The server's endpoint, judged over HTTP.",
                "$ref": "#/$defs/value",
                "pattern": r"^\s*[Hh][Tt][Tt][Pp][Ss]?:|\$\{",
            },
        },
    })
}

fn bearer(description: &str) -> Value {
    json!({ "description": description, "type": "string", "pattern": "^[A-Za-z0-9_]+$" })
}

/// A duration of more than nothing.
fn time(description: &str) -> Value {
    json!({
        "description": description,
        "type": "string",
        "pattern": "^0*[1-9][0-9]*(ms|s|m|h)$",
    })
}

/// A table that is of no use without another key, unless it is empty.
fn filled(table: &str, needs: &str) -> Value {
    json!({
        "if": { "required": [table], "properties": { table: { "minProperties": 1 } } },
        "then": { "required": [needs] },
    })
}

fn triggers() -> Value {
    let kinds: Map<String, Value> = TRIGGERS
        .iter()
        .map(|kind| (kind.name.to_owned(), trigger(kind, None)))
        .collect();
    json!({ "type": "object", "additionalProperties": false, "properties": kinds })
}

/// That a request names what it is about.
fn named() -> Value {
    let namings = NAMINGS.iter().map(|naming| {
        let (method, member, what) = (naming.method, naming.member, naming.what);
        let name = json!({ "description": format!("The {member} of the {what}."), "type": "string", "minLength": 1 });
        json!({
            "if": { "required": ["method"], "properties": { "method": { "const": method } } },
            "then": {
                "required": ["params"],
                "properties": { "params": { "required": [member], "properties": { member: name } } },
            },
        })
    });
    json!({ "allOf": namings.collect::<Vec<Value>>() })
}

/// A trigger, or a variant of one, which has none of its own.
fn trigger(kind: &TriggerKind, variant: Option<&str>) -> Value {
    let variants = if variant.is_none() {
        kind.variants
    } else {
        &[]
    };
    let mut properties = Map::new();
    let mut add = |name: &str, schema: Value| properties.insert(name.to_owned(), schema);
    add(
        "method",
        match kind.methods(variant) {
            [] => json!({ "type": "string", "minLength": 1 }),
            methods => json!({ "enum": methods }),
        },
    );
    add(
        "params",
        json!({ "description": "Without _meta.", "type": "object" }),
    );
    add(
        "capabilities",
        json!({ "description": "clientCapabilities that the request needs.", "type": "object" }),
    );
    if kind.may_be_command {
        add(
            "command",
            json!({ "description": "A shell command in place of the request.", "type": "string", "minLength": 1 }),
        );
    }
    for variant in variants {
        add(variant, trigger(kind, Some(variant)));
    }
    for property in kind.properties {
        add(
            property.name,
            match property.value {
                PropertyValue::Flag => json!({ "type": "boolean" }),
                PropertyValue::Duration if property.least.is_zero() => {
                    json!({ "$ref": "#/$defs/duration" })
                }
                // Of a duration that is a text no schema can tell.
                PropertyValue::Duration => json!({
                    "allOf": [
                        { "$ref": "#/$defs/duration" },
                        { "minimum": property.least.as_millis() },
                    ],
                }),
                PropertyValue::Text => json!({ "type": "string" }),
                PropertyValue::Object => json!({ "type": "object" }),
            },
        );
    }
    // It has a request, a command, or at least a variant; params and capabilities belong to a method.
    let mut some: Vec<Value> = vec![json!({ "required": ["method"] })];
    if kind.may_be_command {
        some.push(json!({ "required": ["command"] }));
    }
    some.extend(
        variants
            .iter()
            .map(|variant| json!({ "required": [variant] })),
    );
    json!({
        "description": format!("Makes the server {}.", kind.makes),
        "$ref": "#/$defs/named",
        "type": "object",
        "anyOf": some,
        "not": { "required": ["method", "command"] },
        "dependentRequired": { "params": ["method"], "capabilities": ["method"] },
        "additionalProperties": false,
        "properties": properties,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use jsonschema::Validator;
    use proptest::prelude::*;

    use super::*;
    use crate::config::target::KEYS;
    use crate::config::{Settings, Surroundings};

    static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
        let schema = serde_json::from_str(&json_schema()).expect("the schema is JSON");
        assert!(jsonschema::meta::is_valid(&schema));
        jsonschema::validator_for(&schema).expect("the schema compiles")
    });

    fn fits(text: &str) -> bool {
        let table: toml::Table = text.parse().expect("it is TOML");
        VALIDATOR.is_valid(&serde_json::to_value(table).expect("it has no dates"))
    }

    fn is_read(text: &str) -> Result<(), String> {
        let around = Surroundings {
            variables: &|name| Some(name.to_owned()),
            profiles: &["official"],
            is_chosen: &|_| true,
        };
        let read = Settings::read("mcpspec.toml", text, &around);
        read.map(drop).map_err(|faults| format!("{faults:?}"))
    }

    #[test]
    fn it_has_the_keys_of_the_reader() {
        let schema: Value = serde_json::from_str(&json_schema()).expect("the schema is JSON");
        let properties = schema["$defs"]["target"]["properties"].as_object();
        let known: Vec<&String> = properties.expect("there are some").keys().collect();
        assert_eq!(known, KEYS);
    }

    #[test]
    fn every_example_of_the_readme_and_every_profile_fits() {
        let readme = include_str!("../../../README.md");
        let blocks = readme.split("```toml\n").skip(1);
        let blocks: Vec<&str> = blocks
            .filter_map(|block| block.split("```").next())
            .collect();
        assert!(blocks.len() >= 2, "the README has examples");
        for text in blocks {
            assert_eq!(is_read(text), Ok(()), "{text}");
            assert!(fits(text), "{text}");
        }
        for profiles in [
            include_str!("../../../cases/profiles/official.toml"),
            include_str!("../../../cases/profiles/reference.toml"),
            include_str!("../../../cases/profiles/targets.toml"),
        ] {
            let profiles: toml::Table = profiles.parse().expect("it is TOML");
            for profile in profiles["profile"].as_array().expect("profiles are a list") {
                let triggers = serde_json::to_value(&profile["triggers"]).expect("it has no dates");
                assert!(
                    VALIDATOR.is_valid(&json!({ "triggers": triggers })),
                    "{profile}"
                );
            }
        }
    }

    /// What both refuse. Each is one step from what both take.
    #[test]
    fn what_a_schema_can_tell_is_refused_by_both() {
        let target = "[[target]]\nname = \"a\"\ncommand = [\"a\"]\nurl = \"http://h/\"\n";
        let trigger = "[triggers.list-change]\nmethod = \"m\"\nparams = {}\n";
        for text in [target, trigger] {
            assert_eq!(is_read(text), Ok(()), "{text}");
            assert!(fits(text), "{text}");
        }
        for (text, from, to) in [
            (target, "name", "nme"),
            (target, "name = \"a\"\n", ""),
            (target, "\"a\"\n", "\"\"\n"),
            (target, "[\"a\"]", "\"a\""),
            (target, "[\"a\"]", "[]"),
            (target, "[\"a\"]", "[1]"),
            (target, "[\"a\"]", "[\"${A\"]"),
            (target, "[\"a\"]", "[\"${}\"]"),
            (target, "[\"a\"]", "[\"${A-B}\"]"),
            (target, "http:", "ftp:"),
            (target, "command = [\"a\"]\nurl = \"http://h/\"\n", ""),
            (target, "command = [\"a\"]", "cwd = \"a\""),
            (target, "command = [\"a\"]", "env = { A = \"a\" }"),
            (target, "url = \"http://h/\"", "headers = { A = \"a\" }"),
            (target, "url", "call-tools = \"some\"\nurl"),
            (target, "url", "profile = 1\nurl"),
            (target, "url", "env = { \"A=B\" = \"a\" }\nurl"),
            (target, "url", "headers = { \"a b\" = \"a\" }\nurl"),
            (target, "url", "headers = { a = \"\u{e9}\" }\nurl"),
            (target, "url", "triggers = { a = {} }\nurl"),
            (target, "[[target]]", "[target]"),
            (trigger, "triggers", "trigger"),
            (trigger, "list-change", "list-changed"),
            (trigger, "method = \"m\"\n", ""),
            (trigger, "method = \"m\"\nparams = {}\n", ""),
            (trigger, "params = {}", "command = \"c\""),
            (trigger, "params = {}", "params = []"),
            (trigger, "params = {}", "lasts = \"2s\""),
            (trigger, "params = {}", "tools = {}"),
            (
                trigger,
                "params = {}",
                "tools = { method = \"m\", tools = { method = \"m\" } }",
            ),
            (trigger, "list-change]\nmethod", "slow-tool]\ncommand"),
            (trigger, "list-change", "slow-tool"),
            (
                trigger,
                "method = \"m\"\nparams = {}",
                "method = \"tools/call\"",
            ),
            (trigger, "\"m\"\nparams = {}", "\"tools/call\"\nparams = {}"),
            (
                trigger,
                "\"m\"\nparams = {}",
                "\"tools/call\"\nparams = { name = 5 }",
            ),
            (
                trigger,
                "\"m\"\nparams = {}",
                "\"resources/read\"\nparams = { uri = \"\" }",
            ),
            (
                trigger,
                "list-change]\nmethod = \"m\"\nparams = {}",
                "error-tool.prompt]\nmethod = \"tools/call\"\nparams = { name = \"a\" }",
            ),
            (
                trigger,
                "list-change",
                "slow-tool]\nlasts = \"soon\"\n[triggers.slow-tool",
            ),
        ] {
            let text = text.replacen(from, to, 1);
            assert!(is_read(&text).is_err(), "the reader takes:\n{text}");
            if text.parse::<toml::Table>().is_ok() {
                assert!(!fits(&text), "the schema takes:\n{text}");
            }
        }
        for (property, is_right) in [
            ("lasts = \"soon\"", false),
            ("lasts = \"2s\"", true),
            ("lasts = 1500.5", true),
            ("lasts = 1499.5", false),
            ("lasts = -1", false),
            ("cancellable = \"yes\"", false),
            ("cancellable = true", true),
        ] {
            let text = format!("[triggers.slow-tool]\nmethod = \"tools/list\"\n{property}\n");
            assert_eq!(is_read(&text).is_ok(), is_right, "{text}");
            assert_eq!(fits(&text), is_right, "{text}");
        }
    }

    /// Values of a key of a target: right ones and wrong ones.
    fn pools(key: &str) -> (Value, Value) {
        match key {
            "bearer-env" => (json!(["A_1", "A"]), json!(["A-B", "", 1])),
            "low-scope-bearer-env" | "second-bearer-env" => {
                (json!(["B_1", "B"]), json!(["A-B", "", 1]))
            }
            "startup-timeout" | "timeout" => (json!(["2s", "010ms"]), json!([5, 1.5, "0s", "2"])),
            "call-tools" => (json!(["all", "none"]), json!(["some", 1])),
            "command" => (
                json!([["a", ""], ["$${a}"], ["${A_1}b"], ["$$${"]]),
                json!([[], ["${"], [" "], "a"]),
            ),
            "cwd" | "name" => (json!(["a", "b$"]), json!(["", {}])),
            "env" => (
                json!([{ "A": "", "b c": "${A}" }, {}]),
                json!([{ "": "a" }, { "A": 1 }]),
            ),
            "headers" => (
                json!([{ "X-A": "a\tb" }, {}]),
                json!([{ "a:": "b" }, { "a": "\u{7f}" }]),
            ),
            "profile" => (json!(["official"]), json!([""])),
            "triggers" => (
                json!([{}, { "icons": { "method": "m" } }]),
                json!([{ "icons": {} }, []]),
            ),
            "url" => (
                json!(["https://h/", "HTTP://${A}:${A}@h"]),
                json!(["ftp://h", ""]),
            ),
            _ => panic!("give values for the key {key}"),
        }
    }

    /// A value of a key, mostly a right one. None: the key is not there.
    fn member(key: &str) -> BoxedStrategy<Option<Value>> {
        let one_of = |pool: Value| {
            let values = pool.as_array().expect("a pool is a list").clone();
            prop::sample::select(values).prop_map(Some)
        };
        let (right, wrong) = pools(key);
        prop_oneof![12 => one_of(right), 1 => one_of(wrong), 6 => Just(None)].boxed()
    }

    proptest! {
        #[test]
        fn the_schema_and_the_reader_take_the_same_targets(members in KEYS.map(member)) {
            let members = KEYS.iter().zip(members).filter_map(|(key, value)| Some(((*key).to_owned(), value?)));
            let target: Map<String, Value> = members.collect();
            let text = toml::to_string(&json!({ "target": [target] })).expect("it is TOML");
            prop_assert_eq!(fits(&text), is_read(&text).is_ok(), "{:?}\n{}", is_read(&text), text);
        }
    }
}
