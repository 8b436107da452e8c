//! Strict reading of TOML tables, with the place of everything that is wrong.

use std::sync::Arc;

use mcpspec_wire::{Number, Object, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::case::Diagnostic;
use crate::template::{Location, Problem};
use crate::text::closest;

/// A TOML file that is being read: its name for messages, and its text to count lines in.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) origin: &'a str,
    pub(super) text: &'a str,
}

/// A key of a table, its value, and where the key begins.
pub(super) struct Entry<'a> {
    pub(super) key: &'a str,
    pub(super) value: &'a DeValue<'a>,
    pub(super) at: usize,
}

impl<'a> Source<'a> {
    /// Reads the file as one table.
    pub(super) fn parse(self) -> Result<Spanned<DeTable<'a>>, Diagnostic> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        let place = |error: &toml::de::Error| error.span().map_or(0, |span| span.start);
        // The parser goes on after an error, and the later ones only follow from it.
        match errors.iter().min_by_key(|error| place(error)) {
            Some(first) => Err(self.error(place(first), first.message())),
            None => Ok(table),
        }
    }

    /// An error at a byte of the text.
    pub(super) fn error(self, at: usize, message: impl Into<String>) -> Diagnostic {
        self.diagnostic(at, message, None)
    }

    fn diagnostic(self, at: usize, message: impl Into<String>, help: Option<String>) -> Diagnostic {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |index| index + 1);
        let place = Location {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        };
        let problem = Problem {
            message: message.into(),
            help,
            at: place,
        };
        Diagnostic::new(&Arc::from(self.origin), &Arc::from(self.text), problem)
    }

    /// The table that an entry holds.
    pub(super) fn table(self, entry: &Entry<'a>) -> Result<&'a DeTable<'a>, Diagnostic> {
        entry
            .value
            .as_table()
            .ok_or_else(|| self.wrong_type(entry, "a table"))
    }

    /// The text that an entry holds.
    pub(super) fn string(self, entry: &Entry<'a>) -> Result<String, Diagnostic> {
        match entry.value.as_str() {
            Some(text) if !text.is_empty() => Ok(text.to_owned()),
            Some(_) => Err(self.error(entry.at, format!("`{}` is empty", entry.key))),
            None => Err(self.wrong_type(entry, "a string")),
        }
    }

    /// The object that an entry holds.
    pub(super) fn object(self, entry: &Entry<'a>) -> Result<Value, Diagnostic> {
        match entry.value {
            DeValue::Table(_) => self.value(entry),
            _ => Err(self.wrong_type(entry, "a table")),
        }
    }

    /// The JSON value that an entry holds.
    pub(super) fn value(self, entry: &Entry<'a>) -> Result<Value, Diagnostic> {
        to_value(entry.value)
            .map_err(|problem| self.error(entry.at, format!("`{}`: {problem}", entry.key)))
    }

    pub(super) fn wrong_type(self, entry: &Entry<'a>, wanted: &str) -> Diagnostic {
        self.error(
            entry.at,
            format!("`{}` is {}, not {wanted}", entry.key, kind_of(entry.value)),
        )
    }

    /// The error for a key that means nothing here.
    pub(super) fn unknown(self, entry: &Entry<'a>, what: &str, known: &[&str]) -> Diagnostic {
        let message = format!("unknown {what} `{}`", entry.key);
        self.closed(entry.at, message, entry.key, known)
    }

    /// The error for a text that is none of a closed list.
    pub(super) fn closed(
        self,
        at: usize,
        message: String,
        text: &str,
        known: &[&str],
    ) -> Diagnostic {
        let help = match closest(text, known.iter().copied()) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        self.diagnostic(at, message, Some(help))
    }
}

/// The entries of a table in the order of the file.
pub(super) fn entries<'a>(table: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = table
        .iter()
        .map(|(key, value)| Entry {
            key: key.get_ref(),
            value: value.get_ref(),
            at: key.span().start,
        })
        .collect();
    entries.sort_by_key(|entry| entry.at);
    entries
}

fn to_value(value: &DeValue<'_>) -> Result<Value, String> {
    Ok(match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map(Value::from)
            .map_err(|_| "the integer does not fit 64 bits".to_owned())?,
        DeValue::Float(float) => float
            .as_str()
            .parse::<f64>()
            .ok()
            .and_then(|number| Number::try_from(number).ok())
            .map(Value::from)
            .ok_or("JSON has no such number")?,
        DeValue::Datetime(_) => return Err("JSON has no dates: write it as a string".to_owned()),
        DeValue::Array(items) => items
            .iter()
            .map(|item| to_value(item.get_ref()))
            .collect::<Result<Vec<Value>, String>>()?
            .into(),
        DeValue::Table(table) => {
            let mut object = Object::new();
            for entry in entries(table) {
                object.insert(entry.key, to_value(entry.value)?);
            }
            object.into()
        }
    })
}

fn kind_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
