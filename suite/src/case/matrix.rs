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
//! A requirement is listed under a case where the case reported it violated on the mutant and held on the clean server.
//! A test writes the file and holds it current.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::spec::{Requirement, Transport};
use crate::template::{Data, Key, Kind, Location, read_yaml};

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

/// Why a kill matrix could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}:{line}:{column}: {message}")]
pub struct MatrixError {
    /// The file.
    pub origin: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl KillMatrix {
    /// Reads a kill matrix. `origin` names the file in messages.
    ///
    /// # Errors
    ///
    /// What is wrong first, with line and column.
    pub fn read(origin: &str, text: &str) -> Result<KillMatrix, MatrixError> {
        let reader = Reader { origin };
        let data = read_yaml(text).map_err(|error| reader.error(error.at, error.message))?;
        let mut matrix = KillMatrix::default();
        for (mutant, transports) in reader.map(&data)? {
            for (transport, cases) in reader.map(transports)? {
                let transport = reader.transport(transport)?;
                for (case, requirements) in reader.map(cases)? {
                    let Kind::List(requirements) = &requirements.kind else {
                        return Err(
                            reader.error(requirements.at, "expected a list of requirements")
                        );
                    };
                    for requirement in requirements {
                        let id = requirement
                            .literal()
                            .ok_or_else(|| reader.error(requirement.at, "expected an id"))?;
                        matrix.record(reader.name(mutant)?, transport, reader.name(case)?, id);
                    }
                }
            }
        }
        Ok(matrix)
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

    /// The cases that saw the requirement broken by its own mutant on this transport.
    pub fn catchers(&self, requirement: &Requirement, transport: Transport) -> Vec<&str> {
        requirement
            .mutant_name()
            .and_then(|mutant| self.caught.get(mutant)?.get(&transport))
            .into_iter()
            .flatten()
            .filter(|(_, seen)| seen.contains(&requirement.id))
            .map(|(case, _)| case.as_str())
            .collect()
    }

    /// Whether on each of its transports some case sees the requirement broken by its own mutant.
    pub fn judges(&self, requirement: &Requirement) -> bool {
        Transport::ALL
            .into_iter()
            .filter(|transport| requirement.transports.covers(*transport))
            .all(|transport| !self.catchers(requirement, transport).is_empty())
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

/// Reads the maps of one file.
struct Reader<'a> {
    origin: &'a str,
}

impl Reader<'_> {
    fn error(&self, at: Location, message: impl Into<String>) -> MatrixError {
        MatrixError {
            origin: self.origin.to_owned(),
            line: at.line,
            column: at.column,
            message: message.into(),
        }
    }

    fn map<'d>(&self, data: &'d Data) -> Result<&'d [(Key, Data)], MatrixError> {
        match &data.kind {
            Kind::Map(members) => Ok(members),
            _ => Err(self.error(data.at, "expected a map")),
        }
    }

    fn name<'d>(&self, key: &'d Key) -> Result<&'d str, MatrixError> {
        key.text
            .literal()
            .ok_or_else(|| self.error(key.at, "expected a plain name"))
    }

    fn transport(&self, key: &Key) -> Result<Transport, MatrixError> {
        let name = self.name(key)?;
        Transport::ALL
            .into_iter()
            .find(|transport| transport.as_str() == name)
            .ok_or_else(|| {
                self.error(
                    key.at,
                    format!("unknown transport `{name}`, expected one of: http, stdio"),
                )
            })
    }
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
        assert_eq!(
            KillMatrix::read("m", &matrix.to_yaml()).as_ref(),
            Ok(&matrix)
        );
    }

    #[test]
    fn an_unknown_transport_is_named_with_its_place() {
        let error = KillMatrix::read("m.yaml", "late:\n  smtp:\n    a/b/c: [x.y]\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "m.yaml:2:3: unknown transport `smtp`, expected one of: http, stdio"
        );
    }
}
