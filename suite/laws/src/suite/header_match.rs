//! Laws of the headers that mirror the body of a tool call.

use mcpspec::run::headers_differ;
use mcpspec::target::Draft;
use mcpspec::transcript::HeaderLine;
use mcpspec_wire::Value;
use serde_json::{Map, Value as Json, json};

use crate::header_value::{reference_decode, reference_encode};

/// Deepest argument that is mirrored.
const MAX_DEPTH: usize = 32;

/// The headers of a call are those that a walk over all arguments finds in the schema, and whether sent headers depart from
/// made ones is told as a plain reading tells it.
///
/// The input is a JSON object with the `name` of a tool, its `schema`, the `arguments` of a call, and `sent`: pairs of a
/// header's name and value that are sent in place of those that were made.
///
/// # Panics
/// If one of that does not hold.
pub fn header_match(input: &[u8]) {
    let Ok(Json::Object(input)) = serde_json::from_slice(input) else {
        return;
    };
    let made = mirrored(&input);
    assert_eq!(made, mirrored(&input), "the same call again");
    let found: Vec<_> = made
        .iter()
        .map(|line| decoded(&line.name, &line.value))
        .collect();
    let mut sorted = found.clone();
    sorted.sort();
    assert_eq!(sorted, reference(&input), "for {}", Json::Object(input));
    spelling(&made);
    departure(&input, &made);
}

fn mirrored(input: &Map<String, Json>) -> Vec<HeaderLine> {
    let value = |json: Option<&Json>| Value::from_serde(json.cloned().unwrap_or_default());
    let name = input.get("name").and_then(Json::as_str).unwrap_or("tool");
    let mut params = json!({ "name": name });
    if let Some(arguments) = input.get("arguments") {
        params["arguments"] = arguments.clone();
    }
    let message = json!({ "method": "tools/call", "params": params });
    let mut tool = Value::from_serde(json!({ "name": name }));
    if let Some(tool) = tool.as_object_mut() {
        tool.insert("inputSchema", value(input.get("schema")));
    }
    Draft::mirrored(&Value::from_serde(message), &[tool])
}

fn decoded(name: &str, value: &[u8]) -> (String, String) {
    let value = reference_decode(value).expect("a made header can be read");
    (name.to_owned(), value)
}

/// Every header by its name, with the text that it carries, in order of both.
fn reference(input: &Map<String, Json>) -> Vec<(String, String)> {
    let name = input.get("name").and_then(Json::as_str).unwrap_or("tool");
    let mut found = vec![
        ("Mcp-Method".to_owned(), "tools/call".to_owned()),
        ("Mcp-Name".to_owned(), name.to_owned()),
    ];
    let schema = input.get("schema").unwrap_or(&Json::Null);
    if let Some(arguments) = input.get("arguments") {
        walk(arguments, schema, &mut Vec::new(), &mut found);
    }
    found.sort();
    found
}

/// Goes through all arguments and looks up each in the schema anew.
fn walk(value: &Json, schema: &Json, path: &mut Vec<String>, found: &mut Vec<(String, String)>) {
    if path.len() > MAX_DEPTH {
        return;
    }
    let property = path.iter().try_fold(schema, |schema, name| {
        let properties = schema.as_object()?.get("properties")?;
        properties.as_object()?.get(name)
    });
    let annotation = property.filter(|_| !path.is_empty());
    let header =
        annotation.and_then(|property| property.as_object()?.get("x-mcp-header")?.as_str());
    if let Some(header) = header.filter(|header| is_token(header))
        && let Some(text) = text(value)
    {
        found.push((format!("Mcp-Param-{header}"), text));
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        path.push(name.clone());
        walk(member, schema, path, found);
        path.pop();
    }
}

/// A token of RFC 9110, section 5.6.2.
fn is_token(text: &str) -> bool {
    let delimiters = "\"(),/:;<=>?@[\\]{}";
    !text.is_empty()
        && text
            .chars()
            .all(|character| ('!'..='~').contains(&character) && !delimiters.contains(character))
}

