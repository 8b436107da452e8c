//! Processes that rows are done with, for other rows to use (`cases/README.md`, section 9).
//!
//! To start a process takes most of what a row over stdio takes. So one on which nothing is left goes from row to row, one row at a
//! time. That it was used before excuses nothing and blames nobody: what does not hold on it is decided by a fresh process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcpspec_wire::{Value, same_id};
use tokio::sync::Notify;

use crate::judge::{Moment, outcome};
use crate::matcher::lasting;
use crate::spec::{LEGACY_REVISIONS, Transport};
use crate::target::{Link, OpenError, Slot};
use crate::transcript::{Altered, Era, Exchange, ExchangeId, Sent, SentKind, Transcript};

use super::row::StepError;
use super::session::{CANARY, Session};

/// How many more processes may wait for a row than rows run at once: some rows take several. The others are closed.
const SPARE: usize = 2;

/// After so many rows that held on a fresh process only, all rows get fresh ones.
const MOST_DOUBTS: usize = 5;

/// How many starts long a row waits for a process that others have.
const PATIENCE: u32 = 4;

/// Most memory that a process which goes on may hold.
const MAX_KEPT: usize = 2 << 20;

const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// How long a process may take to show that nothing is left on it, before scaling.
const PROOF: Duration = Duration::from_secs(1);

/// A link that one row has for itself.
#[derive(Clone)]
pub(super) struct Lent {
    pub(super) link: Arc<Link>,
    /// Whether another row used it before.
    pub(super) is_used: bool,
}

/// What a row asks of a link for itself.
pub(super) struct Wanted<'a> {
    /// The name of the link in the case.
    pub(super) name: &'a str,
    /// Whether nothing may have been sent on it.
    pub(super) is_fresh: bool,
    /// Request ids that the case writes out: none of them may have been used on it.
    pub(super) ids: Vec<Value>,
    /// How many links of its own the row has already.
    pub(super) held: usize,
}

/// How a process let a request wait to the limit.
#[derive(Clone, PartialEq)]
pub(super) struct Silence {
    pub(super) method: String,
    /// The params without `_meta`, which is new in each request.
    pub(super) params: Option<Value>,
    pub(super) altered: Vec<Altered>,
    /// Whether nothing came of it at all.
    pub(super) is_whole: bool,
    /// Whether the process had not got that method before.
    pub(super) is_first: bool,
}

/// The processes that go from row to row.
pub(super) struct Pool {
    idle: Mutex<Vec<Arc<Link>>>,
    /// Most of them.
    most: usize,
    /// What fresh processes let wait.
    silences: Mutex<Vec<Silence>>,
    /// Whether the watches were told already that one was lost between two rows.
    is_loss_told: AtomicBool,
    /// How many rows came to something else on fresh processes than on those.
    doubts: AtomicUsize,
    /// How many rows have.
    lent: AtomicUsize,
    /// Told when a row has got one, given one back, or closed it.
    changed: Notify,
}

impl Pool {
    /// An empty one, for so many rows at once.
    pub(super) fn new(jobs: usize) -> Pool {
        Pool {
            idle: Mutex::default(),
            most: jobs.max(1) + SPARE,
            silences: Mutex::default(),
            is_loss_told: AtomicBool::new(false),
            doubts: AtomicUsize::new(0),
            lent: AtomicUsize::new(0),
            changed: Notify::new(),
        }
    }

    /// Remembers how a fresh process let a request wait.
    pub(super) fn learn(&self, silence: Option<Silence>) {
        if let Some(silence) = silence.filter(|silence| !self.knows(silence)) {
            lock(&self.silences).push(silence);
        }
    }

    /// Whether a fresh process let such a request wait in the same way.
    pub(super) fn knows(&self, silence: &Silence) -> bool {
        let as_first = Silence {
            is_first: true,
            ..silence.clone()
        };
        lock(&self.silences).contains(&as_first)
    }

