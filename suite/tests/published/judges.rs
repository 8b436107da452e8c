//! The two that judge an example: the published schema and our shapes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use mcpspec::spec::Shapes;
use serde_json::{Value, json};

use crate::changes::Members;
use crate::folders::Held;

/// The published schema.
pub(crate) struct Published {
    document: Value,
}

impl Published {
    pub(crate) fn read(path: &Path) -> Published {
        let text =
            fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Published {
            document: serde_json::from_str(&text).expect("the published schema is JSON"),
        }
    }

    fn validator(&self, name: &str) -> Validator {
        let mut schema = self.document.clone();
        schema["$ref"] = json!(format!("#/$defs/{name}"));
        jsonschema::options()
            .offline()
            .build(&schema)
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Both verdicts on the examples of a folder.
pub(crate) struct Judge<'a> {
    validator: Validator,
    /// Of a result by its type, where a response is judged.
    results: BTreeMap<&'static str, Validator>,
    shapes: &'a Shapes,
    held: Held,
    members: Members,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        published: &Published,
        shapes: &'a Shapes,
        folder: &str,
        held: Held,
    ) -> Judge<'a> {
        let mut members = members(&published.document, folder);
        for name in definitions(shapes, held) {
            for (member, words) in self::members(&shapes_document(), name) {
                members.entry(member).or_default().extend(words);
            }
        }
        let mut results = BTreeMap::new();
        if let Held::Response(_) = held {
            let complete = folder.strip_suffix("Response");
            let complete = complete.expect("a response is named by its result");
            results.insert("complete", published.validator(complete));
            results.insert("input_required", published.validator("InputRequiredResult"));
        }
        Judge {
            validator: published.validator(folder),
            results,
            shapes,
            held,
            members,
        }
    }

    /// What the table of differences calls it.
    pub(crate) fn name(&self) -> &'static str {
        match self.held {
            Held::Under(name) | Held::Response(name) | Held::Refusal(name) => name,
            Held::FromClients => "",
        }
    }

    /// Members that either knows.
    pub(crate) fn members(&self) -> &Members {
        &self.members
    }

    /// Whether the published schema accepts. The definitions of responses leave open which result it is, so its type tells.
    pub(crate) fn theirs(&self, value: &Value) -> bool {
        let result_type = value.pointer("/result/resultType").and_then(Value::as_str);
        let result = result_type.and_then(|result_type| self.results.get(result_type));
        self.validator.is_valid(value)
            && result.is_none_or(|validator| validator.is_valid(&value["result"]))
    }

    /// What our shapes find wrong.
    pub(crate) fn ours(&self, value: &Value) -> Vec<(String, String)> {
        match self.held {
            Held::Under(name) => self.under(name, value),
            Held::Response(method) => {
                let mut found = self.under("ResultResponse", value);
                let result = value.get("result").unwrap_or(&Value::Null);
                let result_type = result.get("resultType").and_then(Value::as_str);
                if let Some(name) = self.shapes.of_result(method, result_type) {
                    found.extend(self.under(name, result));
                }
                found
            }
            Held::Refusal(name) => {
                let mut found = self.under("ErrorResponse", value);
                found.extend(self.under(name, value.get("error").unwrap_or(&Value::Null)));
                found
            }
            Held::FromClients => Vec::new(),
        }
    }

    fn under(&self, name: &str, value: &Value) -> Vec<(String, String)> {
        let checked = self.shapes.check(name, value);
        checked.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The definitions of ours that judge, with that of the result of a method.
pub(crate) fn definitions(shapes: &Shapes, held: Held) -> Vec<&str> {
    let mut names = held.definitions();
    if let Held::Response(method) = held {
        names.extend(shapes.of_result(method, None));
    }
    names
}

/// Our shapes.
pub(crate) fn shapes() -> &'static Shapes {
    static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
        Shapes::load("cases/shapes/2026-07-28.json", &shapes_text())
            .unwrap_or_else(|error| panic!("{error}"))
    });
    &SHAPES
}

/// Our shapes, as they are written.
pub(crate) fn shapes_document() -> Value {
    serde_json::from_str(&shapes_text()).expect("the shapes are JSON")
}

fn shapes_text() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/shapes/2026-07-28.json");
    fs::read_to_string(path).expect("the shapes are readable")
}

/// A definition and all that it refers to.
pub(crate) fn reached(document: &Value, name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        let mut visit = |keyword: &str, value: &Value| {
            let referred = value
                .as_str()
                .and_then(|value| value.strip_prefix("#/$defs/"));
            if let ("$ref", Some(referred)) = (keyword, referred) {
                open.push(referred.to_owned());
            }
        };
        if found.insert(name.clone()) {
            walk(&document["$defs"][&name], &mut visit);
        }
    }
    found
}

/// Names of all members that a definition, or one that it refers to, has a schema for, each with the words that it lists.
fn members(document: &Value, name: &str) -> Members {
    let mut found = Members::new();
    for name in reached(document, name) {
        walk(&document["$defs"][&name], &mut |keyword, value| {
            if let ("properties", Some(properties)) = (keyword, value.as_object()) {
                for (name, schema) in properties {
                    let words = found.entry(name.clone()).or_default();
                    words.extend(words_of(document, schema));
                }
            }
        });
    }
    found
}

/// The strings of which a schema, or that of its items, accepts one.
fn words_of(document: &Value, schema: &Value) -> Vec<String> {
    let schema = schema.get("items").unwrap_or(schema);
    let referred = schema["$ref"].as_str();
    let name = referred.and_then(|referred| referred.strip_prefix("#/$defs/"));
    let schema = name.map_or(schema, |name| &document["$defs"][name]);
    let listed = schema["enum"].as_array().into_iter().flatten();
    let words = listed.chain(schema.get("const")).filter_map(Value::as_str);
    words.map(str::to_owned).collect()
}

/// Calls for every member of every object of a schema.
fn walk(schema: &Value, visit: &mut dyn FnMut(&str, &Value)) {
    match schema {
        Value::Object(object) => {
            for (keyword, value) in object {
                visit(keyword, value);
                walk(value, visit);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}
