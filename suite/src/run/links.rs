//! The links of a row: lent at their first use, given back at its end (`cases/README.md`, section 9).

use std::sync::Arc;

use mcpspec_wire::{Message, Value};
use tokio::time::Instant;

use crate::case::{Isolation, StepKind};
use crate::spec::Transport;
use crate::target::Link;
use crate::template::{Data, Resolved};
use crate::transcript::{ExchangeId, SentKind};
use crate::verdict::{Fact, Grade};

use super::pool::{Lent, Silence, Wanted, is_clean};
use super::row::{Row, SEEN_ON_USED, StepError};

/// The link of steps that name none.
const MAIN: &str = "main";

/// Which links a row may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attempt {
    /// Those that its case is content with.
    Usual,
    /// None that other rows use meanwhile: the shared one was lost, which may be their doing.
    Apart,
    /// None that other rows used before either: what came on one may be their doing.
    Afresh,
}

impl Row<'_> {
    /// The link of that name, opened at its first use.
    pub(super) async fn link(&mut self, name: &str) -> Result<Arc<Link>, StepError> {
        if let Some(lent) = self.links.get(name) {
            return Ok(Arc::clone(&lent.link));
        }
        let lent = if self.is_shared(name) {
            Lent {
                link: self.session.main().await?,
                is_used: false,
            }
        } else {
            self.lend(name).await?
        };
        let link = Arc::clone(&lent.link);
        self.links.insert(name.to_owned(), lent);
        Ok(link)
    }

    async fn lend(&mut self, name: &str) -> Result<Lent, StepError> {
        let wanted = self.wanted(name);
        let lent = self.session.lend(&wanted);
        let began = Instant::now();
        // Others may have to run before one is there that they are done with.
        let lent = if wanted.is_fresh {
            lent.await
        } else {
            self.turn.give(lent).await
        };
        self.turn.waited += began.elapsed();
        lent
    }

    /// A link that was opened before.
    pub(super) fn opened(&self, name: &str) -> Option<&Arc<Link>> {
        self.links.get(name).map(|lent| &lent.link)
    }

    /// Whether other rows use the link of that name meanwhile.
    pub(super) fn is_shared(&self, name: &str) -> bool {
        name == MAIN && self.steps.isolation == Isolation::Shared && self.attempt == Attempt::Usual
    }

    /// Whether this is the link that other rows use meanwhile.
    pub(super) fn is_shared_link(&self, link: &Arc<Link>) -> bool {
        let is_main = |main: &Arc<Link>| Arc::ptr_eq(main, link);
        self.is_shared(MAIN) && self.opened(MAIN).is_some_and(is_main)
    }

    /// The row is to be run once more, with links of which that can be said at least.
    pub(super) fn try_again(&mut self, attempt: Attempt) {
        self.finding.again = self.finding.again.max(Some(attempt));
    }

    /// What does not hold on a link that was used before is for a fresh one to decide.
    pub(super) fn doubt_used_links(&mut self) {
        let holds = matches!(
            self.finding.fact,
            None | Some(Fact::Held | Fact::Graded(Grade::Pass))
        );
        let is_used = self.links.values().any(|lent| lent.is_used);
        self.learn_silences();
        if holds || !is_used {
            return;
        }
        if self.session.blocked().is_some() || self.is_known_silence() {
            self.finding.notes.push(SEEN_ON_USED.to_owned());
        } else {
            self.try_again(Attempt::Afresh);
        }
    }

    /// Remembers which requests processes let wait that nobody had sent such a one before.
    fn learn_silences(&self) {
        for (name, id) in &self.sent {
            let is_fresh = self.links.get(name).is_some_and(|lent| !lent.is_used);
            if is_fresh && !self.is_shared(name) {
                let silence = self
                    .left_waiting(name, *id)
                    .filter(|silence| silence.is_first);
                self.session.pool.learn(silence);
            }
        }
    }

    /// Whether what the row waited for last in vain would be waited for in vain on a fresh process, too. To see that once more in each
    /// row would take the whole limit each time.
    fn is_known_silence(&self) -> bool {
        let awaited = self.awaited.as_ref();
        let silence = awaited.and_then(|(name, id)| self.left_waiting(name, *id));
        silence.is_some_and(|silence| self.session.pool.knows(&silence))
    }

    /// How a request was left to wait, if it was, by a process that is still there.
    fn left_waiting(&self, name: &str, id: ExchangeId) -> Option<Silence> {
        let journal = self.opened(name)?.journal();
        journal.read(|transcript| {
            let exchange = transcript.exchange(id);
            let is_silent = exchange.expired_at.is_some()
                && exchange.answered_at.is_none()
                && exchange.cancelled_at.is_none();
            let is_request = exchange.sent.kind == SentKind::Request;
            let method = exchange.sent.method()?;
            let mut sent = transcript.exchanges();
            let first = sent.find(|(_, other)| other.sent.method() == Some(method));
            (is_request && is_silent && transcript.exit().is_none()).then(|| Silence {
                method: method.to_owned(),
                params: exchange.sent.params_without_meta(),
                altered: exchange.sent.altered.clone(),
                is_whole: transcript.entries_of(id).count() == 1,
                is_first: first.is_some_and(|(first, _)| first == id),
            })
        })
    }

    pub(super) fn mark(&mut self) {
        for (name, lent) in &self.links {
            let journal = lent.link.journal();
            let length = journal.read(|transcript| transcript.entries().len());
            self.marks.insert(name.clone(), length);
        }
    }

    /// Cancels what is left open where others go on, and gives the row's own links back.
    pub(super) async fn give_links_back(&mut self) {
        for (name, Lent { link, .. }) in std::mem::take(&mut self.links) {
            let is_own = !self.is_shared(&name);
            let goes_on =
                self.session.transport() == Transport::Stdio && link.journal().read(is_clean);
            if !is_own || goes_on {
                self.abandon_open(&name, &link).await;
            }
            if is_own {
                self.session
                    .take_back(link, &self.origin, &self.case.id)
                    .await;
            }
        }
    }

    /// Cancels what this row left open on a link that others go on using.
    async fn abandon_open(&self, name: &str, link: &Arc<Link>) {
        for (_, id) in self.sent.iter().filter(|(sent_on, _)| sent_on == name) {
            let open = link
                .journal()
                .read(|transcript| transcript.exchange(*id).is_open());
            if open {
                self.withdraw(link, *id).await;
            }
        }
    }

    /// What the case asks of a link of its own.
    fn wanted<'n>(&self, name: &'n str) -> Wanted<'n> {
        let ids = self.written_ids(name);
        Wanted {
            name,
            is_fresh: self.attempt == Attempt::Afresh
                || self.steps.fresh.iter().any(|fresh| fresh == name)
                || ids.is_none(),
            ids: ids.unwrap_or_default(),
            held: self
                .links
                .keys()
                .filter(|name| !self.is_shared(name))
                .count(),
        }
    }

    /// The request ids that the case writes out for a link; none if they are not known yet.
    fn written_ids(&self, name: &str) -> Option<Vec<Value>> {
        let mut ids = Vec::new();
        for step in self.steps.steps.iter().filter(|step| step.link == name) {
            match &step.kind {
                StepKind::Send(send) => ids.extend(self.written_id(send.id.as_ref())?),
                StepKind::Retry(retry) => ids.extend(self.written_id(retry.id.as_ref())?),
                StepKind::Raw(raw) => ids.extend(ids_in(&self.bytes(&raw.text).ok()?)),
                _ => {}
            }
        }
        Some(ids)
    }

    /// The id that a step writes out, if it does; none if it is not known yet.
    fn written_id(&self, id: Option<&Data>) -> Option<Option<Value>> {
        match id.map(|id| self.resolve(id)) {
            None => Some(None),
            Some(Ok(Resolved::Value(id))) => Some(Some(id)),
            Some(_) => None,
        }
    }
}

/// The ids of the messages in some lines.
fn ids_in(lines: &[u8]) -> impl Iterator<Item = Value> {
    let lines = lines.split(|&byte| byte == b'\n');
    lines.filter_map(|line| Message::decode(line).value?.get("id").cloned())
}