    /// Remembers that a row held on fresh processes that had not held on used ones.
    pub(super) fn distrust(&self) {
        self.doubts.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether processes of this server can go from row to row. One that changes with what it was asked makes rows run twice, and each
    /// may wait to the limit for it.
    fn is_trusted(&self) -> bool {
        self.doubts.load(Ordering::Relaxed) < MOST_DOUBTS
    }

    /// Takes one out that fits, the one that came last.
    fn take(&self, wanted: &Wanted<'_>) -> Option<Arc<Link>> {
        let mut idle = lock(&self.idle);
        let fits = |link: &Arc<Link>| link.journal().read(|transcript| fits(transcript, wanted));
        let index = idle.iter().rposition(fits)?;
        Some(idle.remove(index))
    }

    /// Takes one in, unless there are enough. Gives those that are to be closed: it, or others on which something came meanwhile.
    fn add(&self, link: Arc<Link>) -> Vec<Arc<Link>> {
        let is_spent = |link: &mut Arc<Link>| !link.journal().read(is_as_left);
        let mut idle = lock(&self.idle);
        let mut closed: Vec<Arc<Link>> = idle.extract_if(.., is_spent).collect();
        if idle.len() < self.most {
            idle.push(link);
        } else {
            closed.push(link);
        }
        closed
    }

    /// A row has no longer one of those that it was lent.
    fn released(&self) {
        self.lent.fetch_sub(1, Ordering::Relaxed);
        self.changed.notify_waiters();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// A link for one row. If it need not be fresh, it is one that others are done with; where none is, but rows still have some, one
    /// of those is waited for, some times as long as it takes to start another.
    pub(super) async fn lend(&self, wanted: &Wanted<'_>) -> Result<Lent, StepError> {
        if wanted.is_fresh || !self.pool.is_trusted() || self.transport() == Transport::Http {
            return Ok(self.start(self.target.slot().await, wanted.name)?);
        }
        let patience = tokio::time::sleep(self.target.startup() * PATIENCE);
        tokio::pin!(patience);
        let mut is_over = false;
        loop {
            let changed = self.pool.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            // What the target came to while the row waited, it has not seen.
            if let Some(blocked) = self.blocked().filter(|_| wanted.held == 0) {
                return Err(StepError::Blocked(blocked));
            }
            if let Some(link) = self.pool.take(wanted) {
                link.journal()
                    .write(|transcript, _| transcript.hand_on(wanted.name));
                return Ok(self.lent(link, true));
            }
            let is_hopeless = self.pool.lent.load(Ordering::Relaxed) <= wanted.held;
            let slot = tokio::select! {
                biased;
                () = changed => continue,
                slot = self.target.slot(), if is_over || is_hopeless => slot,
                () = &mut patience, if !is_over => {
                    is_over = true;
                    continue;
                }
            };
            if self.blocked().is_none() || wanted.held > 0 {
                return Ok(self.start(slot, wanted.name)?);
            }
        }
    }

    fn start(&self, slot: Slot, name: &str) -> Result<Lent, OpenError> {
        let link = self.target.open_in(slot, name, true)?;
        Ok(self.lent(Arc::new(link), false))
    }

    fn lent(&self, link: Arc<Link>, is_used: bool) -> Lent {
        self.pool.lent.fetch_add(1, Ordering::Relaxed);
        // Who was about to start one may wait for this one.
        self.pool.changed.notify_waiters();
        Lent { link, is_used }
    }

    /// Takes a link back from a row of a case: others go on with it if nothing is left on it, else it is closed.
    pub(super) async fn take_back(&self, link: Arc<Link>, origin: &Arc<str>, case: &str) {
        let closed = if self.is_as_before(&link, origin, case).await {
            self.pool.add(link)
        } else {
            vec![link]
        };
        self.pool.released();
        for link in closed {
            self.close(&link).await;
        }
    }

    /// Closes the processes that wait for a row.
    pub(super) async fn close_pool(&self) {
        let idle = std::mem::take(&mut *lock(&self.pool.idle));
        futures_util::future::join_all(idle.iter().map(|link| self.close(link))).await;
    }

    /// Whether a process is as a fresh one would be to a server that keeps to the revision: nothing is under way, nothing came that
    /// was not asked for, and it answers as it did at first.
    async fn is_as_before(&self, link: &Arc<Link>, origin: &Arc<str>, case: &str) -> bool {
        let is_left = |link: &Link| link.journal().read(|transcript| !is_clean(transcript));
        if self.transport() == Transport::Http || !self.pool.is_trusted() {
            return false;
        }
        // A step that goes on sending holds the link, too.
        if Arc::strong_count(link) > 1 || is_left(link) || link.journal().kept() > MAX_KEPT {
            return false;
        }
        // What is asked last is answered last, by a server of one era and by one that has not changed its own.
        let Some(id) = self.ask_canary(link, origin).await else {
            return false;
        };
        if !self.is_answered(link, id, PROOF).await {
            self.tell_of_loss(link, id, case).await;
            return false;
        }
        !is_left(link) && self.discovers_the_same(link, id)
    }

    /// Lets the watches see that a process has died of what it was asked between two rows, or leaves it unanswered. Once a run: to be
    /// sure takes several limits.
    async fn tell_of_loss(&self, link: &Arc<Link>, id: ExchangeId, case: &str) {
        let is_told = self.pool.is_loss_told.load(Ordering::Relaxed);
        if is_told || self.is_answered(link, id, CANARY).await {
            return;
        }
        self.check_alive(link, id, case).await;
        let is_lost = link.journal().read(|transcript| {
            let exchange = transcript.exchange(id);
            // One that answers later than that after all was slow.
            exchange.served_after == Some(false) && exchange.answered_at.is_none()
        });
        if is_lost {
            self.pool.is_loss_told.store(true, Ordering::Relaxed);
        }
    }

    fn discovers_the_same(&self, link: &Link, id: ExchangeId) -> bool {
        let discovered = link
            .journal()
            .read(|transcript| outcome(transcript, id, Moment::Later));
        let result = discovered.get("result");
        result.is_some() && result.map(lasting) == self.survey.discover.as_ref().map(lasting)
    }
}

/// Whether a process that waits can be used as it is wanted.
fn fits(transcript: &Transcript, wanted: &Wanted<'_>) -> bool {
    let is_free = |id: &Value| {
        let mut sent = transcript.exchanges();
        !sent.any(|(_, exchange)| exchange.sent.id().is_some_and(|sent| same_id(sent, id)))
    };
    is_as_left(transcript) && wanted.ids.iter().all(is_free)
}

/// Whether a process that waits is as its last row left it: what it was asked last, to be given back, it answered; after that nothing
/// may have come.
fn is_as_left(transcript: &Transcript) -> bool {
    let asked = transcript.exchanges().last().map(|(id, _)| id);
    let came = transcript.entries().last().and_then(|entry| entry.exchange);
    came.is_some() && came == asked
}

/// Whether nothing that its present user sent, or that came meanwhile, has left anything on a process.
pub(super) fn is_clean(transcript: &Transcript) -> bool {
    let is_over =
        transcript.exit().is_some() || transcript.is_given_up() || transcript.is_flooded();
    let mut all = transcript.present();
    if is_over || !all.all(|(id, exchange)| leaves_nothing(transcript, id, exchange)) {
        return false;
    }
    let present: Vec<ExchangeId> = transcript.present().map(|(id, _)| id).collect();
    let since = &transcript.entries()[transcript.begin()..];
    let is_asked_for = |id: ExchangeId| present.contains(&id);
    since
        .iter()
        .all(|entry| entry.exchange.is_some_and(is_asked_for))
}

/// Whether nothing is under way for something that was sent, and a server of one era has not changed by it.
fn leaves_nothing(transcript: &Transcript, id: ExchangeId, exchange: &Exchange) -> bool {
    if !is_of_this_revision(&exchange.sent) || exchange.ended.is_some() {
        return false;
    }
    match exchange.sent.kind {
        SentKind::Notification => true,
        SentKind::Raw | SentKind::Http => false,
        // An open one is cancelled before the link is given back.
        SentKind::Request if exchange.is_listen() => {
            exchange.expired_at.is_none() && exchange.responses <= 1
        }
        SentKind::Request => {
            let last = transcript.entries_of(id).last().map(|(_, entry)| entry.at);
            let is_given_up = exchange.cancelled_at.is_some() || exchange.expired_at.is_some();
            !is_given_up && exchange.responses == 1 && last == exchange.answered_at
        }
    }
}

/// Whether a server of several eras cannot take it for a message of an older one, nor for none at all.
fn is_of_this_revision(sent: &Sent) -> bool {
    let version = sent.meta(PROTOCOL_VERSION).and_then(Value::as_str);
    let is_whole = sent.altered.iter().all(|altered| *altered == Altered::Meta);
    sent.era == Era::Modern
        && sent.method() != Some("initialize")
        && is_whole
        && version.is_some_and(|version| !LEGACY_REVISIONS.contains(&version))
}
