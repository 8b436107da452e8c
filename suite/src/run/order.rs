//! In which order cases begin.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use crate::case::{Body, Case, Condition, Isolation, Step, StepKind};
use crate::spec::Transport;
use crate::template::{Data, Resolved, Scope, duration};

use super::session::Session;
use super::steps::{ANSWER, SILENCE};

/// The trigger that takes long.
const SLOW: &str = "slow-tool";

/// Lets those begin first that give the server longer than usual to answer: if it does not, the run is over no sooner than they are. Then,
/// over stdio, those that go on with a process that others are done with: there they wait without keeping anybody up, and take what
/// comes. Then those that wait longest, so that their waiting passes while the others are busy.
pub(super) fn longest_first<T>(session: &Session, cases: &mut [(Arc<Case>, T)]) {
    let scope = session.scope();
    let slow = session.survey.triggers.get(SLOW);
    let slow = slow
        .and_then(|slow| duration(slow.properties.get("lasts")?).ok())
        .unwrap_or_default();
    let over_stdio = session.transport() == Transport::Stdio;
    cases.sort_by_cached_key(|(case, _)| {
        let takes_over = over_stdio && takes_over(case);
        let limit = longest_limit(case, &scope);
        Reverse((limit, takes_over, waits(case, &scope, slow)))
    });
}

/// Whether a case has a link of its own that others may have used before.
fn takes_over(case: &Case) -> bool {
    match &case.body {
        Body::Steps(steps) => {
            steps.isolation != Isolation::Shared && !steps.fresh.iter().any(|name| name == "main")
        }
        Body::Watch(_) | Body::Compare => false,
    }
}

/// How long a case waits on purpose, as far as it can be told beforehand. One that needs the slow tool may wait for its end.
fn waits(case: &Case, scope: &dyn Scope, slow: Duration) -> Duration {
    let Body::Steps(steps) = &case.body else {
        return Duration::ZERO;
    };
    let is_slow = |condition: &Condition| condition.word.starts_with(SLOW);
    let calls_slow = case.needs.iter().any(is_slow);
    let pauses = steps.steps.iter().map(|step| pauses(step, scope));
    pauses.sum::<Duration>() + if calls_slow { slow } else { Duration::ZERO }
}

/// The longest limit that a case names, zero if that is the usual one.
fn longest_limit(case: &Case, scope: &dyn Scope) -> Duration {
    let Body::Steps(steps) = &case.body else {
        return Duration::ZERO;
    };
    let limits = steps.steps.iter().filter_map(|step| step.within.as_ref());
    let longest = limits.filter_map(|within| told(within, scope)).max();
    longest.filter(|limit| *limit > ANSWER).unwrap_or_default()
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
