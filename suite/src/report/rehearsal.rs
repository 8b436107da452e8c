//! What a run would send, as text for people.

use crate::event::{Event, Rehearsed, RehearsedRow, Times, ToolCalls};
use crate::text::counted;

use super::fold::{Folder, Meta};
use super::format::{RenderOptions, Verbosity};
use super::model::Report;
use super::page::{Page, Tone};
use super::scrub::Scrubber;
use super::terminal;

/// What a run sends beside its cases.
const BESIDE: &str = "Beside that a run sends server/discover where it has to see whether the server still answers, and cancels what a case \
                      leaves open. What an answer decides stands as the case writes it: $(NAME.…).";

/// Takes the events of a dry run and makes a page of them.
#[derive(Debug)]
pub struct Rehearsal {
    folder: Folder,
    rows: Vec<RehearsedRow>,
    /// Calls that the surveys made.
    surveyed: Vec<ToolCalls>,
}

impl Rehearsal {
    /// For a dry run that begins now.
    pub fn new(meta: Meta) -> Rehearsal {
        Rehearsal {
            folder: Folder::new(meta),
            rows: Vec::new(),
            surveyed: Vec::new(),
        }
    }

    /// Takes one event.
    pub fn event(&mut self, event: &Event) {
        match event {
            Event::RowRehearsed(row) => {
                let scrubber = Scrubber(self.folder.redactor());
                self.rows.push(scrubber.rehearsed(row));
            }
            Event::SurveyCalled { calls } => {
                let scrubber = Scrubber(self.folder.redactor());
                let calls = calls.iter().map(|calls| scrubber.calls(calls));
                self.surveyed.extend(calls);
            }
            other => self.folder.event(other),
        }
    }

    /// The page, and the report of a run in which nothing was judged.
    pub fn finish(self, options: &RenderOptions) -> (String, Report) {
        let report = self.folder.finish();
        let mut rows = self.rows;
        rows.sort_by(|a, b| (a.target, &a.id).cmp(&(b.target, &b.id)));
        let mut page = Page::new(options.color, options.width);
        terminal::head(&mut page, &report, Verbosity::Normal);
        terminal::unusable(&mut page, &report);
        for row in &rows {
            self::row(&mut page, &report, row);
        }
        let mut surveyed = self.surveyed;
        surveyed.sort_by(|a, b| (a.target, &a.tool).cmp(&(b.target, &b.tool)));
        let planned = beyond(&report.calls, &surveyed);
        let calls = |page: &mut Page, heading, calls: &[ToolCalls]| {
            terminal::calls(page, &report, heading, calls);
        };
        calls(&mut page, "Tools that the survey called", &surveyed);
        calls(
            &mut page,
            "Tools that a run would call then, at least",
            &planned,
        );
        page.blank();
        page.line(&[(Tone::Strong, &summary(&rows))]);
        page.prose("", Tone::Dim, BESIDE);
        (page.into_text(), report)
    }
}

/// The calls beyond those of the survey: the gate counts a rehearsed call as it counts one that goes out.
fn beyond(all: &[ToolCalls], surveyed: &[ToolCalls]) -> Vec<ToolCalls> {
    let of_survey = |calls: &ToolCalls| {
        let key = |calls: &ToolCalls| (calls.target, calls.tool.clone(), calls.why.clone());
        let mut same = surveyed.iter().filter(|other| key(other) == key(calls));
        same.next().map_or(0, |same| same.count)
    };
    let rest = all.iter().map(|calls| ToolCalls {
        count: calls.count.saturating_sub(of_survey(calls)),
        ..calls.clone()
    });
    rest.filter(|calls| calls.count > 0).collect()
}

fn row(page: &mut Page, report: &Report, row: &RehearsedRow) {
    page.blank();
    let mut heading = vec![(Tone::Strong, row.id.as_str())];
    let label = row.row.as_ref().map(|label| format!("  {label}"));
    heading.extend(label.iter().map(|label| (Tone::Plain, label.as_str())));
    let target = format!("  {}", report.target_label(row.target));
    if report.targets.len() > 1 {
        heading.push((Tone::Dim, &target));
    }
    page.line(&heading);
    for action in &row.actions {
        match action {
            Rehearsed::Words(text) => page.prose("does", Tone::Plain, text),
            Rehearsed::Send { head, sent, times } => {
                if !head.is_empty() {
                    page.prose("request", Tone::Plain, &head.join(" · "));
                }
                if !sent.is_empty() || head.is_empty() {
                    page.evidence("sends", Tone::Plain, sent.trim_end_matches(['\r', '\n']));
                }
                match times {
                    Times::Exactly(1) => {}
                    Times::Exactly(times) => {
                        page.prose("", Tone::Plain, &format!("{times} times"));
                    }
                    Times::AtLeastOnce(words) => page.prose("", Tone::Plain, words),
                }
            }
        }
    }
}

fn summary(rows: &[RehearsedRow]) -> String {
    let mut cases: Vec<_> = rows.iter().map(|row| (row.target, &row.id)).collect();
    cases.dedup();
    let actions = rows.iter().flat_map(|row| &row.actions);
    let sent = actions.map(|action| match action {
        Rehearsed::Send { times, .. } => times.least(),
        Rehearsed::Words(_) => 0,
    });
    format!(
        "Dry run: nothing was sent but the survey. {} would send {}, at least.",
        counted(cases.len(), "case"),
        counted(sent.sum(), "message")
    )
}
