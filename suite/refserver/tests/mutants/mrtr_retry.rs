//! Mutants of request states, and of how a call goes on.

use std::{sync::Arc, time::Duration};

use mcpspec_refserver::{Exit, Options, Server, Transport, find_mutant};
use serde_json::{Value, json};

use crate::{
    client::{Answer, Stdio, posted},
    compare::mutant,
    connection::Connection,
    rounds::{
        BOTH, answers, ask, call, compare, compare_retry, kind, options, retry, unlock, with_state,
    },
};

#[tokio::test(start_paused = true)]
async fn states_are_taken_in_another_way() {
    let (complete, asks, refused) = ("complete", "input_required", "-32602");
    let good = |result: &Value| retry(&unlock(), result, answers());
    let edited = |result: &Value| {
        let state = result["requestState"].as_str().expect("a state");
        let at = state.len() - 9;
        let other = if &state[at..=at] == "A" { "B" } else { "A" };
        let state = [&state[..at], other, &state[at + 1..]].concat();
        with_state(&unlock(), state.into())
    };
    let other_door = |result: &Value| {
        let mut other = good(result);
        other["params"]["arguments"]["door"] = "blue".into();
        other
    };
    compare_retry(
        "accepts-tampered-state",
        &unlock(),
        edited,
        refused,
        complete,
    )
    .await;
    compare_retry(
        "accepts-state-of-other-request",
        &unlock(),
        other_door,
        refused,
        complete,
    )
    .await;
    let garbage = |_: &Value| with_state(&unlock(), "x".into());
    compare_retry("accepts-tampered-state", &unlock(), garbage, refused, asks).await;
    let mut number = call("echo", json!({ "text": "x" }));
    number["params"]["requestState"] = json!(42);
    compare("accepts-number-as-state", &number, refused, complete).await;
}

