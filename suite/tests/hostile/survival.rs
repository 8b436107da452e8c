//! Whatever a server does in place of an answer, the program outlives it, within its memory, and says what happened.

use libtest_mimic::{Failed, Trial};

use crate::bench::{QUICK, Run, check, check_over, check_stdio, command};
use crate::server::{CODE, Deed, Order, WORDS};

/// For servers that never come to an end: they are given up after little, and few cases meet them.
const FLOOD: [&str; 6] = [
    "--max-message",
    "64KiB",
    "--case",
    "discover/method/*",
    "--case",
    "meta/object/*",
];

/// What every server here is asked for once it has answered `server/discover`.
const AT: &str = "tools/list";

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (transport, deed, fact, hold) in TABLE {
        let name = format!("survival::over_{transport}_{fact}");
        trials.push(Trial::test(name, move || {
            let is_flood = matches!(
                deed,
                Deed::Endless | Deed::Messages | Deed::Comments | Deed::Large
            );
            let options = if is_flood { &FLOOD[..] } else { &QUICK };
            let run = check_over(transport, options, &Order::doing(*deed, AT));
            hold(&run);
            Ok(())
        }));
    }
    trials.extend([
        Trial::test("survival::a_result_of_200_mb_is_not_kept", large_result),
        Trial::test(
            "survival::what_is_said_on_standard_error_holds_nothing_up",
            chatter,
        ),
        Trial::test(
            "survival::a_server_that_ends_for_nothing_is_ended",
            deaf_from_the_start,
        ),
        Trial::test(
            "survival::a_server_behind_a_url_is_ended_with_all_it_left",
            behind_a_url,
        ),
    ]);
    trials
}

type Row = (&'static str, Deed, &'static str, fn(&Run));

/// Transport, what the server does, what is true of it, and how that shows.
const TABLE: &[Row] = &[
    (
        "stdio",
        Deed::Drip,
        "one_byte_a_second_is_a_server_that_answers_no_more",
        deaf,
    ),
    (
        "stdio",
        Deed::Endless,
        "an_endless_line_is_given_up",
        too_much,
    ),
    (
        "stdio",
        Deed::Messages,
        "endless_messages_are_given_up",
        too_much,
    ),
    (
        "stdio",
        Deed::Large,
        "a_result_beyond_all_limits_is_given_up",
        too_much,
    ),
    (
        "stdio",
        Deed::Deep,
        "100000_levels_are_too_deep_to_be_judged",
        too_deep,
    ),
    ("stdio", Deed::Binary, "bytes_are_no_message", bytes),
    ("stdio", Deed::Page, "a_page_is_no_message", no_message),
    (
        "stdio",
        Deed::Half,
        "half_a_line_is_one_that_broke_off_in_a_crash",
        half,
    ),
    (
        "stdio",
        Deed::Exit,
        "an_exit_is_told_with_code_and_last_words",
        exited,
    ),
    (
        "stdio",
        Deed::Die,
        "a_signal_is_told_with_its_number_and_last_words",
        died,
    ),
    (
        "stdio",
        Deed::Leave,
        "a_child_that_holds_the_pipe_does_not_hide_the_end",
        left,
    ),
    (
        "stdio",
        Deed::Deaf,
        "a_server_that_minds_no_signal_is_ended_all_the_same",
        deaf,
    ),
    (
        "http",
        Deed::Drip,
        "one_byte_a_second_is_no_answer",
        unanswered,
    ),
    (
        "http",
        Deed::Endless,
        "an_endless_body_is_given_up",
        too_much,
    ),
    (
        "http",
        Deed::Messages,
        "an_endless_stream_is_given_up",
        too_much,
    ),
    (
        "http",
        Deed::Comments,
        "a_stream_of_comments_is_given_up",
        too_much,
    ),
    (
        "http",
        Deed::Large,
        "a_result_beyond_all_limits_is_given_up",
        too_much,
    ),
    (
        "http",
        Deed::Deep,
        "100000_levels_are_too_deep_to_be_judged",
        too_deep,
    ),
    ("http", Deed::Binary, "bytes_are_no_message", no_answer),
    ("http", Deed::Page, "a_page_is_no_answer", no_answer),
    (
        "http",
        Deed::Half,
        "half_a_body_is_one_that_broke_off_in_a_crash",
        gone,
    ),
    (
        "http",
        Deed::Exit,
        "a_server_that_is_gone_is_told_once",
        gone,
    ),
    (
        "http",
        Deed::Deaf,
        "a_silent_connection_is_no_answer",
        unanswered,
    ),
    (
        "http",
        Deed::Close,
        "a_closed_connection_is_no_answer",
        unanswered,
    ),
];

/// What is violated, and nothing beside it; each requirement once.
fn violates(run: &Run, due: &[&str]) {
    let mut violated = run.violated();
    violated.sort_unstable();
    assert_eq!(violated, due, "{run}");
    fails(run);
}

/// What is violated beside the rules on what a line on standard output is.
fn violates_beside_lines(run: &Run, due: &[&str]) {
    let (lines, mut others): (Vec<&str>, Vec<&str>) = run
        .violated()
        .into_iter()
        .partition(|id| id.starts_with("stdio."));
    others.sort_unstable();
    assert_eq!(others, due, "{run}");
    assert!(lines.contains(&"stdio.stdout.only-mcp"), "{run}");
    fails(run);
}

