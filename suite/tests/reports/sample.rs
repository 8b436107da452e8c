//! Runs made by hand, told event by event.

use mcpspec::event::{
    CaseKind, CaseResult, Event, RequirementResult, SurveyInfo, TargetInfo, ToolCalls, TriggerInfo,
    UncalledTool,
};
use mcpspec::report::{Folder, Meta, Report};
use mcpspec::spec::{Level, Transport};
use mcpspec::text::Redactor;
use mcpspec::verdict::{Fact, Grade, Verdict};
use serde_json::json;

use crate::failures::{crash, hostile, unordered, version_header};

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
