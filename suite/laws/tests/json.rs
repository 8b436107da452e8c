//! The laws of JSON and JSON-RPC over texts that are nearly right.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of which JSON texts and messages are made, right and wrong.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "1.0",
    "1.5",
    "10e-1",
    "1e400",
    "01",
    "-",
    "9007199254740993",
    "18446744073709551616",
    "\"\"",
    "\"a\"",
    "\"\\u0061\"",
    "\"~/\"",
    "\"é\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\\udc00\\udc00\"",
    "\"\\udbff\\udfff\"",
    "\"seven__\u{1f}\"",
    "\u{c}",
    "\"\\x\"",
    "\"\t\"",
    "\"",
    "\\",
    "\u{feff}",
    "é",
    "\"2.0\"",
    "\"jsonrpc\":\"2.0\",",
    "\"id\":1,",
    "\"id\":null,",
    "\"id\":\"x\",",
    "\"method\":\"x\",",
    "\"params\":{}",
    "\"result\":{}",
    "\"error\":null",
    "\"error\":{\"code\":-32601,\"message\":\"\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
];

/// A text of such pieces.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    vec(select(PIECES), 0..16).prop_map(|pieces| pieces.concat().into_bytes())
}

/// A JSON value as text, blanks strewn in.
fn value() -> impl Strategy<Value = String> {
    let blank = select(&["", "", "", " ", "\n\t", "\r"]);
    let string = prop_oneof![
        any::<String>().prop_map(|string| serde_json::Value::from(string).to_string()),
        select(&[
            "\"a\"",
            "\"id\"",
            "\"\\u0000\\\"\"",
            "\"\\udead\"",
            "\"\\uD834\\uDD1E\""
        ])
        .prop_map(str::to_owned),
    ];
    let number = prop_oneof![
        any::<i64>().prop_map(|integer| integer.to_string()),
        any::<f64>()
            .prop_filter("finite", |double| double.is_finite())
            .prop_map(|double| format!("{double:?}")),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
    ];
    let scalar = prop_oneof![
        select(&["null", "true", "false"]).prop_map(str::to_owned),
        string.clone(),
        number,
    ];
    let leaf = (blank.clone(), scalar, blank.clone())
        .prop_map(|(before, scalar, after)| before.to_owned() + &scalar + after);
    leaf.prop_recursive(5, 24, 4, move |inner| {
        let name =
            (blank.clone(), string.clone()).prop_map(|(before, name)| before.to_owned() + &name);
        let member = (name, inner.clone()).prop_map(|(name, value)| name + ":" + &value);
        prop_oneof![
            vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// The members of well-formed messages, `jsonrpc` aside.
const MESSAGES: &[&[(&str, &str)]] = &[
    &[("id", "7"), ("method", "\"tools/list\""), ("params", "{}")],
    &[("method", "\"notifications/x\"")],
    &[("id", "\"7\""), ("result", "{\"a\":[]}")],
    &[("id", "7"), ("error", r#"{"code":-32603,"message":""}"#)],
];

/// Other values for each member.
const CHANGES: &[(&str, &[&str])] = &[
    ("jsonrpc", &["2.0", "\"1.0\"", "null"]),
    (
        "id",
        &["null", "7.0", "7.5", "true", "[]", "1e400", "\"7\""],
    ),
    ("method", &["null", "42", "\"x\""]),
    ("params", &["null", "[]", "\"\"", "{}"]),
    ("result", &["null", "[]", "0", "{}"]),
    (
        "error",
        &[
            "null",
            "{}",
            r#"{"code":"1","message":1}"#,
            r#"{"code":1.0,"message":"x"}"#,
            r#"{"code":1.5,"message":"x"}"#,
        ],
    ),
    ("extra", &["{\"a\":0,\"a\":0}", "null"]),
];

/// A well-formed message, up to two of whose members are left out, replaced, or put in.
fn message() -> impl Strategy<Value = String> {
    let (right, change) = (select(MESSAGES), select(CHANGES));
    let changes = vec((change, any::<prop::sample::Index>()), 0..3);
    let members = (right, changes).prop_map(|(right, changes)| {
        let mut members = [&[("jsonrpc", "\"2.0\"")], right].concat();
        for ((name, values), index) in changes {
            members.retain(|(member, _)| *member != name);
            // One index more than there are values leaves the member out.
            members.extend(
                values
                    .get(index.index(values.len() + 1))
                    .map(|value| (name, *value)),
            );
        }
        members
            .into_iter()
            .map(|(name, value)| format!("\"{name}\":{value}"))
            .collect::<Vec<_>>()
    });
    members
        .prop_shuffle()
        .prop_map(|members| format!("{{{}}}", members.join(",")))
}

/// A text with a few bytes overwritten, put in or taken out.
fn damaged(text: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        any::<u8>(),
        select(b"{}[],:\"\\0u \x1f\x0c\x7f\xc3".as_slice())
    ];
    (
        text,
        vec((any::<prop::sample::Index>(), byte, 0..3_u8), 0..3),
    )
        .prop_map(|(text, damages)| {
            let mut text = text.into_bytes();
            for (index, byte, kind) in damages {
                let at = index.index(text.len() + 1);
                match kind {
                    0 if at < text.len() => text[at] = byte,
                    1 if at < text.len() => drop(text.remove(at)),
                    _ => text.insert(at, byte),
                }
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_bytes_keep_the_laws(text in vec(any::<u8>(), 0..64)) {
        mcpspec_laws::rpc_bytes(&text);
    }

    #[test]
    fn pieces_of_json_keep_the_laws(text in pieces()) {
        mcpspec_laws::rpc_bytes(&text);
    }

    #[test]
    fn values_keep_the_laws(text in value()) {
        let document = mcpspec_wire::Document::parse(text.as_bytes());
        prop_assert!(document.is_ok(), "{:?}", document.err());
        mcpspec_laws::rpc_bytes(text.as_bytes());
    }

    #[test]
    fn damaged_values_keep_the_laws(text in damaged(value())) {
        mcpspec_laws::rpc_bytes(&text);
    }

    #[test]
    fn messages_right_and_wrong_keep_the_laws(text in message()) {
        mcpspec_laws::rpc_bytes(text.as_bytes());
    }

    #[test]
    fn damaged_messages_keep_the_laws(text in damaged(message())) {
        mcpspec_laws::rpc_bytes(&text);
    }

    #[test]
    fn numbers_keep_the_law(pair in vec(any::<u8>(), 0..80)) {
        mcpspec_laws::numbers(&pair);
    }
}
