//! Checking the operators.

use mcpspec_wire::{Number, Value, planted};
use regex::Regex;

use super::check::{Check, Context, Mismatch, Place, as_data, compared};
use super::compare::{Members, child, order};
use super::describe;
use super::finding::Finding;
use super::model::{ItemPath, Matcher, Operator, Pat, Test};
use super::schema;
use crate::template::{Data, Resolved, Unresolved, descend};

/// Members of a result that differ from one answer to the next for no fault of the server.
const VOLATILE: [&str; 3] = ["_meta", "nextCursor", "ttlMs"];

impl Operator {
    pub(super) fn check_at(
        &self,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        match &self.test {
            Test::Not(inner) => Ok(match inner.check_at(place, context.brief())? {
                Check::Matches => self.differs(place, context),
                Check::Differs(_) => Check::Matches,
                unknown => unknown,
            }),
            Test::Any(alternatives) => self.any(alternatives, place, context),
            Test::AnyOf { list, is_status } => self.any_of(list, *is_status, place, context),
            Test::Absent => Ok(self.held(place.actual.is_none(), place, context)),
            Test::Len(inner) => self.len(inner, place, context),
            Test::Each(inner) => self.each(inner, place, context),
            Test::Some(inner) => self.some(inner, place, context),
            Test::Eq(data) => self.with_value(data, place, context, |expected| {
                Ok(compared(expected, Members::Exactly, place, self.at))
            }),
            Test::SameAs(data) => self.with_value(data, place, context, |expected| {
                let lasting = place.actual.map(lasting);
                let place = Place {
                    actual: lasting.as_ref(),
                    ..place
                };
                Ok(compared(
                    &self::lasting(expected),
                    Members::Exactly,
                    place,
                    self.at,
                ))
            }),
            Test::SameItems(data) => self.with_value(data, place, context, |expected| {
                Ok(self.same_items(expected, place, context))
            }),
            Test::Gte(data) => self.bound(data, place, context, std::cmp::Ordering::is_ge),
            Test::Lte(data) => self.bound(data, place, context, std::cmp::Ordering::is_le),
            Test::Regex(pattern) => self.regex(pattern, place, context),
            Test::UniqueBy(path) => Ok(self.unique_by(path, place, context)),
            Test::IncreasingBy(path) => Ok(self.increasing_by(path, place, context)),
            Test::Is(kind) => Ok(match place.actual {
                None => self.differs(place, context),
                Some(actual) => {
                    let finding = kind.check(actual, context.shapes);
                    self.found(finding, || kind.name(), place, actual, context)
                }
            }),
            Test::Fits(data) => self.with_value(data, place, context, |schema| {
                Ok(match place.actual {
                    None => self.differs(place, context),
                    Some(actual) => {
                        let finding = schema::fits(schema, actual);
                        let rule = || "valid under the schema".to_owned();
                        self.found(finding, rule, place, actual, context)
                    }
                })
            }),
        }
    }

    fn held(&self, holds: bool, place: Place<'_>, context: Context<'_>) -> Check {
        if holds {
            Check::Matches
        } else {
            self.differs(place, context)
        }
    }

    /// The one mismatch that this operator does not hold.
    fn differs(&self, place: Place<'_>, context: Context<'_>) -> Check {
        if context.brief {
            return Check::undescribed(self.at);
        }
        Check::Differs(vec![Mismatch {
            pointer: place.pointer.to_owned(),
            expected: describe::operator(self, context),
            actual: describe::actual(place.actual),
            at: self.at,
        }])
    }

    /// What a predicate, a shape or a schema found.
    fn found(
        &self,
        finding: Finding,
        kind: impl FnOnce() -> String,
        place: Place<'_>,
        actual: &Value,
        context: Context<'_>,
    ) -> Check {
        let breaches = match finding {
            Finding::Holds => return Check::Matches,
            Finding::Unknown(reason) => return Check::Unknown(reason),
            Finding::Breaks(_) if context.brief => return Check::undescribed(self.at),
            Finding::Breaks(breaches) => breaches,
        };
        let kind = kind();
        let mismatches = breaches.into_iter().map(|breach| Mismatch {
            expected: describe::bounded(&match breach.rule.as_str() {
                "" => kind.clone(),
                rule => format!("{kind}: {rule}"),
            }),
            actual: describe::actual(actual.pointer(&breach.pointer)),
            pointer: format!("{}{}", place.pointer, breach.pointer),
            at: self.at,
        });
        Check::Differs(mismatches.collect())
    }

