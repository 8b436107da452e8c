//! What every form of a report tells of the difference to a baseline.

use mcpspec::config::Baseline;
use mcpspec::report::{Format, RenderOptions, Report, Verbosity, compare, read, render};
use mcpspec::verdict::Verdict;
use roxmltree::Document;

use crate::sample;

/// A run with a failure that is known, one that is not, a warning that is not, and an entry that no longer occurs.
fn report() -> Report {
    let entries: String = [("00", "fail"), ("03", "warn")]
        .map(|(number, verdict)| {
            format!(
                "- case: area/topic/case-{number}\n  target: example/stdio\n  requirement: area.topic.case-{number}\n  \
                 verdict: {verdict}\n  reason: We know.\n  page: basic/index\n  anchor: \"\"\n"
            )
        })
        .concat();
    let baseline = Baseline::read("baseline.yaml", &entries).expect("the baseline is right");
    let verdicts = [Verdict::Fail, Verdict::Fail, Verdict::Warn, Verdict::Pass];
    let mut report = sample::report_of(&sample::run_of(&verdicts), false);
    for case in &mut report.cases {
        for requirement in &mut case.requirements {
            requirement.id = case.id.replace('/', ".");
        }
    }
    compare(&baseline, &mut report, false);
    report
}

fn rendered(format: Format, verbosity: Verbosity) -> String {
    let options = RenderOptions {
        verbosity,
        ..RenderOptions::default()
    };
    render(format, &report(), &options)
}

#[test]
fn the_terminal_report_tells_what_is_new_and_gone_before_its_last_line() {
    let normal = rendered(Format::Terminal, Verbosity::Normal);
    let quiet = rendered(Format::Terminal, Verbosity::Quiet);
    let told = |text: &str| text[text.find("\nBaseline").expect("it is told")..].to_owned();
    assert_eq!(told(&normal), told(&quiet));
    insta::assert_snapshot!(told(&normal));
}

#[test]
fn an_entry_that_is_gone_alone_is_told_as_the_reason_of_the_failure() {
    let mut report = report();
    for case in &mut report.cases {
        case.verdict = Verdict::Pass;
        for requirement in &mut case.requirements {
            requirement.verdict = Verdict::Pass;
        }
    }
    if let Some(difference) = &mut report.baseline {
        difference.new.clear();
    }
    let text = render(Format::Terminal, &report, &RenderOptions::default());
    assert_eq!(
        text.lines().last(),
        Some(
            "FAILED  1 entry of the baseline no longer occurs, 4 requirements judged, all held (exit code 1)"
        )
    );
}

#[test]
fn junit_has_a_failure_for_each_entry_that_is_gone() {
    let xml = rendered(Format::Junit, Verbosity::Normal);
    let document = Document::parse(&xml).expect("it is XML");
    let gone: Vec<_> = document
        .descendants()
        .filter(|node| node.attribute("classname") == Some("mcpspec.baseline"))
        .collect();
    let [case] = gone.as_slice() else {
        panic!("one entry is gone: {xml}")
    };
    assert_eq!(
        case.attribute("name"),
        Some("area/topic/case-03 on example/stdio")
    );
    let failure = case.children().find(|node| node.has_tag_name("failure"));
    assert_eq!(
        failure.and_then(|failure| failure.attribute("message")),
        Some(
            "an entry of the baseline no longer occurs: warn area/topic/case-03 (area.topic.case-03) on example/stdio, line 8"
        )
    );
}

#[test]
fn json_has_the_whole_difference_and_reads_it_back() {
    let json = rendered(Format::Json, Verbosity::Normal);
    let value: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let ids = |member: &str| -> Vec<&str> {
        let list = value["baseline"][member].as_array().expect("it is a list");
        list.iter().filter_map(|one| one["case"].as_str()).collect()
    };
    assert_eq!(value["baseline"]["known"], 1);
    assert_eq!(ids("new"), ["area/topic/case-01", "area/topic/case-02"]);
    assert_eq!(ids("gone"), ["area/topic/case-03"]);
    assert_eq!(value["summary"]["exitCode"], 1);
    assert_eq!(read(&json).expect("it is a report"), report());
}
