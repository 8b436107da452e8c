//! `list`: the cases, a line each.

use serde::Serialize;

use crate::case::{Body, Case};
use crate::event::CaseKind;
use crate::spec::Transport;

use super::args::{ListArguments, TextFormat};
use super::output::{json, print};
use super::suite::load;
use super::{CliError, Exit};

/// `list --format json`.
#[derive(Serialize)]
struct Listing {
    cases: Vec<Entry>,
}

/// A case as `list` and `explain` show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) kind: CaseKind,
    pub(super) summary: String,
    pub(super) transports: Vec<Transport>,
    pub(super) needs: Vec<String>,
    pub(super) requirements: Vec<String>,
    pub(super) file: String,
}

impl Entry {
    pub(super) fn of(case: &Case) -> Entry {
        Entry {
            id: case.id.clone(),
            kind: match case.body {
                Body::Steps(_) => CaseKind::Steps,
                Body::Watch(_) => CaseKind::Watch,
                Body::Compare => CaseKind::Compare,
            },
            summary: case.summary.clone(),
            transports: case.transports.clone(),
            needs: case.needs.iter().map(ToString::to_string).collect(),
            requirements: case.requirements.iter().map(|(id, _)| id.clone()).collect(),
            file: case.file.to_string(),
        }
    }
}

pub(super) fn list(arguments: &ListArguments) -> Result<Exit, CliError> {
    let loaded = load(&arguments.suite)?;
    let selection = arguments.selection.selection()?;
    let cases: Vec<Entry> = loaded
        .suite
        .cases()
        .iter()
        .filter(|case| selection.takes(case))
        .map(|case| Entry::of(case))
        .collect();
    if cases.is_empty() {
        return Err(CliError::NothingSelected);
    }
    match arguments.format {
        TextFormat::Json => print(&json(&Listing { cases }))?,
        TextFormat::Text => print(&table(&cases))?,
    }
    Ok(Exit::Clean)
}

/// Id, transports and summary, in columns.
fn table(cases: &[Entry]) -> String {
    let width = cases
        .iter()
        .map(|case| case.id.len())
        .max()
        .unwrap_or_default();
    cases
        .iter()
        .map(|case| {
            format!(
                "{:width$}  {:5}  {}\n",
                case.id,
                transports(&case.transports),
                case.summary
            )
        })
        .collect()
}

/// `http`, `stdio` or `both`.
pub(super) fn transports(transports: &[Transport]) -> &'static str {
    match transports {
        [one] => one.as_str(),
        _ => "both",
    }
}
