//! Laws of matchers.

mod reference;

use std::sync::OnceLock;

use mcpspec::matcher::{Check, Context, Matcher};
use mcpspec::spec::Shapes;
use mcpspec::template::{MAX_YAML_DEPTH, Resolved, Scope, SourcePath, read_yaml};
use mcpspec_wire::Value;
use serde_json::{Value as Json, json};

use super::yaml;

/// Whether a value matches is told as a slow evaluation of the page tells it, and the same each time, in brief, and whatever
/// the order of members; `$not` turns it round; a value equals itself; and a mismatch points into the value.
///
/// The input is a JSON object with a `matcher` and a `value`.
///
/// # Panics
/// If one of that does not hold.
pub fn matcher(input: &[u8]) {
    let Ok(Json::Object(input)) = serde_json::from_slice(input) else {
        return;
    };
    let (Some(written), Some(value)) = (input.get("matcher"), input.get("value")) else {
        return;
    };
    itself(value);
    let Some(found) = check(written, value, false) else {
        return;
    };
    assert_eq!(
        check(written, value, false).as_ref(),
        Some(&found),
        "once more"
    );
    let verdict = verdict(&found);
    let same = |matcher: &Json, value: &Json, brief: bool, how: &str| {
        let found = check(matcher, value, brief).map(|check| self::verdict(&check));
        assert_eq!(found, Some(verdict), "{how}: {matcher} and {value}");
    };
    same(written, value, true, "in brief");
    same(&reversed(written), &reversed(value), false, "turned round");
    if let Some(verdict) = verdict {
        let inverted = json!({ "$not": written });
        // One level more than a file may have is the only reason why `$not` does not take a matcher.
        match check(&inverted, value, false) {
            None => assert!(levels(&inverted) > MAX_YAML_DEPTH, "$not of {written}"),
            Some(inverted) => assert_eq!(
                self::verdict(&inverted),
                Some(!verdict),
                "not {written} and {value}"
            ),
        }
        if let Some(expected) = reference::matches(written, Some(value), false) {
            assert_eq!(verdict, expected, "{written} and {value}: {found:?}");
        }
    }
    if let Check::Differs(mismatches) = &found {
        assert!(!mismatches.is_empty());
        for mismatch in mismatches {
            let parent = mismatch
                .pointer
                .rsplit_once('/')
                .map_or("", |(parent, _)| parent);
            let is_there = |pointer| value.pointer(pointer).is_some();
            assert!(
                is_there(&mismatch.pointer) || is_there(parent),
                "{mismatch:?} in {value}"
            );
        }
    }
}

struct Nothing;

impl Scope for Nothing {
    fn source(&self, _: &SourcePath) -> Resolved {
        Resolved::Absent
    }
}

fn shapes() -> &'static Shapes {
    static SHAPES: OnceLock<Shapes> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let text = include_str!("../../../../cases/shapes/2026-07-28.json");
        Shapes::load("2026-07-28.json", text).expect("the shapes are well-formed")
    })
}

/// What a check finds, if there is such a matcher.
fn check(written: &Json, value: &Json, brief: bool) -> Option<Check> {
    let data = read_yaml(&yaml::of_json(written)).ok()?;
    let matcher = Matcher::compile(&data).ok()?;
    let context = Context {
        scope: &Nothing,
        shapes: shapes(),
        ignored: &[],
        brief,
    };
    matcher
        .check(Some(&Value::from_serde(value.clone())), context)
        .ok()
}

/// Whether it matches, if that can be told.
fn verdict(check: &Check) -> Option<bool> {
    match check {
        Check::Matches => Some(true),
        Check::Differs(_) => Some(false),
        Check::Unknown(_) => None,
    }
}

/// A value equals itself.
fn itself(value: &Json) {
    if let Some(found) = check(&json!({ "$eq": value }), value, false) {
        assert_eq!(found, Check::Matches, "{value} and itself");
    }
}

/// How deep a value is nested; a scalar has one level.
fn levels(json: &Json) -> usize {
    let below = match json {
        Json::Array(items) => items.iter().map(levels).max(),
        Json::Object(members) => members.values().map(levels).max(),
        _ => None,
    };
    1 + below.unwrap_or(0)
}

fn reversed(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(reversed).collect(),
        Json::Object(members) => members
            .iter()
            .rev()
            .map(|(name, member)| (name.clone(), reversed(member)))
            .collect(),
        scalar => scalar.clone(),
    }
}