    /// Goes on with what an operand comes to; an absent one reads as `{ $absent: true }`.
    fn with_value(
        &self,
        data: &Data,
        place: Place<'_>,
        context: Context<'_>,
        check: impl FnOnce(&Value) -> Result<Check, Unresolved>,
    ) -> Result<Check, Unresolved> {
        match data.resolve_expected(context.scope)? {
            Resolved::Value(value) => check(&value),
            _ => Ok(self.held(place.actual.is_none(), place, context)),
        }
    }

    fn any(
        &self,
        alternatives: &[Matcher],
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let mut unknown = None;
        for alternative in alternatives {
            match alternative.check_at(place, context.brief())? {
                Check::Matches => return Ok(Check::Matches),
                Check::Unknown(reason) => unknown = unknown.or(Some(reason)),
                Check::Differs(_) => {}
            }
        }
        Ok(match unknown {
            Some(reason) => Check::Unknown(reason),
            None => self.differs(place, context),
        })
    }

    fn any_of(
        &self,
        list: &Data,
        is_status: bool,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        self.with_value(list, place, context, |value| {
            let Value::Array(items) = value else {
                return Err(misfit(list, "`$any` needs a list", value));
            };
            let matches = items
                .iter()
                .any(|item| as_data(item, is_status, place, self.at).matches());
            Ok(self.held(matches, place, context))
        })
    }

    fn len(
        &self,
        inner: &Matcher,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let length = match place.actual {
            Some(Value::Array(items)) => items.len(),
            Some(Value::Object(object)) => object.len(),
            Some(Value::String(text)) => text.chars().count(),
            _ => return Ok(self.differs(place, context)),
        };
        let number = Value::Number(Number::from(length));
        let measured = Place {
            actual: Some(&number),
            level: super::check::Level::Inner,
            ..place
        };
        Ok(match inner.check_at(measured, context)? {
            Check::Differs(_) => Check::Differs(vec![Mismatch {
                pointer: place.pointer.to_owned(),
                expected: describe::operator(self, context),
                actual: describe::bounded(&format!(
                    "length {length}: {}",
                    describe::actual(place.actual)
                )),
                at: self.at,
            }]),
            other => other,
        })
    }

    fn each(
        &self,
        inner: &Matcher,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let Some(items) = place.actual.and_then(items) else {
            return Ok(self.differs(place, context));
        };
        if planted("match-each-empty") && items.is_empty() {
            return Ok(self.differs(place, context));
        }
        let mut check = Check::Matches;
        for (token, item) in items {
            let place = Place {
                actual: Some(item),
                pointer: &place.pointer_to(&token, context),
                level: place.level.of_items(),
            };
            check = check.and(inner.check_at(place, context)?);
        }
        Ok(check)
    }

    fn some(
        &self,
        inner: &Matcher,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let mut unknown = None;
        for (token, item) in place.actual.and_then(items).unwrap_or_default() {
            let place = Place {
                actual: Some(item),
                pointer: &place.pointer_to(&token, context),
                level: place.level.of_items(),
            };
            match inner.check_at(place, context.brief())? {
                Check::Matches => return Ok(Check::Matches),
                Check::Unknown(reason) => unknown = unknown.or(Some(reason)),
                Check::Differs(_) => {}
            }
        }
        Ok(match unknown {
            Some(reason) => Check::Unknown(reason),
            None => self.differs(place, context),
        })
    }

