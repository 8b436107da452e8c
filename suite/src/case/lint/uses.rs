//! Where a case uses placeholders, and under which conditions.

use super::super::{Body, Condition};
use super::ground::Ground;
use crate::template::{Data, Kind, Location, Part, Placeholder, Template};

/// A placeholder that the case uses.
pub(super) struct Use<'a> {
    pub(super) placeholder: &'a Placeholder,
    /// Where its text stands.
    pub(super) at: Location,
    /// All hold wherever it is filled in, those of the whole case included.
    pub(super) conditions: Vec<&'a Condition>,
    pub(super) place: Place,
}

/// What a placeholder stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The table.
    Each,
    /// Header lines.
    Headers,
    /// Bytes.
    Raw,
    /// Anything else.
    Other,
}

/// Placeholders of a step.
pub(super) fn of_step<'a>(ground: &Ground<'a>, index: usize) -> Vec<Use<'a>> {
    let (step, data) = ground.steps[index];
    let Kind::Map(members) = &data.kind else {
        return Vec::new();
    };
    let mut uses = Vec::new();
    for (key, value) in members {
        let place = match key.text.literal() {
            Some("headers") => Place::Headers,
            Some("raw") => Place::Raw,
            _ => Place::Other,
        };
        let conditions: Vec<&Condition> = ground.case.needs.iter().chain(&step.when).collect();
        if let (Some("else"), Kind::List(items)) = (key.text.literal(), &value.kind) {
            for (alternative, item) in step.alternatives().iter().zip(items) {
                let conditions = conditions.iter().copied().chain(&alternative.when);
                collect(item, place, &conditions.collect::<Vec<_>>(), &mut uses);
            }
        } else {
            collect(value, place, &conditions, &mut uses);
        }
    }
    uses
}

/// Placeholders outside of steps: of the table, the capabilities, and of a watch.
pub(super) fn outside_steps<'a>(ground: &Ground<'a>) -> Vec<Use<'a>> {
    let needs: Vec<&Condition> = ground.case.needs.iter().collect();
    let mut uses = Vec::new();
    if let Some(each) = ground.data.member("each") {
        collect(each, Place::Each, &needs, &mut uses);
    }
    for name in ["capabilities", "where", "expect"] {
        if let Some(data) = ground.data.member(name) {
            collect(data, Place::Other, &needs, &mut uses);
        }
    }
    let (Body::Watch(watch), Some(Kind::List(items))) = (
        &ground.case.body,
        ground.data.member("else").map(|data| &data.kind),
    ) else {
        return uses;
    };
    for (alternative, item) in watch.judged.alternatives.iter().zip(items) {
        let conditions: Vec<&Condition> = needs.iter().copied().chain(&alternative.when).collect();
        collect(item, Place::Other, &conditions, &mut uses);
    }
    uses
}

fn collect<'a>(
    data: &'a Data,
    place: Place,
    conditions: &[&'a Condition],
    uses: &mut Vec<Use<'a>>,
) {
    let mut of_template = |template: &'a Template, at: Location| {
        for placeholder in placeholders(template) {
            uses.push(Use {
                placeholder,
                at,
                conditions: conditions.to_vec(),
                place,
            });
        }
    };
    match &data.kind {
        Kind::Text(template) => of_template(template, data.at),
        Kind::List(items) => {
            for item in items {
                collect(item, place, conditions, uses);
            }
        }
        Kind::Map(members) => {
            for (key, value) in members {
                for placeholder in placeholders(&key.text) {
                    uses.push(Use {
                        placeholder,
                        at: key.at,
                        conditions: conditions.to_vec(),
                        place,
                    });
                }
                collect(value, place, conditions, uses);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
    }
}

/// All placeholders of a template, those inside filters included.
fn placeholders(template: &Template) -> Vec<&Placeholder> {
    let mut found = Vec::new();
    for part in &template.parts {
        if let Part::Placeholder(placeholder) = part {
            found.push(placeholder);
            found.extend(placeholder.filters.iter().flat_map(placeholders));
        }
    }
    found
}
