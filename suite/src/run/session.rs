//! One target during a run: its links, its health, and what is true of it for every row.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcpspec_wire::{Object, Value};
use tokio::time::Instant;

use crate::case::{Condition, Suite};
use crate::config::WholeRequest;
use crate::judge::Watcher;
use crate::matcher::Matcher;
use crate::spec::Transport;
use crate::target::{IdSource, Link, OpenError, Survey, Target};
use crate::template::read_yaml;
use crate::transcript::{End, ExchangeId, SentKind, Transcript};
use crate::transport::{Journal, WriteMode};

use super::conditions::Conditions;
use super::draft::{self, Departures, Surroundings};
use super::pool::Pool;
use super::request::{Credentials, RunOptions};
use super::scope::TargetScope;

/// What `--timeout` scales: limits are stated for an answer that may take this long.
const USUAL_TIMEOUT: Duration = Duration::from_secs(10);

/// How much memory the shared link may hold before it is replaced.
const MAX_KEPT: usize = 16 << 20;

/// Limit of a canary, before scaling.
pub(super) const CANARY: Duration = Duration::from_secs(5);

/// How much later than a canary the answer to what was asked before it may come.
const LATE: Duration = Duration::from_secs(1);

/// The watch that reports a target which is dead or deaf.
const STAYS_ALIVE: &str = "robustness/liveness/stays-alive";

/// The watch that reports a request without an answer.
const EXACTLY_ONE: &str = "jsonrpc/response/exactly-one";

/// One target during a run.
pub(super) struct Session {
    pub(super) suite: Arc<Suite>,
    pub(super) target: Target,
    pub(super) survey: Survey,
    pub(super) ids: IdSource,
    pub(super) seed: u64,
    pub(super) credentials: Credentials,
    pub(super) defaults: Defaults,
    /// Links that rows are done with.
    pub(super) pool: Pool,
    main: tokio::sync::Mutex<Main>,
    watcher: Mutex<Watcher>,
    blocked: Mutex<Option<Blocked>>,
}

/// The links that shared cases use.
#[derive(Default)]
struct Main {
    current: Option<Arc<Link>>,
    /// Links that hold much and are closed once the rows that began on them are over.
    retired: Vec<Arc<Link>>,
}

/// Why nothing more can be judged on a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Blocked {
    /// The case that found it.
    pub(super) by: String,
    /// `dead` or `deaf`, in words.
    pub(super) how: String,
}

/// What a set-up step expects that says nothing itself.
pub(super) struct Defaults {
    pub(super) result: Matcher,
    pub(super) ack: Matcher,
    pub(super) answer: Matcher,
}

impl Defaults {
    fn new() -> Defaults {
        let compile = |text: &str| {
            let data = read_yaml(text).expect("a constant matcher is YAML");
            Matcher::compile(&data).expect("a constant matcher compiles")
        };
        Defaults {
            result: compile("{ result: {} }"),
            ack: compile("{ ack: {} }"),
            answer: compile("{}"),
        }
    }
}

impl Session {
    pub(super) fn new(
        suite: Arc<Suite>,
        target: Target,
        survey: Survey,
        watcher: Watcher,
        options: &RunOptions,
        credentials: Credentials,
    ) -> Session {
        let blocked = survey.lost.clone().map(|how| Blocked {
            by: STAYS_ALIVE.to_owned(),
            how,
        });
        Session {
            credentials,
            suite,
            target,
            survey,
            ids: IdSource::new(),
            seed: options.seed,
            defaults: Defaults::new(),
            pool: Pool::new(options.jobs),
            main: tokio::sync::Mutex::default(),
            watcher: Mutex::new(watcher),
            blocked: Mutex::new(blocked),
        }
    }

    /// The transport.
    pub(super) fn transport(&self) -> Transport {
        self.target.transport()
    }

