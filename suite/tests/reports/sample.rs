//! Runs made by hand, told event by event.

use mcpspec::event::{
    CaseKind, CaseResult, Event, ExchangeRecord, MismatchRecord, ReceivedRecord, RequirementResult,
    SourceRef, SurveyInfo, TargetInfo, ToolCalls, TriggerInfo, UncalledTool,
};
use mcpspec::report::{Folder, Meta, Report};
use mcpspec::spec::{Level, Transport};
use mcpspec::text::Redactor;
use mcpspec::verdict::{Fact, Grade, Verdict};
use serde_json::json;

/// The secret of every sample: no report may hold it.
pub(crate) const SECRET: &str = "s3cr3t-token";

/// Text that a hostile server may send.
pub(crate) const HOSTILE: &str = "\0\u{1b}[2J]]></failure><testcase name=\"forged\"/>\u{fffe}\u{202e}<script>alert(1)</script>\r";

/// A folder whose redactor knows [`SECRET`].
pub(crate) fn folder(strict: bool) -> Folder {
    let mut redactor = Redactor::new();
    redactor.header("Authorization", &format!("Bearer {SECRET}"));
    Folder::new(Meta {
        suite_digest: "5f1c0de5".to_owned(),
        seed: 1,
        strict,
        redactor,
    })
}

/// The report of these events, with the time of a run that nobody made.
pub(crate) fn report_of(events: &[Event], strict: bool) -> Report {
    let mut folder = folder(strict);
    for event in events {
        folder.event(event);
    }
    let mut report = folder.finish();
    report.started_at = "2026-11-30T08:59:12.345Z".parse().expect("a time");
    report.seconds = 12.3;
    // The version of mcpspec itself is no part of what a snapshot holds.
    report.tool.version = "0.0.0".to_owned();
    report
}

/// A target that was surveyed.
pub(crate) fn target(index: usize, transport: Transport) -> TargetInfo {
    TargetInfo {
        index,
        name: "example".to_owned(),
        transport,
        command: Vec::new(),
        url: None,
        survey: Some(SurveyInfo {
            era: "modern".to_owned(),
            supported_versions: vec!["2026-07-28".to_owned()],
            capabilities: json!({"tools": {"listChanged": true}, "prompts": {}}),
            server_info: Some(json!({"name": "example-server", "version": "1.4.2"})),
            triggers: Vec::new(),
        }),
        insecure: false,
        unusable: None,
        exit: None,
    }
}

/// A case without anything but its verdict.
pub(crate) fn case(
    id: &str,
    target: usize,
    transport: Transport,
    fact: Fact,
    verdict: Verdict,
) -> CaseResult {
    CaseResult {
        id: id.to_owned(),
        kind: CaseKind::Steps,
        summary: format!("What a keeping server does in {id}"),
        why: None,
        target,
        transport,
        seconds: 0.012,
        verdict,
        blocked_by: None,
        notes: Vec::new(),
        requirements: vec![requirement(&id.replace('/', "."), fact, verdict)],
        reason: None,
        add: None,
        exchanges: Vec::new(),
        reproduce: Vec::new(),
    }
}

/// A requirement without a mismatch.
pub(crate) fn requirement(id: &str, fact: Fact, verdict: Verdict) -> RequirementResult {
    RequirementResult {
        id: id.to_owned(),
        level: Level::Must,
        page: "basic/index".to_owned(),
        anchor: "requests".to_owned(),
        statement: format!("The rule {id}."),
        fact,
        verdict,
        observed: 1,
        mismatches: Vec::new(),
        known: None,
    }
}

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

fn skip(id: &str, target: usize, transport: Transport, reason: &str) -> CaseResult {
    let skipped = case(id, target, transport, Fact::NotApplicable, Verdict::Skip);
    CaseResult {
        reason: Some(reason.to_owned()),
        seconds: 0.0,
        ..skipped
    }
}

fn inconclusive(id: &str, target: usize, transport: Transport, reason: &str) -> CaseResult {
    let case = case(
        id,
        target,
        transport,
        Fact::NotObserved,
        Verdict::Inconclusive,
    );
    CaseResult {
        reason: Some(reason.to_owned()),
        seconds: 10.0,
        ..case
    }
}

