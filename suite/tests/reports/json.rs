//! The JSON form.

use mcpspec::report::{Format, RenderOptions, json_schema, read, render};
use mcpspec::verdict::Verdict;
use serde_json::{Value, json};

use crate::sample::{self, SECRET};

fn rendered() -> String {
    render(
        Format::Json,
        &sample::report_of(&sample::events(), false),
        &RenderOptions::default(),
    )
}

/// The JSON form of a small run, changed by `change`.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let report = sample::report_of(&sample::run_of(&[Verdict::Pass]), false);
    let json = render(Format::Json, &report, &RenderOptions::default());
    let mut value: Value = serde_json::from_str(&json).expect("it is JSON");
    change(&mut value);
    value.to_string()
}

#[test]
fn the_whole_of_a_small_run() {
    let report = sample::report_of(&sample::run_of(&[Verdict::Pass, Verdict::Skip]), false);
    insta::assert_snapshot!(render(Format::Json, &report, &RenderOptions::default()));
}

#[test]
fn it_keeps_to_its_published_schema() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is a schema");
    let report: Value = serde_json::from_str(&rendered()).expect("the report is JSON");
    let errors: Vec<_> = validator
        .iter_errors(&report)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");

    let mut other = report.clone();
    other["format"] = json!(2);
    assert!(!validator.is_valid(&other));
    let mut other = report;
    other["more"] = json!(true);
    assert!(!validator.is_valid(&other));
}

#[test]
fn it_reads_back_as_the_same_report() {
    let report = sample::report_of(&sample::events(), false);
    let back = read(&render(Format::Json, &report, &RenderOptions::default()));
    assert_eq!(back.expect("it reads back"), report);
}

#[test]
fn it_holds_no_secret_and_nothing_endless() {
    let json = rendered();
    assert!(!json.contains(SECRET));
    assert!(json.contains("Authorization: [redacted]"));
    assert!(json.len() < 300_000, "{} bytes", json.len());
    assert!(json.contains("MiB in all)"), "what was cut is told");
}

#[test]
fn a_long_stream_keeps_its_beginning_and_its_end() {
    let mut events = sample::events();
    for event in &mut events {
        if let mcpspec::event::Event::CaseFinished(case) = event
            && case.id == "http/version-header/mismatch"
            && let Some(exchange) = case.exchanges.first_mut()
        {
            let record = exchange.received[0].clone();
            exchange.received = (0..5000)
                .map(|index| mcpspec::event::ReceivedRecord {
                    text: format!("no. {index}"),
                    ..record.clone()
                })
                .collect();
        }
    }
    let report = sample::report_of(&events, false);
    let case = report
        .cases_of(1)
        .find(|case| case.id == "http/version-header/mismatch")
        .expect("the case is there");
    let texts: Vec<_> = case.exchanges[0]
        .received
        .iter()
        .map(|it| it.text.as_str())
        .collect();
    assert_eq!(texts.len(), 100);
    assert_eq!((texts[0], texts[49]), ("no. 0", "no. 49"));
    assert_eq!(texts[50], "… (4901 more, left out)");
    assert_eq!((texts[51], texts[99]), ("no. 4951", "no. 4999"));
}

#[test]
fn what_is_no_report_is_refused_with_a_reason() {
    let errors = [
        "",
        "{",
        "[]",
        "{}",
        &changed(|report| report["format"] = json!(2)),
        &changed(|report| report["format"] = json!("1")),
        &changed(|report| report["seed"] = json!("one")),
        &changed(|report| report["startedAt"] = json!("yesterday")),
        &changed(|report| report["more"] = json!(1)),
        &changed(|report| report["cases"][0]["verdict"] = json!("maybe")),
        &changed(|report| report["cases"][0]["target"] = json!(1)),
        &changed(|report| report["targets"][0]["index"] = json!(1)),
    ]
    .map(|text| read(text).expect_err("it is refused").to_string());
    insta::assert_snapshot!(errors.join("\n"));
}
