//! Making strings.

use mcpspec_wire::Value;

/// Longest string that is made.
const MAX_LENGTH: i64 = 64 << 10;

/// Values of the formats that JSON Schema names.
const FORMATS: [(&str, &str); 13] = [
    ("date", "2026-07-28"),
    ("date-time", "2026-07-28T00:00:00Z"),
    ("time", "00:00:00Z"),
    ("duration", "PT1S"),
    ("email", "nobody@example.com"),
    ("hostname", "example.com"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("uri", "https://example.com/"),
    ("uri-reference", "/"),
    ("uuid", "00000000-0000-4000-8000-000000000000"),
    ("json-pointer", "/x"),
    ("regex", "x"),
];

/// What may match a pattern, the simplest first.
const CANDIDATES: [&str; 12] = [
    "x", "X", "1", "a1", "xx", "xxx", "00", "0000", "x-1", "1.0.0", "/x", "x/x",
];

/// The shortest string that a schema permits, but not an empty one if there is another.
pub(super) fn smallest(schema: &Value) -> Result<String, &'static str> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
    let (least, most) = (
        bound("minLength").unwrap_or(0),
        bound("maxLength").unwrap_or(i64::MAX),
    );
    if least > MAX_LENGTH {
        return Err("`minLength` is too long");
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        return matching(pattern, least, most).ok_or("no simple text matches the `pattern`");
    }
    let format = schema.get("format").and_then(Value::as_str);
    let of_format = FORMATS.iter().find(|(name, _)| Some(*name) == format);
    Ok(match of_format {
        Some((_, text)) => (*text).to_owned(),
        None => "x".repeat(usize::try_from(least.max(1).min(most)).unwrap_or(0)),
    })
}

fn matching(pattern: &str, least: i64, most: i64) -> Option<String> {
    let pattern = regex::Regex::new(pattern).ok()?;
    let length = usize::try_from(least.max(1)).ok()?;
    let filled = ["x", "X", "1"].into_iter().map(|text| text.repeat(length));
    let formats = FORMATS.into_iter().map(|(_, text)| text);
    let texts = CANDIDATES
        .into_iter()
        .chain(formats)
        .map(str::to_owned)
        .chain(filled);
    let fits = |text: &String| {
        let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
        (least..=most).contains(&length) && pattern.is_match(text)
    };
    let mut texts = texts.filter(fits);
    texts.next()
}
