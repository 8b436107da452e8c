//! Servers that do nothing wrong, and one that only speaks an older language, get what they deserve and no more.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};

use crate::bench::{Run, check_over};
use crate::server::{Order, Speech};

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for transport in ["stdio", "http"] {
        trials.extend([
            Trial::test(
                format!("fairness::over_{transport}_nothing_is_wrong_with_a_small_correct_server"),
                move || correct(transport),
            ),
            Trial::test(
                format!("fairness::over_{transport}_one_job_or_eight_find_the_same"),
                move || jobs(transport),
            ),
            Trial::test(
                format!("fairness::over_{transport}_a_server_of_older_revisions_has_one_fault"),
                move || legacy(transport),
            ),
        ]);
    }
    trials
}

/// What a server was asked for: each method, with the name in its params.
fn recorded(transport: &str, options: &[&str], order: Order) -> (Run, BTreeSet<String>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("asked");
    let run = check_over(transport, options, &order.recording(&file));
    let asked = std::fs::read_to_string(&file).expect("the server was asked something");
    (run, asked.lines().map(str::to_owned).collect())
}

fn correct(transport: &'static str) -> Result<(), Failed> {
    let (run, asked) = recorded(transport, &[], Order::correct());
    assert_eq!(run.code, 0, "{run}");
    for verdict in ["fail", "warn", "inconclusive"] {
        assert!(run.of(verdict).is_empty(), "{run}");
    }
    assert!(run.of("pass").len() > 50, "{run}");
    assert!(asked.contains("tools/list -"), "{asked:?}");
    // Calls of tools that the server does not have are how it is asked about those.
    let called = asked.iter().filter(|line| line.starts_with("tools/call "));
    let called: Vec<&String> = called
        .filter(|line| line.ends_with(" wipe") || line.ends_with(" launch"))
        .collect();
    assert_eq!(called, [""; 0], "a tool was called that nobody permitted");
    Ok(())
}

fn jobs(transport: &'static str) -> Result<(), Failed> {
    let verdicts = |jobs| {
        let run = check_over(transport, &["--jobs", jobs], &Order::correct());
        let cases = run.report["cases"].as_array().expect("there are cases");
        let verdict = |case: &serde_json::Value| {
            let parts = ["id", "verdict", "reason"].map(|name| case[name].clone());
            serde_json::Value::from(parts.to_vec())
        };
        cases.iter().map(verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts("1"), verdicts("8"));
    Ok(())
}

fn legacy(transport: &'static str) -> Result<(), Failed> {
    let order = Order::correct().speaking(Speech::Legacy);
    let (run, asked) = recorded(transport, &[], order);
    assert_eq!(run.violated(), ["discover.implemented"], "{run}");
    assert_eq!(run.code, 1, "{run}");
    for verdict in ["warn", "inconclusive"] {
        assert!(run.of(verdict).is_empty(), "{run}");
    }
    run.tells(&["the server does not speak 2026-07-28, only 2025-11-25"]);
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let called = asked.iter().filter(|line| line.starts_with("tools/call"));
    assert_eq!(called.count(), 0, "{asked:?}");
    Ok(())
}
