//! What several places of a case have in common: collecting problems, conditions, matchers, alternatives, names.

use super::super::{Alternative, Condition, Judged};
use crate::matcher::Matcher;
use crate::template::{Data, Fields, Kind, Location, Problem, duration};
use crate::verdict::Grade;

/// The grades of alternatives.
const GRADES: [(&str, Grade); 6] = [
    ("pass", Grade::Pass),
    ("note", Grade::Note),
    ("warn", Grade::Warn),
    ("fail", Grade::Fail),
    ("inconclusive", Grade::Inconclusive),
    ("skip", Grade::Skip),
];

/// Problems of one file.
#[derive(Debug, Default)]
pub(super) struct Problems(pub(super) Vec<Problem>);

impl Problems {
    /// The value, or nothing and one problem more.
    pub(super) fn take<T>(&mut self, result: Result<T, Problem>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(problem) => {
                self.0.push(problem);
                None
            }
        }
    }

    pub(super) fn add(&mut self, at: Location, message: impl Into<String>) {
        self.0.push(Problem::new(at, message));
    }

    /// Closes a map: whatever nobody asked for is unknown.
    pub(super) fn close(&mut self, fields: Fields<'_>) {
        self.0.extend(fields.unknown());
    }

    /// A matcher.
    pub(super) fn matcher(&mut self, data: &Data) -> Option<Matcher> {
        self.take(Matcher::compile(data).map_err(|error| Problem::new(error.at, error.message)))
    }

    /// A list of conditions.
    pub(super) fn conditions(&mut self, data: &Data, name: &str) -> Vec<Condition> {
        let Some(items) = self.take(data.list(name)) else {
            return Vec::new();
        };
        items
            .iter()
            .filter_map(|item| {
                let text = self.take(item.text(name))?;
                let condition = Condition::parse(text, item.at);
                self.take(condition.map_err(|message| Problem::new(item.at, message)))
            })
            .collect()
    }

    /// `when`: one condition or a list.
    pub(super) fn when(&mut self, data: Option<&Data>) -> Vec<Condition> {
        match data {
            None => Vec::new(),
            Some(data) if matches!(data.kind, Kind::List(_)) => self.conditions(data, "when"),
            Some(data) => {
                let one = Data {
                    kind: Kind::List(vec![data.clone()]),
                    at: data.at,
                };
                self.conditions(&one, "when")
            }
        }
    }

    /// `expect` and `else`. `needs_expect` says that alternatives stand beside it only.
    pub(super) fn judged(&mut self, fields: &mut Fields<'_>) -> Option<Judged> {
        let expect = fields
            .take("expect")
            .map(|expect| (expect, self.matcher(expect)));
        let alternatives = fields
            .take_with_place("else")
            .map(|(at, data)| (at, self.alternatives(data)));
        match (expect, alternatives) {
            (Some((_, expect)), alternatives) => Some(Judged {
                expect: expect?,
                alternatives: alternatives.map_or_else(Vec::new, |(_, found)| found),
            }),
            (None, Some((at, _))) => {
                self.add(at, "`else` stands beside `expect`");
                None
            }
            (None, None) => None,
        }
    }

    /// The list of `else`.
    pub(super) fn alternatives(&mut self, data: &Data) -> Vec<Alternative> {
        let Some(items) = self.take(data.list("else")) else {
            return Vec::new();
        };
        if items.is_empty() {
            self.add(data.at, "`else` lists no alternative");
        }
        items
            .iter()
            .filter_map(|item| self.alternative(item))
            .collect()
    }

    fn alternative(&mut self, data: &Data) -> Option<Alternative> {
        let mut fields = self.take(Fields::of(data, "an alternative"))?;
        let grade = fields.require("grade");
        let grade = self
            .take(grade)
            .and_then(|grade| self.take(grade.one_of("grade", &GRADES)));
        let when = self.when(fields.take("when"));
        let note = fields
            .take("note")
            .and_then(|note| self.take(note.text("note")).map(str::to_owned));
        let matcher = self.matcher(&fields.take_rest());
        Some(Alternative {
            matcher: matcher?,
            grade: grade?,
            when,
            note,
            at: data.at,
        })
    }

    /// A name for outcomes, links and variables: small letters, digits, hyphens and underscores after a letter.
    pub(super) fn name(&mut self, data: &Data, field: &str) -> Option<String> {
        let text = self.take(data.text(field))?;
        if is_name(text) {
            return Some(text.to_owned());
        }
        self.add(
            data.at,
            format!("`{text}` is no name: write letters, digits, `-` and `_` after a letter"),
        );
        None
    }

    /// One name or a list of names.
    pub(super) fn names(&mut self, data: &Data, field: &str) -> Vec<String> {
        match &data.kind {
            Kind::List(items) if items.is_empty() => {
                self.add(data.at, format!("`{field}` names nothing"));
                Vec::new()
            }
            Kind::List(items) => items
                .iter()
                .filter_map(|item| self.name(item, field))
                .collect(),
            _ => self.name(data, field).into_iter().collect(),
        }
    }

    /// A duration: `500ms`, or a `$(…)`.
    pub(super) fn duration(&mut self, data: Option<&Data>, field: &str) -> Option<Data> {
        let data = data?;
        match &data.kind {
            Kind::Text(template) => {
                if let Some(text) = template.literal()
                    && let Err(error) = duration(&text.into())
                {
                    self.add(data.at, error.to_string());
                }
                Some(data.clone())
            }
            _ => {
                self.add(
                    data.at,
                    format!("`{field}` is a duration: write 500ms, 2s or 1m"),
                );
                None
            }
        }
    }

    /// A map, or a `$(…)` that gives one.
    pub(super) fn map_or_placeholder(&mut self, data: Option<&Data>, field: &str) -> Option<Data> {
        let data = data?;
        match &data.kind {
            Kind::Map(_) => Some(data.clone()),
            Kind::Text(template) if template.whole().is_some() => Some(data.clone()),
            _ => {
                self.add(
                    data.at,
                    format!("`{field}` is a map, or a `$(…)` that gives one"),
                );
                None
            }
        }
    }

    /// `true`; `false` is what a field that is left out says.
    pub(super) fn flag(&mut self, data: Option<&Data>, field: &str) -> bool {
        match data.map(|data| (&data.kind, data.at)) {
            None => false,
            Some((Kind::Bool(true), _)) => true,
            Some((_, at)) => {
                self.add(
                    at,
                    format!("`{field}` takes `true`; leave it out otherwise"),
                );
                false
            }
        }
    }
}

/// Whether a text can name an outcome, a link or a variable.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
