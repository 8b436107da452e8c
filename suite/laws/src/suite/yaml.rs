//! Writing YAML that says just one thing: flow style, every text in double quotes.

use std::fmt::Write;

use mcpspec::template::{Data, Kind, Part, Template};
use serde_json::Value as Json;

/// Data as YAML.
pub(super) fn of_data(data: &Data) -> String {
    match &data.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(bool) => bool.to_string(),
        Kind::Number(number) => number.as_str().to_owned(),
        Kind::Text(template) => quoted(&source(template)),
        Kind::List(items) => list(items.iter().map(of_data)),
        Kind::Map(members) => map(members
            .iter()
            .map(|(key, member)| (quoted(&source(&key.text)), of_data(member)))),
    }
}

/// JSON as YAML in which no text is a placeholder.
pub(super) fn of_json(json: &Json) -> String {
    let text = |text: &str| quoted(&text.replace("$(", "$$("));
    match json {
        Json::String(string) => text(string),
        Json::Array(items) => list(items.iter().map(of_json)),
        Json::Object(members) => map(members
            .iter()
            .map(|(name, member)| (text(name), of_json(member)))),
        scalar => scalar.to_string(),
    }
}

/// The text that a template is read from.
fn source(template: &Template) -> String {
    let part = |part: &Part| match part {
        Part::Literal(text) => text.replace("$(", "$$("),
        Part::Placeholder(placeholder) => format!("$({})", placeholder.text),
    };
    template.parts.iter().map(part).collect()
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[ {} ]", items.collect::<Vec<_>>().join(", "))
}

fn map(members: impl Iterator<Item = (String, String)>) -> String {
    let members: Vec<_> = members
        .map(|(name, member)| format!("{name}: {member}"))
        .collect();
    format!("{{ {} }}", members.join(", "))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '..='~' => quoted.push(character),
            _ => write!(quoted, "\\U{:08x}", u32::from(character))
                .expect("writing to a string cannot fail"),
        }
    }
    quoted.push('"');
    quoted
}
