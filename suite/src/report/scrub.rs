//! Redacts and bounds what goes into a report. Every structure is taken apart by name, so that a new member cannot be
//! forgotten here.

use serde_json::Value;

use crate::event::{
    CaseResult, ExchangeRecord, MismatchRecord, ReceivedRecord, Rehearsed, RehearsedRow,
    RequirementResult, SurveyInfo, TargetInfo, ToolCalls, TriggerInfo, UncalledTool,
};
use crate::text::{Redactor, redact_url, size};

/// Bytes of a text of any kind.
const TEXT: usize = 4 * 1024;

/// Bytes of a message, sent or received.
const MESSAGE: usize = 16 * 1024;

/// Bytes of a JSON value that the server chose.
const VALUE: usize = 64 * 1024;

/// Received messages that are kept for one exchange.
const RECEIVED: usize = 100;

/// Copies what a run tells, without secrets and within bounds. Text of our own (ids, statements, names of triggers) is
/// copied as it is.
pub(super) struct Scrubber<'a>(pub &'a Redactor);

impl Scrubber<'_> {
    pub(super) fn target(&self, target: &TargetInfo) -> TargetInfo {
        let TargetInfo {
            index,
            name,
            transport,
            command,
            url,
            insecure,
            survey,
            unusable,
            exit,
        } = target;
        TargetInfo {
            index: *index,
            name: self.text(name),
            transport: *transport,
            command: self.texts(command),
            url: url.as_deref().map(|url| self.text(&redact_url(url))),
            insecure: *insecure,
            survey: survey.as_ref().map(|survey| self.survey(survey)),
            unusable: self.maybe(unusable),
            exit: self.maybe(exit),
        }
    }

    fn survey(&self, survey: &SurveyInfo) -> SurveyInfo {
        let SurveyInfo {
            era,
            supported_versions,
            capabilities,
            server_info,
            triggers,
        } = survey;
        let triggers = triggers
            .iter()
            .map(|TriggerInfo { name, source }| TriggerInfo {
                name: name.clone(),
                source: self.text(source),
            });
        SurveyInfo {
            era: era.clone(),
            supported_versions: self.texts(supported_versions),
            capabilities: self.value(capabilities),
            server_info: server_info.as_ref().map(|info| self.value(info)),
            triggers: triggers.collect(),
        }
    }

    pub(super) fn calls(&self, calls: &ToolCalls) -> ToolCalls {
        let ToolCalls {
            target,
            tool,
            count,
            why,
        } = calls;
        ToolCalls {
            target: *target,
            tool: self.text(tool),
            count: *count,
            why: self.text(why),
        }
    }

    pub(super) fn not_called(&self, uncalled: &UncalledTool) -> UncalledTool {
        let UncalledTool { target, tool, why } = uncalled;
        UncalledTool {
            target: *target,
            tool: self.text(tool),
            why: self.text(why),
        }
    }

    pub(super) fn case(&self, case: &CaseResult) -> CaseResult {
        let CaseResult {
            id,
            kind,
            summary,
            why,
            target,
            transport,
            seconds,
            verdict,
            blocked_by,
            notes,
            requirements,
            reason,
            add,
            exchanges,
            reproduce,
        } = case;
        CaseResult {
            id: id.clone(),
            kind: *kind,
            summary: summary.clone(),
            why: why.clone(),
            target: *target,
            transport: *transport,
            seconds: *seconds,
            verdict: *verdict,
            blocked_by: blocked_by.clone(),
            notes: self.texts(notes),
            requirements: requirements.iter().map(|it| self.requirement(it)).collect(),
            reason: self.maybe(reason),
            add: self.maybe(add),
            exchanges: exchanges.iter().map(|it| self.exchange(it)).collect(),
            reproduce: self.texts(reproduce),
        }
    }

    fn requirement(&self, requirement: &RequirementResult) -> RequirementResult {
        let RequirementResult {
            id,
            level,
            page,
            anchor,
            statement,
            fact,
            verdict,
            observed,
            mismatches,
            known,
        } = requirement;
        RequirementResult {
            id: id.clone(),
            level: *level,
            page: page.clone(),
            anchor: anchor.clone(),
            statement: statement.clone(),
            fact: *fact,
            verdict: *verdict,
            observed: *observed,
            mismatches: mismatches.iter().map(|it| self.mismatch(it)).collect(),
            known: known.clone(),
        }
    }

    fn mismatch(&self, mismatch: &MismatchRecord) -> MismatchRecord {
        let MismatchRecord {
            pointer,
            expected,
            actual,
            source,
        } = mismatch;
        MismatchRecord {
            pointer: self.text(pointer),
            expected: self.text(expected),
            actual: self.text(actual),
            source: source.clone(),
        }
    }

    fn exchange(&self, exchange: &ExchangeRecord) -> ExchangeRecord {
        let ExchangeRecord {
            row,
            link,
            at_ms,
            head,
            sent,
            received,
            judged,
        } = exchange;
        ExchangeRecord {
            row: self.maybe(row),
            link: link.clone(),
            at_ms: *at_ms,
            head: self.texts(head),
            sent: self.0.bounded(sent, MESSAGE),
            received: self.all_received(received),
            judged: *judged,
        }
    }

    pub(super) fn rehearsed(&self, rehearsed: &RehearsedRow) -> RehearsedRow {
        let RehearsedRow {
            id,
            target,
            row,
            actions,
        } = rehearsed;
        let action = |action: &Rehearsed| match action {
            Rehearsed::Words(text) => Rehearsed::Words(self.text(text)),
            Rehearsed::Send { head, sent, times } => Rehearsed::Send {
                head: self.texts(head),
                sent: self.0.bounded(sent, MESSAGE),
                times: times.clone(),
            },
        };
        RehearsedRow {
            id: id.clone(),
            target: *target,
            row: self.maybe(row),
            actions: actions.iter().map(action).collect(),
        }
    }

    /// The beginning and the end are kept: an endless stream tells no more in between.
    fn all_received(&self, received: &[ReceivedRecord]) -> Vec<ReceivedRecord> {
        let half = RECEIVED / 2;
        if received.len() <= RECEIVED {
            return received.iter().map(|it| self.received(it)).collect();
        }
        let end = received.len() - (RECEIVED - half - 1);
        let left_out = ReceivedRecord {
            after_ms: received[half].after_ms,
            text: format!("… ({} more, left out)", end - half),
        };
        let beginning = received[..half].iter().map(|it| self.received(it));
        let rest = received[end..].iter().map(|it| self.received(it));
        beginning.chain([left_out]).chain(rest).collect()
    }

    fn received(&self, received: &ReceivedRecord) -> ReceivedRecord {
        let ReceivedRecord { after_ms, text } = received;
        ReceivedRecord {
            after_ms: *after_ms,
            text: self.0.bounded(text, MESSAGE),
        }
    }

    fn value(&self, value: &Value) -> Value {
        let length = value.to_string().len();
        if length > VALUE {
            Value::from(format!("… ({}, left out)", size(length)))
        } else {
            self.member(value)
        }
    }

    fn member(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.member(item)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(name, member)| (self.text(name), self.member(member)))
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    pub(super) fn text(&self, text: &str) -> String {
        self.0.bounded(text, TEXT)
    }

    fn texts(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.text(text)).collect()
    }

    fn maybe(&self, text: &Option<String>) -> Option<String> {
        text.as_deref().map(|text| self.text(text))
    }
}
