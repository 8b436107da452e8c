//! The JSON Schema of a case file, for editors (`cases/case.schema.json`).
//!
//! It knows keys and closed lists. What JSON Schema cannot say, such as which names are known where, only lint tells.

use serde_json::{Map, Value, json};

use crate::matcher::OPERATORS;

use super::Condition;

/// Fields of every step that has an outcome.
const OUTCOME: [&str; 3] = ["expect", "else", "given"];

/// Fields of every step that uses a link.
const LINKED: [&str; 2] = ["link", "within"];

/// A step as the schema knows it.
struct StepFields {
    key: &'static str,
    /// What stands after the key: `text`, `name`, `names` or `how`.
    takes: &'static str,
    /// Fields of its own.
    own: &'static [&'static str],
    /// Groups of common fields that it has.
    common: &'static [&'static [&'static str]],
}

/// The nine steps.
const STEPS: [StepFields; 9] = [
    StepFields {
        key: "send",
        takes: "text",
        own: &[
            "capabilities",
            "envelope",
            "era",
            "headers",
            "id",
            "marked",
            "meta",
            "open",
            "params",
            "repeat",
            "write",
        ],
        common: &[&OUTCOME, &LINKED],
    },
    StepFields {
        key: "retry",
        takes: "name",
        own: &[
            "answers",
            "capabilities",
            "envelope",
            "headers",
            "id",
            "meta",
            "open",
            "state",
        ],
        common: &[&OUTCOME, &LINKED],
    },
    StepFields {
        key: "notify",
        takes: "text",
        own: &["envelope", "era", "headers", "meta", "params", "write"],
        common: &[&OUTCOME, &LINKED],
    },
    StepFields {
        key: "raw",
        takes: "text",
        own: &["headers"],
        common: &[&OUTCOME, &LINKED],
    },
    StepFields {
        key: "http",
        takes: "text",
        own: &["body", "headers", "url"],
        common: &[&OUTCOME, &LINKED],
    },
    StepFields {
        key: "await",
        takes: "names",
        own: &["some", "within"],
        common: &[&OUTCOME],
    },
    StepFields {
        key: "silence",
        takes: "names",
        own: &["else", "for", "grace", "of", "since"],
        common: &[],
    },
    StepFields {
        key: "cancel",
        takes: "name",
        own: &[],
        common: &[],
    },
    StepFields {
        key: "stop",
        takes: "how",
        own: &[],
        common: &[&OUTCOME, &LINKED],
    },
];

/// Fields of every step.
const EVERY: [&str; 3] = ["after", "as", "when"];

/// The schema as indented JSON, ending in a line feed.
pub fn json_schema() -> String {
    let steps: Vec<Value> = STEPS.iter().map(step_schema).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A case of mcpspec",
        "description": "The contract is cases/README.md.",
        "type": "object",
        "required": ["summary", "requirement"],
        "oneOf": [{ "required": ["steps"] }, { "required": ["watch", "expect"] }, { "required": ["compare"] }],
        "additionalProperties": false,
        "properties": case_properties(),
        "$defs": {
            "step": { "oneOf": steps },
            "alternative": {
                "description": "A matcher with a grade, best first.",
                "type": "object",
                "required": ["grade"],
                "properties": {
                    "grade": { "enum": ["pass", "note", "warn", "fail", "inconclusive", "skip"] },
                    "note": { "type": "string" },
                    "when": { "$ref": "#/$defs/when" },
                },
            },
            "alternatives": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/alternative" } },
            "matcher": {
                "description": format!("Operators: {}.", OPERATORS.join(", ")),
                "type": ["object", "array", "string", "number", "boolean", "null"],
            },
            "condition": {
                "anyOf": [
                    { "enum": Condition::words() },
                    { "type": "string", "pattern": "^(not )?version\\.[0-9]{4}-[0-9]{2}-[0-9]{2}$" },
                    { "type": "string", "pattern": "^not " },
                ],
            },
            "when": {
                "anyOf": [
                    { "$ref": "#/$defs/condition" },
                    { "type": "array", "items": { "$ref": "#/$defs/condition" } },
                ],
            },
            "name": { "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]*$" },
            "names": {
                "anyOf": [
                    { "$ref": "#/$defs/name" },
                    { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/name" } },
                ],
            },
            "duration": { "type": "string", "pattern": "^([0-9]+(ms|s|m|h)|\\$\\(.*\\))$" },
            "placeholder": { "type": "string", "pattern": "^\\$\\(.*\\)$" },
            "map": { "anyOf": [{ "type": "object" }, { "$ref": "#/$defs/placeholder" }] },
        },
    });
    format!("{schema:#}\n")
}

