//! Checking a value against a matcher.

use std::borrow::Cow;

use mcpspec_wire::Value;

use crate::spec::Shapes;
use crate::template::{Location, Resolved, Scope, Template, Unresolved};

use super::compare::{Members, child, differences};
use super::compile::status_class;
use super::describe;
use super::model::{Matcher, Operator, Pattern, Test};

/// Most mismatches that one check tells.
const MOST: usize = 20;

/// What a check may look at beside the value.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Gives the sources of placeholders.
    pub scope: &'a dyn Scope,
    /// The shapes that `$is` knows.
    pub shapes: &'a Shapes,
    /// Members of the outcome that are ignored at the top level, and in each outcome of its `all`, such as those of HTTP
    /// on stdio. A matcher that has nothing else never matches there.
    pub ignored: &'a [&'a str],
    /// Whether it only counts if something matches: the first difference then ends the check, and is not described.
    pub brief: bool,
}

impl Context<'_> {
    /// The same, where only whether something matches counts.
    pub(super) fn brief(self) -> Self {
        Context {
            brief: true,
            ..self
        }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// The value matches.
    Matches,
    /// It does not: every reason, the first being the most telling.
    Differs(Vec<Mismatch>),
    /// It cannot be told, for instance because a schema has an unknown dialect.
    Unknown(String),
}

impl Check {
    /// A difference where only whether there is one counts.
    pub(super) fn undescribed(at: Location) -> Check {
        Check::Differs(vec![Mismatch {
            pointer: String::new(),
            expected: String::new(),
            actual: String::new(),
            at,
        }])
    }

    /// Whether the value matches.
    pub fn matches(&self) -> bool {
        matches!(self, Check::Matches)
    }

    /// Both have to hold: a difference counts more than doubt.
    pub(super) fn and(self, other: Check) -> Check {
        match (self, other) {
            (Check::Differs(mut mismatches), Check::Differs(more)) => {
                let room = MOST.saturating_sub(mismatches.len());
                mismatches.extend(more.into_iter().take(room));
                Check::Differs(mismatches)
            }
            (Check::Differs(mismatches), _) | (_, Check::Differs(mismatches)) => {
                Check::Differs(mismatches)
            }
            (Check::Unknown(reason), _) | (_, Check::Unknown(reason)) => Check::Unknown(reason),
            (Check::Matches, Check::Matches) => Check::Matches,
        }
    }
}

/// One reason why a value does not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON pointer of the place in the value.
    pub pointer: String,
    /// What was expected, with its type.
    pub expected: String,
    /// What was there, with its type, bounded.
    pub actual: String,
    /// Where the matcher says so.
    pub at: Location,
}

/// Where in the outcome a matcher is being checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// At an outcome, some members of which are ignored.
    Outcome,
    /// At the list of all outcomes of a repeated step.
    Outcomes,
    /// Below.
    Inner,
}

/// A value, or its absence, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) actual: Option<&'a Value>,
    pub(super) pointer: &'a str,
    pub(super) level: Level,
}

impl Place<'_> {
    /// The pointer of a member or item here; empty where nothing is described.
    pub(super) fn pointer_to(self, token: &str, context: Context<'_>) -> String {
        if context.brief {
            return String::new();
        }
        child(self.pointer, token)
    }
}

impl Matcher {
    /// Checks a value, or its absence.
    pub fn check(&self, actual: Option<&Value>, context: Context<'_>) -> Result<Check, Unresolved> {
        let place = Place {
            actual,
            pointer: "",
            level: Level::Outcome,
        };
        // Most values match, or need no more than this: describing how they differ is far dearer than finding out that they do.
        let check = self.check_at(place, context.brief())?;
        match check {
            Check::Differs(_) if !context.brief => self.check_at(place, context),
            check => Ok(check),
        }
    }

    pub(super) fn check_at(
        &self,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let actual = place.actual;
        match &self.pattern {
            Pattern::Scalar(expected) => Ok(self.equal(actual == Some(expected), place, context)),
            Pattern::StatusClass(class) => {
                Ok(self.equal(is_of_class(actual, *class), place, context))
            }
            Pattern::Text { data, is_status } => match data.resolve_expected(context.scope)? {
                Resolved::Value(expected) => Ok(as_data(&expected, *is_status, place, self.at)),
                _ => Ok(self.equal(actual.is_none(), place, context)),
            },
            Pattern::List(items) => self.list(items, place, context),
            Pattern::Map { members, operators } => {
                let is_ignored =
                    |name: &str| place.level == Level::Outcome && context.ignored.contains(&name);
                let mut check = Check::Matches;
                let mut judged = false;
                let mut dropped = false;
                for (name, matcher) in members {
                    let Some(name) = text_of(name, context.scope)? else {
                        continue;
                    };
                    if is_ignored(&name) {
                        dropped = true;
                        continue;
                    }
                    judged = true;
                    check = check.and(matcher.member_check(&name, place, context)?);
                    if context.brief && matches!(check, Check::Differs(_)) {
                        return Ok(check);
                    }
                }
                for operator in operators {
                    if place.level == Level::Outcome && operator.is_ignored(context.ignored) {
                        dropped = true;
                        continue;
                    }
                    judged = true;
                    check = check.and(operator.check_at(place, context)?);
                }
                if judged {
                    return Ok(self.whole_object(check, members.is_empty(), place, context));
                }
                // Nothing is left: `{}` asks for presence, and what asks only for ignored members never matches.
                Ok(self.equal(!dropped && actual.is_some(), place, context))
            }
        }
    }

