//! The transcript of one link.

use std::sync::Arc;
use std::time::Duration;

use crate::spec::Transport;

use super::attribute;
use super::{End, Entry, Exchange, ExchangeId, ExitStatus, Head, Inbound, Sent, SentKind, What};

/// What a link is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkInfo {
    /// Its name in the case that uses it, `main` for the default, or what opened it.
    pub name: String,
    /// Its transport.
    pub transport: Transport,
    /// Whether one row of one case has it for itself, one after another.
    pub exclusive: bool,
}

/// Everything that happened on one link, in order.
#[derive(Debug, Clone)]
pub struct Transcript {
    link: LinkInfo,
    entries: Vec<Entry>,
    exchanges: Vec<Exchange>,
    exit: Option<(Duration, ExitStatus)>,
    is_given_up: bool,
    last_words: Vec<String>,
    begin: Begin,
}

/// Where the use of a link by its present user begins: what was before is another's.
#[derive(Debug, Clone, Copy, Default)]
struct Begin {
    entry: usize,
    exchange: usize,
}

impl Transcript {
    /// An empty transcript.
    pub fn new(link: LinkInfo) -> Transcript {
        Transcript {
            link,
            entries: Vec::new(),
            exchanges: Vec::new(),
            exit: None,
            is_given_up: false,
            last_words: Vec::new(),
            begin: Begin::default(),
        }
    }

    /// The link is used by another row from now on, under this name.
    pub fn hand_on(&mut self, name: &str) {
        name.clone_into(&mut self.link.name);
        self.begin = Begin {
            entry: self.entries.len(),
            exchange: self.exchanges.len(),
        };
    }

    /// Whether others had used the link before its present user sent this.
    pub fn is_after_others(&self, id: ExchangeId) -> bool {
        self.begin.exchange > 0 && id.0 >= self.begin.exchange
    }

    /// Index of the first entry that its present user can have seen.
    pub fn begin(&self) -> usize {
        self.begin.entry
    }

    /// What link this is.
    pub fn link(&self) -> &LinkInfo {
        &self.link
    }

    /// All entries in order of arrival.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All exchanges in order of sending.
    pub fn exchanges(&self) -> impl Iterator<Item = (ExchangeId, &Exchange)> {
        self.exchanges
            .iter()
            .enumerate()
            .map(|(index, exchange)| (ExchangeId(index), exchange))
    }

    /// The exchanges of its present user, in order of sending.
    pub fn present(&self) -> impl Iterator<Item = (ExchangeId, &Exchange)> {
        self.exchanges().skip(self.begin.exchange)
    }

    /// One exchange.
    ///
    /// # Panics
    ///
    /// If the id comes from another transcript and is out of range.
    pub fn exchange(&self, id: ExchangeId) -> &Exchange {
        &self.exchanges[id.0]
    }

    /// The entries of one exchange with their indexes, in order.
    pub fn entries_of(&self, id: ExchangeId) -> impl Iterator<Item = (usize, &Entry)> {
        self.exchange(id)
            .entries
            .iter()
            .map(|&index| (index, &self.entries[index]))
    }

    /// stdio: when and how the process ended.
    pub fn exit(&self) -> Option<(Duration, ExitStatus)> {
        self.exit
    }

    /// stdio: the last lines that the process wrote to standard error, once it ended.
    pub fn last_words(&self) -> &[String] {
        &self.last_words
    }

    /// stdio: whether more came than is kept, so that the process was ended for it.
    pub fn is_flooded(&self) -> bool {
        self.link.transport == Transport::Stdio
            && self
                .exchanges
                .iter()
                .any(|exchange| matches!(exchange.ended, Some((_, End::TooLarge))))
    }

    /// Records that something was sent.
    pub fn sent(&mut self, at: Duration, sent: Arc<Sent>) -> ExchangeId {
        let id = ExchangeId(self.exchanges.len());
        self.exchanges.push(Exchange {
            sent,
            sent_at: at,
            entries: Vec::new(),
            answered_at: None,
            responses: 0,
            cancelled_at: None,
            expired_at: None,
            ended: None,
            served_after: None,
        });
        self.push(at, Some(id), What::Sent);
        id
    }