#[tokio::test(start_paused = true)]
async fn states_live_longer_and_work_more_often() {
    let short = call("unlock", json!({ "door": "red", "ttl": 1 }));
    for (mutant, due) in [(None, "-32602"), (Some("state-never-expires"), "complete")] {
        for transport in BOTH {
            let mut connection = Connection::open(options(mutant), transport);
            let result = connection.result(&short).await;
            tokio::time::sleep(Duration::from_secs(2)).await;
            let answer = connection.ask(&retry(&short, &result, answers())).await;
            assert_eq!(kind(answer.as_ref()), due, "{mutant:?}, {transport:?}");
        }
    }
    for (mutant, due) in [(None, "-32602"), (Some("redeems-state-twice"), "complete")] {
        for transport in BOTH {
            let mut connection = Connection::open(options(mutant), transport);
            let result = connection.result(&unlock()).await;
            let retry = retry(&unlock(), &result, answers());
            assert_eq!(kind(connection.ask(&retry).await.as_ref()), "complete");
            let answer = connection.ask(&retry).await;
            assert_eq!(kind(answer.as_ref()), due, "{mutant:?}, {transport:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_is_good_for_another_user() {
    let name = "accepts-state-of-other-user";
    let mutant = find_mutant(name).expect("it is in the table");
    assert!(mutant.variant.protected);
    for (mutant, due) in [(None, "-32602"), (Some(mutant), "complete")] {
        let server = Arc::new(Server::new(Options {
            protected: true,
            mutant,
            ..Options::default()
        }));
        let [alice, bob] =
            Options::TOKENS.map(|token| json!({ "Authorization": format!("Bearer {token}") }));
        let result = posted(&server, unlock(), alice).await.json()["result"].clone();
        let answer = posted(&server, retry(&unlock(), &result, answers()), bob).await;
        assert_eq!(kind(Some(&answer.json())), due);
    }
}

#[tokio::test(start_paused = true)]
async fn an_empty_state_ends_the_process_or_gets_a_bare_500() {
    let name = "panics-on-bad-state";
    let bad = with_state(&unlock(), "".into());
    let mut client = Stdio::start(options(Some(name)));
    client.send(with_state(&unlock(), "x".into())).await;
    assert_eq!(kind(Some(&client.next().await)), "-32602");
    client.send(bad.clone()).await;
    let (rest, exit) = client.end().await;
    assert!(rest.is_empty(), "{rest:?}");
    assert_eq!(exit, Exit::Crashed { code: 101 });
    let server = mutant(name);
    let Answer { status, body, .. } = posted(&server, bad, json!({})).await;
    assert_eq!((status, body.as_str()), (500, "Internal Server Error"));
    let other = posted(&server, with_state(&unlock(), "x".into()), json!({})).await;
    assert_eq!(kind(Some(&other.json())), "-32602");
}

#[tokio::test(start_paused = true)]
async fn an_error_on_a_retry_has_the_first_id() {
    for (mutant, due) in [
        (None, "retry"),
        (Some("answers-retry-with-first-id"), "first"),
    ] {
        for transport in BOTH {
            for answers in [
                json!("x"),
                json!([]),
                json!({ "about_you": { "action": "bogus" } }),
            ] {
                let mut connection = Connection::open(options(mutant), transport);
                let result = connection.result(&ask()).await;
                let answer = connection.ask(&retry(&ask(), &result, answers)).await;
                let answer = answer.expect("an answer");
                assert_eq!(kind(Some(&answer)), "-32602", "{answer}");
                assert_eq!(answer["id"], due, "{mutant:?}, {transport:?}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_final_result_is_sent_for_both_ids() {
    let name = Some("answers-first-id-again");
    let mut client = Stdio::start(options(name));
    let result = client.ask(ask()).await["result"].clone();
    client.send(retry(&ask(), &result, answers())).await;
    let lines = [client.next().await, client.next().await];
    let server = Arc::new(Server::new(options(name)));
    let result = posted(&server, ask(), json!({})).await.json()["result"].clone();
    let events = posted(&server, retry(&ask(), &result, answers()), json!({}))
        .await
        .events();
    for messages in [&lines[..], &events[..]] {
        let [answer, again] = messages else {
            panic!("{messages:?}")
        };
        assert_eq!(
            (&answer["id"], &again["id"]),
            (&json!("retry"), &json!("first"))
        );
        assert_eq!(answer["result"], again["result"]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_goes_on_only_where_it_began() {
    let name = "continuation-per-connection";
    for transport in BOTH {
        let mut connection = Connection::open(options(Some(name)), transport);
        let result = connection.result(&unlock()).await;
        // Another process knows nothing of it.
        let mut other = Connection::open(options(Some(name)), transport);
        let answer = other.ask(&retry(&unlock(), &result, answers())).await;
        assert_eq!(kind(answer.as_ref()), "-32602", "{transport:?}");
        let answer = connection.ask(&retry(&unlock(), &result, answers())).await;
        assert_eq!(kind(answer.as_ref()), "complete", "{transport:?}");
    }
    let server = mutant(name);
    for (first, due) in [(unlock(), "-32602"), (ask(), "complete")] {
        let result = Connection::to(&server).result(&first).await;
        let answer = Connection::to(&server)
            .ask(&retry(&first, &result, answers()))
            .await;
        assert_eq!(kind(answer.as_ref()), due);
    }
}

#[tokio::test(start_paused = true)]
async fn abandoned_calls_block_the_following_ones() {
    for (mutant, due) in [
        (None, "input_required"),
        (Some("leaks-pending-slots"), "nothing"),
    ] {
        for transport in BOTH {
            let mut connection = Connection::open(options(mutant), transport);
            let mut last = None;
            for _ in 0..50 {
                last = connection.ask(&ask()).await;
                if last.is_none() {
                    break;
                }
            }
            assert_eq!(kind(last.as_ref()), due, "{mutant:?}, {transport:?}");
        }
    }
    let mut connection = Connection::open(options(Some("leaks-pending-slots")), Transport::Stdio);
    for _ in 0..100 {
        let result = connection.result(&ask()).await;
        let answer = connection.ask(&retry(&ask(), &result, answers())).await;
        assert_eq!(kind(answer.as_ref()), "complete");
    }
}