    fn same_items(&self, expected: &Value, place: Place<'_>, context: Context<'_>) -> Check {
        let (Some(expected), Some(actual)) =
            (expected.as_array(), place.actual.and_then(Value::as_array))
        else {
            return self.differs(place, context);
        };
        let sorted = |items: &'_ [Value]| {
            let mut items: Vec<Value> = items.to_vec();
            items.sort_by(order);
            items
        };
        self.held(sorted(expected) == sorted(actual), place, context)
    }

    fn bound(
        &self,
        data: &Data,
        place: Place<'_>,
        context: Context<'_>,
        fits: impl Fn(std::cmp::Ordering) -> bool,
    ) -> Result<Check, Unresolved> {
        self.with_value(data, place, context, |bound| {
            let ordering = match (place.actual, bound) {
                (Some(Value::Number(actual)), Value::Number(bound)) => {
                    Some(actual.cmp_value(bound))
                }
                // Strings compare by code point, which is the order of their UTF-8 bytes.
                (Some(Value::String(actual)), Value::String(bound)) => Some(actual.cmp(bound)),
                (_, Value::Number(_) | Value::String(_)) => None,
                (_, other) => {
                    return Err(misfit(data, "a bound is a number or a string", other));
                }
            };
            Ok(self.held(ordering.is_some_and(fits), place, context))
        })
    }

    fn regex(
        &self,
        pattern: &Pat,
        place: Place<'_>,
        context: Context<'_>,
    ) -> Result<Check, Unresolved> {
        let Some(actual) = place.actual else {
            return Ok(self.differs(place, context));
        };
        let built;
        let regex = match pattern {
            Pat::Ready(regex) => regex,
            Pat::Template(template) => {
                let Some(text) = template.resolve_text(context.scope)? else {
                    return Ok(self.differs(place, context));
                };
                match Regex::new(&text) {
                    Ok(regex) => {
                        built = regex;
                        &built
                    }
                    Err(error) => {
                        return Err(Unresolved::Filter {
                            path: text,
                            problem: format!("this is no regular expression: {error}"),
                        });
                    }
                }
            }
        };
        let holds = match actual {
            Value::String(text) => regex.is_match(text),
            other => regex.is_match(&other.to_json()),
        };
        Ok(self.held(holds, place, context))
    }

    fn unique_by(&self, path: &ItemPath, place: Place<'_>, context: Context<'_>) -> Check {
        let Some(items) = place.actual.and_then(items) else {
            return self.differs(place, context);
        };
        let mut found: Vec<(&Value, String)> = items
            .into_iter()
            .filter_map(|(token, item)| Some((descend(item, &path.segments)?, token)))
            .collect();
        // The sort is stable, so that of two equal ones the later stands behind.
        found.sort_by(|(left, _), (right, _)| order(left, right));
        let twice = found
            .windows(2)
            .find(|pair| order(pair[0].0, pair[1].0).is_eq());
        match twice {
            None => Check::Matches,
            Some(pair) => Check::Differs(vec![Mismatch {
                pointer: child(place.pointer, &pair[1].1),
                expected: describe::operator(self, context),
                actual: describe::bounded(&format!(
                    "as in item {}: {}",
                    pair[0].1,
                    describe::value(pair[1].0)
                )),
                at: self.at,
            }]),
        }
    }

    fn increasing_by(&self, path: &ItemPath, place: Place<'_>, context: Context<'_>) -> Check {
        let Some(items) = place.actual.and_then(items) else {
            return self.differs(place, context);
        };
        let mut last: Option<&Number> = None;
        for (token, item) in items {
            let Some(value) = descend(item, &path.segments) else {
                continue;
            };
            let number = value.as_number();
            let grows = number.is_some_and(|number| last.is_none_or(|last| last < number));
            if !grows {
                let after = last.map_or(String::new(), |last| format!(" after {last}"));
                return Check::Differs(vec![Mismatch {
                    pointer: child(place.pointer, &token),
                    expected: describe::operator(self, context),
                    actual: describe::bounded(&format!("{}{after}", describe::value(value))),
                    at: self.at,
                }]);
            }
            last = number;
        }
        Check::Matches
    }
}

/// The items of a list or object with their pointer tokens.
fn items(value: &Value) -> Option<Vec<(String, &Value)>> {
    match value {
        Value::Array(items) => Some(
            items
                .iter()
                .enumerate()
                .map(|(index, item)| (index.to_string(), item))
                .collect(),
        ),
        Value::Object(object) => Some(
            object
                .iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        ),
        _ => None,
    }
}

/// A result without its volatile members, which may differ between two answers to one request.
pub fn lasting(value: &Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(
            object
                .iter()
                .filter(|(name, _)| !VOLATILE.contains(name))
                .map(|(name, value)| (name, value.clone()))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// An operand that came to a value of a wrong type.
fn misfit(data: &Data, problem: &str, value: &Value) -> Unresolved {
    Unresolved::Filter {
        path: data.placeholder_text(),
        problem: format!("{problem}, not {}", describe::value(value)),
    }
}
