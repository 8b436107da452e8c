//! Compiling matchers.

use mcpspec_wire::Value;
use regex::Regex;

use super::kind::Kind;
use super::model::{ItemPath, Matcher, Operator, Pat, Pattern, Test};
use crate::template::{Data, Key, Kind as DataKind, Location, Template};
use crate::text::closest;

/// Every operator.
pub const OPERATORS: [&str; 16] = [
    "$absent",
    "$any",
    "$each",
    "$eq",
    "$fits",
    "$gte",
    "$increasing_by",
    "$is",
    "$len",
    "$lte",
    "$not",
    "$regex",
    "$same_as",
    "$same_items",
    "$some",
    "$unique_by",
];

/// Why a matcher is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompileError {
    /// What is wrong, and what to write instead.
    pub message: String,
    /// Where.
    pub at: Location,
}

impl Matcher {
    /// Compiles a matcher; unknown operators and operands of a wrong kind are errors.
    pub fn compile(data: &Data) -> Result<Matcher, CompileError> {
        matcher(data, false)
    }
}

/// Compiles what stands at some member; `is_status` says whether that is `status`, which has classes.
fn matcher(data: &Data, is_status: bool) -> Result<Matcher, CompileError> {
    let pattern = match &data.kind {
        DataKind::Null => Pattern::Scalar(Value::Null),
        DataKind::Bool(bool) => Pattern::Scalar(Value::Bool(*bool)),
        DataKind::Number(number) => Pattern::Scalar(Value::Number(number.clone())),
        DataKind::Text(template) => match template.literal() {
            Some(text) => match is_status.then(|| status_class(text)).flatten() {
                Some(class) => Pattern::StatusClass(class),
                None => Pattern::Scalar(text.into()),
            },
            None => Pattern::Text {
                data: data.clone(),
                is_status,
            },
        },
        DataKind::List(items) => Pattern::List(
            items
                .iter()
                .map(|item| matcher(item, false))
                .collect::<Result<_, _>>()?,
        ),
        DataKind::Map(entries) => map(entries, is_status)?,
    };
    Ok(Matcher {
        at: data.at,
        pattern,
    })
}

/// The hundred that `4xx` stands for.
pub(super) fn status_class(text: &str) -> Option<u8> {
    match text {
        "2xx" => Some(2),
        "4xx" => Some(4),
        "5xx" => Some(5),
        _ => None,
    }
}

fn map(entries: &[(Key, Data)], is_status: bool) -> Result<Pattern, CompileError> {
    let mut members = Vec::new();
    let mut operators = Vec::new();
    for (key, data) in entries {
        match key.text.literal() {
            Some(name) if name.starts_with("$$") => {
                let name = Template::literal_text(&name[1..]);
                members.push((name, matcher(data, false)?));
            }
            Some(name) if name.starts_with('$') && !name.starts_with("$(") => {
                let test = test(name, key.at, data, is_status)?;
                // The name of a kind says more than `$is` before it.
                let at = match test {
                    Test::Is(_) => data.at,
                    _ => key.at,
                };
                operators.push(Operator { at, test });
            }
            name => {
                let is_status = name == Some("status");
                members.push((key.text.clone(), matcher(data, is_status)?));
            }
        }
    }
    Ok(Pattern::Map { members, operators })
}

