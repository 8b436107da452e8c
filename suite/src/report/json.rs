//! The JSON form: the whole report, written and read.

use serde_json::Value;

use super::model::{FORMAT, Report};

/// Why a text is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is no JSON, or not what a report holds there.
    #[error("line {line}, column {column}: {message}")]
    Malformed {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// It is a report of a later mcpspec.
    #[error(
        "the report has format {found}, and this mcpspec reads format {FORMAT}; use a newer mcpspec"
    )]
    Format {
        /// The format it says it has.
        found: u64,
    },
    /// It is JSON without a format.
    #[error("this is no report of mcpspec: it has no member \"format\"")]
    NoReport,
    /// A target has an index that is not its place.
    #[error("target {place} of the report has the index {index}")]
    Misplaced {
        /// Its place in the list, from 0.
        place: usize,
        /// What it says.
        index: usize,
    },
    /// Something refers to a target that the report does not have.
    #[error("{what} refers to target {target}, and the report has {targets}, counted from 0")]
    NoSuchTarget {
        /// What refers to it.
        what: String,
        /// The target.
        target: usize,
        /// How many there are.
        targets: usize,
    },
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> ReadError {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // The place is told apart from the message.
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        ReadError::Malformed {
            line,
            column,
            message,
        }
    }
}

/// The report as JSON, indented, ending in a line feed.
pub(super) fn render(report: &Report) -> String {
    let mut json = serde_json::to_string_pretty(report)
        .expect("a report has text for the names of all members");
    json.push('\n');
    json
}

/// Reads a report back from its JSON form. Unknown members are errors: they belong to another format.
pub fn read(json: &str) -> Result<Report, ReadError> {
    let value: Value = serde_json::from_str(json)?;
    match value.get("format").map(Value::as_u64) {
        None => return Err(ReadError::NoReport),
        Some(Some(found)) if found != u64::from(FORMAT) => return Err(ReadError::Format { found }),
        // What is no number is told below, with its place.
        Some(_) => {}
    }
    let report: Report = serde_json::from_str(json)?;
    check_targets(&report)?;
    Ok(report)
}

/// Everything else takes it for granted that targets are there, in order.
fn check_targets(report: &Report) -> Result<(), ReadError> {
    let targets = report.targets.len();
    for (place, target) in report.targets.iter().enumerate() {
        if target.index != place {
            return Err(ReadError::Misplaced {
                place,
                index: target.index,
            });
        }
    }
    let cases = report
        .cases
        .iter()
        .map(|case| (format!("case {}", case.id), case.target));
    let calls = report
        .calls
        .iter()
        .map(|calls| (format!("tool {}", calls.tool), calls.target));
    let not_called = report
        .not_called
        .iter()
        .map(|uncalled| (format!("tool {}", uncalled.tool), uncalled.target));
    match cases
        .chain(calls)
        .chain(not_called)
        .find(|(_, target)| *target >= targets)
    {
        Some((what, target)) => Err(ReadError::NoSuchTarget {
            what,
            target,
            targets,
        }),
        None => Ok(()),
    }
}

/// The JSON Schema of the JSON form, as indented JSON that ends in a line feed.
pub fn json_schema() -> String {
    let schema = schemars::schema_for!(Report);
    let mut json = serde_json::to_string_pretty(&schema)
        .expect("a schema has text for the names of all members");
    json.push('\n');
    json
}
