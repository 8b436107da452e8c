//! What a run reports while it goes on. Reporters fold events into one report; `run` knows no reporter.

use serde::{Deserialize, Serialize};

use crate::spec::{Level, Transport};
use crate::verdict::{Fact, Verdict};

/// One step of a run's progress, in order.
#[derive(Debug, Clone)]
pub enum Event {
    /// The run begins: `cases` results will come if nothing ends it early.
    RunStarted {
        /// How many cases were planned over all targets.
        cases: usize,
    },
    /// A target was surveyed, or turned out unusable.
    TargetReady(Box<TargetInfo>),
    /// The user's own configuration names what the target that is ready does not have.
    Misnamed {
        /// In a sentence.
        text: String,
    },
    /// A case begins on a target.
    CaseStarted {
        /// Id of the case.
        id: String,
        /// Index of the target.
        target: usize,
    },
    /// A case was judged.
    CaseFinished(Box<CaseResult>),
    /// A dry run surveyed a target: which tools it called for that.
    SurveyCalled {
        /// The calls.
        calls: Vec<ToolCalls>,
    },
    /// Nothing but what a row of a case would send was found out, as far as that can be told beforehand.
    RowRehearsed(Box<RehearsedRow>),
    /// A target was left: how it ended, and which tools were called.
    TargetFinished {
        /// Index of the target.
        target: usize,
        /// How its process ended, if it had one and it ended by itself.
        exit: Option<String>,
        /// Tools that were called.
        calls: Vec<ToolCalls>,
        /// Tools that were not.
        not_called: Vec<UncalledTool>,
    },
    /// The run is over.
    RunFinished {
        /// Why it ended early, if it did.
        interrupted: Option<EndedEarly>,
    },
}

/// Why a tool is not called that somebody named and no server lists: mistyped, most often, so that a report tells it first.
pub const NOT_LISTED: &str = "the server does not list it";

/// What a row of a case would send, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RehearsedRow {
    /// Id of the case.
    pub id: String,
    /// Index of the target.
    pub target: usize,
    /// Name of the row, if the case has several.
    pub row: Option<String>,
    /// What its steps would do.
    pub actions: Vec<Rehearsed>,
}

/// What a step would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rehearsed {
    /// Send this, perhaps several times.
    Send {
        /// HTTP: request line and headers.
        head: Vec<String>,
        /// The message or bytes, as text. What depends on an answer stands there as the case writes it.
        sent: String,
        /// How often.
        times: Times,
    },
    /// What cannot be told as text before something was answered, or is no message, in words.
    Words(String),
}

/// How often something is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Times {
    /// So often.
    Exactly(usize),
    /// Once or more often, in words.
    AtLeastOnce(String),
}

impl Times {
    /// How often at least.
    pub fn least(&self) -> usize {
        match self {
            Times::Exactly(times) => *times,
            Times::AtLeastOnce(_) => 1,
        }
    }
}

/// Why a run ended before every planned case was judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedEarly {
    /// In words.
    pub reason: String,
    /// Whether the user ended it, and not its time limit.
    pub by_user: bool,
}

/// What is known of a target after its survey.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetInfo {
    /// Index of the target in the report.
    pub index: usize,
    /// What the user calls it, or the server's own name.
    pub name: String,
    /// Transport over which it was judged.
    pub transport: Transport,
    /// The command, redacted, where mcpspec started it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The endpoint, redacted, where it was judged over HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the server might show any certificate, since `--insecure` was given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub insecure: bool,
    /// What the survey found; none where the target could not be used at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survey: Option<SurveyInfo>,
    /// Why the target could not be judged, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unusable: Option<String>,
    /// How its process ended, if it ended by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
}

/// The survey as the report shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SurveyInfo {
    /// `modern`, `dual` or `legacy`.
    pub era: String,
    /// Versions that `server/discover` lists, or that `initialize` settled on.
    pub supported_versions: Vec<String>,
    /// Capabilities as declared.
    pub capabilities: serde_json::Value,
    /// The server's name and version as it gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_info: Option<serde_json::Value>,
    /// Names of the triggers that are known, and where from.
    pub triggers: Vec<TriggerInfo>,
}