fn text(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Bool(bool) => Some(bool.to_string()),
        Json::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        Json::Number(number) => {
            let double = number.as_f64().filter(|double| double.fract() == 0.0)?;
            // The digits that are written count, not those of the double; beyond an `i64` the spelling stays.
            let written = number.to_string();
            let whole = whole_digits(&written).filter(|_| double.abs() < 1e19);
            let integer = whole.and_then(|digits| digits.parse::<i64>().ok());
            Some(integer.map_or(written, |integer| integer.to_string()))
        }
        _ => None,
    }
}

/// The digits of an integral number as it is written, its exponent applied.
fn whole_digits(written: &str) -> Option<String> {
    let (mantissa, exponent) = written.split_once('e').unwrap_or((written, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: usize = exponent.trim_start_matches('+').parse().ok()?;
    let fraction = fraction.trim_end_matches('0');
    let zeros = "0".repeat(exponent.checked_sub(fraction.len())?);
    Some(format!("{whole}{fraction}{zeros}"))
}

/// A made header has a value in the one spelling that is made, and is safe on a line.
fn spelling(made: &[HeaderLine]) {
    for line in made {
        assert!(is_token(&line.name), "the name {:?}", line.name);
        if line.name == "Mcp-Method" {
            continue;
        }
        let text = reference_decode(&line.value).expect("a made header can be read");
        let value = String::from_utf8_lossy(&line.value);
        assert_eq!(value, reference_encode(&text), "for {text:?}");
    }
}

fn departure(input: &Map<String, Json>, made: &[HeaderLine]) {
    assert!(!headers_differ(made, made) || has_twice(made));
    let otherwise: Vec<_> = made
        .iter()
        .rev()
        .map(|line| {
            let value = [b" \t", line.value.as_slice(), b" "].concat();
            HeaderLine::new(line.name.to_ascii_uppercase(), value)
        })
        .collect();
    assert_eq!(
        headers_differ(made, &otherwise),
        has_twice(made),
        "other spelling"
    );

    let sent = input.get("sent").and_then(Json::as_array);
    let pairs = sent.into_iter().flatten().filter_map(|pair| {
        let pair = pair.as_array()?;
        let (name, value) = (pair.first()?.as_str()?, pair.get(1)?.as_str()?);
        Some((name, value))
    });
    let mut sent: Vec<_> = pairs
        .map(|(name, value)| HeaderLine::new(name, value.as_bytes()))
        .collect();
    let replaced = |name: &str, sent: &[HeaderLine]| {
        sent.iter()
            .any(|line| line.name.to_lowercase() == name.to_lowercase())
    };
    let kept: Vec<_> = made
        .iter()
        .filter(|line| !replaced(&line.name, &sent))
        .cloned()
        .collect();
    sent.extend(kept);
    let same = made.iter().all(|line| {
        let values: Vec<_> = sent
            .iter()
            .filter(|other| other.name.to_lowercase() == line.name.to_lowercase())
            .map(|other| meaning(&other.value))
            .collect();
        values == [meaning(&line.value)]
    });
    let origin = sent.iter().any(|line| line.name.to_lowercase() == "origin");
    assert_eq!(
        headers_differ(made, &sent),
        !same || origin,
        "{made:?} as {sent:?}"
    );
}

/// Whether a header is made more than once, which is a departure in itself.
fn has_twice(made: &[HeaderLine]) -> bool {
    let mut names: Vec<_> = made.iter().map(|line| line.name.to_lowercase()).collect();
    names.sort();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// What a value carries, blanks around it aside.
fn meaning(value: &[u8]) -> Vec<u8> {
    let is_blank = |byte: &u8| b" \t\r\n\x0c".contains(byte);
    let start = value
        .iter()
        .position(|byte| !is_blank(byte))
        .unwrap_or(value.len());
    let end = value
        .iter()
        .rposition(|byte| !is_blank(byte))
        .map_or(start, |last| last + 1);
    let trimmed = &value[start..end];
    reference_decode(trimmed).map_or_else(|| trimmed.to_vec(), String::into_bytes)
}
