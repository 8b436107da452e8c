//! One row of a case: its links, its outcomes, and what was found so far (`cases/README.md`, sections 9 and 12).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::Value;
use tokio::time::Instant;

use crate::case::{Case, Condition, Isolation, Judged, Step, StepKind, Steps};
use crate::event::ExchangeRecord;
use crate::judge::{
    Demands, HTTP_MEMBERS, Judgement, Judging, StepClass, judge, matches, record_exchange,
    unreadable,
};
use crate::matcher::{Check, Context, Matcher, Mismatch};
use crate::spec::Transport;
use crate::target::{Link, LinkError, OpenError};
use crate::template::{Data, DurationError, Resolved, Unresolved, duration};
use crate::transcript::{ExchangeId, HeaderLine};
use crate::transport::SendError;
use crate::verdict::{Fact, Grade};

use super::random::Invented;
use super::scope::{RowScope, Variable};
use super::session::{Blocked, Session};
use super::turn::Turn;
use super::unmet;

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
    /// Whether the shared process died under it, which another case may have caused.
    pub(super) lost_shared_link: bool,
}

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
    worst: Option<(String, ExchangeId)>,
    links: BTreeMap<String, Arc<Link>>,
    invented: Invented,
    pub(super) turn: &'a mut Turn,
    /// Length of each link's transcript at the end of the step before.
    pub(super) marks: BTreeMap<String, usize>,
    /// Whether `main` is a link of the row's own though the case would share it.
    pub(super) exclusive_main: bool,
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
            exclusive_main: steps.isolation != Isolation::Shared,
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
        self.close().await;
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

    // Links.

    /// The link of that name, opened at its first use.
    pub(super) async fn link(&mut self, name: &str) -> Result<Arc<Link>, StepError> {
        if let Some(link) = self.links.get(name) {
            return Ok(Arc::clone(link));
        }
        let link = if name == "main" && !self.exclusive_main {
            self.session.main().await?
        } else {
            Arc::new(self.session.target.open(name, true).await?)
        };
        self.links.insert(name.to_owned(), Arc::clone(&link));
        Ok(link)
    }

    /// A link that was opened before.
    pub(super) fn opened(&self, name: &str) -> Option<&Arc<Link>> {
        self.links.get(name)
    }

    /// Whether other rows use the link of that name too.
    pub(super) fn is_shared(&self, name: &str) -> bool {
        name == "main" && !self.exclusive_main
    }

    fn mark(&mut self) {
        for (name, link) in &self.links {
            let length = link.journal().read(|transcript| transcript.entries().len());
            self.marks.insert(name.clone(), length);
        }
    }

    async fn close(&mut self) {
        for (name, link) in std::mem::take(&mut self.links) {
            if name == "main" && !self.exclusive_main {
                self.abandon_open(&link).await;
            } else {
                self.session.close(&link).await;
            }
        }
    }

    /// Cancels what this row left open on the link that others go on using.
    async fn abandon_open(&self, link: &Arc<Link>) {
        for (name, id) in &self.sent {
            let open = self.is_shared(name)
                && link
                    .journal()
                    .read(|transcript| transcript.exchange(*id).is_open());
            if open {
                self.withdraw(link, *id).await;
            }
        }
    }

    // Values.

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

    // Judging.

    /// Whether an outcome matches, standing demands included.
    pub(super) fn check(
        &self,
        outcome: &Value,
        matcher: &Matcher,
        class: StepClass,
    ) -> Result<Check, StepError> {
        let scope = self.scope();
        let holds = |condition: &Condition| self.holds(condition);
        Ok(matches(
            outcome,
            matcher,
            self.judging(&scope, &holds, class),
        )?)
    }

    /// Judges an outcome by `given` and `expect` of its step; without both, by what such a step expects of itself.
    pub(super) fn judge_step(
        &mut self,
        step: &Step,
        outcome: &Value,
        class: StepClass,
        default: Option<&Matcher>,
    ) -> Flow {
        let result = self.try_judge_step(step, outcome, class, default);
        result.unwrap_or_else(|error| self.not_observed(error.to_string()))
    }

    fn try_judge_step(
        &mut self,
        step: &Step,
        outcome: &Value,
        class: StepClass,
        default: Option<&Matcher>,
    ) -> Result<Flow, StepError> {
        let implied = if step.judged.is_none() { default } else { None };
        if let Some(given) = step.given.as_ref().or(implied) {
            match self.check(outcome, given, class)? {
                Check::Matches => {}
                Check::Unknown(reason) => return Ok(self.not_observed(reason)),
                Check::Differs(mismatches) => return Ok(self.unmet_setup(step, mismatches)),
            }
        }
        match &step.judged {
            Some(judged) => self.judge(judged, outcome, class),
            None => Ok(Flow::Next),
        }
    }

    fn unmet_setup(&mut self, step: &Step, mismatches: Vec<Mismatch>) -> Flow {
        let reason = unmet::setup(step, &mismatches, &self.session.survey.triggers);
        self.finding.mismatches = mismatches;
        self.not_observed(reason)
    }

    fn judge(
        &mut self,
        judged: &Judged,
        outcome: &Value,
        class: StepClass,
    ) -> Result<Flow, StepError> {
        let judgement = {
            let scope = self.scope();
            let holds = |condition: &Condition| self.holds(condition);
            judge(outcome, judged, self.judging(&scope, &holds, class))?
        };
        Ok(self.add(judgement))
    }

    fn judging<'s>(
        &self,
        scope: &'s RowScope<'_>,
        holds: &'s dyn Fn(&Condition) -> bool,
        class: StepClass,
    ) -> Judging<'s>
    where
        'a: 's,
    {
        let transport = self.session.transport();
        let ignored = match transport {
            Transport::Stdio => HTTP_MEMBERS,
            Transport::Http => &[],
        };
        Judging {
            context: Context {
                scope,
                shapes: self.session.suite.shapes(),
                ignored,
                brief: false,
            },
            demands: Demands { class, transport },
            holds,
        }
    }

    /// Takes a judgement into the row's, and says whether the row goes on.
    pub(super) fn add(&mut self, judgement: Judgement) -> Flow {
        let fact = judgement.fact;
        self.finding.observed += 1;
        if fact == Fact::NotObserved {
            return self.not_observed(judgement.note.unwrap_or_default());
        }
        if fact == Fact::Graded(Grade::Inconclusive) {
            self.finding.reason = judgement
                .note
                .clone()
                .or(Some("nothing that can be judged came".to_owned()));
        } else if fact == Fact::Graded(Grade::Skip) {
            self.finding.reason = judgement.note.clone();
            self.finding.fact = Some(fact);
            return Flow::End;
        } else if let Some(note) = judgement.note {
            self.finding.notes.push(note);
        }
        let worse = self
            .finding
            .fact
            .is_none_or(|before| fact.severity() > before.severity());
        if worse {
            self.finding.fact = Some(fact);
            self.finding.mismatches = judgement.mismatches;
            self.worst = self.awaited.clone();
        }
        match fact {
            Fact::Violated | Fact::Graded(Grade::Fail | Grade::Inconclusive) => Flow::End,
            _ => Flow::Next,
        }
    }

    /// The row cannot be judged for this reason.
    pub(super) fn not_observed(&mut self, reason: String) -> Flow {
        self.finding.fact = Some(
            self.finding
                .fact
                .map_or(Fact::NotObserved, |fact| fact.worse(Fact::NotObserved)),
        );
        self.finding.reason.get_or_insert(reason);
        Flow::End
    }

    /// Why the content of what came cannot be judged, if so.
    pub(super) fn too_large(&self, link: &Link, exchanges: &[ExchangeId]) -> Option<String> {
        link.journal()
            .read(|transcript| exchanges.iter().find_map(|id| unreadable(transcript, *id)))
    }

    // Reporting.

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
            let Some(link) = self.links.get(name) else {
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