    /// Records that a request was sent once more, since the server wanted it later.
    pub fn sent_again(&mut self, at: Duration, id: ExchangeId) {
        self.exchanges[id.0].sent_at = at;
    }

    /// Records a line of a process's standard output, and finds out whose it is.
    pub fn line(&mut self, at: Duration, inbound: Arc<Inbound>) {
        let owner = attribute::owner(self, at, &inbound);
        if let Some(id) = owner.exchange
            && owner.is_answer
        {
            self.answered(id, at);
        }
        self.push(at, owner.exchange, What::Line(inbound));
    }

    /// Records status and headers of the response to an exchange.
    pub fn head(&mut self, at: Duration, id: ExchangeId, head: Arc<Head>) {
        self.push(at, Some(id), What::Head(head));
    }

    /// Records an event of the response to an exchange.
    pub fn event(
        &mut self,
        at: Duration,
        id: ExchangeId,
        inbound: Arc<Inbound>,
        event: String,
        event_id: Option<String>,
    ) {
        if attribute::is_answer(&inbound) {
            self.answered(id, at);
        }
        self.push(
            at,
            Some(id),
            What::Event {
                inbound,
                event,
                id: event_id,
            },
        );
    }

    /// Records the whole body of the response to an exchange.
    pub fn body(&mut self, at: Duration, id: ExchangeId, inbound: Arc<Inbound>) {
        if attribute::is_answer(&inbound) {
            self.answered(id, at);
        }
        self.push(at, Some(id), What::Body(inbound));
    }

    /// Records that the response to an exchange is over. Only the first end counts.
    pub fn end(&mut self, at: Duration, id: ExchangeId, end: End) {
        let exchange = &mut self.exchanges[id.0];
        if exchange.ended.is_none() {
            exchange.ended = Some((at, end.clone()));
            self.push(at, Some(id), What::End(end));
        }
    }

    /// Records that the client gave an exchange up. Only the first time counts.
    pub fn cancelled(&mut self, at: Duration, id: ExchangeId) {
        let exchange = &mut self.exchanges[id.0];
        if exchange.cancelled_at.is_none() {
            exchange.cancelled_at = Some(at);
            self.push(at, Some(id), What::Cancelled);
        }
    }

    /// Records that the client gives up whatever still waits. What the end of the process cut short waits no longer.
    pub fn give_up(&mut self, at: Duration) {
        if self.exit.is_some() {
            return;
        }
        self.is_given_up = true;
        let open: Vec<ExchangeId> = self
            .exchanges()
            .filter(|(_, exchange)| exchange.is_open() && exchange.sent.kind == SentKind::Request)
            .map(|(id, _)| id)
            .collect();
        for id in open {
            self.cancelled(at, id);
        }
    }

    /// Whether the client gave the link up before the process ended by itself.
    pub fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    /// Records that the process ended, and what it had written last to standard error.
    pub fn exited(&mut self, at: Duration, status: ExitStatus, last_words: Vec<String>) {
        if self.exit.is_none() {
            self.exit = Some((at, status));
            self.last_words = last_words;
            self.push(at, None, What::Exited(status));
        }
    }

    /// Records whether the target still served after an exchange had ended without an answer.
    pub fn served_after(&mut self, id: ExchangeId, served: bool) {
        self.exchanges[id.0].served_after = Some(served);
    }

    /// Records that the limit of a step is over: what was sent no longer waits for an answer.
    pub fn expired(&mut self, at: Duration, id: ExchangeId) {
        self.exchanges[id.0].expired_at.get_or_insert(at);
    }

    fn answered(&mut self, id: ExchangeId, at: Duration) {
        let exchange = &mut self.exchanges[id.0];
        exchange.responses += 1;
        exchange.answered_at.get_or_insert(at);
    }

    fn push(&mut self, at: Duration, exchange: Option<ExchangeId>, what: What) {
        if let Some(id) = exchange {
            self.exchanges[id.0].entries.push(self.entries.len());
        }
        self.entries.push(Entry { at, exchange, what });
    }
}
