//! Calls that change a list or a resource, seen on a subscription (page `basic/patterns/subscriptions`).

use std::collections::BTreeSet;
use std::time::Duration;

use mcpspec_wire::{Object, Value};
use tokio::time::Instant;

use crate::config::WholeRequest;
use crate::transcript::{ExchangeId, Transcript};

use super::caller::{Caller, message};
use super::{Survey, definitions};

/// Most resources that are subscribed to.
const MAX_RESOURCES: usize = 20;

/// How long it has to be quiet before a change is put down to a call.
const QUIET: Duration = Duration::from_millis(300);

/// How long a change may take to be told.
const LATE: Duration = Duration::from_secs(1);

/// How often a call has to change the same, one time after another. Cases rely on it again and again.
const TIMES: usize = 3;

/// Most calls that are tried so.
const MAX_CANDIDATES: usize = 4;

/// How long after the last call a change is waited for.
const LAST: Duration = Duration::from_millis(100);

/// A subscription to everything that may change while calls are made.
pub(super) struct Changes {
    listen: Option<ExchangeId>,
    candidates: Vec<Candidate>,
    /// The call before: what it changes may be told during the next.
    last: Option<Candidate>,
    /// How many changes were told so far.
    told: usize,
}

/// A call that may have changed something.
#[derive(Clone)]
struct Candidate {
    tool: String,
    call: WholeRequest,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Of a list: `tools`, `prompts` or `resources`.
    List(&'static str),
    /// Of the resource at this URI.
    Resource(String),
}

/// A call that makes a change each time.
pub(super) struct Changing {
    pub(super) tool: String,
    pub(super) call: WholeRequest,
    pub(super) changes: BTreeSet<Change>,
}

impl Changes {
    /// Begins to listen, where something can be listened to and is `wanted`.
    pub(super) async fn listen(caller: &Caller<'_, '_>, survey: &Survey, wanted: bool) -> Changes {
        let mut changes = Changes {
            listen: None,
            candidates: Vec::new(),
            last: None,
            told: 0,
        };
        let is_served = survey
            .requests
            .iter()
            .any(|request| request.method == "subscriptions/listen");
        if wanted
            && is_served
            && let Some(whole) = filter(survey)
        {
            changes.listen = caller.asker.listen(&whole, LATE.min(caller.left())).await;
        }
        changes
    }

    /// Takes note of a call, and whether something has changed.
    pub(super) fn note(&mut self, caller: &Caller<'_, '_>, tool: &str, call: &WholeRequest) {
        let this = Candidate {
            tool: tool.to_owned(),
            call: call.clone(),
        };
        let before = self.last.replace(this.clone());
        self.suspect(caller, before.into_iter().chain([this]));
    }

    /// Takes calls for candidates if more has changed by now.
    fn suspect(&mut self, caller: &Caller<'_, '_>, calls: impl Iterator<Item = Candidate>) {
        let told = self.all(caller).len();
        if told > self.told {
            self.candidates.extend(calls);
        }
        self.told = told;
    }

    /// Ends the subscription, once it is found out which of those calls change something each time. A server whose lists change by
    /// themselves gives none.
    pub(super) async fn settle(mut self, caller: &mut Caller<'_, '_>) -> Vec<Changing> {
        if self.more(caller, self.told, LAST).await {
            let last = self.last.take();
            self.suspect(caller, last.into_iter());
        }
        let mut found = Vec::new();
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.dedup_by(|left, right| left.tool == right.tool);
        for Candidate { tool, call } in candidates.into_iter().take(MAX_CANDIDATES) {
            if let Some(changes) = self.each_time(caller, &call).await {
                found.push(Changing {
                    tool,
                    call,
                    changes,
                });
            }
        }
        if !found.is_empty() {
            let ticking = self.without_calls(caller).await;
            for changing in &mut found {
                let is_its_own = |change: &Change| match &ticking {
                    Some(ticking) => !ticking.contains(change),
                    None => false,
                };
                changing.changes.retain(is_its_own);
            }
            found.retain(|changing| !changing.changes.is_empty());
        }
        if let Some(listen) = self.listen {
            caller.asker.give_up(listen).await;
        }
        found
    }

    /// What changes every time that a call is made.
    async fn each_time(
        &self,
        caller: &mut Caller<'_, '_>,
        call: &WholeRequest,
    ) -> Option<BTreeSet<Change>> {
        let mut common: Option<BTreeSet<Change>> = None;
        for _ in 0..TIMES {
            let before = self.all(caller).len();
            if self.more(caller, before, QUIET).await {
                return None;
            }
            caller.call(call).await?;
            if !self.more(caller, before, LATE).await {
                return None;
            }
            let changed: BTreeSet<Change> = self.all(caller).drain(before..).collect();
            common = Some(match common {
                Some(common) => common.intersection(&changed).cloned().collect(),
                None => changed,
            });
        }
        common.filter(|changes| !changes.is_empty())
    }

    /// What changes while nothing is called: by itself, so that no call is the cause. None: there is no time to see that.
    async fn without_calls(&self, caller: &Caller<'_, '_>) -> Option<Vec<Change>> {
        let (before, span) = (self.all(caller).len(), QUIET + LATE);
        if caller.left() < span {
            return None;
        }
        tokio::time::sleep(span).await;
        Some(self.all(caller).split_off(before))
    }

    /// Whether more than so many changes are told within this time.
    async fn more(&self, caller: &Caller<'_, '_>, than: usize, within: Duration) -> bool {
        let Some(listen) = self.listen else {
            return false;
        };
        let deadline = Instant::now() + within.min(caller.left());
        let journal = caller.asker.journal();
        let more = journal.wait(deadline, |transcript| {
            (told(transcript, listen).count() > than).then_some(())
        });
        more.await.is_some()
    }

    /// The changes told so far.
    fn all(&self, caller: &Caller<'_, '_>) -> Vec<Change> {
        let journal = caller.asker.journal();
        self.listen.map_or_else(Vec::new, |listen| {
            journal.read(|transcript| told(transcript, listen).collect())
        })
    }
}

fn told(transcript: &Transcript, listen: ExchangeId) -> impl Iterator<Item = Change> {
    let messages = transcript
        .entries_of(listen)
        .filter_map(|(_, entry)| message(entry));
    messages.filter_map(change)
}

fn change(message: &Value) -> Option<Change> {
    match message.get("method")?.as_str()? {
        "notifications/tools/list_changed" => Some(Change::List("tools")),
        "notifications/prompts/list_changed" => Some(Change::List("prompts")),
        "notifications/resources/list_changed" => Some(Change::List("resources")),
        "notifications/resources/updated" => {
            let uri = message.pointer("/params/uri")?.as_str()?;
            Some(Change::Resource(uri.to_owned()))
        }
        _ => None,
    }
}

/// A subscription to every type that the server declares, and to the resources that it lists.
fn filter(survey: &Survey) -> Option<WholeRequest> {
    let whole = definitions::listen(survey)?;
    let Some(Value::Object(filter)) = whole.params.get("notifications") else {
        return None;
    };
    let mut filter = filter.clone();
    if filter.contains_key("resourceSubscriptions") {
        let uris = survey.resources.iter();
        let uris = uris.filter_map(|resource| resource.get("uri"));
        let uris: Vec<Value> = uris
            .filter(|uri| uri.as_str().is_some())
            .take(MAX_RESOURCES)
            .cloned()
            .collect();
        filter.insert("resourceSubscriptions", uris);
    }
    let params: Object = [("notifications", filter)].into_iter().collect();
    Some(WholeRequest::new(whole.method, Value::Object(params)))
}
