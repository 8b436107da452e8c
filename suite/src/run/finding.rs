//! What rows and watches come to, as the result of a case.

use std::sync::Arc;
use std::time::Duration;

use crate::case::Case;
use crate::event::{
    CaseKind, CaseResult, ExchangeRecord, MismatchRecord, RequirementResult, SourceRef,
};
use crate::judge::WatchFinding;
use crate::matcher::Mismatch;
use crate::spec::{Registry, Transport, Violated};
use crate::verdict::{Fact, Grade, Verdict};

use super::lack::Lack;
use super::row::{RowFinding, SEEN_ON_USED};

/// What a case came to, before it becomes a result.
#[derive(Debug, Clone, Default)]
pub(super) struct Finding {
    pub(super) fact: Option<Fact>,
    pub(super) observed: usize,
    pub(super) mismatches: Vec<Mismatch>,
    pub(super) notes: Vec<String>,
    pub(super) reason: Option<String>,
    /// Lines of `mcpspec.toml` with which it would apply.
    pub(super) add: Option<String>,
    pub(super) records: Vec<ExchangeRecord>,
    pub(super) blocked_by: Option<String>,
}

/// How many rows are named before a remark that several of them have.
const NAMED: usize = 3;

/// Of which target a result is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) target: usize,
    pub(super) transport: Transport,
    pub(super) registry: &'a Registry,
    pub(super) reproduce: &'a str,
}

impl Finding {
    /// It does not apply.
    pub(super) fn skip(lack: impl Into<Lack>) -> Finding {
        let Lack { reason, add } = lack.into();
        Finding {
            fact: Some(Fact::NotApplicable),
            reason: Some(reason),
            add,
            ..Finding::default()
        }
    }

    /// It applies, but nothing can be said.
    pub(super) fn not_observed(reason: impl Into<String>) -> Finding {
        Finding {
            fact: Some(Fact::NotObserved),
            reason: Some(reason.into()),
            ..Finding::default()
        }
    }

    /// The target was dead or deaf before it began.
    pub(super) fn blocked(by: String, how: String) -> Finding {
        Finding {
            blocked_by: Some(by),
            ..Finding::not_observed(how)
        }
    }

    /// The worst of the rows; rows that do not apply do not count.
    pub(super) fn of_rows(rows: Vec<(Option<String>, RowFinding)>) -> Finding {
        let mut finding = Finding::default();
        let several = rows.len() > 1;
        let mut notes: Vec<(String, Vec<String>)> = Vec::new();
        for (label, row) in rows {
            let label = label.filter(|_| several);
            let prefix = match &label {
                Some(label) => format!("[{label}] "),
                None => String::new(),
            };
            finding.observed += row.observed;
            for note in row.notes {
                let known = notes.iter().position(|(known, _)| *known == note);
                let known = known.unwrap_or_else(|| {
                    notes.push((note, Vec::new()));
                    notes.len() - 1
                });
                let labels = &mut notes[known].1;
                if let Some(label) = &label
                    && !labels.contains(label)
                {
                    labels.push(label.clone());
                }
            }
            let fact = row.fact.unwrap_or(Fact::NotApplicable);
            let worse = finding
                .fact
                .is_none_or(|before| fact.severity() > before.severity());
            if worse {
                finding.fact = Some(fact);
                finding.mismatches = row.mismatches;
                finding.reason = row.reason.map(|reason| format!("{prefix}{reason}"));
                finding.blocked_by = row.blocked_by.filter(|_| fact == Fact::NotObserved);
                finding.records = row.records;
            } else if finding.records.is_empty() {
                finding.records = row.records;
            }
        }
        finding.notes = notes
            .iter()
            .map(|(note, labels)| labelled(note, labels))
            .collect();
        if finding.fact == Some(Fact::NotApplicable) && finding.reason.is_none() {
            finding.reason = Some("none of its steps judges anything on this target".to_owned());
        }
        finding
    }

