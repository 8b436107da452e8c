//! `--max-rate`: how many requests a second a server gets.

use std::time::{Duration, Instant};

use crate::check;
use crate::front::{Front, mcp};

#[test]
fn a_server_gets_no_more_requests_than_the_rate_lets_through() {
    const RATE: usize = 8;
    let front = Front::new(mcp);
    let began = Instant::now();
    // Some cases of both clients, and the answers of one are waited for less long than it takes to send them all.
    let cases = ["http/origin/*", "http/version-header/*"];
    let arguments = ["--case", cases[0], "--case", cases[1], "--timeout", "1s"];
    let rate = ["--max-rate", &RATE.to_string(), &front.url("/mcp")].map(str::to_owned);
    let rate: Vec<&str> = rate.iter().map(String::as_str).collect();
    let run = check(&[], &[&arguments[..], &rate].concat());
    let took = began.elapsed();
    let count = front.asked().len();
    assert!(count > 2 * RATE, "only {count} requests: {}", run.said);
    let seconds = (count - 1) / RATE;
    let least = Duration::from_secs(u64::try_from(seconds).expect("it is no long run"));
    assert!(took >= least, "{count} requests in {took:?}");
    assert!(
        run.stderr.contains("note: --max-rate 8 held requests back"),
        "{}",
        run.said
    );
    assert_eq!(
        run.report["summary"]["verdicts"]["inconclusive"], 0,
        "{}",
        run.said
    );
}

#[test]
fn a_rate_is_a_number_above_nothing() {
    for wrong in ["0", "-1", "1.5", "many"] {
        let run = check(
            &[],
            &[&format!("--max-rate={wrong}"), "http://127.0.0.1:1/mcp"],
        );
        assert_eq!(run.code, Some(2), "{}", run.said);
        assert!(run.stderr.contains("--max-rate"), "{}", run.said);
    }
}
