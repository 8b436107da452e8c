//! The kill matrix: which case caught which mutant of the reference server (`cases/kill-matrix.yaml`).
//!
//! ```yaml
//! answers-notifications:
//!   http:
//!     jsonrpc/notification/unanswered: [jsonrpc.notification.unanswered]
//!   stdio:
//!     jsonrpc/notification/unanswered: [jsonrpc.notification.unanswered]
//! ```
//!
//! A requirement is listed under a case where the case reported it violated on the mutant and held on the clean server; under a
//! further mutant of the requirement a warning is enough, since some cases never do more. A case without any is one during which a
//! watch saw it. A test writes the file and holds it current.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use crate::spec::{Requirement, Transport};
use crate::template::{Data, Key, Kind, Problem, read_yaml};

use super::Diagnostic;

/// Mutant, transport and case, and the requirements that the case saw broken.
type Caught = BTreeMap<String, BTreeMap<Transport, BTreeMap<String, BTreeSet<String>>>>;

/// First lines of the file.
const HEAD: &str = "# Which case saw which requirement broken by which mutant of the reference server, and held on the clean one.\n\
                    # Written by tests/mutants.rs. Do not edit.\n";

/// Which case caught which mutant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KillMatrix {
    caught: Caught,
}

impl KillMatrix {
    /// Reads a kill matrix. `origin` names the file in messages.
    ///
    /// # Errors
    ///
    /// What is wrong first, with line and column.
    pub fn read(origin: &str, text: &str) -> Result<KillMatrix, Diagnostic> {
        let matrix = read_yaml(text).and_then(|data| matrix(&data));
        matrix.map_err(|problem| Diagnostic::new(&Arc::from(origin), &Arc::from(text), problem))
    }

    /// Notes that on this transport `case` saw `requirement` broken by `mutant`, and held on the clean server.
    pub fn record(&mut self, mutant: &str, transport: Transport, case: &str, requirement: &str) {
        let transports = self.caught.entry(mutant.to_owned()).or_default();
        let cases = transports.entry(transport).or_default();
        cases
            .entry(case.to_owned())
            .or_default()
            .insert(requirement.to_owned());
    }

    /// Notes that on this transport a watch caught `mutant` by what came while `case` ran.
    pub fn record_provoked(&mut self, mutant: &str, transport: Transport, case: &str) {
        let transports = self.caught.entry(mutant.to_owned()).or_default();
        let cases = transports.entry(transport).or_default();
        cases.entry(case.to_owned()).or_default();
    }

    /// Takes out what is known of a mutant.
    pub fn forget(&mut self, mutant: &str) {
        self.caught.remove(mutant);
    }

    /// What is enough to catch a mutant again: the cases that saw one of its own requirements broken on some transport, and those
    /// during which watches did.
    pub fn enough(&self, mutant: &str, is_own: impl Fn(&str) -> bool) -> BTreeSet<&str> {
        let transports = self.caught.get(mutant).into_iter().flatten();
        transports
            .flat_map(|(_, cases)| cases)
            .filter(|(_, seen)| seen.is_empty() || seen.iter().any(|id| is_own(id)))
            .map(|(case, _)| case.as_str())
            .collect()
    }

    /// Every case that saw anything broken by a mutant on some transport, or during which a watch did.
    pub fn listed(&self, mutant: &str) -> BTreeSet<&str> {
        self.enough(mutant, |_| true)
    }

    /// The mutants that some case caught.
    pub fn mutants(&self) -> impl Iterator<Item = &str> {
        self.caught.keys().map(String::as_str)
    }

    /// The cases that saw the requirement broken by one of its mutants on this transport.
    pub fn catchers(&self, requirement: &Requirement, transport: Transport) -> BTreeSet<&str> {
        requirement
            .mutant_names()
            .flat_map(|mutant| self.saw(mutant, transport, &requirement.id))
            .collect()
    }

    /// Whether some case sees the requirement broken on this transport by the mutant that it is judged by, which is the first.
    pub fn judges_on(&self, requirement: &Requirement, transport: Transport) -> bool {
        let first = requirement.mutant_name();
        first.is_some_and(|mutant| !self.saw(mutant, transport, &requirement.id).is_empty())
    }

