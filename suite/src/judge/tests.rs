//! The standing demands (`cases/README.md`, section 6) and the order of judging, as tables.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mcpspec_wire::{Message, Value};
use serde_json::json;

use crate::case::{Alternative, Condition, Judged};
use crate::matcher::{Check, Context, Matcher};
use crate::spec::{Shapes, Transport};
use crate::template::{Location, Resolved, Scope, SourcePath, read_yaml};
use crate::transcript::{
    Era, ExchangeId, ExitStatus, Inbound, LineEnd, LinkInfo, Sent, SentKind, Transcript,
};
use crate::verdict::{Fact, Grade};

use super::{
    Demands, HTTP_MEMBERS, Judgement, Judging, Moment, StepClass, judge, matches, outcome,
};

struct NoSources;

impl Scope for NoSources {
    fn source(&self, _path: &SourcePath) -> Resolved {
        Resolved::Absent
    }
}

fn matcher(text: &str) -> Matcher {
    Matcher::compile(&read_yaml(text).unwrap()).unwrap()
}

fn with_judging<T>(
    class: StepClass,
    transport: Transport,
    test: impl FnOnce(Judging<'_>) -> T,
) -> T {
    let shapes = Shapes::default();
    let holds = |condition: &Condition| condition.word == "holds";
    let ignored = if transport == Transport::Stdio {
        HTTP_MEMBERS
    } else {
        &[]
    };
    test(Judging {
        context: Context {
            scope: &NoSources,
            shapes: &shapes,
            ignored,
            brief: false,
        },
        demands: Demands { class, transport },
        holds: &holds,
    })
}

fn fits(text: &str, outcome: serde_json::Value, class: StepClass, transport: Transport) -> bool {
    let outcome = Value::from_serde(outcome);
    with_judging(class, transport, |judging| {
        matches!(
            matches(&outcome, &matcher(text), judging),
            Ok(Check::Matches)
        )
    })
}

/// A step's matcher against an outcome over HTTP.
fn request_fits(text: &str, outcome: serde_json::Value) -> bool {
    fits(text, outcome, StepClass::Request, Transport::Http)
}

#[test]
fn an_answer_has_to_come_unless_its_absence_is_named() {
    for (text, outcome, expected) in [
        ("{}", json!({ "silent": true }), false),
        ("{}", json!({ "closed": true }), false),
        ("{ silent: true }", json!({ "silent": true }), true),
        ("{ closed: true }", json!({ "silent": true }), false),
        (
            "{ $any: [{ silent: true }, { result: {} }] }",
            json!({ "silent": true }),
            true,
        ),
        (
            "{ silent: { $absent: true } }",
            json!({ "closed": true }),
            true,
        ),
    ] {
        assert_eq!(
            request_fits(text, outcome.clone()),
            expected,
            "{text} on {outcome}"
        );
    }
}

#[test]
fn a_request_is_answered_by_json_rpc_unless_what_else_came_is_named() {
    let html = json!({ "status": 404, "type": "text/html", "body": "<p>", "request": { "id": 1 } });
    for (text, expected) in [
        ("{}", false),
        ("{ status: 404 }", true),
        ("{ body: {} }", true),
        ("{ status: 404, error: {} }", false),
        ("{ type: text/html }", true),
    ] {
        assert_eq!(request_fits(text, html.clone()), expected, "{text}");
    }
    assert!(
        fits("{}", html, StepClass::Exchange, Transport::Http),
        "other steps take anything"
    );
}

#[test]
fn an_answer_has_the_id_of_its_request_in_value_and_type() {
    let answer = |id: serde_json::Value| json!({ "status": 200, "id": id, "result": {}, "request": { "id": 1 } });
    assert!(request_fits("{ result: {} }", answer(json!(1))));
    assert!(!request_fits("{ result: {} }", answer(json!("1"))));
    assert!(!request_fits(
        "{ result: {} }",
        json!({ "status": 200, "result": {}, "request": { "id": 1 } })
    ));
    assert!(
        request_fits("{ result: {}, id: {} }", answer(json!("1"))),
        "a named id is the matcher's affair"
    );
    let refusal = json!({ "status": 403, "error": {}, "request": { "id": 1 } });
    assert!(
        request_fits("{ status: 403 }", refusal),
        "a bare refusal may lack the id"
    );
}

#[test]
fn the_status_fits_what_it_carries_unless_it_is_named() {
    let result =
        |status: u16| json!({ "status": status, "id": 1, "result": {}, "request": { "id": 1 } });
    let error = |status: u16, code: i32| json!({ "status": status, "id": 1, "error": { "code": code }, "request": { "id": 1 } });
    for (text, outcome, expected) in [
        ("{ result: {} }", result(200), true),
        ("{ result: {} }", result(202), true),
        ("{ result: {} }", result(400), false),
        ("{ result: {}, status: {} }", result(400), true),
        ("{ error: {} }", error(200, -32602), true),
        ("{ error: {} }", error(404, -32601), true),
        ("{ error: {} }", error(500, -32602), false),
        ("{ error: {} }", error(500, -32603), true),
        ("{ error: {} }", error(302, -32602), false),
        ("{ error: {}, status: 5xx }", error(500, -32602), true),
        ("{}", error(500, -32602), true),
    ] {
        assert_eq!(
            request_fits(text, outcome.clone()),
            expected,
            "{text} on {outcome}"
        );
    }
}

#[test]
fn on_stdio_the_members_of_http_are_ignored_but_do_not_match_alone() {
    let answer = json!({ "id": 1, "error": { "code": -32601 }, "request": { "id": 1 } });
    let on_stdio = |text: &str| fits(text, answer.clone(), StepClass::Request, Transport::Stdio);
    assert!(on_stdio("{ status: 404, error: { code: -32601 } }"));
    assert!(!on_stdio("{ status: 404 }"));
    assert!(on_stdio("{ error: {} }"));
}

fn alternative(text: &str, grade: Grade, condition: Option<&str>) -> Alternative {
    let at = Location::default();
    let when = condition.map(|word| Condition {
        word: word.to_owned(),
        negated: false,
        at,
    });
    Alternative {
        matcher: matcher(text),
        grade,
        when: when.into_iter().collect(),
        note: Some(format!("{grade:?}")),
        at,
    }
}

fn judged(outcome: serde_json::Value, alternatives: Vec<Alternative>) -> Judgement {
    let judged = Judged {
        expect: matcher("{ a: 1 }"),
        alternatives,
    };
    let outcome = Value::from_serde(outcome);
    with_judging(StepClass::Free, Transport::Stdio, |judging| {
        judge(&outcome, &judged, judging).unwrap()
    })
}

#[test]
fn expect_decides_before_any_alternative() {
    let judgement = judged(
        json!({ "a": 1 }),
        vec![alternative("{}", Grade::Fail, None)],
    );
    assert_eq!(judgement.fact, Fact::Held);
    assert_eq!(judgement.note, None);
}

#[test]
fn the_first_alternative_that_matches_decides() {
    let alternatives = || {
        vec![
            alternative("{ b: 1 }", Grade::Pass, None),
            alternative("{ c: 1 }", Grade::Warn, None),
        ]
    };
    assert_eq!(
        judged(json!({ "b": 1, "c": 1 }), alternatives()).fact,
        Fact::Graded(Grade::Pass)
    );
    let warned = judged(json!({ "c": 1 }), alternatives());
    assert_eq!(warned.fact, Fact::Graded(Grade::Warn));
    assert_eq!(warned.note.as_deref(), Some("Warn"));
    assert!(
        !warned.mismatches.is_empty(),
        "a warning shows what was expected"
    );
}

#[test]
fn an_alternative_whose_condition_does_not_hold_is_not_considered() {
    let with = |word| {
        judged(
            json!({ "b": 1 }),
            vec![alternative("{ b: 1 }", Grade::Pass, Some(word))],
        )
        .fact
    };
    assert_eq!(with("holds"), Fact::Graded(Grade::Pass));
    assert_eq!(with("does-not"), Fact::Violated);
}

#[test]
fn without_a_matching_alternative_it_is_violated_and_says_by_what() {
    let judgement = judged(
        json!({ "a": 2 }),
        vec![alternative("{ b: 1 }", Grade::Pass, None)],
    );
    assert_eq!(judgement.fact, Fact::Violated);
    assert_eq!(judgement.mismatches[0].pointer, "/a");
}

/// A process that has acknowledged a subscription.
fn acknowledged_subscription() -> (Transcript, ExchangeId) {
    let mut transcript = Transcript::new(LinkInfo {
        name: "main".to_owned(),
        transport: Transport::Stdio,
        exclusive: true,
    });
    let message = Value::from_serde(
        json!({ "jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": {} }),
    );
    let sent = Sent {
        kind: SentKind::Request,
        bytes: Bytes::from(message.to_json()),
        message: Some(message),
        http: None,
        era: Era::Modern,
        altered: Vec::new(),
        origin: None,
    };
    let id = transcript.sent(Duration::ZERO, Arc::new(sent));
    let text = br#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}"#;
    let inbound = Inbound {
        bytes: Bytes::from_static(text),
        len: text.len() as u64,
        ending: LineEnd::Lf,
        decoded: Message::decode(text),
    };
    transcript.line(Duration::from_millis(1), Arc::new(inbound));
    (transcript, id)
}

#[test]
fn an_acknowledged_subscription_still_owes_its_result_to_who_awaits_it() {
    let (mut transcript, id) = acknowledged_subscription();
    let state = |transcript: &Transcript, moment| {
        let view = outcome(transcript, id, moment);
        ["ack", "silent", "closed"].map(|member| view.get(member).is_some())
    };
    assert_eq!(state(&transcript, Moment::Sending), [true, false, false]);
    assert_eq!(state(&transcript, Moment::Later), [true, true, false]);
    let status = ExitStatus {
        code: Some(0),
        signal: None,
    };
    transcript.exited(Duration::from_millis(2), status, Vec::new());
    assert_eq!(state(&transcript, Moment::Sending), [true, false, false]);
    assert_eq!(state(&transcript, Moment::Later), [true, false, true]);
}