fn test(name: &str, at: Location, data: &Data, is_status: bool) -> Result<Test, CompileError> {
    let inner = |data: &Data, is_status| matcher(data, is_status).map(Box::new);
    Ok(match name {
        "$eq" => Test::Eq(data.clone()),
        "$not" => Test::Not(inner(data, is_status)?),
        "$any" => any(data, is_status)?,
        "$absent" => match data.kind {
            DataKind::Bool(true) => Test::Absent,
            _ => {
                return Err(wrong(
                    data,
                    "`$absent` takes `true`; for something that is there write `{}`",
                ));
            }
        },
        "$is" => {
            let name = literal(data, "`$is` takes the name of a kind")?;
            Test::Is(Kind::of(name).map_err(|message| wrong(data, message))?)
        }
        "$regex" => Test::Regex(regex(data)?),
        "$gte" => Test::Gte(bound(data)?),
        "$lte" => Test::Lte(bound(data)?),
        "$len" => Test::Len(inner(data, false)?),
        "$each" => Test::Each(inner(data, false)?),
        "$some" => Test::Some(inner(data, false)?),
        "$unique_by" => Test::UniqueBy(item_path(data)?),
        "$increasing_by" => Test::IncreasingBy(item_path(data)?),
        "$same_as" => Test::SameAs(data.clone()),
        "$same_items" => match data.kind {
            DataKind::List(_) | DataKind::Text(_) => Test::SameItems(data.clone()),
            _ => {
                return Err(wrong(
                    data,
                    "`$same_items` takes a list, or a `$(…)` that gives one",
                ));
            }
        },
        "$fits" => match data.kind {
            DataKind::Map(_) | DataKind::Bool(_) | DataKind::Text(_) => Test::Fits(data.clone()),
            _ => {
                return Err(wrong(
                    data,
                    "`$fits` takes a JSON Schema, or a `$(…)` that gives one",
                ));
            }
        },
        _ => {
            return Err(CompileError {
                message: unknown(name),
                at,
            });
        }
    })
}

fn any(data: &Data, is_status: bool) -> Result<Test, CompileError> {
    match &data.kind {
        DataKind::List(items) if items.is_empty() => {
            Err(wrong(data, "`$any` of nothing never matches"))
        }
        DataKind::List(items) => Ok(Test::Any(
            items
                .iter()
                .map(|item| matcher(item, is_status))
                .collect::<Result<_, _>>()?,
        )),
        DataKind::Text(template) if template.whole().is_some() => Ok(Test::AnyOf {
            list: data.clone(),
            is_status,
        }),
        _ => Err(wrong(
            data,
            "`$any` takes a list of matchers, or a `$(…)` that gives a list",
        )),
    }
}

fn regex(data: &Data) -> Result<Pat, CompileError> {
    let DataKind::Text(template) = &data.kind else {
        return Err(wrong(data, "`$regex` takes a regular expression: quote it"));
    };
    match template.literal() {
        Some(text) => Regex::new(text)
            .map(Pat::Ready)
            .map_err(|error| wrong(data, format!("this is no regular expression: {error}"))),
        None => Ok(Pat::Template(template.clone())),
    }
}

/// The operand of `$gte` and `$lte`.
fn bound(data: &Data) -> Result<Data, CompileError> {
    match data.kind {
        DataKind::Number(_) | DataKind::Text(_) => Ok(data.clone()),
        _ => Err(wrong(data, "`$gte` and `$lte` take a number or a string")),
    }
}

fn item_path(data: &Data) -> Result<ItemPath, CompileError> {
    let text = literal(
        data,
        "a path takes names of members, such as `params.progress`, or `.` for the item itself",
    )?;
    let segments = if text == "." {
        Vec::new()
    } else {
        Template::path(text).map_err(|problem| wrong(data, format!("`{text}`: {problem}")))?
    };
    Ok(ItemPath {
        text: text.to_owned(),
        segments,
    })
}

fn literal<'a>(data: &'a Data, message: &str) -> Result<&'a str, CompileError> {
    data.literal().ok_or_else(|| wrong(data, message))
}

fn unknown(name: &str) -> String {
    let plain = name.trim_start_matches('$');
    let hint = format!("a member of this name is written `$${plain}`");
    match closest(name, OPERATORS) {
        Some(close) => format!("there is no operator `{name}`; did you mean `{close}`? ({hint})"),
        None => format!(
            "there is no operator `{name}`; there are {} ({hint})",
            OPERATORS.join(", ")
        ),
    }
}

fn wrong(data: &Data, message: impl Into<String>) -> CompileError {
    CompileError {
        message: message.into(),
        at: data.at,
    }
}
