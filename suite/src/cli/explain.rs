//! `explain`: a case or a requirement in full.

use serde::Serialize;

use crate::case::Case;
use crate::spec::{Level, Requirement, Transport, Violated, link};
use crate::text::{closest, wrap};

use super::args::{ExplainArguments, TextFormat};
use super::coverage::cases_of;
use super::list::{Entry, transports};
use super::output::{json, print};
use super::suite::{Loaded, load};
use super::{CliError, Exit};

/// Columns of the text.
const COLUMNS: usize = 100;

/// What a value is put after in the text.
const INDENT: usize = 12;

/// A requirement in full.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequirementEntry {
    id: String,
    statement: String,
    level: Level,
    violated: Option<Violated>,
    transports: Vec<Transport>,
    /// Where it is written; a requirement of one's own has no page.
    link: Option<String>,
    also: Vec<String>,
    trigger: Option<String>,
    stimulus: String,
    expect: String,
    mutant: String,
    further_mutants: Vec<String>,
    /// Cases that name it.
    cases: Vec<String>,
    /// Cases that saw it broken on one of its mutants, by transport.
    judged_by: Vec<JudgedBy>,
}

/// Cases that caught a mutant of a requirement.
#[derive(Serialize)]
struct JudgedBy {
    transport: Transport,
    cases: Vec<String>,
}

/// A case in full.
#[derive(Serialize)]
struct CaseEntry {
    case: Entry,
    why: Option<String>,
    requirements: Vec<RequirementEntry>,
    /// The file.
    text: String,
}

pub(super) fn explain(arguments: &ExplainArguments) -> Result<Exit, CliError> {
    let loaded = load(&arguments.suite)?;
    if let Some(case) = loaded.suite.case(&arguments.id) {
        let entry = CaseEntry::of(case, &loaded);
        print(&match arguments.format {
            TextFormat::Json => json(&entry),
            TextFormat::Text => entry.to_text(),
        })?;
        return Ok(Exit::Clean);
    }
    let Some(requirement) = loaded.suite.registry().get(&arguments.id) else {
        return Err(unknown(&arguments.id, &loaded));
    };
    let entry = RequirementEntry::of(requirement, &loaded);
    print(&match arguments.format {
        TextFormat::Json => json(&entry),
        TextFormat::Text => entry.to_text(&loaded),
    })?;
    Ok(Exit::Clean)
}

fn unknown(id: &str, loaded: &Loaded) -> CliError {
    let cases = loaded.suite.cases().iter().map(|case| case.id.as_str());
    let requirements = loaded
        .suite
        .registry()
        .iter()
        .map(|requirement| requirement.id.as_str());
    let closest = closest(id, cases.chain(requirements)).map(str::to_owned);
    CliError::UnknownId {
        id: id.to_owned(),
        closest,
    }
}

impl RequirementEntry {
    fn of(requirement: &Requirement, loaded: &Loaded) -> RequirementEntry {
        let bound = Transport::ALL
            .into_iter()
            .filter(|transport| requirement.transports.covers(*transport));
        let judged_by = bound.clone().map(|transport| JudgedBy {
            transport,
            cases: loaded
                .matrix
                .catchers(requirement, transport)
                .into_iter()
                .map(str::to_owned)
                .collect(),
        });
        RequirementEntry {
            id: requirement.id.clone(),
            statement: requirement.statement.clone(),
            level: requirement.level,
            violated: requirement.violated,
            link: (!requirement.page.is_empty())
                .then(|| link(&requirement.page, &requirement.anchor)),
            also: requirement.also.clone(),
            trigger: requirement.trigger.clone(),
            stimulus: requirement.stimulus.clone(),
            expect: requirement.expect.clone(),
            mutant: requirement.mutant.clone(),
            further_mutants: requirement.further_mutants.clone(),
            cases: cases_of(requirement, loaded.suite.cases())
                .map(|case| case.id.clone())
                .collect(),
            judged_by: judged_by.collect(),
            transports: bound.collect(),
        }
    }

    fn to_text(&self, loaded: &Loaded) -> String {
        let mut text = format!("{}\n\n", self.id);
        text += &self.body();
        text += "\n";
        if self.cases.is_empty() {
            text += "No case names it yet.\n";
        }
        for id in &self.cases {
            let on: Vec<&str> = self
                .judged_by
                .iter()
                .filter(|judged| judged.cases.contains(id))
                .map(|judged| judged.transport.as_str())
                .collect();
            let caught = if on.is_empty() {
                "not proven".to_owned()
            } else {
                format!("proven on {}", on.join(", "))
            };
            text += &field("case", &format!("{id} ({caught})"));
            if let Some(case) = loaded.suite.case(id) {
                text += &field("", &case.summary);
            }
        }
        text
    }

    /// All but the id and the cases.
    fn body(&self) -> String {
        let mut text = field("rule", &self.statement);
        text += &field("level", self.level.as_str());
        if let Some(violated) = self.violated {
            text += &field("violated", violated_means(violated));
        }
        text += &field("transports", transports(&self.transports));
        text += &field("page", self.link.as_deref().unwrap_or_default());
        for place in &self.also {
            text += &field("also", place);
        }
        if let Some(trigger) = &self.trigger {
            text += &field("trigger", trigger);
        }
        text += &field("stimulus", &self.stimulus);
        text += &field("expected", &self.expect);
        text += &field("mutant", &self.mutant);
        for mutant in &self.further_mutants {
            text += &field("further", mutant);
        }
        text
    }
}

impl CaseEntry {
    fn of(case: &Case, loaded: &Loaded) -> CaseEntry {
        CaseEntry {
            case: Entry::of(case),
            why: case.why.clone(),
            requirements: case
                .requirements
                .iter()
                .filter_map(|(id, _)| loaded.suite.registry().get(id))
                .map(|requirement| RequirementEntry::of(requirement, loaded))
                .collect(),
            text: loaded.text(&case.file).to_owned(),
        }
    }

    fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", self.case.id);
        text += &field("summary", &self.case.summary);
        text += &field("why", self.why.as_deref().unwrap_or_default());
        text += &field("transports", transports(&self.case.transports));
        text += &field("needs", &self.case.needs.join(", "));
        for requirement in &self.requirements {
            text += &format!("\n{}\n\n{}", requirement.id, requirement.body());
        }
        text += &format!("\n{}\n\n{}", self.case.file, self.text);
        text
    }
}

/// A name and its value, wrapped. An empty value leaves no line.
fn field(name: &str, value: &str) -> String {
    if value.is_empty() {
        return String::new();
    }
    wrap(value, COLUMNS - INDENT)
        .iter()
        .enumerate()
        .map(|(index, line)| format!("{:INDENT$}{line}\n", if index == 0 { name } else { "" }))
        .collect()
}

fn violated_means(violated: Violated) -> &'static str {
    match violated {
        Violated::Fail => "fail: the run exits with 1",
        Violated::Warn => "warn: the run exits with 1 under --strict",
        Violated::Note => "note: a remark that is never counted",
    }
}
