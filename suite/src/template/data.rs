//! The model: YAML data with places, templates and placeholders.

use mcpspec_wire::Number;

/// Where something stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// A YAML value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Data {
    /// The value.
    pub kind: Kind,
    /// Its first character.
    pub at: Location,
}

/// A YAML value.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A plain `null`: on the send side it removes, in a matcher it is JSON null.
    Null,
    /// `true` or `false`, and no other spelling.
    Bool(bool),
    /// A plain number, spelt as in the file.
    Number(Number),
    /// Any other scalar.
    Text(Template),
    /// A list.
    List(Vec<Data>),
    /// A map, in order; the reader refuses duplicate keys.
    Map(Vec<(Key, Data)>),
}

/// A key of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Its text.
    pub text: Template,
    /// Its first character.
    pub at: Location,
}

/// Text in which placeholders may stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    /// Its pieces in order; adjacent literals are joined, and empty text has none.
    pub parts: Vec<Part>,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Text as it is.
    Literal(String),
    /// `$(…)`.
    Placeholder(Placeholder),
}

/// `$(source | filter | …)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Placeholder {
    /// Where the value comes from.
    pub source: SourcePath,
    /// Filters in order, each a template that gives the filter's name and argument (`key 0`, `$(change)`).
    pub filters: Vec<Template>,
    /// As written, for messages.
    pub text: String,
}

impl Placeholder {
    /// Whether the `optional` filter follows, so that nothing is a legal value.
    pub fn is_optional(&self) -> bool {
        self.filters
            .iter()
            .any(|filter| filter.literal() == Some("optional"))
    }
}

/// `first.result.'io.x/y'.0`, or a word with an argument such as `text 100`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePath {
    /// Member names and list indexes, the first being the source's name.
    pub segments: Vec<String>,
    /// What follows the name after a blank (`message METHOD`, `text N`, `deep N`, `byte HH`).
    pub argument: Option<String>,
}

impl Template {
    /// The text, if no placeholder stands in it.
    pub fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The placeholder, if the text is nothing but one.
    pub fn whole(&self) -> Option<&Placeholder> {
        match self.parts.as_slice() {
            [Part::Placeholder(placeholder)] => Some(placeholder),
            _ => None,
        }
    }

    /// All placeholders in it, those inside filters included.
    pub fn placeholders(&self) -> Vec<&Placeholder> {
        let mut found = Vec::new();
        for part in &self.parts {
            if let Part::Placeholder(placeholder) = part {
                found.push(placeholder);
                found.extend(placeholder.filters.iter().flat_map(Template::placeholders));
            }
        }
        found
    }
}

impl Data {
    /// The text, if it is a string without placeholders.
    pub fn literal(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(template) => template.literal(),
            _ => None,
        }
    }

    /// The placeholder that this text begins with, as written, for messages; empty if there is none.
    pub(crate) fn placeholder_text(&self) -> String {
        match &self.kind {
            Kind::Text(template) => template
                .placeholders()
                .first()
                .map(|placeholder| placeholder.text.clone())
                .unwrap_or_default(),
            _ => String::new(),
        }
    }

    /// The member of a map whose key is literally `name`.
    pub fn member(&self, name: &str) -> Option<&Data> {
        match &self.kind {
            Kind::Map(members) => members
                .iter()
                .find(|(key, _)| key.text.literal() == Some(name))
                .map(|(_, value)| value),
            _ => None,
        }
    }
}