/// A failure over HTTP that breaks two requirements at once: a version header that is not compared with the body.
fn version_header() -> CaseResult {
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
fn hostile() -> CaseResult {
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
fn crash() -> CaseResult {
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
fn unordered(target: usize, transport: Transport) -> CaseResult {
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

/// A run with every verdict on two targets, one of them hostile.
pub(crate) fn events() -> Vec<Event> {
    let stdio = TargetInfo {
        command: ["node", "build/index.js", "--name", HOSTILE]
            .map(str::to_owned)
            .to_vec(),
        ..target(0, Transport::Stdio)
    };
    let mut http = TargetInfo {
        url: Some("http://127.0.0.1:3000/mcp?key=abc".to_owned()),
        ..target(1, Transport::Http)
    };
    if let Some(survey) = &mut http.survey {
        survey.era = "dual".to_owned();
        survey.supported_versions.push("2025-11-25".to_owned());
        survey.server_info = Some(json!({"name": HOSTILE, "version": "x".repeat(9000)}));
        survey.triggers = vec![TriggerInfo {
            name: "elicitation-tool".to_owned(),
            source: "configuration".to_owned(),
        }];
    }
    let mut cases = vec![
        hostile(),
        crash(),
        version_header(),
        unordered(1, Transport::Http),
        unordered(0, Transport::Stdio),
        CaseResult {
            notes: vec!["a server with one version meets both conditions".to_owned()],
            ..case(
                "version/unsupported/refused",
                0,
                Transport::Stdio,
                Fact::Graded(Grade::Note),
                Verdict::Pass,
            )
        },
        case(
            "jsonrpc/id/echo-string",
            1,
            Transport::Http,
            Fact::Held,
            Verdict::Pass,
        ),
        case(
            "jsonrpc/id/echo-string",
            0,
            Transport::Stdio,
            Fact::Held,
            Verdict::Pass,
        ),
        inconclusive(
            "mrtr/retry/completes",
            0,
            Transport::Stdio,
            "no answer to tools/call within 10s",
        ),
        inconclusive(
            "mrtr/retry/completes",
            1,
            Transport::Http,
            "no answer to tools/call within 10s",
        ),
        skip(
            "http/version-header/mismatch",
            0,
            Transport::Stdio,
            "for HTTP only",
        ),
        skip(
            "http/origin/invalid-403",
            0,
            Transport::Stdio,
            "for HTTP only",
        ),
        skip(
            "stdio/stdout/only-mcp",
            1,
            Transport::Http,
            "for stdio only",
        ),
        skip(
            "mrtr/capability/partial",
            1,
            Transport::Http,
            "no multi-round-tool: name one under [triggers] in mcpspec.toml",
        ),
        case(
            "http/origin/invalid-403",
            1,
            Transport::Http,
            Fact::Held,
            Verdict::Pass,
        ),
    ];
    for name in ["batch", "depth", "parse"] {
        let blocked = case(
            &format!("jsonrpc/{name}/refused"),
            0,
            Transport::Stdio,
            Fact::NotObserved,
            Verdict::Inconclusive,
        );
        cases.push(CaseResult {
            blocked_by: Some("robustness/stays-alive".to_owned()),
            reason: Some("the server was dead".to_owned()),
            ..blocked
        });
    }
    let mut events = vec![
        Event::RunStarted { cases: cases.len() },
        Event::TargetReady(Box::new(http)),
        Event::TargetReady(Box::new(stdio)),
    ];
    events.extend(
        cases
            .into_iter()
            .map(|case| Event::CaseFinished(Box::new(case))),
    );
    events.push(Event::TargetFinished {
        target: 1,
        exit: None,
        calls: vec![
            ToolCalls {
                target: 1,
                tool: HOSTILE.to_owned(),
                count: 1,
                why: "named by the configuration".to_owned(),
            },
            ToolCalls {
                target: 1,
                tool: "add".to_owned(),
                count: 12,
                why: "says that it only reads".to_owned(),
            },
        ],
        not_called: [HOSTILE, "delete", "drop"]
            .map(|tool| UncalledTool {
                target: 1,
                tool: tool.to_owned(),
                why: "it does not say that it only reads".to_owned(),
            })
            .to_vec(),
    });
    events.push(Event::TargetFinished {
        target: 0,
        exit: Some("exit code 1".to_owned()),
        calls: Vec::new(),
        not_called: Vec::new(),
    });
    events.push(Event::RunFinished { interrupted: None });
    events
}

/// A run of one target in which these verdicts came out, one case each.
pub(crate) fn run_of(verdicts: &[Verdict]) -> Vec<Event> {
    let mut events = vec![
        Event::RunStarted {
            cases: verdicts.len(),
        },
        Event::TargetReady(Box::new(target(0, Transport::Stdio))),
    ];
    for (index, verdict) in verdicts.iter().enumerate() {
        let fact = match verdict {
            Verdict::Pass => Fact::Held,
            Verdict::Fail | Verdict::Warn => Fact::Violated,
            Verdict::Inconclusive => Fact::NotObserved,
            Verdict::Skip => Fact::NotApplicable,
        };
        let case = case(
            &format!("area/topic/case-{index:02}"),
            0,
            Transport::Stdio,
            fact,
            *verdict,
        );
        events.push(Event::CaseFinished(Box::new(case)));
    }
    events.push(Event::TargetFinished {
        target: 0,
        exit: None,
        calls: Vec::new(),
        not_called: Vec::new(),
    });
    events.push(Event::RunFinished { interrupted: None });
    events
}
