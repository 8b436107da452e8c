//! One row of a case: its links, its outcomes, and what was found so far (`cases/README.md`, sections 9 and 12).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::Value;
use tokio::time::Instant;

use crate::case::{Case, Condition, Step, StepKind, Steps};
use crate::event::ExchangeRecord;
use crate::judge::record_exchange;
use crate::matcher::Mismatch;
use crate::target::{LinkError, OpenError};
use crate::template::{Data, DurationError, Resolved, Unresolved, duration};
use crate::transcript::{ExchangeId, HeaderLine};
use crate::transport::SendError;
use crate::verdict::{Fact, Grade};

use super::links::Attempt;
use super::pool::Lent;
use super::random::Invented;
use super::scope::{RowScope, Variable};
use super::session::{Blocked, Session};
use super::turn::Turn;

/// What a row came to.
#[derive(Debug, Clone, Default)]
pub(super) struct RowFinding {
    /// The worst fact; none if nothing was judged.
    pub(super) fact: Option<Fact>,
    /// Remarks of alternatives that matched.
    pub(super) notes: Vec<String>,
    /// Why it could not be judged.
    pub(super) reason: Option<String>,
    /// The case that left nothing to be judged, if that is why.
    pub(super) blocked_by: Option<String>,
    /// What did not match.
    pub(super) mismatches: Vec<Mismatch>,
    /// What was sent and received.
    pub(super) records: Vec<ExchangeRecord>,
    /// How many things were judged.
    pub(super) observed: usize,
    /// How many of these judgements decided something.
    pub(super) decided: usize,
    /// Which of those, counted from one, the worst fact is; zero if none is.
    pub(super) worst: usize,
    /// How it is to be run once more, since other rows may be why it came to this.
    pub(super) again: Option<Attempt>,
}

impl RowFinding {
    /// What came on processes that others had used before, after the row was run on fresh ones. Those decide, unless they did not come
    /// as far as to what was seen to be broken.
    pub(super) fn decided_by(mut self, mut afresh: RowFinding) -> RowFinding {
        let is_breach = self.is_breach();
        let came_as_far = afresh.decided >= self.worst || afresh.is_breach() || afresh.holds();
        if is_breach && !came_as_far {
            let why = afresh.reason.as_deref().unwrap_or("nothing came");
            self.notes.push(format!(
                "{SEEN_ON_USED}; on a fresh one it could not be judged: {why}"
            ));
            return self;
        }
        if !afresh.is_breach() {
            let what = match self.mismatches.first().filter(|_| is_breach) {
                Some(Mismatch {
                    expected, actual, ..
                }) => Some(format!("expected {expected}, found {actual}")),
                None => self.reason,
            };
            let what = what.map(|what| {
                format!("not so on a process that other cases had used before: {what}")
            });
            afresh.notes.extend(what);
        }
        afresh
    }

    /// Whether it came to something that a server is told of.
    fn is_breach(&self) -> bool {
        matches!(
            self.fact,
            Some(Fact::Violated | Fact::Graded(Grade::Fail | Grade::Warn))
        )
    }

    /// Whether all was well.
    pub(super) fn holds(&self) -> bool {
        matches!(
            self.fact,
            Some(Fact::Held | Fact::Graded(Grade::Pass | Grade::Note))
        )
    }
}

/// Remark on what stands without a fresh process having decided it.
pub(super) const SEEN_ON_USED: &str = "seen on a process that other cases had used before";

/// Why a step could not be carried out. The row is then not observed.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    #[error(transparent)]
    Unresolved(#[from] Unresolved),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Duration(#[from] DurationError),
    #[error("{}", .0.how)]
    Blocked(Blocked),
    #[error("{0}")]
    Other(String),
}

impl StepError {
    /// Whether the link was closed under the step, which is an outcome and no fault of the harness.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self, StepError::Link(LinkError::Send(SendError::Closed)))
    }
}

/// Whether the row goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    End,
}

/// A named outcome.
#[derive(Debug, Clone)]
pub(super) struct Named {
    /// The link it came on.
    pub(super) link: String,
    /// What was sent, several with `repeat`.
    pub(super) exchanges: Vec<ExchangeId>,
    /// The outcome as it was at the last look.
    pub(super) value: Value,
    /// Length of the link's transcript when its step began.
    pub(super) began: usize,
    /// Messages before this index were already awaited.
    pub(super) taken: usize,
}

impl Named {
    /// The exchange that the outcome came of, the last of several, with its link.
    pub(super) fn last(&self) -> Option<(String, ExchangeId)> {
        let last = self.exchanges.last()?;
        Some((self.link.clone(), *last))
    }
}

/// A request that was sent with `open` and is judged later.
pub(super) struct Pending<'a> {
    pub(super) step: &'a Step,
    pub(super) name: Option<String>,
    pub(super) link: String,
    pub(super) exchanges: Vec<ExchangeId>,
    pub(super) deadline: Instant,
    /// With `repeat` the outcome is the last, with `all`.
    pub(super) repeated: bool,
}

/// What older revisions settled on a link.
#[derive(Debug, Clone, Default)]
pub(super) struct LegacySession {
    pub(super) headers: Vec<HeaderLine>,
}

