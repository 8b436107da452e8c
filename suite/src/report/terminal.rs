//! The terminal report: failures in full, the rest in short, and a last line that never looks better than the run was.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::event::{CaseResult, NOT_LISTED, SurveyInfo, TargetInfo, ToolCalls};
use crate::text::{counted, preview, seconds, visible};
use crate::verdict::Verdict;

use super::conclusion;
use super::failure::{self, Detail};
use super::format::{RenderOptions, Verbosity};
use super::model::{INSECURE, Report, RequirementCounts, VerdictCounts};
use super::page::{Page, Tone};
use super::tally;

/// Cases or tools that are named for one reason.
const NAMED: usize = 12;

/// Bytes of a name that a server gives itself.
const NAME: usize = 100;

/// Bytes of a command.
const COMMAND: usize = 300;

/// Reasons for skipping that are listed.
const REASONS: usize = 20;

/// Most names that a user mistyped. If the server lists more of them not, a whole profile does not fit, which is told as anything else.
const SLIPS: usize = 5;

/// The report for people at a terminal.
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let mut page = Page::new(options.color, options.width);
    if options.verbosity > Verbosity::Quiet {
        head(&mut page, report, options.verbosity);
    }
    if options.verbosity == Verbosity::Verbose {
        every_case(&mut page, report);
    }
    unusable(&mut page, report);
    interruption(&mut page, report);
    blocks(&mut page, report, Verdict::Fail, options.verbosity);
    if options.verbosity > Verbosity::Quiet {
        blocks(&mut page, report, Verdict::Warn, options.verbosity);
        hint(&mut page, report, options.verbosity);
        inconclusive(&mut page, report, options.verbosity);
        skips(&mut page, report, options.verbosity);
        calls(&mut page, report, "Tools called", &report.calls);
        not_called(&mut page, report);
        summary(&mut page, report);
    } else if options.strict {
        blocks(&mut page, report, Verdict::Warn, options.verbosity);
    }
    baseline(&mut page, report, options.verbosity);
    page.blank();
    conclusion::write(&mut page, report, options.strict);
    page.into_text()
}

pub(super) fn head(page: &mut Page, report: &Report, verbosity: Verbosity) {
    let tool = format!("{} {}", report.tool.name, report.tool.version);
    let judged = format!(" · Model Context Protocol {}", report.revision);
    page.line(&[(Tone::Strong, &tool), (Tone::Plain, &judged)]);
    if verbosity == Verbosity::Verbose {
        let started = report
            .started_at
            .strftime("%Y-%m-%d %H:%M:%S UTC")
            .to_string();
        let suite = &report.tool.suite_digest;
        let run = format!("{started} · suite {suite} · seed {}", report.seed);
        page.line(&[(Tone::Dim, &run)]);
    }
    page.blank();
    for target in &report.targets {
        self::target(page, report, target, verbosity);
    }
}

fn target(page: &mut Page, report: &Report, target: &TargetInfo, verbosity: Verbosity) {
    let label = report.target_label(target.index);
    let who = match &target.survey {
        Some(survey) => described(target, survey),
        None => target.name.clone(),
    };
    page.prose(&label, Tone::Plain, &who);
    let reached: Vec<&str> = target
        .url
        .iter()
        .map(String::as_str)
        .chain((!target.command.is_empty()).then_some("--"))
        .chain(target.command.iter().map(String::as_str))
        .collect();
    let reached = if target.url.is_some() {
        &reached[..]
    } else {
        reached.get(1..).unwrap_or_default()
    };
    page.evidence("", Tone::Dim, &preview(&reached.join(" "), COMMAND));
    if target.insecure {
        page.prose("", Tone::Bad, INSECURE);
    }
    if let Some(exit) = &target.exit {
        page.prose("", Tone::Bad, &format!("ended by itself: {exit}"));
    }
    if let (Some(survey), Verbosity::Verbose) = (&target.survey, verbosity) {
        page.evidence(
            "",
            Tone::Dim,
            &format!("capabilities {}", survey.capabilities),
        );
        for trigger in &survey.triggers {
            page.prose(
                "",
                Tone::Dim,
                &format!("{} known from {}", trigger.name, trigger.source),
            );
        }
    }
}

