//! The names that `$is` takes.

use mcpspec_wire::{Number, Value};

use super::finding::Finding;
use super::format::Format;
use super::predicate::Predicate;
use super::schema::of_shape;
use crate::spec::Shapes;
use crate::text::closest;

/// What `$is` asks of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A JSON type.
    Type(Type),
    /// A format of strings.
    Format(Format),
    /// What no matcher can say.
    Predicate(Predicate),
    /// A shape of the specification, by its name.
    Shape(String),
}

/// A JSON type; `null` is written as a plain `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    String,
    /// A number of integral value: `1.0` is one.
    Integer,
    Number,
    Boolean,
    Object,
    Array,
}

impl Type {
    const ALL: [(&'static str, Type); 6] = [
        ("array", Type::Array),
        ("boolean", Type::Boolean),
        ("integer", Type::Integer),
        ("number", Type::Number),
        ("object", Type::Object),
        ("string", Type::String),
    ];
}

impl Kind {
    /// The kind with this name. Names that begin with a capital letter are shapes; whether there is one, lint knows.
    pub(super) fn of(name: &str) -> Result<Kind, String> {
        if let Some((_, kind)) = Type::ALL.iter().find(|(known, _)| *known == name) {
            return Ok(Kind::Type(*kind));
        }
        if let Some(format) = Format::of(name) {
            return Ok(Kind::Format(format));
        }
        if let Some(predicate) = Predicate::of(name) {
            return Ok(Kind::Predicate(predicate));
        }
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return Ok(Kind::Shape(name.to_owned()));
        }
        if name == "null" {
            return Err("write a plain `null` in place of `{ $is: null }`".to_owned());
        }
        Err(match closest(name, Kind::names()) {
            Some(close) => format!("there is no kind `{name}`; did you mean `{close}`?"),
            None => format!(
                "there is no kind `{name}`: `$is` takes a JSON type, a format, a predicate or the name of a shape"
            ),
        })
    }

    /// Names of all types, formats and predicates.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        let types = Type::ALL.iter().map(|(name, _)| *name);
        let formats = Format::ALL.iter().map(|(name, _)| *name);
        let predicates = Predicate::ALL.iter().map(|(name, _)| *name);
        types.chain(formats).chain(predicates)
    }

    /// How it reads in a message.
    pub(super) fn name(&self) -> String {
        match self {
            Kind::Type(kind) => named(&Type::ALL, *kind).to_owned(),
            Kind::Format(format) => named(&Format::ALL, *format).to_owned(),
            Kind::Predicate(predicate) => named(&Predicate::ALL, *predicate).to_owned(),
            Kind::Shape(name) => name.clone(),
        }
    }
}

/// The name that a table gives to a value.
fn named<T: PartialEq + Copy>(table: &[(&'static str, T)], value: T) -> &'static str {
    table
        .iter()
        .find(|(_, known)| *known == value)
        .map(|(name, _)| *name)
        .expect("the table lists every value")
}

impl Kind {
    /// What it finds out about a value.
    pub(super) fn check(&self, value: &Value, shapes: &Shapes) -> Finding {
        match self {
            Kind::Type(kind) => Finding::of(kind.fits(value)),
            Kind::Format(format) => {
                Finding::of(value.as_str().is_some_and(|text| format.fits(text)))
            }
            Kind::Predicate(predicate) => predicate.check(value, shapes),
            Kind::Shape(name) => of_shape(name, value, shapes),
        }
    }
}

impl Type {
    fn fits(self, value: &Value) -> bool {
        match self {
            Type::String => value.as_str().is_some(),
            Type::Integer => value.as_number().is_some_and(Number::is_integer),
            Type::Number => value.as_number().is_some(),
            Type::Boolean => value.as_bool().is_some(),
            Type::Object => value.as_object().is_some(),
            Type::Array => value.as_array().is_some(),
        }
    }
}