/// A row that is being run.
pub(super) struct Row<'a> {
    pub(super) session: &'a Session,
    pub(super) case: &'a Case,
    pub(super) steps: &'a Steps,
    pub(super) label: Option<&'a str>,
    pub(super) variables: &'a [(String, Variable)],
    pub(super) origin: Arc<str>,
    pub(super) outcomes: BTreeMap<String, Named>,
    /// Names of steps that were rehearsed instead of carried out.
    pub(super) rehearsed: Vec<&'a str>,
    pub(super) pending: Vec<Pending<'a>>,
    pub(super) legacy: BTreeMap<String, LegacySession>,
    pub(super) finding: RowFinding,
    /// Everything sent in this row, for the report.
    pub(super) sent: Vec<(String, ExchangeId)>,
    /// What was waited for last, which the next judgement is about.
    pub(super) awaited: Option<(String, ExchangeId)>,
    /// What the worst judgement is about.
    pub(super) worst: Option<(String, ExchangeId)>,
    pub(super) links: BTreeMap<String, Lent>,
    invented: Invented,
    pub(super) turn: &'a mut Turn,
    /// Length of each link's transcript at the end of the step before.
    pub(super) marks: BTreeMap<String, usize>,
    /// Which links it may use.
    pub(super) attempt: Attempt,
}

impl<'a> Row<'a> {
    pub(super) fn new(
        session: &'a Session,
        case: &'a Case,
        steps: &'a Steps,
        label: Option<&'a str>,
        variables: &'a [(String, Variable)],
        turn: &'a mut Turn,
    ) -> Row<'a> {
        let origin = match label {
            Some(label) => format!("{}[{label}]", case.id),
            None => case.id.clone(),
        };
        Row {
            session,
            case,
            steps,
            label,
            variables,
            turn,
            invented: Invented::new(session.seed, &case.id, label.unwrap_or_default()),
            origin: Arc::from(origin),
            outcomes: BTreeMap::new(),
            rehearsed: Vec::new(),
            pending: Vec::new(),
            legacy: BTreeMap::new(),
            finding: RowFinding::default(),
            sent: Vec::new(),
            awaited: None,
            worst: None,
            links: BTreeMap::new(),
            marks: BTreeMap::new(),
            attempt: Attempt::Usual,
        }
    }

    /// Runs every step, then whatever is still open, and closes the links.
    pub(super) async fn run(mut self) -> RowFinding {
        let steps = self.steps;
        let mut flow = Flow::Next;
        for step in &steps.steps {
            if !step.when.iter().all(|condition| self.holds(condition)) {
                continue;
            }
            flow = self.step(step).await;
            self.mark();
            if flow == Flow::End {
                break;
            }
        }
        if flow == Flow::Next {
            self.settle_rest().await;
        }
        self.record();
        self.doubt_used_links();
        self.give_links_back().await;
        self.finding
    }

    async fn step(&mut self, step: &'a Step) -> Flow {
        match self.act(step).await {
            Ok(flow) => flow,
            Err(error) => self.failed(error),
        }
    }

    /// The row cannot go on.
    pub(super) fn failed(&mut self, error: StepError) -> Flow {
        let reason = error.to_string();
        if let StepError::Blocked(blocked) = error {
            self.finding.blocked_by.get_or_insert(blocked.by);
        }
        self.not_observed(reason)
    }

    async fn act(&mut self, step: &'a Step) -> Result<Flow, StepError> {
        if let Some(after) = &step.after {
            let pause = self.duration(after)?;
            self.turn.pause(pause).await;
        }
        match &step.kind {
            StepKind::Send(send) => self.send(step, send).await,
            StepKind::Retry(retry) => self.retry(step, retry).await,
            StepKind::Notify(notify) => self.notify(step, notify).await,
            StepKind::Raw(raw) => self.raw(step, raw).await,
            StepKind::Http(http) => self.http(step, http).await,
            StepKind::Await(wait) => self.wait_for(step, wait).await,
            StepKind::Silence(silence) => self.silence(step, silence).await,
            StepKind::Cancel(cancel) => self.cancel(step, cancel).await,
            StepKind::Stop(stop) => self.stop(step, *stop).await,
        }
    }

    /// Awaits open requests that are judged, in order of sending.
    async fn settle_rest(&mut self) {
        while !self.pending.is_empty() {
            let pending = self.pending.remove(0);
            let is_judged = pending.step.judged.is_some() || pending.step.given.is_some();
            if !is_judged {
                continue;
            }
            if self.settle(pending).await == Flow::End {
                return;
            }
        }
    }

    pub(super) fn holds(&self, condition: &Condition) -> bool {
        self.session.conditions().holds(condition)
    }

    pub(super) fn scope(&self) -> RowScope<'_> {
        RowScope {
            target: self.session.scope(),
            variables: self.variables,
            outcomes: self
                .outcomes
                .iter()
                .map(|(name, named)| (name.as_str(), &named.value))
                .collect(),
            rehearsed: &self.rehearsed,
            invented: &self.invented,
        }
    }

    pub(super) fn resolve(&self, data: &Data) -> Result<Resolved, StepError> {
        Ok(data.resolve(&self.scope())?)
    }

    pub(super) fn duration(&self, data: &Data) -> Result<Duration, StepError> {
        match self.resolve(data)? {
            Resolved::Value(value) => Ok(duration(&value)?),
            _ => Err(StepError::Other("a duration is missing".to_owned())),
        }
    }

    /// The limit of a step.
    pub(super) fn limit(&self, step: &Step, usual: Duration) -> Result<Duration, StepError> {
        match &step.within {
            Some(within) => self.duration(within),
            None => Ok(usual),
        }
    }

    fn record(&mut self) {
        let is_fine = matches!(
            self.finding.fact,
            None | Some(Fact::Held | Fact::NotApplicable | Fact::Graded(Grade::Pass | Grade::Skip))
        );
        if is_fine {
            return;
        }
        let judged = self.worst.as_ref().or(self.sent.last()).cloned();
        for (name, id) in &self.sent {
            let Some(link) = self.opened(name) else {
                continue;
            };
            let judged = judged.as_ref() == Some(&(name.clone(), *id));
            let record = link
                .journal()
                .read(|transcript| record_exchange(transcript, *id, self.label, judged));
            self.finding.records.push(record);
        }
    }
}
