//! Cases of the runs made by hand that break a rule, in full.

use mcpspec::event::{
    CaseKind, CaseResult, ExchangeRecord, MismatchRecord, ReceivedRecord, RequirementResult,
    SourceRef,
};
use mcpspec::spec::{Level, Transport};
use mcpspec::verdict::{Fact, Verdict};

use crate::sample::{HOSTILE, SECRET, case, requirement};

fn mismatch(
    pointer: &str,
    expected: &str,
    actual: &str,
    file: &str,
    line: usize,
) -> MismatchRecord {
    MismatchRecord {
        pointer: pointer.to_owned(),
        expected: expected.to_owned(),
        actual: actual.to_owned(),
        source: Some(SourceRef {
            file: file.to_owned(),
            line,
            column: 23,
        }),
    }
}

fn received(after_ms: u64, text: impl Into<String>) -> ReceivedRecord {
    ReceivedRecord {
        after_ms,
        text: text.into(),
    }
}

/// A failure over HTTP that breaks two requirements at once: a version header that is not compared with the body.
pub(crate) fn version_header() -> CaseResult {
    let file = "cases/http/version-header/mismatch.yaml";
    let mismatches = vec![
        mismatch("/status", "integer 400", "integer 200", file, 12),
        mismatch(
            "/error",
            "object with code integer -32020",
            "absent",
            file,
            12,
        ),
    ];
    CaseResult {
        summary: "A version header that differs from the body is refused".to_owned(),
        why: Some(
            "A gateway that routes on the header and a server that acts on the body would disagree about the \
             protocol in force."
                .to_owned(),
        ),
        requirements: vec![
            RequirementResult {
                page: "basic/transports/streamable-http".to_owned(),
                anchor: "protocol-version-header".to_owned(),
                statement: "A request whose version header differs from the version in its body is refused with \
                            status 400 and error -32020."
                    .to_owned(),
                mismatches: mismatches.clone(),
                ..requirement("http.version-header.mismatch", Fact::Violated, Verdict::Fail)
            },
            RequirementResult {
                level: Level::Should,
                mismatches,
                ..requirement("http.headers.checked-first", Fact::Violated, Verdict::Warn)
            },
        ],
        exchanges: vec![
            ExchangeRecord {
                row: None,
                link: "main".to_owned(),
                at_ms: 0,
                head: Vec::new(),
                sent: "set-up".to_owned(),
                received: vec![received(1, "unimportant")],
                judged: false,
            },
            ExchangeRecord {
                row: None,
                link: "main".to_owned(),
                at_ms: 2,
                head: vec![
                    "POST http://127.0.0.1:3000/mcp".to_owned(),
                    "Content-Type: application/json".to_owned(),
                    "Accept: application/json, text/event-stream".to_owned(),
                    format!("Authorization: Bearer {SECRET}"),
                    "MCP-Protocol-Version: 1900-01-01".to_owned(),
                    "Mcp-Method: server/discover".to_owned(),
                ],
                sent: r#"{"jsonrpc":"2.0","id":7,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#.to_owned(),
                received: vec![
                    received(11, "HTTP 200\ncontent-type: application/json"),
                    received(12, r#"{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","supportedVersions":["2026-07-28"]}}"#),
                ],
                judged: true,
            },
        ],
        reproduce: vec![format!(
            "mcpspec check http://127.0.0.1:3000/mcp --header 'Authorization: Bearer {SECRET}' --case http/version-header/mismatch"
        )],
        ..case("http/version-header/mismatch", 1, Transport::Http, Fact::Violated, Verdict::Fail)
    }
}

/// A failure of a server that writes whatever may break a report, ten megabytes of it.
pub(crate) fn hostile() -> CaseResult {
    let line = format!("{HOSTILE}{}", "x".repeat(10 * 1024 * 1024));
    CaseResult {
        kind: CaseKind::Watch,
        summary: "Every line on stdout is a message that belongs there".to_owned(),
        requirements: vec![RequirementResult {
            page: "basic/transports/stdio".to_owned(),
            anchor: String::new(),
            statement: "Nothing but messages of the protocol is written to standard output."
                .to_owned(),
            observed: 3,
            mismatches: vec![mismatch(
                "/message",
                "object",
                &line,
                "cases/stdio/stdout/only-mcp.yaml",
                5,
            )],
            ..requirement("stdio.stdout.only-mcp", Fact::Violated, Verdict::Fail)
        }],
        notes: vec![HOSTILE.to_owned()],
        reason: Some(HOSTILE.to_owned()),
        exchanges: vec![ExchangeRecord {
            row: Some(HOSTILE.to_owned()),
            link: "main".to_owned(),
            at_ms: 5,
            head: Vec::new(),
            sent: r#"{"jsonrpc":"2.0","id":"a","method":"tools/list"}"#.to_owned(),
            received: [vec![received(3, line)], vec![received(4, HOSTILE); 7]].concat(),
            judged: false,
        }],
        reproduce: vec![
            "mcpspec check --case stdio/stdout/only-mcp -- node build/index.js".to_owned(),
        ],
        ..case(
            "stdio/stdout/only-mcp",
            0,
            Transport::Stdio,
            Fact::Violated,
            Verdict::Fail,
        )
    }
}

/// A crash, told once by the engine's own case.
pub(crate) fn crash() -> CaseResult {
    CaseResult {
        kind: CaseKind::Watch,
        summary: "The server stays alive whatever it is sent".to_owned(),
        requirements: vec![RequirementResult {
            page: String::new(),
            anchor: String::new(),
            level: Level::Stated,
            statement: "No input ends the server or makes it deaf.".to_owned(),
            mismatches: vec![MismatchRecord {
                source: None,
                ..mismatch(
                    "",
                    "a process that runs",
                    "ended with exit code 1\nRangeError: Maximum call stack size exceeded\n    at parse (index.js:17)",
                    "",
                    0,
                )
            }],
            ..requirement("robustness.stays-alive", Fact::Violated, Verdict::Fail)
        }],
        reproduce: vec![
            "mcpspec check --case jsonrpc/depth/refused -- node build/index.js".to_owned(),
        ],
        ..case(
            "robustness/stays-alive",
            0,
            Transport::Stdio,
            Fact::Violated,
            Verdict::Fail,
        )
    }
}

/// A recommendation that is not followed.
pub(crate) fn unordered(target: usize, transport: Transport) -> CaseResult {
    let file = "cases/tools/list/deterministic-order.yaml";
    CaseResult {
        summary: "Tools come in the same order each time".to_owned(),
        why: Some("A list that changes at random defeats prompt caches.".to_owned()),
        requirements: vec![RequirementResult {
            level: Level::Should,
            page: "server/tools".to_owned(),
            anchor: "listing-tools".to_owned(),
            statement: "Tools are listed in an order that does not change while the tools do not."
                .to_owned(),
            mismatches: vec![mismatch(
                "/result/tools/0/name",
                "string \"add\"",
                "string \"echo\"",
                file,
                9,
            )],
            ..requirement(
                "tools.list.deterministic-order",
                Fact::Violated,
                Verdict::Warn,
            )
        }],
        exchanges: vec![ExchangeRecord {
            row: None,
            link: "main".to_owned(),
            at_ms: 0,
            head: Vec::new(),
            sent: r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#.to_owned(),
            received: vec![received(
                3,
                format!(
                    r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"echo","description":"{}"}}]}}}}"#,
                    "long ".repeat(40)
                ),
            )],
            judged: true,
        }],
        reproduce: vec![
            "mcpspec check --case tools/list/deterministic-order -- node build/index.js".to_owned(),
        ],
        ..case(
            "tools/list/deterministic-order",
            target,
            transport,
            Fact::Violated,
            Verdict::Warn,
        )
    }
}