    /// The same on each of its transports.
    pub fn judges(&self, requirement: &Requirement) -> bool {
        Transport::ALL
            .into_iter()
            .filter(|transport| requirement.transports.covers(*transport))
            .all(|transport| self.judges_on(requirement, transport))
    }

    /// The cases that saw a requirement broken by a mutant on a transport.
    pub fn saw(&self, mutant: &str, transport: Transport, requirement: &str) -> Vec<&str> {
        let transports = self.caught.get(mutant);
        let cases = transports.and_then(|transports| transports.get(&transport));
        cases
            .into_iter()
            .flatten()
            .filter(|(_, seen)| seen.contains(requirement))
            .map(|(case, _)| case.as_str())
            .collect()
    }

    /// Every requirement that some case saw broken by a mutant, on any transport.
    pub fn broken_by(&self, mutant: &str) -> BTreeSet<&str> {
        let transports = self.caught.get(mutant).into_iter().flatten();
        transports
            .flat_map(|(_, cases)| cases.values().flatten())
            .map(String::as_str)
            .collect()
    }

    /// The file.
    pub fn to_yaml(&self) -> String {
        let mut text = String::from(HEAD);
        for (mutant, transports) in &self.caught {
            writeln!(text, "{mutant}:").expect("writing to a string never fails");
            for (transport, cases) in transports {
                writeln!(text, "  {transport}:").expect("writing to a string never fails");
                for (case, requirements) in cases {
                    let requirements: Vec<&str> = requirements.iter().map(String::as_str).collect();
                    writeln!(text, "    {case}: [{}]", requirements.join(", "))
                        .expect("writing to a string never fails");
                }
            }
        }
        text
    }
}

fn matrix(data: &Data) -> Result<KillMatrix, Problem> {
    let mut matrix = KillMatrix::default();
    for (mutant, transports) in map(data)? {
        for (transport, cases) in map(transports)? {
            let transport = transport_named(transport)?;
            for (case, requirements) in map(cases)? {
                matrix.record_provoked(name(mutant)?, transport, name(case)?);
                for requirement in requirements.list("requirements")? {
                    matrix.record(
                        name(mutant)?,
                        transport,
                        name(case)?,
                        requirement.text("a requirement")?,
                    );
                }
            }
        }
    }
    Ok(matrix)
}

fn map(data: &Data) -> Result<&[(Key, Data)], Problem> {
    match &data.kind {
        Kind::Map(members) => Ok(members),
        _ => Err(Problem::new(data.at, "expected a map")),
    }
}

fn name(key: &Key) -> Result<&str, Problem> {
    key.text
        .literal()
        .ok_or_else(|| Problem::new(key.at, "expected a plain name"))
}

fn transport_named(key: &Key) -> Result<Transport, Problem> {
    let name = name(key)?;
    Transport::ALL
        .into_iter()
        .find(|transport| transport.as_str() == name)
        .ok_or_else(|| Problem::new(key.at, format!("`{name}` is no transport")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        let mut matrix = KillMatrix::default();
        matrix.record("answers-notifications", Transport::Http, "a/b/c", "x.y");
        matrix.record("answers-notifications", Transport::Stdio, "a/b/c", "x.y");
        matrix.record("answers-notifications", Transport::Stdio, "a/b/c", "x.z");
        matrix.record("echoes-string", Transport::Http, "a/b/d", "x.y");
        matrix.record_provoked("echoes-string", Transport::Http, "a/b/e");
        assert_eq!(
            KillMatrix::read("m", &matrix.to_yaml()).as_ref(),
            Ok(&matrix)
        );
    }

    #[test]
    fn an_unknown_transport_is_named_with_its_place() {
        let error = KillMatrix::read("m.yaml", "late:\n  smtp:\n    a/b/c: [x.y]\n")
            .expect_err("smtp is none");
        assert_eq!((error.at.line, error.at.column), (2, 3));
        assert_eq!(error.message, "`smtp` is no transport");
    }
}