fn case_properties() -> Value {
    json!({
        "summary": {
            "description": "What a keeping server does, without a modal verb.",
            "type": "string",
            "minLength": 1,
            "maxLength": 80,
        },
        "requirement": {
            "description": "Ids of the registry that the case decides.",
            "anyOf": [
                { "type": "string" },
                { "type": "array", "minItems": 1, "uniqueItems": true, "items": { "type": "string" } },
            ],
        },
        "why": { "description": "Why anyone cares.", "type": "string" },
        "transports": {
            "description": "Where the case applies; both by default.",
            "type": "array",
            "minItems": 1,
            "uniqueItems": true,
            "items": { "enum": ["http", "stdio"] },
        },
        "needs": {
            "description": "All hold, or the case does not apply.",
            "type": "array",
            "items": { "$ref": "#/$defs/condition" },
        },
        "formerly": {
            "description": "Ids that the case had before it was moved.",
            "type": "array",
            "items": { "type": "string" },
        },
        "isolation": { "enum": ["shared", "own", "last", "alone"] },
        "fresh": {
            "description": "Links on which nothing was sent before.",
            "$ref": "#/$defs/names",
        },
        "capabilities": { "$ref": "#/$defs/map" },
        "each": { "description": "One name with a list, or a list of rows.", "type": ["object", "array"] },
        "steps": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/step" } },
        "watch": { "enum": ["message", "result", "error", "notification", "exchange", "line"] },
        "compare": { "description": "One server over both transports.", "const": "transports" },
        "where": { "$ref": "#/$defs/matcher" },
        "expect": { "$ref": "#/$defs/matcher" },
        "else": { "$ref": "#/$defs/alternatives" },
        "unseen": { "const": "held" },
    })
}

fn step_schema(step: &StepFields) -> Value {
    let StepFields {
        key,
        takes,
        own,
        common,
    } = step;
    let mut properties = Map::new();
    properties.insert((*key).to_owned(), value_schema(takes));
    for field in own
        .iter()
        .chain(common.iter().copied().flatten())
        .chain(&EVERY)
    {
        properties.insert((*field).to_owned(), field_schema(field));
    }
    if *key == "retry" {
        properties.insert("repeat".to_owned(), json!({ "const": "rounds" }));
    }
    json!({ "type": "object", "required": [key], "additionalProperties": false, "properties": properties })
}

/// What stands after the key of a step.
fn value_schema(takes: &str) -> Value {
    match takes {
        "how" => json!({ "enum": ["close-stdin", "terminate", "kill"] }),
        "name" | "names" => json!({ "$ref": format!("#/$defs/{takes}") }),
        _ => json!({ "type": "string", "minLength": 1 }),
    }
}

fn field_schema(field: &str) -> Value {
    match field {
        "after" | "for" | "grace" | "within" => json!({ "$ref": "#/$defs/duration" }),
        "as" | "link" | "since" => json!({ "$ref": "#/$defs/name" }),
        "body" => json!({ "type": "string" }),
        "else" => json!({ "$ref": "#/$defs/alternatives" }),
        "envelope" | "headers" => json!({ "$ref": "#/$defs/map" }),
        "era" => json!({ "const": "legacy" }),
        "expect" | "given" | "of" | "some" => json!({ "$ref": "#/$defs/matcher" }),
        "open" => json!({ "const": true }),
        "repeat" => repeat_schema(),
        "url" => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
        "when" => json!({ "$ref": "#/$defs/when" }),
        "write" => json!({ "enum": ["pieces", "crlf", "with-next"] }),
        // Anything goes: answers, capabilities, id, marked, meta, params, state.
        _ => json!({}),
    }
}

