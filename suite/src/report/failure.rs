//! One case as a block of text: what was due, what came, where it is written and how to see it again. The terminal and
//! JUnit reports share it.

use crate::event::{CaseResult, ExchangeRecord, MismatchRecord, RequirementResult, SourceRef};
use crate::spec::{Level, link};
use crate::text::{counted, preview, seconds};
use crate::verdict::Verdict;

use super::format::Verbosity;
use super::model::Report;
use super::page::{Page, Tone};

/// Bytes of a message as it is shown.
const MESSAGE: usize = 480;

/// Bytes of a message where a case is told in short.
const BRIEF: usize = 160;

/// Mismatches of one requirement that are shown.
const MISMATCHES: usize = 4;

/// Received messages of one exchange that are shown.
const RECEIVED: usize = 4;

/// Columns of JUnit bodies.
const WIDTH: usize = 100;

/// How much of a case is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// What was due and what came, and the beginning of what was sent and received.
    Short,
    /// Also why it matters, and more of what was sent and received where it failed.
    Full,
    /// Everything that was sent and received.
    All,
}

impl Detail {
    /// Failures and what could not be judged are told in full, warnings in short, unless the reader asks for everything.
    pub(super) fn of(verdict: Verdict, verbosity: Verbosity) -> Detail {
        match (verdict, verbosity) {
            (_, Verbosity::Verbose) => Detail::All,
            (Verdict::Warn, _) => Detail::Short,
            _ => Detail::Full,
        }
    }
}

/// The block of a case as plain text.
pub(super) fn plain(report: &Report, case: &CaseResult) -> String {
    let mut page = Page::new(false, WIDTH);
    block(&mut page, report, case, Detail::Full);
    page.into_text()
}

/// The worst requirement of a case, the first of several.
pub(super) fn worst(case: &CaseResult) -> Option<&RequirementResult> {
    case.requirements
        .iter()
        .rev()
        .max_by_key(|requirement| requirement.fact.severity())
}

/// What is wrong with a case, in one line.
pub(super) fn one_line(case: &CaseResult) -> String {
    let Some(worst) = worst(case) else {
        return reason(case);
    };
    match worst.mismatches.first() {
        Some(MismatchRecord {
            pointer,
            expected,
            actual,
            ..
        }) => {
            let colon = if pointer.is_empty() { "" } else { ": " };
            format!(
                "{}: {pointer}{colon}expected {expected}, actual {actual}",
                worst.id
            )
        }
        None => format!("{}: {}", worst.id, reason(case)),
    }
}

/// Why a case was not judged, or what it is about where nothing else is known.
pub(super) fn reason(case: &CaseResult) -> String {
    match (&case.blocked_by, &case.reason) {
        (Some(blocked_by), Some(reason)) => format!("blocked by {blocked_by}: {reason}"),
        (Some(blocked_by), None) => format!("blocked by {blocked_by}"),
        (None, Some(reason)) => reason.clone(),
        (None, None) => case.summary.clone(),
    }
}

/// The name of a verdict at the head of a block.
pub(super) fn heading(verdict: Verdict) -> (Tone, &'static str) {
    match verdict {
        Verdict::Pass => (Tone::Good, "PASS"),
        Verdict::Fail => (Tone::Bad, "FAIL"),
        Verdict::Warn => (Tone::Warn, "WARN"),
        Verdict::Inconclusive => (Tone::Doubt, "INCONCLUSIVE"),
        Verdict::Skip => (Tone::Dim, "SKIP"),
    }
}

/// Writes the block of a case.
pub(super) fn block(page: &mut Page, report: &Report, case: &CaseResult, detail: Detail) {
    let (tone, name) = heading(case.verdict);
    let target = report.target_label(case.target);
    page.line(&[
        (tone, name),
        (Tone::Plain, "  "),
        (Tone::Strong, &case.id),
        (Tone::Plain, "  "),
        (Tone::Dim, &target),
    ]);
    if let Some(known) = case.known() {
        page.prose("known", Tone::Plain, known);
    }
    page.line(&[(Tone::Plain, "  "), (Tone::Plain, &case.summary)]);
    let told: Vec<_> = told(case).collect();
    // Requirements that one observation decides share what differs, which is shown once, below them.
    let groups = told.chunk_by(|one, next| one.mismatches == next.mismatches);
    for (index, group) in groups.enumerate() {
        for requirement in group {
            rule(page, requirement);
        }
        if let (0, Some(why), true) = (index, &case.why, detail > Detail::Short) {
            page.prose("why", Tone::Plain, why);
        }
        mismatches(page, &group[0].mismatches);
    }
    if let Some(reason) = &case.reason {
        page.evidence("reason", Tone::Plain, reason);
    }
    if let Some(blocked_by) = &case.blocked_by {
        page.prose("blocked by", Tone::Plain, blocked_by);
    }
    for note in &case.notes {
        page.prose("note", Tone::Plain, note);
    }
    match detail {
        Detail::Short => brief(page, case),
        Detail::Full | Detail::All => exchanges(page, case, detail),
    }
    for (index, command) in case.reproduce.iter().enumerate() {
        page.evidence(
            if index == 0 { "reproduce" } else { "" },
            Tone::Plain,
            command,
        );
    }
}

