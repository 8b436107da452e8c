//! The report: everything that a run found out. Its JSON form is a published format, and every other form is made of it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::event::{CaseResult, TargetInfo, ToolCalls, UncalledTool};

use super::baseline::Difference;

/// Version of the format that this mcpspec writes and reads.
pub const FORMAT: u32 = 1;

/// What is said of a target that might show any certificate.
pub(super) const INSECURE: &str =
    "any certificate was accepted (--insecure), so that nobody knows who answered";

/// What a run found out: self-contained, bounded and redacted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Report {
    /// Version of the format of this file: 1.
    #[schemars(range(min = FORMAT, max = FORMAT))]
    pub format: u32,
    /// What judged.
    pub tool: Tool,
    /// Revision of the Model Context Protocol that was judged.
    pub revision: String,
    /// When the run began, in UTC.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub started_at: Timestamp,
    /// How long it took.
    pub seconds: f64,
    /// Seed of the random names of the run.
    pub seed: u64,
    /// Why it ended before every planned case was judged, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<Interruption>,
    /// The servers under test, each over one transport. Others refer to them by their place in this list.
    pub targets: Vec<TargetInfo>,
    /// The result in numbers.
    pub summary: Summary,
    /// Every case on every target, in the order of their ids, then of the targets.
    pub cases: Vec<CaseResult>,
    /// Tools that were called, in the order of the targets, then of their names.
    pub calls: Vec<ToolCalls>,
    /// Listed tools that were not called, in the same order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_called: Vec<UncalledTool>,
    /// How the run differs from its baseline, if it was held against one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Difference>,
}

/// What judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Digest of the cases and requirements that it judged by: two runs with the same digest judged the same.
    pub suite_digest: String,
}

/// A run that ended early.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Interruption {
    /// Why.
    pub reason: String,
    /// Whether the user ended it (Ctrl-C, SIGTERM), and not its time limit or a fault.
    #[serde(default)]
    pub by_user: bool,
    /// How many of the planned cases have no result at all.
    pub missing: usize,
}

/// The result in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Summary {
    /// Cases by verdict; a case counts once for each target.
    pub verdicts: VerdictCounts,
    /// Requirements, each counted once whatever the number of cases and targets.
    pub requirements: RequirementCounts,
    /// Exit code of the run: the first that applies of 130 the user interrupted it, 1 a case failed (under `--strict` also:
    /// warned) or an entry of the baseline no longer occurs, 3 something could not be judged, 4 no case was selected, 0.
    pub exit_code: u8,
}

/// How many cases have each verdict.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerdictCounts {
    /// The rule was kept.
    pub pass: usize,
    /// A rule whose breach counts was broken.
    pub fail: usize,
    /// A recommendation, or a rule that the text leaves in doubt, was broken.
    pub warn: usize,
    /// It applies, but could not be judged.
    pub inconclusive: usize,
    /// It does not apply.
    pub skip: usize,
}

/// How many of the requirements that the cases of a run name were kept.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementCounts {
    /// Judged, and violated nowhere.
    pub held: usize,
    /// A case failed or warned because of it, on some target.
    pub violated: usize,
    /// Those of the violated because of which cases only warned.
    #[serde(default)]
    pub warned: usize,
    /// Every case that names it was skipped or inconclusive.
    pub not_judged: usize,
}

impl VerdictCounts {
    /// How many cases there are.
    pub fn total(&self) -> usize {
        self.judged() + self.inconclusive + self.skip
    }

    /// How many cases came to a judgement.
    pub fn judged(&self) -> usize {
        self.pass + self.fail + self.warn
    }
}

impl RequirementCounts {
    /// How many requirements there are.
    pub fn total(&self) -> usize {
        self.judged() + self.not_judged
    }

    /// How many requirements were judged.
    pub fn judged(&self) -> usize {
        self.held + self.violated
    }
}

impl Report {
    /// The results of one target, in the order of their ids.
    pub fn cases_of(&self, target: usize) -> impl Iterator<Item = &CaseResult> {
        self.cases.iter().filter(move |case| case.target == target)
    }

    /// How a target is called where several are shown: by its transport, with its name where two share a transport.
    pub fn target_label(&self, target: usize) -> String {
        let Some(info) = self.targets.get(target) else {
            return format!("target {target}");
        };
        let shared = self
            .targets
            .iter()
            .filter(|other| other.transport == info.transport)
            .count()
            > 1;
        if shared {
            format!("{} ({})", info.name, info.transport)
        } else {
            info.transport.to_string()
        }
    }
}
