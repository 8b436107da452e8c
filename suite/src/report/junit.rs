//! The JUnit form, for continuous integration. The crate writes CDATA as it is, and the time of writing where none is
//! set, so that every text goes through [`xml_safe`] and every suite gets the start of the run.

use std::collections::BTreeMap;

use jiff::Timestamp;
use junit_report::{
    Duration, OffsetDateTime, ReportBuilder, TestCase, TestCaseBuilder, TestSuite, TestSuiteBuilder,
};

use crate::event::CaseResult;
use crate::text::{preview, terminal_safe, xml_safe};
use crate::verdict::Verdict;

use super::baseline::Gone;
use super::failure;
use super::format::RenderOptions;
use super::model::{INSECURE, Report};

/// Bytes of a message, which is one line.
const MESSAGE: usize = 500;

/// Bytes of the body of a failure or an error.
const BODY: usize = 64 * 1024;

/// The report as JUnit XML, ending in a line feed.
pub(super) fn render(report: &Report, options: &RenderOptions) -> String {
    let timestamp = timestamp(report.started_at);
    let mut builder = ReportBuilder::new();
    for (name, cases) in suites(report, options) {
        builder.add_testsuite(suite(&name, timestamp, cases));
    }
    let mut xml = Vec::new();
    builder
        .build()
        .write_xml(&mut xml)
        .expect("writing to memory cannot fail");
    xml.push(b'\n');
    String::from_utf8(xml).expect("the writer was given nothing but UTF-8")
}

/// A suite for each area on each target; what could not be judged at all has an error of its own, so that it shows.
fn suites(report: &Report, options: &RenderOptions) -> Vec<(String, Vec<TestCase>)> {
    let mut suites = Vec::new();
    for target in &report.targets {
        let label = report.target_label(target.index);
        if let Some(problem) = &target.unusable {
            let class = format!("mcpspec.target.{}", target.transport);
            suites.push((
                label.clone(),
                vec![error("target is usable", &class, problem)],
            ));
        }
        if target.insecure {
            let case = TestCaseBuilder::success("certificate", Duration::ZERO)
                .set_classname(&format!("mcpspec.target.{}", target.transport))
                .set_system_out(INSECURE)
                .build();
            suites.push((format!("insecure · {label}"), vec![case]));
        }
        let mut areas: BTreeMap<&str, Vec<TestCase>> = BTreeMap::new();
        for case in report.cases_of(target.index) {
            areas
                .entry(area(case))
                .or_default()
                .push(test_case(report, case, options));
        }
        let areas = areas
            .into_iter()
            .map(|(area, cases)| (format!("{area} · {label}"), cases));
        suites.extend(areas);
    }
    if let Some(difference) = report
        .baseline
        .as_ref()
        .filter(|found| !found.gone.is_empty())
    {
        let gone = difference.gone.iter().map(gone);
        suites.push(("baseline".to_owned(), gone.collect()));
    }
    if let Some(interruption) = &report.interrupted {
        let case = error("run is complete", "mcpspec.run", &interruption.reason);
        suites.push(("run".to_owned(), vec![case]));
    }
    suites
}

fn suite(name: &str, timestamp: OffsetDateTime, cases: Vec<TestCase>) -> TestSuite {
    let mut builder = TestSuiteBuilder::new(&attribute(name));
    builder
        .set_timestamp(timestamp)
        .add_testcases(cases)
        .build()
}

fn test_case(report: &Report, case: &CaseResult, options: &RenderOptions) -> TestCase {
    let name = attribute(&case.id);
    let time = Duration::saturating_seconds_f64(case.seconds);
    let verdict = match case.verdict {
        Verdict::Warn if options.strict => Verdict::Fail,
        verdict => verdict,
    };
    if let Some(known) = case.known() {
        // What the baseline expects breaks no build, so it is no failure here either.
        let cause = format!("known: {known}");
        return TestCaseBuilder::skipped_with_cause(&name, "known", &message(&cause))
            .set_trace(&body(&failure::plain(report, case)))
            .set_classname(&attribute(&class(report, case)))
            .build();
    }
    let mut builder = match verdict {
        Verdict::Pass | Verdict::Warn => TestCaseBuilder::success(&name, time),
        Verdict::Fail => {
            let level = failure::worst(case).map_or("failure", |worst| worst.level.as_str());
            TestCaseBuilder::failure(&name, time, level, &message(&failure::one_line(case)))
        }
        Verdict::Inconclusive => TestCaseBuilder::error(
            &name,
            time,
            "inconclusive",
            &message(&failure::reason(case)),
        ),
        Verdict::Skip => {
            TestCaseBuilder::skipped_with_cause(&name, "skip", &message(&failure::reason(case)))
        }
    };
    match verdict {
        Verdict::Fail | Verdict::Inconclusive => {
            builder.set_trace(&body(&failure::plain(report, case)));
        }
        Verdict::Warn => {
            builder.set_system_out(&body(&failure::plain(report, case)));
        }
        Verdict::Pass | Verdict::Skip => {}
    }
    builder
        .set_classname(&attribute(&class(report, case)))
        .build()
}

fn error(name: &str, class: &str, problem: &str) -> TestCase {
    TestCaseBuilder::error(name, Duration::ZERO, "inconclusive", &message(problem))
        .set_trace(&body(problem))
        .set_classname(&attribute(class))
        .build()
}

/// An entry of the baseline that no longer occurs, which breaks the build until it is taken out.
fn gone(gone: &Gone) -> TestCase {
    let problem = format!("an entry of the baseline no longer occurs: {gone}");
    let name = attribute(&format!("{} on {}", gone.case, gone.target));
    TestCaseBuilder::failure(&name, Duration::ZERO, "gone", &message(&problem))
        .set_trace(&body(&problem))
        .set_classname("mcpspec.baseline")
        .build()
}

/// `mcpspec.AREA.TRANSPORT`, with the name of the target where another one has the same transport.
fn class(report: &Report, case: &CaseResult) -> String {
    let class = format!("mcpspec.{}.{}", area(case), case.transport);
    let same = report
        .targets
        .iter()
        .filter(|target| target.transport == case.transport)
        .count();
    match report.targets.get(case.target) {
        Some(target) if same > 1 => format!("{class}.{}", target.name),
        _ => class,
    }
}

/// The first segment of the id.
fn area(case: &CaseResult) -> &str {
    case.id.split('/').next().unwrap_or_default()
}

/// Text for an attribute, which is one line.
fn attribute(text: &str) -> String {
    xml_safe(&terminal_safe(text)).into_owned()
}

fn message(text: &str) -> String {
    attribute(&preview(text, MESSAGE))
}

/// Text for a CDATA section.
fn body(text: &str) -> String {
    xml_safe(&preview(text, BODY)).into_owned()
}

/// The time in the crate's own type. It can write the years 0 to 9999 only.
fn timestamp(time: Timestamp) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(time.as_second().max(0))
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
}
