//! How a row judges outcomes, and what it makes of the judgements (`cases/README.md`, sections 6 and 12).

use mcpspec_wire::Value;

use crate::case::{Condition, Judged, Step};
use crate::judge::{
    Demands, HTTP_MEMBERS, Judgement, Judging, StepClass, judge, matches, unreadable,
};
use crate::matcher::{Check, Context, Matcher, Mismatch};
use crate::spec::Transport;
use crate::target::Link;
use crate::transcript::ExchangeId;
use crate::verdict::{Fact, Grade};

use super::row::{Flow, Row, StepError};
use super::scope::RowScope;
use super::unmet;

impl<'a> Row<'a> {
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
        if fact != Fact::Graded(Grade::Inconclusive) {
            self.finding.decided += 1;
        }
        let worse = self
            .finding
            .fact
            .is_none_or(|before| fact.severity() > before.severity());
        if worse {
            self.finding.fact = Some(fact);
            self.finding.worst = self.finding.decided;
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
}
