//! Strict reading of maps: every key is known, and what is wrong has its place.

use super::{Data, Key, Kind, Location};
use crate::text::closest;

/// Something wrong at a place of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do about it, where that is known.
    pub help: Option<String>,
    /// Where.
    pub at: Location,
}

impl Problem {
    /// A problem whose message says it all.
    pub fn new(at: Location, message: impl Into<String>) -> Problem {
        Problem {
            message: message.into(),
            help: None,
            at,
        }
    }

    /// The same with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }
}

/// The members of a map, each taken out once; what is left over is unknown.
pub struct Fields<'a> {
    /// Where the map stands.
    pub at: Location,
    entries: Vec<Entry<'a>>,
    asked: Vec<&'static str>,
}

struct Entry<'a> {
    name: &'a str,
    key: &'a Key,
    data: &'a Data,
    is_taken: bool,
}

impl<'a> Fields<'a> {
    /// The fields of a map. `what` names the map in messages (`a step`).
    ///
    /// # Errors
    ///
    /// It is no map, or a key of it holds a placeholder.
    pub fn of(data: &'a Data, what: &str) -> Result<Fields<'a>, Problem> {
        let Kind::Map(members) = &data.kind else {
            return Err(Problem::new(data.at, format!("{what} is a map")));
        };
        let mut entries = Vec::with_capacity(members.len());
        for (key, data) in members {
            let name = key.text.literal().ok_or_else(|| {
                Problem::new(key.at, "a key here is a plain name, without `$(…)`")
            })?;
            entries.push(Entry {
                name,
                key,
                data,
                is_taken: false,
            });
        }
        Ok(Fields {
            at: data.at,
            entries,
            asked: Vec::new(),
        })
    }

    /// The value of a field, if it is there.
    pub fn take(&mut self, name: &'static str) -> Option<&'a Data> {
        self.take_with_place(name).map(|(_, data)| data)
    }

    /// The value of a field and where its key stands.
    pub fn take_with_place(&mut self, name: &'static str) -> Option<(Location, &'a Data)> {
        self.asked.push(name);
        let entry = self.entries.iter_mut().find(|entry| entry.name == name)?;
        entry.is_taken = true;
        Some((entry.key.at, entry.data))
    }

    /// The value of a field that has to be there.
    ///
    /// # Errors
    ///
    /// It is not.
    pub fn require(&mut self, name: &'static str) -> Result<&'a Data, Problem> {
        let at = self.at;
        self.take(name)
            .ok_or_else(|| Problem::new(at, format!("`{name}` is missing")))
    }

    /// Whether a field is there, without taking it.
    pub fn contains(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// The members that no one took, as a map of their own.
    pub fn take_rest(&mut self) -> Data {
        let rest = self.entries.iter_mut().filter(|entry| !entry.is_taken);
        let members = rest
            .map(|entry| {
                entry.is_taken = true;
                (entry.key.clone(), entry.data.clone())
            })
            .collect();
        Data {
            kind: Kind::Map(members),
            at: self.at,
        }
    }

    /// One problem for each field that no one asked for.
    pub fn unknown(self) -> Vec<Problem> {
        let known = self.asked;
        self.entries
            .into_iter()
            .filter(|entry| !entry.is_taken)
            .map(|entry| {
                let problem = Problem::new(entry.key.at, format!("unknown key `{}`", entry.name));
                match closest(entry.name, known.iter().copied()) {
                    Some(close) => problem.with_help(format!("did you mean `{close}`?")),
                    None => problem.with_help(format!("known here: {}", known.join(", "))),
                }
            })
            .collect()
    }
}

impl Data {
    /// The text, which has no placeholders.
    ///
    /// # Errors
    ///
    /// It is something else. `name` names it in the message.
    pub fn text(&self, name: &str) -> Result<&str, Problem> {
        self.literal().ok_or_else(|| {
            let problem = Problem::new(self.at, format!("`{name}` is text"));
            match &self.kind {
                Kind::Number(_) | Kind::Bool(_) => problem.with_help("quote it"),
                _ => problem,
            }
        })
    }

    /// The items of a list.
    ///
    /// # Errors
    ///
    /// It is something else. `name` names it in the message.
    pub fn list(&self, name: &str) -> Result<&[Data], Problem> {
        match &self.kind {
            Kind::List(items) => Ok(items),
            _ => Err(Problem::new(self.at, format!("`{name}` is a list"))),
        }
    }

    /// The text as one of a closed list of names.
    ///
    /// # Errors
    ///
    /// It is no text, or none of them.
    pub fn one_of<T: Copy>(&self, name: &str, known: &[(&'static str, T)]) -> Result<T, Problem> {
        let text = self.text(name)?;
        let found = known.iter().find(|(known, _)| *known == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let problem = Problem::new(self.at, format!("`{name}` cannot be `{text}`"));
            match closest(text, names.iter().copied()) {
                Some(close) => problem.with_help(format!("did you mean `{close}`?")),
                None => problem.with_help(format!("known here: {}", names.join(", "))),
            }
        })
    }
}
