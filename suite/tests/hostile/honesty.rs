//! A server that falls later, over one kind of request: the report blames what happened, and nobody else.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};

use crate::bench::{QUICK, check_over};
use crate::server::{CODE, Deed, Order, WORDS};

/// A method that no server has, and that several cases ask for.
const UNKNOWN: &str = "x-conformance/unknown";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test(
            "honesty::over_stdio_a_crash_over_an_unknown_method_costs_nobody_else",
            unknown_over_stdio,
        ),
        Trial::test(
            "honesty::over_http_what_comes_after_a_crash_is_blocked_by_it",
            unknown_over_http,
        ),
        Trial::test("honesty::a_case_alone_names_what_it_was_blocked_by", alone),
    ]
}

/// Whether a case asked for the method that kills.
fn asks(case: &serde_json::Value) -> bool {
    let exchanges = case["exchanges"].as_array().into_iter().flatten();
    let mut sent = exchanges.filter_map(|exchange| exchange["sent"].as_str());
    sent.any(|sent| sent.contains(UNKNOWN))
}

/// The case during which a watch saw what it tells. It may have had several requests on their way, any of which is shown.
fn seen_during(case: &serde_json::Value) -> String {
    let notes = case["notes"].as_array().into_iter().flatten();
    let mut notes = notes.filter_map(serde_json::Value::as_str);
    let origin = notes.find_map(|note| note.strip_prefix("seen during "));
    let id = origin.and_then(|origin| origin.split('[').next());
    id.expect("a watch says during what it saw it").to_owned()
}

fn unknown_over_stdio() -> Result<(), Failed> {
    let run = check_over("stdio", &QUICK, &Order::doing(Deed::Exit, UNKNOWN));
    assert_eq!(run.code, 1, "{run}");
    let alive = run.case("robustness/liveness/stays-alive");
    assert_eq!(alive["verdict"], "fail", "{run}");
    let ended = format!("the process ended with exit code {CODE}; it wrote last: {WORDS}");
    assert!(alive["exchanges"].to_string().contains(&ended), "{run}");
    // Of requests that were under way together each may have done it.
    let notes = alive["notes"].as_array().into_iter().flatten();
    let origin = notes
        .filter_map(|note| note.as_str()?.strip_prefix("seen during "))
        .next()
        .and_then(|origin| origin.split('[').next())
        .expect("it is told what was running");
    assert!(asks(run.case(origin)), "another case is blamed: {run}");
    let found = run.of("fail").into_iter().chain(run.of("warn"));
    for case in found.filter(|case| case["id"] != alive["id"]) {
        assert!(asks(case), "{} did not do it: {run}", case["id"]);
    }
    // What shares a process with a case that kills it is tried again alone.
    assert_eq!(
        run.case("discover/method/implemented")["verdict"],
        "pass",
        "{run}"
    );
    Ok(())
}

fn unknown_over_http() -> Result<(), Failed> {
    let run = check_over(
        "http",
        &[&QUICK[..], &["--jobs", "1"]].concat(),
        &Order::doing(Deed::Exit, UNKNOWN),
    );
    assert_eq!(run.code, 1, "{run}");
    assert_eq!(
        run.case("robustness/liveness/stays-alive")["verdict"],
        "fail",
        "{run}"
    );
    let blocked = run.of("inconclusive");
    let by = blocked.iter().filter_map(|case| case["blockedBy"].as_str());
    let by: BTreeSet<&str> = by.collect();
    let [killer] = by.iter().collect::<Vec<_>>()[..] else {
        panic!("one case at a time can kill it once: {run}");
    };
    assert!(
        asks(run.case(killer)) || asks(run.case(&seen_during(run.case(killer)))),
        "{run}"
    );
    for case in run
        .of("fail")
        .into_iter()
        .filter(|case| case["kind"] == "steps")
    {
        assert_eq!(case["id"], *killer, "{run}");
    }
    let free = blocked.iter().filter(|case| case["blockedBy"].is_null());
    for case in free {
        assert_eq!(case["id"], *killer, "{run}");
    }
    assert!(run.of("fail").len() <= 2, "{run}");
    Ok(())
}

fn alone() -> Result<(), Failed> {
    let options = [&QUICK[..], &["--case", "meta/log-level/optional"]].concat();
    let run = check_over("stdio", &options, &Order::doing(Deed::Exit, "tools/list"));
    assert_eq!(run.code, 3, "{run}");
    run.tells(&[
        "blocked by robustness/liveness/stays-alive",
        &format!("a plain tools/list ended the process with exit code {CODE}"),
    ]);
    Ok(())
}
