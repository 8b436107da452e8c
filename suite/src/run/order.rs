//! In which order cases begin.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use crate::case::{Body, Case, Step, StepKind};
use crate::template::{Data, Resolved, Scope, duration};

use super::session::Session;
use super::steps::SILENCE;

/// Lets those begin first that wait longest, so that their waiting passes while the others are busy.
pub(super) fn longest_first<T>(session: &Session, cases: &mut [(Arc<Case>, T)]) {
    let scope = session.scope();
    cases.sort_by_cached_key(|(case, _)| Reverse(waits(case, &scope)));
}

/// How long a case waits on purpose, as far as it can be told beforehand.
fn waits(case: &Case, scope: &dyn Scope) -> Duration {
    let Body::Steps(steps) = &case.body else {
        return Duration::ZERO;
    };
    steps.steps.iter().map(|step| pauses(step, scope)).sum()
}

fn pauses(step: &Step, scope: &dyn Scope) -> Duration {
    let before = step.after.as_ref().and_then(|after| told(after, scope));
    let during = match &step.kind {
        StepKind::Silence(silence) => match &silence.span {
            Some(span) => told(span, scope),
            None => Some(SILENCE),
        },
        _ => None,
    };
    before.unwrap_or_default() + during.unwrap_or_default()
}

fn told(span: &Data, scope: &dyn Scope) -> Option<Duration> {
    match span.resolve(scope) {
        Ok(Resolved::Value(value)) => duration(&value).ok(),
        _ => None,
    }
}
