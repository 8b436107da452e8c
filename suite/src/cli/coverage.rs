//! `coverage`: which requirements the suite judges, by the committed kill matrix.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::case::{Case, KillMatrix};
use crate::spec::{Level, Observable, Registry, Requirement, Transport};

use super::args::{CoverageArguments, SuiteArguments, TextFormat};
use super::output::{json, print};
use super::suite::load;
use super::{CliError, Exit};

/// `coverage --format json`.
#[derive(Debug, Serialize)]
struct Coverage {
    totals: Totals,
    pages: Vec<Page>,
    missing: Vec<Missing>,
}

/// Counts by whom a requirement binds.
#[derive(Debug, Serialize)]
struct Totals {
    server: Counts,
}

/// Requirements that bind a server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Counts {
    /// All of them.
    requirements: usize,
    /// Those that can be seen kept or broken from outside.
    observable: usize,
    /// Those that on each of their transports some case saw broken on their own mutant.
    judged: usize,
    /// Those observable and not judged.
    missing: usize,
}

/// A page of the specification.
#[derive(Debug, Default, Serialize)]
struct Page {
    page: String,
    totals: Counts,
    levels: BTreeMap<Level, Counts>,
}

/// An observable requirement that is not judged.
#[derive(Debug, Serialize)]
struct Missing {
    id: String,
    page: String,
    anchor: String,
    level: Level,
    /// Transports on which no case caught its mutant.
    transports: Vec<Transport>,
    /// Its mutant.
    mutant: Option<String>,
    /// Cases that name it all the same.
    cases: Vec<String>,
}

pub(super) fn coverage(arguments: &CoverageArguments) -> Result<Exit, CliError> {
    let loaded = load(&SuiteArguments::default())?;
    let coverage = Coverage::of(
        loaded.suite.registry(),
        &loaded.matrix,
        loaded.suite.cases(),
    );
    match arguments.format {
        TextFormat::Json => print(&json(&coverage))?,
        TextFormat::Text => print(&coverage.to_text())?,
    }
    Ok(Exit::Clean)
}

impl Coverage {
    fn of(registry: &Registry, matrix: &KillMatrix, cases: &[Arc<Case>]) -> Coverage {
        let mut totals = Counts::default();
        let mut pages: BTreeMap<&str, Page> = BTreeMap::new();
        let mut missing = Vec::new();
        for requirement in registry
            .iter()
            .filter(|requirement| requirement.binds_server())
        {
            let judged = matrix.judges(requirement);
            let page = pages.entry(&requirement.page).or_default();
            for counts in [
                &mut totals,
                &mut page.totals,
                page.levels.entry(requirement.level).or_default(),
            ] {
                counts.add(requirement, judged);
            }
            if is_observable(requirement) && !judged {
                missing.push(Missing::of(requirement, matrix, cases));
            }
        }
        let pages = pages
            .into_iter()
            .map(|(name, page)| Page {
                page: name.to_owned(),
                ..page
            })
            .collect();
        Coverage {
            totals: Totals { server: totals },
            pages,
            missing,
        }
    }

    /// A line a page, with `judged/observable` of each level.
    fn to_text(&self) -> String {
        const LEVELS: [(&str, &[Level]); 4] = [
            ("must", &[Level::Must, Level::MustNot]),
            ("should", &[Level::Should, Level::ShouldNot]),
            ("schema", &[Level::Schema]),
            ("stated", &[Level::Stated]),
        ];
        let width = self
            .pages
            .iter()
            .map(|page| page.page.len())
            .max()
            .unwrap_or_default();
        let mut text = format!("{:width$}", "page");
        for (name, _) in LEVELS {
            text += &format!("  {name:>7}");
        }
        text += "      all\n";
        for page in &self.pages {
            text += &format!("{:width$}", page.page);
            for (_, levels) in LEVELS {
                let counts: Vec<Counts> = levels
                    .iter()
                    .filter_map(|level| page.levels.get(level).copied())
                    .collect();
                let judged: usize = counts.iter().map(|counts| counts.judged).sum();
                let observable: usize = counts.iter().map(|counts| counts.observable).sum();
                text += &format!("  {:>7}", share(judged, observable));
            }
            text += &format!(
                "  {:>7}\n",
                share(page.totals.judged, page.totals.observable)
            );
        }
        let Counts {
            requirements,
            observable,
            judged,
            missing,
        } = self.totals.server;
        text += &format!(
            "\nOf {requirements} requirements that bind a server, {observable} can be seen from outside: \
             {judged} are judged, {missing} are missing.\n"
        );
        text
    }
}

impl Counts {
    fn add(&mut self, requirement: &Requirement, judged: bool) {
        self.requirements += 1;
        if is_observable(requirement) {
            self.observable += 1;
            self.judged += usize::from(judged);
            self.missing += usize::from(!judged);
        }
    }
}

impl Missing {
    fn of(requirement: &Requirement, matrix: &KillMatrix, cases: &[Arc<Case>]) -> Missing {
        Missing {
            id: requirement.id.clone(),
            page: requirement.page.clone(),
            anchor: requirement.anchor.clone(),
            level: requirement.level,
            transports: Transport::ALL
                .into_iter()
                .filter(|transport| requirement.transports.covers(*transport))
                .filter(|transport| !matrix.judges_on(requirement, *transport))
                .collect(),
            mutant: requirement.mutant_name().map(str::to_owned),
            cases: cases_of(requirement, cases)
                .map(|case| case.id.clone())
                .collect(),
        }
    }
}

/// Cases that name a requirement.
pub(super) fn cases_of<'a>(
    requirement: &'a Requirement,
    cases: &'a [Arc<Case>],
) -> impl Iterator<Item = &'a Case> {
    cases.iter().map(Arc::as_ref).filter(|case| {
        case.requirements
            .iter()
            .any(|(id, _)| *id == requirement.id)
    })
}

fn is_observable(requirement: &Requirement) -> bool {
    requirement.observable != Observable::NotObservable
}

/// `3/4`, or nothing where there is nothing to judge.
fn share(judged: usize, observable: usize) -> String {
    if observable == 0 {
        String::new()
    } else {
        format!("{judged}/{observable}")
    }
}
