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

use super::row::RowFinding;

/// What a case came to, before it becomes a result.
#[derive(Debug, Clone, Default)]
pub(super) struct Finding {
    pub(super) fact: Option<Fact>,
    pub(super) observed: usize,
    pub(super) mismatches: Vec<Mismatch>,
    pub(super) notes: Vec<String>,
    pub(super) reason: Option<String>,
    pub(super) records: Vec<ExchangeRecord>,
    pub(super) blocked_by: Option<String>,
}

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
    pub(super) fn skip(reason: impl Into<String>) -> Finding {
        Finding {
            fact: Some(Fact::NotApplicable),
            reason: Some(reason.into()),
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
        for (label, row) in rows {
            let prefix = match label {
                Some(label) if several => format!("[{label}] "),
                _ => String::new(),
            };
            finding.observed += row.observed;
            finding
                .notes
                .extend(row.notes.into_iter().map(|note| format!("{prefix}{note}")));
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
        if finding.fact == Some(Fact::NotApplicable) && finding.reason.is_none() {
            finding.reason = Some("no step of it applies to this target".to_owned());
        }
        finding
    }

    /// Whether a violation was found already, which stays one whatever became of the other rows.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.fact, Some(Fact::Violated | Fact::Graded(Grade::Fail)))
    }

    /// What a watch found.
    pub(super) fn of_watch(watch: WatchFinding) -> Finding {
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
            Fact::NotApplicable => finding.reason = Some("never seen".to_owned()),
            Fact::NotObserved | Fact::Graded(Grade::Inconclusive) => {
                finding.reason = notes.first().cloned()
            }
            _ => {}
        }
        if let Some(sighting) = watch.sighting {
            finding.mismatches = sighting.mismatches;
            finding.records.extend(sighting.record);
            notes.extend(
                sighting
                    .origin
                    .map(|origin| format!("seen during {origin}")),
            );
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
