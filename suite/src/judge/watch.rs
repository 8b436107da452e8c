//! Watches: judging everything that passed on a link (`cases/README.md`, section 8).

use std::collections::BTreeSet;
use std::sync::Arc;

use mcpspec_wire::Value;

use crate::case::{Body, Case, Condition, Watch, WatchKind};
use crate::event::ExchangeRecord;
use crate::matcher::{Context, Mismatch};
use crate::spec::Shapes;
use crate::template::{Scope, Unresolved};
use crate::text::preview;
use crate::transcript::{Era, ExchangeId, Transcript};
use crate::verdict::Fact;

use super::decide::{Judgement, Judging, is_throttled, judge};
use super::message::{MessageView, ignored_on, line_views, message_views};
use super::record::record_exchange;
use super::{Demands, Moment, StepClass, outcome, unreadable};

/// How many messages of one link are looked at. A server that floods a link could otherwise hold up the end of the run.
const MOST_MESSAGES: usize = 5_000;

/// Most bytes of what came that a note shows.
const LONGEST_NOTE: usize = 240;

/// Judges every link of a target by a set of watches.
pub struct Watcher {
    states: Vec<State>,
}

/// What a watch found on a target.
#[derive(Debug, Clone)]
pub struct WatchFinding {
    /// The watch.
    pub case: Arc<Case>,
    /// The worst that was seen; not applicable if nothing was, unless the watch says that this means held.
    pub fact: Fact,
    /// How many things were judged.
    pub observed: usize,
    /// How many of them were as bad as the worst.
    pub times: usize,
    /// The first of the worst.
    pub sighting: Option<Sighting>,
    /// Remarks and reasons, each once.
    pub notes: Vec<String>,
    /// What there was where nothing was judged.
    pub near: Near,
}

/// Which of what a watch asks for was there, in the order of [`Matcher::asked`]. Nothing in both: none of it.
///
/// [`Matcher::asked`]: crate::matcher::Matcher::asked
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Near {
    /// In one thing or another.
    pub somewhere: Vec<bool>,
    /// In the thing that had most of it.
    pub most: Vec<bool>,
}

impl Near {
    /// Takes note of what one thing has.
    fn note(&mut self, met: Vec<bool>) {
        let count = |met: &[bool]| met.iter().filter(|met| **met).count();
        self.somewhere.resize(met.len(), false);
        for (somewhere, met) in self.somewhere.iter_mut().zip(&met) {
            *somewhere |= met;
        }
        if count(&met) > count(&self.most) {
            self.most = met;
        }
    }
}

/// One thing a watch has seen.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// What did not match.
    pub mismatches: Vec<Mismatch>,
    /// What was sent and what came, if it belongs to something sent.
    pub record: Option<ExchangeRecord>,
    /// The case and step that sent it.
    pub origin: Option<Arc<str>>,
    /// The beginning of what came, if it belongs to nothing sent.
    pub unasked: Option<String>,
    /// Whether the server was lost by it on a process that other cases had used before, which may have had their part in it.
    pub is_lost_after_others: bool,
}

struct State {
    case: Arc<Case>,
    fact: Option<Fact>,
    observed: usize,
    times: usize,
    sighting: Option<Sighting>,
    notes: BTreeSet<String>,
    near: Near,
}

/// One thing to look at.
struct Item {
    view: Value,
    era: Era,
    exchange: Option<ExchangeId>,
}

impl Watcher {
    /// A watcher with nothing seen yet. Cases with steps are left out.
    pub fn new(cases: impl IntoIterator<Item = Arc<Case>>) -> Watcher {
        let states = cases
            .into_iter()
            .filter(|case| matches!(case.body, Body::Watch(_)))
            .map(|case| State {
                case,
                fact: None,
                observed: 0,
                times: 0,
                sighting: None,
                notes: BTreeSet::new(),
                near: Near::default(),
            })
            .collect();
        Watcher { states }
    }

    /// Judges everything on a link that is over.
    pub fn look(
        &mut self,
        transcript: &Transcript,
        scope: &dyn Scope,
        shapes: &Shapes,
        holds: &dyn Fn(&Condition) -> bool,
    ) {
        let transport = transcript.link().transport;
        let judging = Judging {
            context: Context {
                scope,
                shapes,
                ignored: ignored_on(transport),
                brief: false,
            },
            demands: Demands {
                class: StepClass::Free,
                transport,
            },
            holds,
        };
        if transcript.entries().len() > MOST_MESSAGES {
            self.note(&format!(
                "of a connection with more than {MOST_MESSAGES} messages only the first were looked at"
            ));
        }
        for message in message_views(transcript).take(MOST_MESSAGES) {
            let kinds = [Some(WatchKind::Message), kind_of(&message)];
            self.judge(
                &|kind| kinds.contains(&Some(kind)),
                &Item::of(message),
                transcript,
                judging,
            );
        }
        for exchange in exchanges(transcript) {
            self.judge(
                &|kind| kind == WatchKind::Exchange,
                &exchange,
                transcript,
                judging,
            );
        }
        for line in line_views(transcript).take(MOST_MESSAGES) {
            self.judge(
                &|kind| kind == WatchKind::Line,
                &Item::of(line),
                transcript,
                judging,
            );
        }
    }

    /// Adds a remark to every watch.
    fn note(&mut self, note: &str) {
        for state in &mut self.states {
            state.notes.insert(note.to_owned());
        }
    }