    /// Whether a violation was found already, which stays one whatever became of the other rows.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.fact, Some(Fact::Violated | Fact::Graded(Grade::Fail)))
    }

    /// What a watch found. One that saw nothing `lacks` something.
    pub(super) fn of_watch(watch: WatchFinding, lacks: impl FnOnce() -> Lack) -> Finding {
        let mut notes = watch.notes;
        if watch.times > 1 && watch.sighting.is_some() {
            notes.push(format!("seen {} times; the first is shown", watch.times));
        }
        let mut finding = Finding {
            fact: Some(watch.fact),
            observed: watch.observed,
            ..Finding::default()
        };
        match watch.fact {
            Fact::NotApplicable => {
                let Lack { reason, add } = lacks();
                finding.reason = Some(reason);
                finding.add = add;
            }
            Fact::NotObserved | Fact::Graded(Grade::Inconclusive) if !notes.is_empty() => {
                finding.reason = Some(notes.remove(0));
            }
            _ => {}
        }
        if let Some(sighting) = watch.sighting {
            finding.mismatches = sighting.mismatches;
            finding.records.extend(sighting.record);
            notes.extend(sighting.unasked.map(|what| format!("what came: {what}")));
            let origin = sighting.origin;
            notes.extend(origin.map(|origin| format!("seen during {origin}")));
            let is_after_others = sighting.is_lost_after_others;
            notes.extend(is_after_others.then(|| SEEN_ON_USED.to_owned()));
        }
        finding.notes = notes;
        finding
    }

    /// The result of a case.
    pub(super) fn result(
        self,
        case: &Arc<Case>,
        kind: CaseKind,
        took: Duration,
        place: Place<'_>,
    ) -> CaseResult {
        let fact = self.fact.unwrap_or(Fact::NotApplicable);
        let mismatches: Vec<MismatchRecord> = self
            .mismatches
            .into_iter()
            .map(|mismatch| mismatch_record(case, mismatch))
            .collect();
        let requirements: Vec<RequirementResult> = case
            .requirements
            .iter()
            .filter_map(|(id, _)| place.registry.get(id))
            .filter(|requirement| requirement.transports.covers(place.transport))
            .map(|requirement| RequirementResult {
                id: requirement.id.clone(),
                level: requirement.level,
                page: requirement.page.clone(),
                anchor: requirement.anchor.clone(),
                statement: requirement.statement.clone(),
                fact,
                verdict: fact.verdict(requirement.violated.unwrap_or(Violated::Note)),
                observed: self.observed,
                mismatches: mismatches.clone(),
                known: None,
            })
            .collect();
        let verdict = requirements
            .iter()
            .map(|found| found.verdict)
            .max_by_key(|verdict| weight(*verdict));
        let verdict = verdict.unwrap_or(Verdict::Skip);
        let needs_proof = !matches!(verdict, Verdict::Pass | Verdict::Skip);
        CaseResult {
            id: case.id.clone(),
            kind,
            summary: case.summary.clone(),
            why: case.why.clone(),
            target: place.target,
            transport: place.transport,
            seconds: took.as_secs_f64(),
            verdict,
            blocked_by: self.blocked_by,
            notes: self.notes,
            requirements,
            reason: self.reason,
            add: self.add,
            exchanges: if needs_proof {
                self.records
            } else {
                Vec::new()
            },
            reproduce: if needs_proof {
                vec![format!(
                    "mcpspec check --case {} {}",
                    case.id, place.reproduce
                )]
            } else {
                Vec::new()
            },
        }
    }
}

/// A remark behind the names of the rows that have it.
fn labelled(note: &str, labels: &[String]) -> String {
    match labels.split_at_checked(NAMED) {
        _ if labels.is_empty() => note.to_owned(),
        Some((named, [_, ..])) => {
            let more = labels.len() - NAMED;
            format!("[{} and {more} more] {note}", named.join(", "))
        }
        _ => format!("[{}] {note}", labels.join(", ")),
    }
}

/// The order of verdicts when the worst of several is taken.
pub(super) fn weight(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Skip => 0,
        Verdict::Pass => 1,
        Verdict::Warn => 2,
        Verdict::Inconclusive => 3,
        Verdict::Fail => 4,
    }
}

fn mismatch_record(case: &Case, mismatch: Mismatch) -> MismatchRecord {
    let source = (mismatch.at.line > 0).then(|| SourceRef {
        file: case.file.to_string(),
        line: mismatch.at.line,
        column: mismatch.at.column,
    });
    MismatchRecord {
        pointer: mismatch.pointer,
        expected: mismatch.expected,
        actual: mismatch.actual,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, notes: &[&str]) -> (Option<String>, RowFinding) {
        let finding = RowFinding {
            fact: Some(Fact::Held),
            notes: notes.iter().map(|note| (*note).to_owned()).collect(),
            ..RowFinding::default()
        };
        (Some(label.to_owned()), finding)
    }

    #[test]
    fn a_remark_of_several_rows_is_told_once() {
        let rows = vec![
            row("a", &["same", "same", "own"]),
            row("b", &["same"]),
            row("c", &[]),
        ];
        assert_eq!(Finding::of_rows(rows).notes, ["[a, b] same", "[a] own"]);
        let rows = ["a", "b", "c", "d", "e"].map(|label| row(label, &["same"]));
        let notes = Finding::of_rows(rows.into()).notes;
        assert_eq!(notes, ["[a, b, c and 2 more] same"]);
        assert_eq!(
            Finding::of_rows(vec![row("a", &["same", "same"])]).notes,
            ["same"]
        );
    }
}
