//! Header lines of a step: those a conforming request has, and what the step makes of them.

use mcpspec_wire::Value;
use mcpspec_wire::header_value;

use crate::target::Draft;
use crate::transcript::HeaderLine;

/// What a step makes of one header.
#[derive(Debug, Clone)]
pub(super) struct HeaderChange {
    /// As written, a colon at its end included.
    pub(super) name: String,
    /// Its lines; none removes it.
    pub(super) lines: Vec<Vec<u8>>,
}

/// Headers that mirror a message. Where the body has no string to mirror any more they stay as made, except those of an
/// argument that is gone.
pub(super) fn mirrored(made: &Value, message: &Value, tools: &[Value]) -> Vec<HeaderLine> {
    let now = Draft::mirrored(message, tools);
    let mut lines: Vec<HeaderLine> = Draft::mirrored(made, tools)
        .into_iter()
        .filter(|line| {
            !is_param(&line.name) && !now.iter().any(|other| same_name(&other.name, &line.name))
        })
        .collect();
    lines.extend(now);
    lines
}

/// The lines with the changes of a step. A change replaces every line of that name in any spelling, where the first stood.
pub(super) fn changed(mut lines: Vec<HeaderLine>, changes: &[HeaderChange]) -> Vec<HeaderLine> {
    for change in changes {
        let (name, tight) = match change.name.strip_suffix(':') {
            Some(name) => (name, true),
            None => (change.name.as_str(), false),
        };
        let place = lines
            .iter()
            .position(|line| same_name(&line.name, name))
            .unwrap_or(lines.len());
        lines.retain(|line| !same_name(&line.name, name));
        let place = place.min(lines.len());
        let new = change.lines.iter().map(|value| HeaderLine {
            name: name.to_owned(),
            value: value.clone(),
            tight,
        });
        lines.splice(place..place, new);
    }
    lines
}

/// Whether a made header has another value or is gone, or an Origin was set. Another spelling, blanks around a value and
/// the encoded form of the same value are no departure.
pub fn differ(made: &[HeaderLine], sent: &[HeaderLine]) -> bool {
    let departs = made.iter().any(|line| {
        let mut values = sent
            .iter()
            .filter(|other| same_name(&other.name, &line.name));
        match (values.next(), values.next()) {
            (Some(only), None) => meaning(&only.value) != meaning(&line.value),
            _ => true,
        }
    });
    departs || sent.iter().any(|line| same_name(&line.name, "origin"))
}

fn meaning(value: &[u8]) -> Vec<u8> {
    let trimmed = value.trim_ascii();
    match header_value::decode(trimmed) {
        Ok(decoded) => decoded.as_bytes().to_vec(),
        Err(_) => trimmed.to_vec(),
    }
}

fn same_name(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
}

fn is_param(name: &str) -> bool {
    name.get(..10)
        .is_some_and(|prefix| prefix.eq_ignore_ascii_case("mcp-param-"))
}