/// The server's name and version, its era and versions.
fn described(target: &TargetInfo, survey: &SurveyInfo) -> String {
    let member = |name| {
        Some(preview(
            survey.server_info.as_ref()?.get(name)?.as_str()?,
            NAME,
        ))
    };
    let name = member("name").unwrap_or_else(|| preview(&target.name, NAME));
    let version = member("version")
        .map(|version| format!(" {version}"))
        .unwrap_or_default();
    let versions = match survey.supported_versions.as_slice() {
        [] => "no versions".to_owned(),
        [version] => format!("version {}", preview(version, NAME)),
        versions => format!("versions {}", preview(&versions.join(", "), NAME)),
    };
    format!("{name}{version} · {} era · {versions}", survey.era)
}

fn every_case(page: &mut Page, report: &Report) {
    page.blank();
    let ids = report
        .cases
        .iter()
        .map(|case| case.id.len())
        .max()
        .unwrap_or(0);
    for case in &report.cases {
        let (tone, name) = failure::heading(case.verdict);
        let name = format!("{name:<12}  ");
        let label = report.target_label(case.target);
        let id = format!("{:<ids$}  ", case.id);
        let rest = match (case.verdict, &case.reason) {
            (Verdict::Skip, Some(reason)) => reason.clone(),
            _ => seconds(case.seconds),
        };
        page.line(&[
            (tone, &name),
            (Tone::Plain, &id),
            (Tone::Plain, &format!("{label:<5}  ")),
            (Tone::Dim, &rest),
        ]);
        if case.verdict == Verdict::Pass {
            for note in &case.notes {
                page.prose("note", Tone::Dim, note);
            }
        }
    }
}

pub(super) fn unusable(page: &mut Page, report: &Report) {
    for target in &report.targets {
        if let Some(problem) = &target.unusable {
            page.blank();
            let label = report.target_label(target.index);
            page.line(&[
                (Tone::Bad, "UNUSABLE"),
                (Tone::Plain, "  "),
                (Tone::Strong, &label),
            ]);
            page.evidence("target", Tone::Plain, &target.name);
            page.evidence("reason", Tone::Plain, problem);
        }
    }
}

fn interruption(page: &mut Page, report: &Report) {
    if let Some(interruption) = &report.interrupted {
        page.blank();
        let missing = match interruption.missing {
            0 => "  every case has a result".to_owned(),
            missing => format!("  {} without a result", counted(missing, "case")),
        };
        let title = match interruption.by_user {
            true => "INTERRUPTED",
            false => "ENDED EARLY",
        };
        page.line(&[(Tone::Doubt, title), (Tone::Plain, &missing)]);
        page.evidence("reason", Tone::Plain, &interruption.reason);
    }
}

fn blocks(page: &mut Page, report: &Report, verdict: Verdict, verbosity: Verbosity) {
    for case in report.cases.iter().filter(|case| case.verdict == verdict) {
        page.blank();
        failure::block(page, report, case, Detail::of(verdict, verbosity));
    }
}

/// How to see more of the warnings, which are told in short.
fn hint(page: &mut Page, report: &Report, verbosity: Verbosity) {
    let is_warned = report
        .cases
        .iter()
        .any(|case| case.verdict == Verdict::Warn);
    if is_warned && verbosity < Verbosity::Verbose {
        page.blank();
        let hint = "-v and the JSON report show warnings in full: why they matter, and all that was sent and received.";
        page.line(&[(Tone::Dim, hint)]);
    }
}

