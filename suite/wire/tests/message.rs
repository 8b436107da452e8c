//! Messages: how each is sorted, and what is told to be wrong with it.

use mcpspec_wire::{Message, ProblemKind, SyntaxErrorKind, Value};

fn problems(text: &str) -> Vec<(ProblemKind, usize)> {
    Message::decode(text.as_bytes())
        .problems
        .into_iter()
        .map(|problem| (problem.kind, problem.offset))
        .collect()
}

#[test]
fn well_formed_messages_are_sorted() {
    for (text, message) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"a":1}}"#,
            Message::Request {
                id: 1.into(),
                method: "tools/list".into(),
            },
        ),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
            Message::Notification {
                method: "notifications/x".into(),
            },
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","result":{},"extra":0}"#,
            Message::Response {
                id: Some("a".into()),
            },
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":-32700.0,"message":""}}"#,
            Message::Error { id: None },
        ),
    ] {
        let decoded = Message::decode(text.as_bytes());
        assert_eq!(decoded.problems, [], "{text}");
        assert_eq!(decoded.message, Some(message));
        assert_eq!(decoded.value.expect("a value").to_json(), text);
    }
}

#[test]
fn each_problem_is_told_with_its_byte() {
    use ProblemKind::*;
    for (text, expected) in [
        (r#"[{"jsonrpc":"2.0","method":"x"}]"#, vec![(Batch, 0)]),
        (r#" "x""#, vec![(NotAnObject("string"), 1)]),
        (r#"{"method":"x"}"#, vec![(VersionMissing, 0)]),
        (r#"{"jsonrpc":2.0,"method":"x"}"#, vec![(VersionWrong, 11)]),
        (
            r#"{"jsonrpc":"1.0","method":"x"}"#,
            vec![(VersionWrong, 11)],
        ),
        (
            r#"{"jsonrpc":"2.0","method":42}"#,
            vec![(MethodNotString, 26)],
        ),
        (
            r#"{"jsonrpc":"2.0","method":"x","params":null}"#,
            vec![(ParamsNotObject, 39)],
        ),
        (
            r#"{"jsonrpc":"2.0","method":"x","params":[]}"#,
            vec![(ParamsNotObject, 39)],
        ),
        (
            r#"{"jsonrpc":"2.0","method":"x","id":null}"#,
            vec![(IdNull, 35)],
        ),
        (
            r#"{"jsonrpc":"2.0","method":"x","id":1.5}"#,
            vec![(IdFractional, 35)],
        ),
        (r#"{"jsonrpc":"2.0","method":"x","id":1.0}"#, vec![]),
        (
            r#"{"jsonrpc":"2.0","method":"x","id":[1]}"#,
            vec![(IdWrongType, 35)],
        ),
        (r#"{"jsonrpc":"2.0","id":1}"#, vec![(NoKind, 0)]),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#,
            vec![(MethodAndOutcome, 33)],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
            vec![(ResultAndError, 0), (ErrorNotObject, 44)],
        ),
        (r#"{"jsonrpc":"2.0","result":{}}"#, vec![(IdMissing, 0)]),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            vec![(ResultNotObject, 33)],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":"x"}"#,
            vec![(ErrorNotObject, 32)],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{}}"#,
            vec![(CodeMissing, 32), (MessageMissing, 32)],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":2}}"#,
            vec![(CodeNotInteger, 40), (MessageNotString, 54)],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":""}}"#,
            vec![(CodeNotInteger, 40)],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"id":2,"result":{"a":0,"a":0}}"#,
            vec![(
                DuplicateMember {
                    pointer: String::new(),
                    count: 2,
                },
                24,
            )],
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud800"}}"#,
            vec![(
                LoneSurrogate {
                    pointer: "/result/a".into(),
                    count: 1,
                },
                39,
            )],
        ),
        (
            "\u{feff}{\"jsonrpc\":\"2.0\",\"method\":\"x\"}",
            vec![(Bom, 0)],
        ),
    ] {
        assert_eq!(problems(text), expected, "{text}");
    }
}

#[test]
fn a_message_is_sorted_in_spite_of_its_faults() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","result":{}{},"id":7}}"#,
        "[".repeat(1000),
        "]".repeat(1000)
    );
    for (text, kind) in [
        (
            &b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}} trailing"[..],
            SyntaxErrorKind::TrailingText,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":\"\xff\"}}",
            SyntaxErrorKind::InvalidUtf8,
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"a\":\"\t\"}}",
            SyntaxErrorKind::ControlCharacter(b'\t'),
        ),
        (deep.as_bytes(), SyntaxErrorKind::TooDeep),
    ] {
        let decoded = Message::decode(text);
        let found = decoded.problems.iter().any(
            |problem| matches!(problem.kind, ProblemKind::NotJson(error) if error.kind == kind && error.offset == problem.offset),
        );
        assert!(found, "{:?}", decoded.problems);
        assert_eq!(
            decoded.message.as_ref().and_then(Message::id),
            Some(&Value::from(7))
        );
    }
}

#[test]
fn a_response_with_both_is_sorted_by_the_one_that_holds_something() {
    let of = |text: &str| Message::decode(text.as_bytes()).message;
    assert!(matches!(
        of(r#"{"result":{},"error":null}"#),
        Some(Message::Response { .. })
    ));
    assert!(matches!(
        of(r#"{"result":null,"error":{}}"#),
        Some(Message::Error { .. })
    ));
    assert!(matches!(
        of(r#"{"result":{},"error":{}}"#),
        Some(Message::Response { .. })
    ));
    assert!(matches!(
        of(r#"{"result":null,"error":null}"#),
        Some(Message::Response { .. })
    ));
    assert!(matches!(
        of(r#"{"result":null}"#),
        Some(Message::Response { .. })
    ));
    assert!(matches!(
        of(r#"{"error":null}"#),
        Some(Message::Error { .. })
    ));
}

#[test]
fn text_that_cannot_be_read_has_no_message() {
    let decoded = Message::decode(b"{\"jsonrpc\":\"2.0\",\"id\":1,");
    assert_eq!((decoded.message, decoded.value), (None, None));
    assert_eq!(decoded.problems.len(), 1);
}