    /// Tells a value that is no object once, not once for each member that it lacks.
    fn whole_object(
        &self,
        check: Check,
        has_no_members: bool,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Check {
        let is_object = place
            .actual
            .is_some_and(|value| value.as_object().is_some());
        match check {
            Check::Differs(_) if !has_no_members && !is_object => self.equal(false, place, context),
            other => other,
        }
    }

    /// Checks the member of an object that has this name.
    fn member_check(
        &self,
        name: &str,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let object = place.actual.and_then(Value::as_object);
        if object.is_none() {
            return Ok(self.equal(false, place, context));
        }
        let level = match place.level {
            Level::Outcome if name == "all" => Level::Outcomes,
            _ => Level::Inner,
        };
        let member = Place {
            actual: object.and_then(|object| object.get(name)),
            pointer: &place.pointer_to(name, context),
            level,
        };
        self.check_at(member, context)
    }

    fn list(
        &self,
        items: &[Matcher],
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let Some(actual) = place.actual.and_then(Value::as_array) else {
            return Ok(self.equal(false, place, context));
        };
        if actual.len() != items.len() {
            return Ok(Check::Differs(vec![Mismatch {
                pointer: place.pointer.to_owned(),
                expected: describe::bounded(&format!(
                    "{} items: {}",
                    items.len(),
                    describe::matcher(self, context)
                )),
                actual: describe::bounded(&format!(
                    "{} items: {}",
                    actual.len(),
                    describe::actual(place.actual)
                )),
                at: self.at,
            }]));
        }
        let mut check = Check::Matches;
        for (index, (item, actual)) in items.iter().zip(actual).enumerate() {
            let place = Place {
                actual: Some(actual),
                pointer: &place.pointer_to(&index.to_string(), context),
                level: place.level.of_items(),
            };
            check = check.and(item.check_at(place, context)?);
        }
        Ok(check)
    }

    /// A match, or the one mismatch that the whole matcher is not met here.
    fn equal(&self, holds: bool, place: Place<'_>, context: Context<'_>) -> Check {
        if holds {
            return Check::Matches;
        }
        if context.brief {
            return Check::undescribed(self.at);
        }
        Check::Differs(vec![Mismatch {
            pointer: place.pointer.to_owned(),
            expected: describe::matcher(self, context),
            actual: describe::actual(place.actual),
            at: self.at,
        }])
    }

    /// Whether it asks for nothing but members of this list.
    pub(super) fn is_ignored(&self, ignored: &[&str]) -> bool {
        let Pattern::Map { members, operators } = &self.pattern else {
            return false;
        };
        if members.is_empty() && operators.is_empty() {
            return false;
        }
        let is_listed = |name: &str| ignored.contains(&name);
        members
            .iter()
            .all(|(name, _)| name.literal().is_some_and(is_listed))
            && operators
                .iter()
                .all(|operator| operator.is_ignored(ignored))
    }
}

impl Operator {
    fn is_ignored(&self, ignored: &[&str]) -> bool {
        match &self.test {
            Test::Not(inner) => inner.is_ignored(ignored),
            Test::Any(alternatives) => alternatives
                .iter()
                .all(|alternative| alternative.is_ignored(ignored)),
            _ => false,
        }
    }
}

impl Level {
    /// The level of the items of a list or object.
    pub(super) fn of_items(self) -> Level {
        match self {
            Level::Outcomes => Level::Outcome,
            _ => Level::Inner,
        }
    }
}

/// The text of a template, borrowed where it is all literal.
fn text_of<'a>(
    template: &'a Template,
    scope: &dyn Scope,
) -> Result<Option<Cow<'a, str>>, Unresolved> {
    match template.literal() {
        Some(literal) => Ok(Some(Cow::Borrowed(literal))),
        None => Ok(template.resolve_text(scope)?.map(Cow::Owned)),
    }
}

/// Matches data: objects have at least its members, all else is equal.
pub(super) fn as_data(expected: &Value, is_status: bool, place: Place<'_>, at: Location) -> Check {
    if is_status && let Some(class) = expected.as_str().and_then(status_class) {
        if is_of_class(place.actual, class) {
            return Check::Matches;
        }
        return Check::Differs(vec![Mismatch {
            pointer: place.pointer.to_owned(),
            expected: format!("{class}xx"),
            actual: describe::actual(place.actual),
            at,
        }]);
    }
    compared(expected, Members::AtLeast, place, at)
}

/// Compares with a value and tells where they differ.
pub(super) fn compared(
    expected: &Value,
    members: Members,
    place: Place<'_>,
    at: Location,
) -> Check {
    let Some(actual) = place.actual else {
        return Check::Differs(vec![Mismatch {
            pointer: place.pointer.to_owned(),
            expected: describe::value(expected),
            actual: describe::actual(None),
            at,
        }]);
    };
    let found = differences(expected, actual, members, place.pointer);
    if found.is_empty() {
        return Check::Matches;
    }
    Check::Differs(
        found
            .into_iter()
            .map(|difference| Mismatch {
                expected: describe::actual(difference.expected),
                actual: describe::actual(difference.actual),
                pointer: difference.pointer,
                at,
            })
            .collect(),
    )
}

/// Whether a value is a number of a hundred.
fn is_of_class(actual: Option<&Value>, class: u8) -> bool {
    actual
        .and_then(Value::as_i64)
        .is_some_and(|status| status.div_euclid(100) == i64::from(class))
}