fn repeat_schema() -> Value {
    let times = json!({ "anyOf": [{ "type": "integer", "minimum": 1 }, { "$ref": "#/$defs/placeholder" }] });
    json!({
        "anyOf": [
            { "const": "pages" },
            times,
            {
                "type": "object",
                "required": ["times", "every"],
                "additionalProperties": false,
                "properties": { "times": times, "every": { "$ref": "#/$defs/duration" } },
            },
            {
                "type": "object",
                "required": ["until"],
                "additionalProperties": false,
                "properties": { "until": { "$ref": "#/$defs/matcher" } },
            },
        ],
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use jsonschema::Validator;

    use crate::template::{Data, Kind, read_yaml};

    use super::super::{SuiteFile, embedded, load_case};
    use super::*;

    fn validator() -> Validator {
        let schema = serde_json::from_str(&json_schema()).expect("the schema is JSON");
        assert!(jsonschema::meta::is_valid(&schema));
        jsonschema::validator_for(&schema).expect("the schema compiles")
    }

    /// A case as an editor sees it: every scalar with its YAML type.
    fn plain(data: &Data) -> Value {
        match &data.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => (*flag).into(),
            Kind::Number(number) => number.as_f64().into(),
            // Only the place is known of a text with placeholders; any placeholder will do here.
            Kind::Text(template) => template.literal().unwrap_or("$(x)").into(),
            Kind::List(items) => items.iter().map(plain).collect(),
            Kind::Map(members) => members
                .iter()
                .map(|(key, value)| {
                    (
                        key.text.literal().unwrap_or("$(x)").to_owned(),
                        plain(value),
                    )
                })
                .collect::<Map<String, Value>>()
                .into(),
        }
    }

    fn fits(validator: &Validator, text: &str) -> bool {
        validator.is_valid(&plain(&read_yaml(text).expect("it is YAML")))
    }

    /// Set `MCPSPEC_UPDATE_SCHEMA=1` to write the file.
    #[test]
    fn the_committed_schema_is_current() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/case.schema.json");
        if std::env::var_os("MCPSPEC_UPDATE_SCHEMA").is_some() {
            fs::write(&path, json_schema()).expect("the file is writable");
        }
        let committed = fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == json_schema(),
            "run the tests with MCPSPEC_UPDATE_SCHEMA=1 and commit the file"
        );
    }

    #[test]
    fn every_case_of_the_suite_fits() {
        let validator = validator();
        let mut cases = 0;
        for file in embedded().iter().filter(|file| load_case(file).is_ok()) {
            assert!(fits(&validator, &file.text), "{}", file.shown);
            cases += 1;
        }
        assert!(cases > 100, "{cases} cases");
    }

    #[test]
    fn what_the_loader_refuses_for_its_keys_does_not_fit() {
        const CASE: &str = "summary: A ping is refused\nrequirement: a.b\nsteps:\n  - send: ping\n    expect: {}\n";
        let validator = validator();
        assert!(fits(&validator, CASE));
        for (from, to) in [
            ("expect", "expct"),
            ("send", "sned"),
            ("summary: A ping is refused\n", ""),
            ("requirement: a.b", "requirement: []"),
            ("steps:", "watch: error\nexpect: {}\nsteps:"),
            ("expect: {}", "expect: {}\n    within: soon"),
            ("expect: {}", "expect: {}\n    when: tool"),
            ("expect: {}", "expect: {}\n    else: [{ result: {} }]"),
            ("expect: {}", "expect: {}\n    raw: x"),
            ("expect: {}", "expect: {}\n    write: slowly"),
            ("expect: {}", "expect: {}\n    repeat: { times: 3 }"),
        ] {
            let text = CASE.replace(from, to);
            let file = SuiteFile {
                path: "a/b/c.yaml".to_owned(),
                shown: "c.yaml".to_owned(),
                text,
            };
            assert!(
                load_case(&file).is_err(),
                "the loader takes:\n{}",
                file.text
            );
            assert!(!fits(&validator, &file.text), "{}", file.text);
        }
    }
}