/// The requirements of a case that share its verdict, or are broken besides.
fn told(case: &CaseResult) -> impl Iterator<Item = &RequirementResult> {
    case.requirements.iter().filter(|requirement| {
        requirement.verdict == case.verdict
            || matches!(requirement.verdict, Verdict::Fail | Verdict::Warn)
    })
}

/// What is due, and where the specification says so.
fn rule(page: &mut Page, requirement: &RequirementResult) {
    page.prose(
        keyword(requirement.level),
        Tone::Plain,
        &requirement.statement,
    );
    page.evidence("", Tone::Dim, &requirement.id);
    if !requirement.page.is_empty() {
        page.evidence("", Tone::Dim, &link(&requirement.page, &requirement.anchor));
    }
}

fn mismatches(page: &mut Page, mismatches: &[MismatchRecord]) {
    for mismatch in mismatches.iter().take(MISMATCHES) {
        self::mismatch(page, mismatch);
    }
    if let Some(more) = mismatches.len().checked_sub(MISMATCHES + 1) {
        page.prose("", Tone::Dim, &format!("and {} more that differ", more + 1));
    }
}

/// The word of the specification, or where the rule comes from instead.
fn keyword(level: Level) -> &'static str {
    match level {
        Level::Must => "MUST",
        Level::MustNot => "MUST NOT",
        Level::Should => "SHOULD",
        Level::ShouldNot => "SHOULD NOT",
        Level::Schema => "schema",
        Level::Stated => "stated",
    }
}

fn mismatch(page: &mut Page, mismatch: &MismatchRecord) {
    let MismatchRecord {
        pointer,
        expected,
        actual,
        source,
    } = mismatch;
    match source {
        Some(SourceRef { file, line, column }) => {
            let at = format!("{}  ({file}:{line}:{column})", place(pointer));
            page.evidence("at", Tone::Plain, &at);
        }
        None if pointer.is_empty() => {}
        None => page.evidence("at", Tone::Plain, pointer),
    }
    page.evidence("expected", Tone::Plain, &preview(expected, MESSAGE));
    page.evidence("actual", Tone::Bad, &preview(actual, MESSAGE));
}

/// A pointer for people: the empty one is everything that came.
fn place(pointer: &str) -> &str {
    if pointer.is_empty() {
        "(the whole)"
    } else {
        pointer
    }
}

/// The beginning of the first exchange that the failing step is about, or of the last one where none is marked.
fn brief(page: &mut Page, case: &CaseResult) {
    let judged = case.exchanges.iter().find(|exchange| exchange.judged);
    if let Some(exchange) = judged.or(case.exchanges.last()) {
        messages(page, exchange, BRIEF);
    }
}

/// The exchanges that the failing step is about, or the last one where none is marked; all if asked for.
fn exchanges(page: &mut Page, case: &CaseResult, detail: Detail) {
    let shown: Vec<&ExchangeRecord> = if detail == Detail::All {
        case.exchanges.iter().collect()
    } else if case.exchanges.iter().any(|exchange| exchange.judged) {
        case.exchanges
            .iter()
            .filter(|exchange| exchange.judged)
            .collect()
    } else {
        case.exchanges.last().into_iter().collect()
    };
    for exchange in &shown {
        self::exchange(page, exchange);
    }
    let others = case.exchanges.len() - shown.len();
    if others > 0 {
        let others = counted(others, "other exchange");
        page.prose(
            "",
            Tone::Dim,
            &format!("{others}: see -v or the JSON report"),
        );
    }
}

fn exchange(page: &mut Page, exchange: &ExchangeRecord) {
    if let Some(row) = &exchange.row {
        page.prose("row", Tone::Plain, row);
    }
    if !exchange.head.is_empty() {
        page.prose("request", Tone::Plain, &exchange.head.join(" · "));
    }
    messages(page, exchange, MESSAGE);
}

/// What was sent and received, each message by so many bytes.
fn messages(page: &mut Page, exchange: &ExchangeRecord, limit: usize) {
    if !exchange.sent.is_empty() || exchange.head.is_empty() {
        page.evidence("sent", Tone::Plain, &one(&exchange.sent, limit));
    }
    for (index, received) in exchange.received.iter().take(RECEIVED).enumerate() {
        let after = seconds(received.after_ms as f64 / 1000.0);
        let text = format!("{}  (after {after})", one(&received.text, limit));
        page.evidence(if index == 0 { "received" } else { "" }, Tone::Plain, &text);
    }
    if let Some(more) = exchange.received.len().checked_sub(RECEIVED + 1) {
        page.prose("", Tone::Dim, &format!("and {} more", more + 1));
    }
}

/// A message in one bounded line; what is no message (a status line with headers) has its lines joined.
fn one(text: &str, limit: usize) -> String {
    let text = text.trim_end_matches(['\r', '\n']);
    if text.starts_with("HTTP ") {
        let lines: Vec<_> = text
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        return preview(&lines.join(" · "), limit).into_owned();
    }
    preview(text, limit).replace('\n', "\\n")
}
