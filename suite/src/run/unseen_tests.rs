//! What is told of watches that saw nothing, on conditions made up and on those of the built-in cases.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::case::{Body, Case, Condition, SuiteFile, embedded, load_case};
use crate::judge::Near;
use crate::matcher::Asked;

use super::unseen::{BLOCKS, INPUTS, METHODS, NOTIFICATIONS, RESULT_TYPES, nothing, words};

fn watch(kind: &str, filter: &str) -> Arc<Case> {
    let file = SuiteFile {
        path: "a/b/c.yaml".to_owned(),
        shown: "c.yaml".to_owned(),
        text: format!(
            "summary: s\nrequirement: x.y\nwatch: {kind}\nwhere: {filter}\nexpect: {{}}\n"
        ),
    };
    Arc::new(load_case(&file).expect("the case is right"))
}

fn words_of(case: &Case) -> Vec<&'static str> {
    let Body::Watch(watch) = &case.body else {
        panic!("it is a watch")
    };
    let filter = watch.filter.as_ref();
    words(&filter.map(|filter| filter.asked()).unwrap_or_default())
}

#[test]
fn what_would_bring_what_a_watch_looks_at_is_read_from_its_filter() {
    for (kind, filter, due) in [
        (
            "notification",
            "{ method: notifications/progress, params: { message: {} } }",
            &["progress-tool"][..],
        ),
        (
            "notification",
            "{ method: notifications/resources/updated }",
            &["resources.subscribe", "resource-update"],
        ),
        (
            "result",
            "{ result: { inputRequests: { $some: { method: elicitation/create, params: { mode: url } } } } }",
            &["url-elicitation-tool"],
        ),
        (
            "result",
            "{ request: { method: tools/call }, result: { content: { $some: { type: image } } } }",
            &["image-tool", "tools", "callable-tool"],
        ),
        (
            "result",
            "{ request: { method: { $any: [tools/list, prompts/list] } } }",
            &[],
        ),
        (
            "exchange",
            "{ notifications: { $some: { method: notifications/progress } } }",
            &["progress-tool"],
        ),
    ] {
        assert_eq!(words_of(&watch(kind, filter)), due, "{filter}");
    }
}

#[test]
fn of_what_did_not_come_that_is_told_which_was_missing() {
    const OUTPUT: &str =
        "{ request: { method: tools/list }, result: { tools: { $some: { outputSchema: {} } } } }";
    const AUDIO: &str = "{ request: { method: { $any: [tools/call, prompts/get] } }, result: { content: { $some: { type: audio, annotations: { deeper: {} } } } } }";
    const STREAM: &str =
        "{ type: text/event-stream, result: { resultType: input_required }, cancelled: false }";
    for (kind, filter, most, due) in [
        ("result", OUTPUT, &[][..], "no result of tools/list came"),
        (
            "result",
            OUTPUT,
            &[true, false],
            "no result of tools/list had `tools[].outputSchema`",
        ),
        (
            "result",
            AUDIO,
            &[false, false, true, true],
            "no result of tools/call or prompts/get came",
        ),
        (
            "result",
            AUDIO,
            &[false, true, false, true],
            "no result of tools/call or prompts/get had `content[].type` audio",
        ),
        (
            "result",
            AUDIO,
            &[false, true, true, false],
            "no result of tools/call or prompts/get had `content[].annotations.deeper`",
        ),
        (
            "result",
            AUDIO,
            &[false, true, true, true],
            "no result of tools/call or prompts/get that the case looks at had `content[].annotations.deeper`",
        ),
        (
            "exchange",
            "{ type: text/event-stream }",
            &[],
            "no answer came as text/event-stream",
        ),
        (
            "exchange",
            STREAM,
            &[true, false, true],
            "no answer came as text/event-stream with `resultType` input_required",
        ),
        (
            "exchange",
            STREAM,
            &[true, true, false],
            "no answer that the case looks at came as text/event-stream with `resultType` input_required",
        ),
        (
            "exchange",
            "{ body: {}, type: application/json }",
            &[false, true],
            "no answer came as application/json without a JSON-RPC message",
        ),
        (
            "notification",
            "{ method: notifications/cancelled }",
            &[],
            "no notification had `method` notifications/cancelled",
        ),
    ] {
        let case = watch(kind, filter);
        let Body::Watch(watch) = &case.body else {
            panic!("it is a watch")
        };
        let asked = watch.filter.as_ref().expect("it has one").asked();
        // Whether one thing lacks the rest, or everything does.
        for somewhere in [most.to_vec(), vec![true; asked.len()]] {
            let near = Near {
                somewhere,
                most: most.to_vec(),
            };
            assert_eq!(nothing(watch, &asked, &near), due, "{filter} {near:?}");
        }
    }
    // What nothing had is told before what most things lacked.
    let case = watch("result", AUDIO);
    let Body::Watch(watch) = &case.body else {
        panic!("it is a watch")
    };
    let asked = watch.filter.as_ref().expect("it has one").asked();
    let near = Near {
        somewhere: vec![true, true, false, true],
        most: vec![true, false, false, false],
    };
    assert_eq!(
        nothing(watch, &asked, &near),
        "no result of tools/call or prompts/get had `content[].type` audio"
    );
}