fn fails(run: &Run) {
    assert_eq!(run.code, 1, "{run}");
    assert!(run.of("warn").is_empty(), "{run}");
}

/// Why a tool may not be called where the list of tools was not answered.
const UNREAD: [&str; 2] = [
    "could not be read to its end",
    "the server's tools are not known",
];

/// The cases that were not judged, each because of `by`.
fn blocked_by(run: &Run, by: &str) {
    let inconclusive = run.of("inconclusive");
    assert!(!inconclusive.is_empty(), "it cost nothing: {run}");
    let by_plain_request = inconclusive.iter().filter(|case| case["blockedBy"] == by);
    let unread = inconclusive.iter().filter(|case| {
        case["reason"]
            .as_str()
            .is_some_and(|reason| UNREAD.iter().any(|unread| reason.contains(unread)))
    });
    assert_eq!(
        by_plain_request.count() + unread.count(),
        inconclusive.len(),
        "{run}"
    );
}

fn crashed(run: &Run, how: &str) {
    run.tells(&[how]);
    blocked_by(run, "robustness/liveness/stays-alive");
}

fn exited(run: &Run) {
    violates(run, &["robustness.stays-alive"]);
    crashed(
        run,
        &format!("the process ended with exit code {CODE}; it wrote last: {WORDS}"),
    );
}

fn died(run: &Run) {
    violates(run, &["robustness.stays-alive"]);
    crashed(
        run,
        &format!("the process ended with signal 6; it wrote last: {WORDS}"),
    );
}

fn left(run: &Run) {
    violates(run, &["robustness.stays-alive"]);
    crashed(run, "the process ended with exit code 0");
}

fn half(run: &Run) {
    violates_beside_lines(run, &["robustness.stays-alive"]);
    crashed(run, &format!("the process ended with exit code {CODE}"));
}

fn deaf(run: &Run) {
    violates(run, &["robustness.stays-alive"]);
    crashed(run, "a plain tools/list got no answer within 3 s");
}

fn gone(run: &Run) {
    violates(run, &["robustness.stays-alive"]);
    crashed(run, "a plain tools/list got no answer");
}

fn unanswered(run: &Run) {
    violates(run, &["jsonrpc.response.exactly-one"]);
    run.tells(&["a plain tools/list got no answer"]);
    blocked_by(run, "jsonrpc/response/exactly-one");
}

/// Something came that is no answer; which rules that breaks beside is not the point here.
fn no_answer(run: &Run) {
    let violated = run.violated();
    assert!(violated.contains(&"jsonrpc.response.exactly-one"), "{run}");
    assert_eq!(run.code, 1, "{run}");
    run.tells(&["a plain tools/list got something else than an answer"]);
    blocked_by(run, "jsonrpc/response/exactly-one");
}

fn no_message(run: &Run) {
    violates_beside_lines(run, &["jsonrpc.response.exactly-one"]);
    blocked_by(run, "jsonrpc/response/exactly-one");
}

fn bytes(run: &Run) {
    violates_beside_lines(
        run,
        &[
            "jsonrpc.encoding.utf8-output",
            "jsonrpc.response.exactly-one",
        ],
    );
    blocked_by(run, "jsonrpc/response/exactly-one");
}

/// Nothing is known of what was not read: that is neither a violation nor a pass.
fn not_judged(run: &Run, why: &str) {
    assert_eq!(run.violated(), [""; 0], "{run}");
    assert_eq!(run.code, 3, "{run}");
    run.tells(&[why]);
}

fn too_much(run: &Run) {
    not_judged(run, "larger than --max-message");
}

fn too_deep(run: &Run) {
    not_judged(
        run,
        "nested deeper, or holds more values, than mcpspec reads",
    );
}

fn large_result() -> Result<(), Failed> {
    for transport in ["stdio", "http"] {
        let options = ["--timeout", "20s", "--case", "discover/method/*"];
        let run = check_over(transport, &options, &Order::doing(Deed::Large, AT));
        too_much(&run);
    }
    Ok(())
}

fn chatter() -> Result<(), Failed> {
    let order = Order::doing(Deed::Chatter, Order::START);
    let run = check_stdio(&["--case", "discover/*/*"], &order);
    assert_eq!(run.code, 0, "{run}");
    Ok(())
}

fn deaf_from_the_start() -> Result<(), Failed> {
    let options = ["--timeout", "1s", "--startup-timeout", "1s"];
    let run = check_stdio(&options, &Order::doing(Deed::Deaf, Order::START));
    assert_eq!(run.code, 3, "{run}");
    assert!(
        run.unusable().contains("did not answer server/discover"),
        "{run}"
    );
    Ok(())
}

fn behind_a_url() -> Result<(), Failed> {
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}/mcp");
    let order = Order::doing(Deed::Exit, AT).over("http").at_port(port);
    let command = command(&order);
    let target: Vec<&str> = [url.as_str(), "--"]
        .into_iter()
        .chain(command.iter().map(String::as_str))
        .collect();
    let run = check(&QUICK, &target);
    gone(&run);
    let how = format!("the server that was started ended with exit code {CODE}; it wrote last: ");
    run.tells(&[&how, WORDS]);
    Ok(())
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it is bound").port()
}
