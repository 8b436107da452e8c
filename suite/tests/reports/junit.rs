//! The JUnit form, read back by an XML parser.

use mcpspec::event::Event;
use mcpspec::report::{Format, RenderOptions, Report, render};
use mcpspec::spec::Transport;
use mcpspec::verdict::Verdict;
use proptest::prelude::*;
use roxmltree::{Document, Node};

use crate::sample::{self, SECRET};

fn xml(report: &Report, strict: bool) -> String {
    render(
        Format::Junit,
        report,
        &RenderOptions {
            strict,
            ..RenderOptions::default()
        },
    )
}

fn hostile() -> Report {
    sample::report_of(&sample::events(), false)
}

fn cases<'a, 'input>(document: &'a Document<'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
}

fn case<'a, 'input>(document: &'a Document<'input>, class: &str, name: &str) -> Node<'a, 'input> {
    cases(document)
        .find(|node| {
            node.attribute("classname") == Some(class) && node.attribute("name") == Some(name)
        })
        .expect("the case is there")
}

#[test]
fn every_verdict_on_two_targets() {
    // A line for each element, so that a change can be seen.
    let xml = xml(&hostile(), false).replace("</testcase>", "</testcase>\n");
    insta::assert_snapshot!(xml.replace("<testsuite ", "\n<testsuite "));
}

proptest! {
    #[test]
    fn whatever_a_server_sends_the_file_is_well_formed(
        chars in prop::collection::vec(prop_oneof![any::<char>(), prop::char::range('\0', ' ')], 0..40),
        piece in prop::sample::select(vec!["]]>", "<![CDATA[", "\u{fffe}", "&#0;", "<!--", "\"'"]),
    ) {
        let text = format!("{}{piece}{}", chars.iter().collect::<String>(), chars.iter().rev().collect::<String>());
        let verdicts = [Verdict::Fail, Verdict::Warn, Verdict::Inconclusive, Verdict::Skip];
        let mut events = sample::run_of(&verdicts);
        for event in &mut events {
            if let Event::CaseFinished(case) = event {
                case.reason = Some(text.clone());
            }
            if let Event::TargetReady(target) = event {
                target.unusable = Some(text.clone());
            }
        }
        let xml = xml(&sample::report_of(&events, false), false);
        let document = Document::parse(&xml).expect("it is well-formed");
        prop_assert_eq!(cases(&document).count(), verdicts.len() + 1);
    }
}

#[test]
fn hostile_text_forges_no_case() {
    let report = hostile();
    for strict in [false, true] {
        let xml = xml(&report, strict);
        let document = Document::parse(&xml).expect("it is well-formed");
        assert_eq!(cases(&document).count(), report.cases.len());
        assert!(cases(&document).all(|case| case.attribute("name") != Some("forged")));
        assert!(!xml.contains(SECRET));
        assert!(xml.len() < 200_000, "{} bytes", xml.len());
    }
}

#[test]
fn each_verdict_has_its_element() {
    let xml = xml(&hostile(), false);
    let document = Document::parse(&xml).expect("it is well-formed");
    for (class, name, element, kind) in [
        (
            "mcpspec.http.http",
            "http/version-header/mismatch",
            "failure",
            Some("must"),
        ),
        (
            "mcpspec.mrtr.stdio",
            "mrtr/retry/completes",
            "error",
            Some("inconclusive"),
        ),
        (
            "mcpspec.http.stdio",
            "http/origin/invalid-403",
            "skipped",
            Some("skip"),
        ),
        (
            "mcpspec.tools.http",
            "tools/list/deterministic-order",
            "system-out",
            None,
        ),
    ] {
        let case = case(&document, class, name);
        let children: Vec<_> = case.children().filter(Node::is_element).collect();
        assert_eq!(children.len(), 1, "{name}");
        assert_eq!(children[0].tag_name().name(), element);
        assert_eq!(children[0].attribute("type"), kind);
    }
    let passed = case(&document, "mcpspec.jsonrpc.http", "jsonrpc/id/echo-string");
    assert_eq!(passed.children().count(), 0);
}

#[test]
fn a_warning_is_a_failure_under_strict() {
    let xml = xml(&hostile(), true);
    let document = Document::parse(&xml).expect("it is well-formed");
    let case = case(
        &document,
        "mcpspec.tools.http",
        "tools/list/deterministic-order",
    );
    let failure = case.first_element_child().expect("there is a failure");
    assert_eq!(failure.tag_name().name(), "failure");
    assert_eq!(failure.attribute("type"), Some("should"));
}

#[test]
fn a_failure_says_what_the_terminal_says() {
    let report = hostile();
    let xml = xml(&report, false);
    let document = Document::parse(&xml).expect("it is well-formed");
    let case = case(
        &document,
        "mcpspec.http.http",
        "http/version-header/mismatch",
    );
    let body = case
        .first_element_child()
        .and_then(|failure| failure.text())
        .expect("there is a text");
    let terminal = render(Format::Terminal, &report, &RenderOptions::default());
    assert!(terminal.contains(body), "{body}");
}

#[test]
fn every_suite_has_the_start_of_the_run_and_its_counts() {
    let xml = xml(&hostile(), false);
    let document = Document::parse(&xml).expect("it is well-formed");
    let suites = document
        .descendants()
        .filter(|node| node.has_tag_name("testsuite"));
    let mut count = 0;
    for suite in suites {
        count += 1;
        assert_eq!(suite.attribute("timestamp"), Some("2026-11-30T08:59:12Z"));
        let tests = suite
            .children()
            .filter(Node::is_element)
            .count()
            .to_string();
        assert_eq!(suite.attribute("tests"), Some(&*tests));
    }
    assert_eq!(count, 12);
}

#[test]
fn two_targets_of_one_transport_are_told_apart() {
    let mut events = sample::run_of(&[Verdict::Pass]);
    let mut other = sample::target(1, Transport::Stdio);
    other.name = "other".to_owned();
    events.push(Event::TargetReady(Box::new(other)));
    for event in events.clone() {
        if let Event::CaseFinished(mut case) = event {
            case.target = 1;
            events.push(Event::CaseFinished(case));
        }
    }
    let xml = xml(&sample::report_of(&events, false), false);
    let document = Document::parse(&xml).expect("it is well-formed");
    let classes: Vec<_> = cases(&document)
        .filter_map(|case| case.attribute("classname"))
        .collect();
    assert_eq!(
        classes,
        ["mcpspec.area.stdio.example", "mcpspec.area.stdio.other"]
    );
}

#[test]
fn what_could_not_be_judged_at_all_is_an_error() {
    let mut report = sample::report_of(&sample::run_of(&[])[..2], false);
    report.targets[0].unusable = Some("cannot start node".to_owned());
    let xml = xml(&report, false);
    let document = Document::parse(&xml).expect("it is well-formed");
    let errors: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("error"))
        .filter_map(|node| node.attribute("message"))
        .collect();
    assert_eq!(errors, ["cannot start node", "the run broke off"]);
}

#[test]
fn a_time_that_junit_cannot_write_is_the_epoch() {
    let mut report = sample::report_of(&sample::run_of(&[Verdict::Pass]), false);
    report.started_at = jiff::Timestamp::MIN;
    report.cases[0].seconds = 1e300;
    assert!(xml(&report, false).contains("timestamp=\"1970-01-01T00:00:00Z\""));
    report.started_at = jiff::Timestamp::MAX;
    assert!(xml(&report, false).contains("timestamp=\"9999-12-3"));
}
