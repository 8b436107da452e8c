//! JSON files that others wrote, read with the place of everything that is wrong. No line of such a file is ever shown,
//! since it may hold secrets.

use std::fmt;

use mcpspec_wire::{Document, Value};

/// A JSON file that is being read. Comments and trailing commas, as editors allow them, are passed over.
pub(super) struct JsonFile<'a> {
    origin: &'a str,
    text: &'a str,
    document: Document,
}

/// A value of the file and where it stands.
#[derive(Clone)]
pub(super) struct Node<'a> {
    file: &'a JsonFile<'a>,
    pub(super) value: &'a Value,
    pointer: String,
}

/// What is wrong with a file that names servers for others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ForeignFileError {
    /// The file as the user wrote it.
    pub file: String,
    /// Line and column, from 1.
    pub at: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ForeignFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some((line, column)) = self.at {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl ForeignFileError {
    /// The same with advice.
    #[must_use]
    pub(super) fn with_help(mut self, help: impl Into<String>) -> ForeignFileError {
        self.help = Some(help.into());
        self
    }
}

impl<'a> JsonFile<'a> {
    /// Reads a file.
    pub(super) fn parse(origin: &'a str, text: &'a str) -> Result<JsonFile<'a>, ForeignFileError> {
        let mut plain = text.to_owned();
        // It fails where a comment or a string is not closed, and so does the reading that follows.
        let _ = json_strip_comments::strip(&mut plain);
        match Document::parse(plain.as_bytes()) {
            Ok(document) => Ok(JsonFile {
                origin,
                text,
                document,
            }),
            Err(error) => Err(ForeignFileError {
                file: origin.to_owned(),
                at: Some(place(text, error.offset)),
                message: error.kind.to_string(),
                help: None,
            }),
        }
    }

    /// The whole value.
    pub(super) fn root(&'a self) -> Node<'a> {
        Node {
            file: self,
            value: self.document.root(),
            pointer: String::new(),
        }
    }
}

impl<'a> Node<'a> {
    /// An error at this place.
    pub(super) fn error(&self, message: impl Into<String>) -> ForeignFileError {
        let span = self.file.document.span_of(&self.pointer);
        ForeignFileError {
            file: self.file.origin.to_owned(),
            at: span.map(|span| place(self.file.text, span.start)),
            message: message.into(),
            help: None,
        }
    }

    /// The member of this name; null counts as none.
    pub(super) fn member(&self, name: &str) -> Option<Node<'a>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(self.below(name, value))
    }

    /// The members of an object.
    pub(super) fn members(&self, what: &str) -> Result<Vec<(&'a str, Node<'a>)>, ForeignFileError> {
        let object = self
            .value
            .as_object()
            .ok_or_else(|| self.wrong(what, "an object"))?;
        let members = object.iter();
        Ok(members
            .map(|(name, value)| (name, self.below(name, value)))
            .collect())
    }

    /// The items of an array.
    pub(super) fn items(&self, what: &str) -> Result<Vec<Node<'a>>, ForeignFileError> {
        let items = self
            .value
            .as_array()
            .ok_or_else(|| self.wrong(what, "an array"))?;
        let items = items.iter().enumerate();
        Ok(items
            .map(|(index, item)| self.below(&index.to_string(), item))
            .collect())
    }

    /// The items of an array that may be missing.
    pub(super) fn list(&self, name: &str) -> Result<Vec<Node<'a>>, ForeignFileError> {
        self.member(name)
            .map_or(Ok(Vec::new()), |list| list.items(&format!("`{name}`")))
    }

    /// The text that stands here.
    pub(super) fn text(&self, what: &str) -> Result<&'a str, ForeignFileError> {
        self.value
            .as_str()
            .ok_or_else(|| self.wrong(what, "a string"))
    }

    /// The text of a member that may be missing.
    pub(super) fn optional(&self, name: &str) -> Result<Option<&'a str>, ForeignFileError> {
        let member = self.member(name);
        member
            .map(|member| member.text(&format!("`{name}`")))
            .transpose()
    }

    /// The text of a member that has to be there, and is not empty.
    pub(super) fn required(&self, name: &str, of: &str) -> Result<&'a str, ForeignFileError> {
        match self.optional(name)? {
            Some(text) if !text.is_empty() => Ok(text),
            Some(_) => Err(self.error(format!("`{name}` of {of} is empty"))),
            None => Err(self.error(format!("{of} has no `{name}`"))),
        }
    }

    /// Whether a member is there and true.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.value.get(name).and_then(Value::as_bool) == Some(true)
    }

    fn wrong(&self, what: &str, wanted: &str) -> ForeignFileError {
        self.error(format!("{what} is not {wanted}"))
    }

    fn below(&self, name: &str, value: &'a Value) -> Node<'a> {
        let escaped = name.replace('~', "~0").replace('/', "~1");
        Node {
            file: self.file,
            value,
            pointer: format!("{}/{escaped}", self.pointer),
        }
    }
}

/// Line and column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |index| index + 1);
    let column = before[line_start..]
        .trim_start_matches('\u{feff}')
        .chars()
        .count()
        + 1;
    (before.matches('\n').count() + 1, column)
}