/// The watches of the built-in suite.
fn watches() -> Vec<Case> {
    let files = embedded();
    let cases = files.iter().filter_map(|file| load_case(file).ok());
    let watches: Vec<Case> = cases
        .filter(|case| matches!(case.body, Body::Watch(_)))
        .collect();
    assert!(watches.len() > 100, "{}", watches.len());
    watches
}

#[test]
fn every_table_names_conditions_that_there_are_and_what_some_watch_asks_for() {
    let known = Condition::words();
    let mut asked = BTreeSet::new();
    for case in watches() {
        if let Body::Watch(watch) = &case.body
            && let Some(filter) = &watch.filter
        {
            asked.extend(filter.asked().into_iter().filter_map(|one| one.text));
        }
    }
    let tables = [
        &NOTIFICATIONS[..],
        &INPUTS,
        &METHODS,
        &BLOCKS,
        &RESULT_TYPES,
    ];
    let texts = tables.into_iter().flatten().map(|(text, _)| *text);
    let stale: Vec<&str> = texts.filter(|text| !asked.contains(*text)).collect();
    assert!(stale.is_empty(), "no watch asks for {stale:?}");
    for (text, words) in tables.into_iter().flatten() {
        for word in *words {
            assert!(
                known.iter().any(|known| known == word),
                "{text}: there is no condition {word}"
            );
        }
    }
}

/// What a table says of this.
fn has(table: &[(&str, &[&str])], text: &str) -> bool {
    table.iter().any(|(name, _)| *name == text)
}

/// Whether the tables know what brings that which is asked for by its name, or every server has it.
fn is_known(asked: &Asked) -> bool {
    let path: Vec<&str> = asked.path.iter().map(String::as_str).collect();
    let Some(text) = asked.text.as_deref() else {
        return true;
    };
    match path.as_slice() {
        ["request", "method"] => {
            has(&METHODS, text) || ["server/discover", "subscriptions/listen"].contains(&text)
        }
        [.., "inputRequests", "[]", "method"] => has(&INPUTS, text),
        // Any notification whatever, or one that no request brings.
        [.., "method"] => {
            has(&NOTIFICATIONS, text) || asked.is_pattern || text == "notifications/cancelled"
        }
        [.., "resultType"] => has(&RESULT_TYPES, text) || text == "complete",
        ["result", "content", "[]", "type"] => has(&BLOCKS, text) || text == "text",
        _ => true,
    }
}

#[test]
fn whatever_a_watch_asks_for_by_its_name_is_in_a_table() {
    let mut unknown = Vec::new();
    for case in watches() {
        if let Body::Watch(watch) = &case.body
            && let Some(filter) = &watch.filter
        {
            let asked = filter.asked().into_iter();
            let lacking = asked.filter(|one| !is_known(one));
            unknown.extend(lacking.map(|one| format!("{}: {one:?}", case.id)));
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}
