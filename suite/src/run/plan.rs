//! Which cases apply to a target, and the rows of a repeated case (`cases/README.md`, sections 3.3 and 11.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use mcpspec_wire::Value;

use crate::case::{Body, Case, Each, Steps, Suite};
use crate::spec::{Transport, TransportRule};
use crate::target::ServedEra;
use crate::template::{Data, Kind, Resolved};

use super::lack::{Lack, elsewhere, empty};
use super::scope::Variable;
use super::session::Session;

/// Longest value that names a row.
const MAX_LABEL: usize = 30;

/// What becomes of a case on a target.
pub(super) enum Planned {
    /// Its rows are run.
    Rows(Vec<PlannedRow>),
    /// It is judged when its target's cases are over.
    Later,
    /// It does not apply, for this reason.
    Skip(Lack),
    /// Its table could not be made.
    NotObserved(String),
}

/// One row to be run.
#[derive(Debug, Clone)]
pub(super) struct PlannedRow {
    /// Its name in reports; none for the only row of a case without a table.
    pub(super) label: Option<String>,
    pub(super) variables: Vec<(String, Variable)>,
}

/// The requirement that a server which does not speak the revision breaks.
const SPEAKS_THE_REVISION: &str = "discover.implemented";

/// Decides what becomes of a case on a target.
pub(super) fn plan(session: &Session, case: &Arc<Case>) -> Planned {
    if let Some(reason) = inapplicable(session, case) {
        return Planned::Skip(reason);
    }
    match &case.body {
        // What is compared is known when the other transport has been judged as well.
        Body::Watch(_) | Body::Compare => Planned::Later,
        Body::Steps(steps) => match (&steps.each, idle(session, steps)) {
            (_, Some(reason)) => Planned::Skip(reason),
            (None, None) => Planned::Rows(vec![PlannedRow {
                label: None,
                variables: Vec::new(),
            }]),
            (Some(each), None) => rows(session, each),
        },
    }
}

/// Why a case does not apply to any target over a transport, if so.
pub(super) fn about_elsewhere(suite: &Suite, case: &Case, transport: Transport) -> Option<String> {
    if !case.transports.contains(&transport) {
        return Some(elsewhere(&case.transports));
    }
    let registry = suite.registry();
    let covers = |id: &str| {
        registry
            .get(id)
            .is_some_and(|requirement| requirement.transports.covers(transport))
    };
    if !case.requirements.iter().any(|(id, _)| covers(id)) {
        return Some(elsewhere(&[other_transport(suite, case)]));
    }
    None
}

fn inapplicable(session: &Session, case: &Case) -> Option<Lack> {
    if let Some(reason) = about_elsewhere(&session.suite, case, session.transport()) {
        return Some(reason.into());
    }
    let is_about_speaking = case
        .requirements
        .iter()
        .any(|(id, _)| id == SPEAKS_THE_REVISION);
    if session.survey.era == ServedEra::Legacy && !is_about_speaking {
        let version = session
            .survey
            .legacy_version
            .as_deref()
            .unwrap_or("an older revision");
        let reason = format!(
            "the server does not speak 2026-07-28, only {version}: a release of it, or of the SDK that it is built on, that speaks 2026-07-28 is judged whole"
        );
        return Some(reason.into());
    }
    session.conditions().unmet(&case.needs)
}

/// Why none of the steps that judge something applies, if so.
fn idle(session: &Session, steps: &Steps) -> Option<Lack> {
    let conditions = session.conditions();
    let judging = steps.steps.iter().filter(|step| step.judges());
    let unmet: Option<Vec<Lack>> = judging.map(|step| conditions.unmet(&step.when)).collect();
    unmet?.into_iter().next()
}

fn other_transport(suite: &Suite, case: &Case) -> Transport {
    let registry = suite.registry();
    let rule = case
        .requirements
        .iter()
        .find_map(|(id, _)| registry.get(id))
        .map(|requirement| requirement.transports);
    match rule {
        Some(TransportRule::Http) => Transport::Http,
        _ => Transport::Stdio,
    }
}