/// How the run differs from its baseline.
fn baseline(page: &mut Page, report: &Report, verbosity: Verbosity) {
    let Some(difference) = &report.baseline else {
        return;
    };
    let (new, gone) = (&difference.new, &difference.gone);
    if verbosity == Verbosity::Quiet && new.is_empty() && gone.is_empty() {
        return;
    }
    page.blank();
    let counts = format!("  {}", difference.counts());
    page.line(&[(Tone::Strong, "Baseline"), (Tone::Plain, &counts)]);
    for new in new {
        page.evidence("new", Tone::Plain, &new.to_string());
    }
    for gone in gone {
        page.evidence("gone", Tone::Bad, &gone.to_string());
    }
    if !gone.is_empty() {
        let hint = "what is gone fails the run until its entries are taken out of the baseline";
        page.prose("", Tone::Dim, hint);
    }
}

/// What could not be judged, by reason; a case that another one blocked has that for a reason.
fn inconclusive(page: &mut Page, report: &Report, verbosity: Verbosity) {
    if verbosity == Verbosity::Verbose {
        blocks(page, report, Verdict::Inconclusive, verbosity);
        return;
    }
    let groups = by_reason(report, Verdict::Inconclusive);
    if groups.is_empty() {
        return;
    }
    let (tone, name) = failure::heading(Verdict::Inconclusive);
    let count = groups.iter().map(|(_, cases)| cases.len()).sum();
    let title = format!("  {}, which -v shows in full", counted(count, "case"));
    page.blank();
    page.line(&[(tone, name), (Tone::Plain, &title)]);
    for (reason, cases) in &groups {
        page.prose(&format!("{:>3} ×", cases.len()), Tone::Plain, reason);
        let named = cases.iter().take(NAMED);
        let mut named: Vec<_> = named
            .map(|case| format!("{} ({})", case.id, report.target_label(case.target)))
            .collect();
        if cases.len() > NAMED {
            named.push(format!("and {} more", cases.len() - NAMED));
        }
        page.list(14, Tone::Dim, &named);
    }
}

/// What was skipped, counted by reason.
fn skips(page: &mut Page, report: &Report, verbosity: Verbosity) {
    let groups = by_reason(report, Verdict::Skip);
    if groups.is_empty() {
        return;
    }
    let (tone, name) = failure::heading(Verdict::Skip);
    let count = groups.iter().map(|(_, cases)| cases.len()).sum();
    let listed = if verbosity == Verbosity::Verbose {
        ""
    } else {
        ", which -v lists"
    };
    page.blank();
    page.line(&[
        (tone, name),
        (
            Tone::Plain,
            &format!("  {}{listed}", counted(count, "case")),
        ),
    ]);
    let mut told = BTreeSet::new();
    for (reason, cases) in groups.iter().take(REASONS) {
        page.prose(&format!("{:>3} ×", cases.len()), Tone::Plain, reason);
        if let Some(add) = cases.iter().find_map(|case| case.add.as_deref()) {
            let fresh = fresh_tables(add, &mut told);
            if !fresh.is_empty() {
                page.evidence("", Tone::Dim, &fresh);
            }
        }
    }
    if groups.len() > REASONS {
        page.prose(
            "",
            Tone::Dim,
            &format!("and {} more reasons", groups.len() - REASONS),
        );
    }
}

/// The tables of these lines that were not told before: a file may have each once.
fn fresh_tables<'a>(lines: &'a str, told: &mut BTreeSet<&'a str>) -> String {
    let mut is_fresh = true;
    let fresh = lines.lines().filter(|line| {
        if line.starts_with('[') {
            is_fresh = told.insert(line);
        }
        is_fresh
    });
    fresh.collect::<Vec<&str>>().join("\n")
}