    /// Lets every watch of some kinds judge one thing.
    fn judge(
        &mut self,
        sees: &dyn Fn(WatchKind) -> bool,
        item: &Item,
        transcript: &Transcript,
        judging: Judging<'_>,
    ) {
        for state in &mut self.states {
            let case = Arc::clone(&state.case);
            if let Body::Watch(watch) = &case.body
                && sees(watch.kind)
            {
                state.judge(watch, item, transcript, judging);
            }
        }
    }

    /// What each watch found, in order of the cases given.
    pub fn finish(self) -> Vec<WatchFinding> {
        self.states.into_iter().map(State::finish).collect()
    }
}

/// What a message is beside a message, if it is one of the kinds that watches tell apart.
fn kind_of(message: &MessageView) -> Option<WatchKind> {
    if message.is_notification() {
        Some(WatchKind::Notification)
    } else if message.is_result() {
        Some(WatchKind::Result)
    } else if message.is_error() {
        Some(WatchKind::Error)
    } else {
        None
    }
}

impl Item {
    fn of(message: MessageView) -> Item {
        Item {
            view: message.view,
            era: message.era,
            exchange: message.exchange,
        }
    }
}

fn exchanges(transcript: &Transcript) -> impl Iterator<Item = Item> {
    transcript
        .exchanges()
        .filter(|(id, _)| unreadable(transcript, *id).is_none())
        .map(|(id, exchange)| Item {
            view: outcome(transcript, id, Moment::Later),
            era: exchange.sent.era,
            exchange: Some(id),
        })
}

impl State {
    fn judge(&mut self, watch: &Watch, item: &Item, transcript: &Transcript, judging: Judging<'_>) {
        if !is_meant(watch, item) {
            return;
        }
        let judgement = match looked_at(watch, item, judging) {
            Ok(false) => return self.miss(watch, item, judging),
            Ok(true) => judge(&item.view, &watch.judged, judging),
            Err(unresolved) => Err(unresolved),
        };
        self.observed += 1;
        self.add(judgement.unwrap_or_else(not_observed), item, transcript);
    }

    /// Takes note of how near something comes that is not looked at.
    fn miss(&mut self, watch: &Watch, item: &Item, judging: Judging<'_>) {
        if let Some(filter) = watch.filter.as_ref().filter(|_| self.observed == 0) {
            self.near.note(filter.met(&item.view, judging.context));
        }
    }

    fn add(&mut self, judgement: Judgement, item: &Item, transcript: &Transcript) {
        if let Some(note) = judgement.note {
            self.notes.insert(note);
        }
        if matches!(judgement.fact, Fact::Graded(crate::verdict::Grade::Skip)) {
            self.observed -= 1;
            return;
        }
        let worse = self
            .fact
            .is_none_or(|fact| judgement.fact.severity() > fact.severity());
        if worse {
            self.fact = Some(judgement.fact);
            self.times = 0;
            let exchange = item.exchange.map(|id| transcript.exchange(id));
            self.sighting = (!judgement.mismatches.is_empty()).then(|| Sighting {
                mismatches: judgement.mismatches,
                record: item
                    .exchange
                    .map(|id| record_exchange(transcript, id, None, true)),
                origin: exchange.and_then(|exchange| exchange.sent.origin.clone()),
                unasked: item.exchange.is_none().then(|| beginning(&item.view)),
                is_lost_after_others: item.exchange.is_some_and(|id| {
                    let is_lost = transcript.exchange(id).served_after == Some(false);
                    is_lost && transcript.is_after_others(id)
                }),
            });
        }
        if self
            .fact
            .is_some_and(|fact| fact.severity() == judgement.fact.severity())
        {
            self.times += 1;
        }
    }

    fn finish(self) -> WatchFinding {
        let Body::Watch(watch) = &self.case.body else {
            unreachable!("`Watcher::new` keeps watches only");
        };
        let unseen = if watch.unseen_held {
            Fact::Held
        } else {
            Fact::NotApplicable
        };
        WatchFinding {
            fact: self.fact.unwrap_or(unseen),
            observed: self.observed,
            times: self.times,
            sighting: self.sighting,
            notes: self.notes.into_iter().collect(),
            near: self.near,
            case: self.case,
        }
    }
}

/// The text of a line, or the message, as far as a note has room for it.
fn beginning(view: &Value) -> String {
    let text = match view.get("text").and_then(Value::as_str) {
        Some(line) => line.to_owned(),
        None => view.get("message").unwrap_or(view).to_json(),
    };
    preview(&text, LONGEST_NOTE).into_owned()
}

/// Watches see modern traffic only, and no exchange that a crash cut short, unless `where` names the member itself.
fn is_meant(watch: &Watch, item: &Item) -> bool {
    let names = |member: &str| {
        watch
            .filter
            .as_ref()
            .is_some_and(|filter| filter.names(member))
    };
    let legacy = item.era == Era::Legacy && !names("era");
    let closed =
        watch.kind == WatchKind::Exchange && item.view.get("closed").is_some() && !names("closed");
    // What a limit of requests refuses is left to the case that sent it.
    !legacy && !closed && !is_throttled(&item.view)
}

fn looked_at(watch: &Watch, item: &Item, judging: Judging<'_>) -> Result<bool, Unresolved> {
    match &watch.filter {
        None => Ok(true),
        Some(filter) => {
            let context = Context {
                brief: true,
                ..judging.context
            };
            Ok(filter.check(Some(&item.view), context)?.matches())
        }
    }
}

fn not_observed(unresolved: Unresolved) -> Judgement {
    Judgement {
        fact: Fact::NotObserved,
        note: Some(unresolved.to_string()),
        mismatches: Vec::new(),
    }
}