fn rows(session: &Session, each: &Each) -> Planned {
    let rows = match each {
        Each::Rows(rows) => rows.iter().map(|row| row_of_data(row)).collect(),
        Each::Column { name, list } => match column(session, name, list) {
            Ok(rows) => rows,
            Err(reason) => return Planned::NotObserved(reason),
        },
    };
    if rows.is_empty() {
        return Planned::Skip(nothing_in(each).into());
    }
    Planned::Rows(distinct(rows))
}

fn nothing_in(each: &Each) -> String {
    let list = match each {
        Each::Column { list, .. } => Some(list),
        Each::Rows(_) => None,
    };
    let placeholder = list.and_then(|list| match &list.kind {
        Kind::Text(template) => template.whole(),
        _ => None,
    });
    match placeholder {
        Some(placeholder) => empty(&placeholder.source.segments.join(".")),
        None => "its table has no rows".to_owned(),
    }
}

fn row_of_data(row: &[(String, Data)]) -> PlannedRow {
    let label = row
        .iter()
        .find(|(name, _)| name == "label")
        .map(|(_, data)| describe(data));
    let values: Vec<String> = row
        .iter()
        .filter(|(name, _)| name != "label")
        .map(|(_, data)| describe(data))
        .collect();
    let variables = row.iter().filter(|(name, _)| name != "label");
    PlannedRow {
        label: Some(shortened(&label.unwrap_or_else(|| values.join(", ")))),
        variables: variables
            .map(|(name, data)| (name.clone(), Variable::Data(data.clone())))
            .collect(),
    }
}

fn column(session: &Session, name: &str, list: &Data) -> Result<Vec<PlannedRow>, String> {
    let row = |label: String, variable| PlannedRow {
        label: Some(shortened(&label)),
        variables: vec![(name.to_owned(), variable)],
    };
    if let Kind::List(items) = &list.kind {
        return Ok(items
            .iter()
            .map(|item| row(describe(item), Variable::Data(item.clone())))
            .collect());
    }
    match list.resolve(&session.scope()) {
        Ok(Resolved::Value(Value::Array(items))) => Ok(items
            .into_iter()
            .map(|item| row(describe_value(&item), Variable::Value(item)))
            .collect()),
        Ok(Resolved::Value(other)) => {
            Err(format!("the table is a {}, not a list", other.type_name()))
        }
        Ok(Resolved::Absent | Resolved::Remove) => Ok(Vec::new()),
        Err(unresolved) => Err(unresolved.to_string()),
    }
}

/// Of several rows that read alike all but the first get a number.
fn distinct(mut rows: Vec<PlannedRow>) -> Vec<PlannedRow> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for row in &mut rows {
        if let Some(label) = &mut row.label {
            let count = seen.entry(label.clone()).or_insert(0);
            *count += 1;
            if *count > 1 {
                label.push_str(&format!(" #{count}"));
            }
        }
    }
    rows
}

/// A value of the file as it names a row.
fn describe(data: &Data) -> String {
    match &data.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Number(number) => number.to_string(),
        Kind::Text(template) => match (template.literal(), template.whole()) {
            (Some(""), _) => "empty".to_owned(),
            (Some(text), _) => text.to_owned(),
            (None, Some(placeholder)) => placeholder.source.segments.join("."),
            (None, None) => "text".to_owned(),
        },
        Kind::List(items) => format!(
            "[{}]",
            items.iter().map(describe).collect::<Vec<_>>().join(", ")
        ),
        Kind::Map(members) => {
            let names = members
                .iter()
                .map(|(key, _)| key.text.literal().unwrap_or("…"));
            format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A value of the target as it names a row: a whole request stands under its label or its method, an item under its name.
fn describe_value(value: &Value) -> String {
    let member = |name: &str| value.get(name).and_then(Value::as_str);
    match value {
        Value::String(text) => text.clone(),
        _ => member("label")
            .or_else(|| member("method"))
            .or_else(|| member("name"))
            .or_else(|| member("uri"))
            .map_or_else(|| value.to_json(), str::to_owned),
    }
}

fn shortened(label: &str) -> String {
    match label.char_indices().nth(MAX_LABEL) {
        None => label.to_owned(),
        Some((cut, _)) => format!("{}…", &label[..cut]),
    }
}