/// The cases of a verdict by reason, the most frequent reason first, but for one that is a slip of the user's own file.
fn by_reason(report: &Report, verdict: Verdict) -> Vec<(String, Vec<&CaseResult>)> {
    let mut groups: BTreeMap<String, Vec<&CaseResult>> = BTreeMap::new();
    for case in report.cases.iter().filter(|case| case.verdict == verdict) {
        groups.entry(failure::reason(case)).or_default().push(case);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    let is_slip = |reason: &str| reason.contains(NOT_LISTED);
    let slips = groups.iter().filter(|(reason, _)| is_slip(reason)).count();
    let is_first = |reason: &str| slips <= SLIPS && is_slip(reason);
    groups.sort_by_key(|(reason, cases)| (!is_first(reason), Reverse(cases.len())));
    groups
}

pub(super) fn calls(page: &mut Page, report: &Report, heading: &str, all: &[ToolCalls]) {
    page.blank();
    let none = if all.is_empty() { "  none" } else { "" };
    page.line(&[(Tone::Strong, heading), (Tone::Plain, none)]);
    for calls in all {
        let label = report.target_label(calls.target);
        let text = format!(
            "{} · {} · {}",
            visible(&calls.tool),
            counted(calls.count, "call"),
            calls.why
        );
        page.prose(&label, Tone::Plain, &text);
    }
}

fn not_called(page: &mut Page, report: &Report) {
    let mut groups: BTreeMap<(usize, &str), Vec<Cow<'_, str>>> = BTreeMap::new();
    for uncalled in &report.not_called {
        let group = groups.entry((uncalled.target, &uncalled.why)).or_default();
        group.push(visible(&uncalled.tool));
    }
    if groups.is_empty() {
        return;
    }
    page.blank();
    page.line(&[(Tone::Strong, "Tools not called")]);
    for ((target, why), tools) in groups {
        let label = report.target_label(target);
        let mut named = tools[..tools.len().min(NAMED)].join(", ");
        if tools.len() > NAMED {
            named.push_str(&format!(" and {} more", tools.len() - NAMED));
        }
        page.prose(&label, Tone::Plain, &format!("{named} · {why}"));
    }
}

fn summary(page: &mut Page, report: &Report) {
    page.blank();
    let took = format!("  after {}", seconds(report.seconds));
    page.line(&[(Tone::Strong, "Summary"), (Tone::Plain, &took)]);
    for target in &report.targets {
        let label = report.target_label(target.index);
        verdicts_line(page, &label, tally::verdicts(report.cases_of(target.index)));
        requirements_line(page, "", tally::requirements(report.cases_of(target.index)));
    }
    if report.targets.len() > 1 {
        requirements_line(page, "together", tally::requirements(&report.cases));
    }
}

fn verdicts_line(page: &mut Page, label: &str, counts: VerdictCounts) {
    counts_line(
        page,
        label,
        &total(counts.total(), "case"),
        &[
            (Tone::Plain, counts.pass, "pass"),
            (Tone::Bad, counts.fail, "fail"),
            (Tone::Warn, counts.warn, "warn"),
            (Tone::Doubt, counts.inconclusive, "inconclusive"),
            (Tone::Plain, counts.skip, "skip"),
        ],
    );
}

fn requirements_line(page: &mut Page, label: &str, counts: RequirementCounts) {
    let violated = match counts.violated == counts.warned {
        true => Tone::Warn,
        false => Tone::Bad,
    };
    counts_line(
        page,
        label,
        &total(counts.total(), "requirement"),
        &[
            (Tone::Plain, counts.held, "held"),
            (violated, counts.violated, "violated"),
            (Tone::Plain, counts.not_judged, "not judged"),
        ],
    );
}

fn total(count: usize, noun: &str) -> String {
    let counted = counted(count, noun);
    let blanks = 4_usize.saturating_sub(count.to_string().len());
    format!(
        "{}{counted:<width$}",
        " ".repeat(blanks),
        width = 18 - blanks
    )
}

/// Numbers beside each other; those that are zero are dim.
fn counts_line(page: &mut Page, label: &str, total: &str, counts: &[(Tone, usize, &str)]) {
    let label = format!("  {label:<10}");
    let mut pieces = vec![(Tone::Dim, label.as_str()), (Tone::Plain, total)];
    let texts: Vec<_> = counts
        .iter()
        .map(|(_, count, name)| format!("{count:>4} {name}"))
        .collect();
    for ((tone, count, _), text) in counts.iter().zip(&texts) {
        pieces.push((if *count == 0 { Tone::Dim } else { *tone }, text));
    }
    page.line(&pieces);
}