/// A known trigger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TriggerInfo {
    /// Its name.
    pub name: String,
    /// `survey`, `profile NAME` or `configuration`.
    pub source: String,
}

/// How often a tool was called, and for what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCalls {
    /// Index of the target.
    pub target: usize,
    /// Name of the tool.
    pub tool: String,
    /// How many calls went out.
    pub count: usize,
    /// Why that was permitted.
    pub why: String,
}

/// A listed tool that was not called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UncalledTool {
    /// Index of the target.
    pub target: usize,
    /// Name of the tool.
    pub tool: String,
    /// Why not, and what would permit it if it may not be called.
    pub why: String,
}

/// A judged case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseResult {
    /// Id of the case.
    pub id: String,
    /// Whether it has steps of its own.
    pub kind: CaseKind,
    /// What a keeping server does.
    pub summary: String,
    /// Why anyone cares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Index of the target.
    pub target: usize,
    /// Transport of the target.
    pub transport: Transport,
    /// How long it took.
    pub seconds: f64,
    /// The worst verdict of its requirements.
    pub verdict: Verdict,
    /// The case that left the target dead or deaf, if that is why this one could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked_by: Option<String>,
    /// Remarks of alternatives that matched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was found of each requirement it names, on this transport.
    pub requirements: Vec<RequirementResult>,
    /// Why it was skipped, or could not be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Lines of `mcpspec.toml` with which a skipped case would be judged; what stands there in capitals is to be put in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub add: Option<String>,
    /// What was sent and received, where the verdict is not a pass or a skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exchanges: Vec<ExchangeRecord>,
    /// Commands that show it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reproduce: Vec<String>,
}

/// Whether a case provokes what it judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaseKind {
    /// It has steps.
    Steps,
    /// It judges what passes while other cases run.
    Watch,
    /// It compares what was learned of one server over both transports.
    Compare,
}

/// What a case found of one requirement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementResult {
    /// Id of the requirement.
    pub id: String,
    /// How the specification states it.
    pub level: Level,
    /// Page of the specification.
    pub page: String,
    /// Anchor on the page.
    pub anchor: String,
    /// The rule, in our words.
    pub statement: String,
    /// What was found.
    pub fact: Fact,
    /// What that means.
    pub verdict: Verdict,
    /// How many things were judged.
    pub observed: usize,
    /// What did not match, of the first violation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mismatches: Vec<MismatchRecord>,
    /// Why the baseline expects this verdict, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
}

impl CaseResult {
    /// Why the baseline expects everything that is wrong here, if it does.
    pub fn known(&self) -> Option<&str> {
        let wrong = |requirement: &&RequirementResult| {
            !matches!(requirement.verdict, Verdict::Pass | Verdict::Skip)
        };
        let mut wrong = self.requirements.iter().filter(wrong);
        let first = wrong.next()?.known.as_deref()?;
        wrong
            .all(|requirement| requirement.known.is_some())
            .then_some(first)
    }
}

/// One thing that was not as expected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MismatchRecord {
    /// JSON pointer into the outcome.
    pub pointer: String,
    /// What was expected there.
    pub expected: String,
    /// What was there.
    pub actual: String,
    /// Where the case says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceRef>,
}

/// A place in a case file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SourceRef {
    /// The file, as `cases/…`.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

/// Something sent and what came for it, as text, bounded and redacted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExchangeRecord {
    /// Row of the case, if it has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Name of the link.
    pub link: String,
    /// Milliseconds from the start of the case.
    pub at_ms: u64,
    /// HTTP: request line and headers as written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub head: Vec<String>,
    /// What was sent.
    pub sent: String,
    /// What came back, in order.
    pub received: Vec<ReceivedRecord>,
    /// Whether the failing step is about this one.
    pub judged: bool,
}

/// Something received.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReceivedRecord {
    /// Milliseconds from the sending.
    pub after_ms: u64,
    /// A message, a status line with headers, or what happened (`no answer within 10s`, `the process ended with exit code 1`).
    pub text: String,
}