    /// What conditions are decided by.
    pub(super) fn conditions(&self) -> Conditions<'_> {
        Conditions {
            survey: &self.survey,
            transport: self.transport(),
            stoppable: self.target.is_stoppable(),
            credentials: &self.credentials,
            permit: self.target.permit(),
        }
    }

    /// Sources that depend on the target alone.
    pub(super) fn scope(&self) -> TargetScope<'_> {
        TargetScope {
            survey: &self.survey,
            url: self.target.url(),
            other_urls: self.target.other_urls(),
            ids: &self.ids,
            credentials: &self.credentials,
        }
    }

    /// What is the same for everything that is sent.
    pub(super) fn surroundings(&self, origin: &Arc<str>) -> Surroundings<'_> {
        Surroundings {
            transport: self.transport(),
            url: self.target.url(),
            headers: &self.target.options().headers,
            tools: &self.survey.tools,
            origin: Arc::clone(origin),
        }
    }

    /// A limit as `--timeout` scales it.
    pub(super) fn scaled(&self, limit: Duration) -> Duration {
        let factor = self.target.options().timeout.as_secs_f64() / USUAL_TIMEOUT.as_secs_f64();
        limit.mul_f64(factor)
    }

    /// When a limit on a link is over. A fresh process gets twice the measured start-up time on top.
    pub(super) fn deadline(&self, journal: &Journal, limit: Duration) -> Instant {
        Instant::now() + self.scaled(limit) + self.grace(journal)
    }

    /// What a process may take on top of every limit until its first message has come.
    pub(super) fn grace(&self, journal: &Journal) -> Duration {
        if self.is_starting(journal) {
            self.target.startup() * 2
        } else {
            Duration::ZERO
        }
    }

    /// Whether a process has not answered anything yet, so that it may still be about to begin.
    pub(super) fn is_starting(&self, journal: &Journal) -> bool {
        self.transport() == Transport::Stdio
            && journal.read(|transcript| {
                transcript
                    .exchanges()
                    .all(|(_, exchange)| exchange.responses == 0)
            })
    }

    /// The link that shared cases use; a new one where there is none yet, the old one is over, or holds much.
    pub(super) async fn main(&self) -> Result<Arc<Link>, OpenError> {
        let mut main = self.main.lock().await;
        self.close_unused(&mut main.retired).await;
        if let Some(link) = main.current.take() {
            let is_over = link
                .journal()
                .read(|transcript| transcript.exit().is_some());
            if is_over {
                self.close(&link).await;
            } else if link.journal().kept() > MAX_KEPT {
                main.retired.push(link);
            } else {
                main.current = Some(Arc::clone(&link));
                return Ok(link);
            }
        }
        let link = Arc::new(self.target.open("main", false).await?);
        main.current = Some(Arc::clone(&link));
        Ok(link)
    }

    /// Gives the shared link up, so that the next case gets a fresh one.
    pub(super) async fn forsake_main(&self, link: &Arc<Link>) {
        let mut main = self.main.lock().await;
        if main
            .current
            .as_ref()
            .is_some_and(|current| Arc::ptr_eq(current, link))
        {
            main.current = None;
            self.close(link).await;
        }
    }

    /// Closes those of the links that no row uses any more.
    async fn close_unused(&self, links: &mut Vec<Arc<Link>>) {
        for link in links.extract_if(.., |link| Arc::strong_count(link) == 1) {
            self.close(&link).await;
        }
    }

    /// Closes a link and lets the watches look at what passed on it.
    pub(super) async fn close(&self, link: &Link) {
        link.journal()
            .write(|transcript, now| transcript.give_up(now));
        link.connection().close().await;
        link.journal().read(|transcript| self.look(transcript));
    }

    /// Closes every link: those that wait for a row, the shared one, and those that were before it.
    pub(super) async fn close_all(&self) {
        self.close_pool().await;
        let Main { current, retired } = std::mem::take(&mut *self.main.lock().await);
        for link in current.into_iter().chain(retired) {
            self.close(&link).await;
        }
    }

    /// Lets the watches look at a link that is over.
    pub(super) fn look(&self, transcript: &Transcript) {
        let conditions = self.conditions();
        let scope = self.scope();
        let holds = |condition: &Condition| conditions.holds(condition);
        self.lock_watcher()
            .look(transcript, &scope, self.suite.shapes(), &holds);
    }

    /// Takes the watches out, to read what they found.
    pub(super) fn take_watcher(&self) -> Watcher {
        std::mem::replace(&mut *self.lock_watcher(), Watcher::new(Vec::new()))
    }

    /// Why a request for a method cannot show anything but what the survey has seen already, if so.
    pub(super) fn unanswered(&self, method: &str) -> Option<Blocked> {
        let unanswered = self.survey.unanswered.get(method)?;
        let by = if unanswered.served_after {
            EXACTLY_ONE
        } else {
            STAYS_ALIVE
        };
        Some(Blocked {
            by: by.to_owned(),
            how: unanswered.how.clone(),
        })
    }

    /// Why nothing more can be judged, if so.
    pub(super) fn blocked(&self) -> Option<Blocked> {
        self.blocked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Nothing more can be judged, and this case is why. Only the first reason counts.
    pub(super) fn block(&self, by: &str, how: String) {
        let mut blocked = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        blocked.get_or_insert(Blocked {
            by: by.to_owned(),
            how,
        });
    }

    /// Finds out whether the target still serves after an exchange ended without an answer, records it for the watches,
    /// and blocks what follows if it does not.
    pub(super) async fn check_alive(&self, link: &Arc<Link>, exchange: ExchangeId, case: &str) {
        let ended = link
            .journal()
            .read(|transcript| transcript.exit().is_some());
        let was_starting = self.is_starting(link.journal());
        let (served, serves) = match self.transport() {
            Transport::Stdio => self.process_serves(link, ended).await,
            Transport::Http => {
                let served = self.answers_afresh().await;
                (served, served || self.answers_afresh().await)
            }
        };
        link.journal()
            .write(|transcript, _| transcript.served_after(exchange, served));
        if served {
            if was_starting {
                // A process that began late read all that waited for it at once, and may have answered the canary first.
                let answered = |transcript: &Transcript| transcript.exchange(exchange).answered_at;
                link.journal().wait(Instant::now() + LATE, answered).await;
            }
            return;
        }
        self.forsake_main(link).await;
        if serves {
            return;
        }
        let how = match self.target.epitaph().await {
            Some(epitaph) => epitaph,
            None if ended => "the server no longer starts or serves".to_owned(),
            None => "the server no longer answers".to_owned(),
        };
        // Nobody is there to be harmed by what a refused connection did not even take.
        let refused = link.journal().read(|transcript| {
            matches!(
                transcript.exchange(exchange).ended,
                Some((_, End::Refused(_)))
            )
        });
        self.block(if refused { STAYS_ALIVE } else { case }, how);
    }

    /// Whether this process still answers, and whether a fresh one does.
    ///
    /// A machine that became busy makes starts slow, which is no fault of the server: a process without a word yet has as long
    /// as a start may take, and if a fresh one takes longer than any before it, this one is asked again.
    async fn process_serves(&self, link: &Arc<Link>, ended: bool) -> (bool, bool) {
        let limit = if self.is_starting(link.journal()) {
            self.start_limit()
        } else {
            CANARY
        };
        if !ended && self.answers(link, limit).await {
            return (true, true);
        }
        let expected = self.target.startup();
        let serves = self.answers_afresh().await;
        let slower = self.target.startup() > expected;
        let served = !ended && serves && slower && self.answers(link, CANARY).await;
        (served, serves)
    }

    /// Whether a fresh link gets an answer. A process has as long as the survey gave the first one.
    async fn answers_afresh(&self) -> bool {
        let Ok(link) = self.target.open("canary", true).await else {
            return false;
        };
        let opened = Instant::now();
        let limit = match self.transport() {
            Transport::Stdio => self.start_limit(),
            Transport::Http => CANARY,
        };
        let answers = self.answers(&link, limit).await;
        if answers {
            self.target.started_within(opened.elapsed());
        }
        self.close(&link).await;
        answers
    }

    /// How long a process may take to its first answer.
    fn start_limit(&self) -> Duration {
        CANARY.max(self.target.options().startup_timeout)
    }

    /// Whether a plain `server/discover` on this link gets an answer in time.
    async fn answers(&self, link: &Link, limit: Duration) -> bool {
        match self.ask_canary(link, &Arc::from("canary")).await {
            Some(id) => self.is_answered(link, id, limit).await,
            None => false,
        }
    }

    /// Sends a plain `server/discover` on this link, and gives it unless the link is over.
    pub(super) async fn ask_canary(&self, link: &Link, origin: &Arc<str>) -> Option<ExchangeId> {
        let whole = WholeRequest::new("server/discover", Value::Object(Object::new()));
        let around = self.surroundings(origin);
        let composed = draft::request(&whole, self.ids.next_id(), &Departures::default(), &around);
        let outgoing = composed.outgoing(SentKind::Request, WriteMode::Whole, false, &around);
        link.send(outgoing).await.ok()
    }

    /// Whether something that was sent is answered before this limit is over.
    pub(super) async fn is_answered(&self, link: &Link, id: ExchangeId, limit: Duration) -> bool {
        let deadline = self.deadline(link.journal(), limit);
        let settled = |transcript: &Transcript| {
            let exchange = transcript.exchange(id);
            let over = exchange.ended.is_some() || transcript.exit().is_some();
            (exchange.answered_at.is_some() || over).then_some(exchange.answered_at.is_some())
        };
        let settled = link.journal().wait(deadline, settled).await;
        settled.unwrap_or(false)
    }

    fn lock_watcher(&self) -> std::sync::MutexGuard<'_, Watcher> {
        self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
