//! A server that has had too many requests is waited for, as long as it says and an answer may take.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;

use crate::check;
use crate::front::{Front, answer, mcp};

/// A server that answers 429 to the first requests, with what `retry_after` gives for a header.
fn limited(first: usize, retry_after: impl Fn() -> String + Send + Sync + 'static) -> Front {
    let left = AtomicUsize::new(first);
    Front::new(move |asked| {
        let take_one = |left: usize| left.checked_sub(1);
        match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take_one) {
            Ok(_) => answer(429, &format!("Retry-After: {}\r\n", retry_after()), ""),
            Err(_) => mcp(asked),
        }
    })
}

#[test]
fn a_server_is_asked_again_after_as_many_seconds_as_it_says() {
    let front = limited(3, || "1".to_owned());
    let began = Instant::now();
    let run = check(&[], &[&front.url("/mcp")]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    assert!(began.elapsed() >= Duration::from_secs(1), "{}", run.said);
}

#[test]
fn a_server_is_asked_again_at_the_time_that_it_says() {
    let front = limited(3, || {
        let soon = Timestamp::now() + Duration::from_secs(2);
        DateTimePrinter::new()
            .timestamp_to_rfc9110_string(&soon)
            .expect("the year has four digits")
    });
    let run = check(&[], &[&front.url("/mcp")]);
    assert_eq!(run.code, Some(0), "{}", run.said);
}

#[test]
fn a_server_that_says_it_again_and_again_is_told() {
    let front = limited(usize::MAX, || "1".to_owned());
    let run = check(&[], &["--timeout", "3s", &front.url("/mcp")]);
    assert_eq!(run.code, Some(3), "{}", run.said);
    let told = "answers 429: it has had too many requests and is to be asked again after 1";
    assert!(run.unusable().contains(told), "{}", run.said);
    assert!(front.asked().len() > 2, "{}", run.said);
}

#[test]
fn a_server_that_wants_more_time_than_an_answer_has_is_not_waited_for() {
    for retry_after in ["3600", "soon"] {
        let front = limited(usize::MAX, || retry_after.to_owned());
        let run = check(&[], &["--timeout", "50s", &front.url("/mcp")]);
        assert_eq!(run.code, Some(3), "{}", run.said);
        assert!(run.unusable().contains("answers 429"), "{}", run.said);
    }
}
