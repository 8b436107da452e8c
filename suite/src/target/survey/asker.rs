//! Asking a target something and waiting for what it says.

use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::{Object, Value};
use tokio::time::Instant;

use crate::config::WholeRequest;
use crate::spec::Transport;
use crate::target::{IdSource, Link, LinkError, OpenError, Target, request};
use crate::transcript::{End, ExchangeId, ExitStatus, Head, HeaderLine, Inbound, Transcript, What};
use crate::transport::{Journal, Outgoing};

use super::Unanswered;

/// How many requests may go unanswered before nothing more is asked.
const MAX_SILENT: usize = 2;

/// How long a process may take to be seen to have ended after it closed its input or output.
const EXIT: Duration = Duration::from_secs(1);

/// A link of the survey.
pub(super) struct Asker<'a> {
    target: &'a Target,
    link: Link,
    ids: IdSource,
    /// When the link was opened.
    opened: Instant,
    silent: usize,
    /// Whether what gets no answer in time stays as it is, instead of being withdrawn.
    patient: bool,
    /// Links that were given up because their process had ended, or answered no more.
    lost: Vec<Arc<Journal>>,
    /// Definitions that say which arguments are mirrored.
    pub(super) tools: Vec<Value>,
}

/// What came for a request.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) what: Said,
    /// What was sent, if it was.
    pub(super) exchange: Option<ExchangeId>,
    /// HTTP: status and headers, if they came.
    pub(super) head: Option<Arc<Head>>,
    /// From the opening of the link to the answer.
    pub(super) since_opened: Duration,
}

/// What a target said.
#[derive(Debug, Clone)]
pub(super) enum Said {
    Result(Value),
    Error(Value),
    /// An acknowledgement of a subscription.
    Acknowledged,
    /// Something else than a JSON-RPC answer, as text.
    Other(String),
    /// Nothing in time.
    Silent,
    /// The process ended.
    Exited(ExitStatus),
    /// No connection could be made.
    Refused(String),
    /// The connection broke.
    CutOff(String),
    /// More came than is kept, perhaps without an end.
    Flood,
    /// A message of so many bytes, which is more than one may have.
    TooLarge(u64),
    /// JSON of more levels or values than are read.
    Unreadable,
    /// It was not sent, since the gate forbids it.
    Forbidden,
}

impl<'a> Asker<'a> {
    pub(super) async fn open(target: &'a Target, name: &str) -> Result<Asker<'a>, OpenError> {
        let link = target.open(name, true).await?;
        let opened = Instant::now();
        Ok(Asker {
            target,
            link,
            ids: IdSource::new(),
            opened,
            silent: 0,
            patient: false,
            lost: Vec::new(),
            tools: Vec::new(),
        })
    }

    /// Asks for something and waits as long as an answer may take.
    pub(super) async fn ask(&mut self, whole: &WholeRequest) -> Answer {
        let within = self.target.options().timeout;
        self.ask_unless_deaf(whole, within).await
    }

    /// Calls a tool and waits so long. One that gives no answer says nothing of the target, which is asked on if it still answers.
    pub(super) async fn ask_of_a_tool(&mut self, whole: &WholeRequest, within: Duration) -> Answer {
        let silent = self.silent;
        let answer = self.ask_unless_deaf(whole, within).await;
        if self.silent > silent && self.answers_discovery().await {
            self.silent = silent;
        }
        answer
    }

    async fn ask_unless_deaf(&mut self, whole: &WholeRequest, mut within: Duration) -> Answer {
        if self.silent >= MAX_SILENT {
            return Answer {
                since_opened: Duration::ZERO,
                ..self.without_answer(Said::Silent)
            };
        }
        if self.has_ended() {
            if let Err(error) = self.renew().await {
                return self.without_answer(Said::Refused(error.to_string()));
            }
            within += self.target.options().startup_timeout;
        }
        let answer = self.ask_within(whole, within).await;
        if matches!(answer.what, Said::Silent) {
            self.silent += 1;
        }
        answer
    }

    /// Asks for something that no server may leave unanswered, as long as it lives. What comes of it if it is left so is for
    /// the watches to judge, too.
    pub(super) async fn demand(&mut self, whole: &WholeRequest) -> Result<Answer, Unanswered> {
        self.patient = true;
        let answer = self.ask(whole).await;
        self.patient = false;
        let Some(exchange) = answer.exchange else {
            return Ok(answer);
        };
        let method = &whole.method;
        let how = match &answer.what {
            Said::Silent => {
                let within = self.target.options().timeout.as_secs_f64();
                format!("a plain {method} got no answer within {within} s")
            }
            Said::Exited(status) => format!("a plain {method} ended the process with {status}"),
            Said::CutOff(problem) | Said::Refused(problem) => {
                format!("a plain {method} got no answer: {problem}")
            }
            // The status of an HTTP refusal is an answer, whatever its body.
            Said::Other(_) if answer.head.as_ref().is_none_or(|head| head.status < 400) => {
                format!("a plain {method} got something else than an answer")
            }
            _ => return Ok(answer),
        };
        let journal = self.link.journal().clone();
        let served_after = self.still_serves().await;
        journal.write(|transcript, _| transcript.served_after(exchange, served_after));
        Err(Unanswered { how, served_after })
    }

    /// Whether the link still answers. If not, it is replaced by a fresh one.
    async fn still_serves(&mut self) -> bool {
        let serves = !self.has_ended() && self.answers_discovery().await;
        if !serves {
            self.silent = 0;
            // That it cannot be opened any more shows at its next use.
            let _ = self.renew().await;
        }
        serves
    }

    /// Whether the link answers `server/discover`, with whatever.
    pub(super) async fn answers_discovery(&self) -> bool {
        let whole = WholeRequest::new("server/discover", Value::Object(Object::new()));
        let mut within = self.target.options().timeout;
        if self.target.url().is_none() {
            within += self.target.options().startup_timeout;
        }
        let answer = self.ask_within(&whole, within).await;
        matches!(answer.what, Said::Result(_) | Said::Error(_))
    }

    fn has_ended(&self) -> bool {
        self.link
            .journal()
            .read(|transcript| transcript.exit().is_some())
    }

    /// Opens a subscription that stays open. None: the server does not acknowledge it.
    pub(super) async fn listen(
        &self,
        whole: &WholeRequest,
        within: Duration,
    ) -> Option<ExchangeId> {
        let (exchange, deadline) = self.post(self.plain(whole), within).await.ok()?;
        let journal = self.link.journal();
        let what = journal
            .wait(deadline, |transcript| said(transcript, exchange))
            .await;
        if matches!(what, Some(Said::Acknowledged)) {
            return Some(exchange);
        }
        let is_open = journal.read(|transcript| transcript.exchange(exchange).is_open());
        if is_open {
            self.give_up(exchange).await;
        }
        None
    }

    /// How long an answer may take.
    pub(super) fn timeout(&self) -> Duration {
        self.target.options().timeout
    }

    /// What the link has seen so far.
    pub(super) fn journal(&self) -> &Arc<Journal> {
        self.link.journal()
    }

    /// Goes on with a fresh link.
    async fn renew(&mut self) -> Result<(), OpenError> {
        let fresh = self.target.open("survey", true).await?;
        let old = std::mem::replace(&mut self.link, fresh);
        self.lost.push(old.journal().clone());
        old.connection().close().await;
        Ok(())
    }

    /// Asks for something and waits so long.
    pub(super) async fn ask_within(&self, whole: &WholeRequest, within: Duration) -> Answer {
        self.send(self.plain(whole), within).await
    }

    /// The same, but not beyond `until`, even if it is held back so long that it cannot be sent before.
    pub(super) async fn ask_until(
        &self,
        whole: &WholeRequest,
        within: Duration,
        until: Instant,
    ) -> Answer {
        match tokio::time::timeout_at(until, self.post(self.plain(whole), within)).await {
            Ok(Ok((exchange, deadline))) => self.wait(exchange, deadline.min(until)).await,
            Ok(Err(why)) => self.without_answer(why),
            Err(_) => self.without_answer(Said::Silent),
        }
    }

    /// A whole request as a conforming one.
    fn plain(&self, whole: &WholeRequest) -> Outgoing {
        let nothing = Value::Object(Object::new());
        let capabilities = whole.capabilities.as_ref().unwrap_or(&nothing);
        let id = self.ids.next_id();
        request::conforming(
            self.target,
            id,
            &whole.method,
            &whole.params,
            capabilities,
            &self.tools,
        )
    }

    /// Asks as older revisions begin.
    pub(super) async fn initialize(&self, version: &str, within: Duration) -> Answer {
        self.send(
            request::initialize(self.target, self.ids.next_id(), version),
            within,
        )
        .await
    }

    /// `server/discover` with this value of Authorization, or none, in place of the configured one.
    pub(super) async fn discover_as(&self, who: Option<&str>, within: Duration) -> Answer {
        let nothing = Value::Object(Object::new());
        let id = self.ids.next_id();
        let mut outgoing =
            request::conforming(self.target, id, "server/discover", &nothing, &nothing, &[]);
        if let (Some(http), Some(sent)) = (&mut outgoing.http, &mut outgoing.sent.http) {
            http.headers
                .retain(|line| !line.name.eq_ignore_ascii_case("authorization"));
            http.headers
                .extend(who.map(|value| HeaderLine::new("Authorization", value.as_bytes())));
            sent.headers = http.headers.clone();
        }
        self.send(outgoing, within).await
    }

    /// The last lines of the link's process on standard error.
    pub(super) fn stderr_tail(&self) -> Vec<String> {
        self.link.connection().stderr_tail()
    }

    /// The first line that came and belongs to no request, as text.
    pub(super) fn first_stray(&self) -> Option<String> {
        self.link.journal().read(|transcript| {
            let mut entries = transcript.entries().iter();
            entries.find_map(|entry| match (&entry.what, entry.exchange) {
                (What::Line(inbound), None) => Some(shown(inbound)),
                _ => None,
            })
        })
    }

    /// Closes the link and gives the journals of all that were opened.
    pub(super) async fn close(self) -> Vec<Arc<Journal>> {
        self.link
            .journal()
            .write(|transcript, now| transcript.give_up(now));
        self.link.connection().close().await;
        let mut journals = self.lost;
        journals.push(self.link.journal().clone());
        journals
    }

    async fn send(&self, outgoing: Outgoing, within: Duration) -> Answer {
        match self.post(outgoing, within).await {
            Ok((exchange, deadline)) => self.wait(exchange, deadline).await,
            Err(why) => self.without_answer(why),
        }
    }

    /// Sends something without waiting for an answer, or says what hindered it. Gives also when the time for an answer is over.
    async fn post(
        &self,
        outgoing: Outgoing,
        within: Duration,
    ) -> Result<(ExchangeId, Instant), Said> {
        let (sent, deadline) = match self.target.transport() {
            Transport::Stdio => {
                // A process that does not read holds the sending up.
                let deadline = Instant::now() + within;
                let sent = tokio::time::timeout_at(deadline, self.link.send(outgoing)).await;
                (sent, deadline)
            }
            // The request may be held back, which is not the server's time.
            Transport::Http => (Ok(self.link.send(outgoing).await), Instant::now() + within),
        };
        match sent {
            Ok(Ok(exchange)) => Ok((exchange, deadline)),
            Ok(Err(LinkError::Permit(_))) => Err(Said::Forbidden),
            Ok(Err(LinkError::Send(error))) => {
                let exit = self.link.journal().read(|transcript| transcript.exit());
                Err(match exit {
                    Some((_, status)) => Said::Exited(status),
                    None => Said::Refused(error.to_string()),
                })
            }
            Err(_) => Err(Said::Silent),
        }
    }

    async fn wait(&self, exchange: ExchangeId, deadline: Instant) -> Answer {
        let journal = self.link.journal();
        let mut what = journal
            .wait(deadline, |transcript| said(transcript, exchange))
            .await;
        if matches!(what, Some(Said::CutOff(_))) && self.target.url().is_none() {
            // A process that no longer reads has mostly ended, and how says more.
            let exited = |transcript: &Transcript| transcript.exit().map(|(_, status)| status);
            let status = journal.wait(Instant::now() + EXIT, exited).await;
            what = status.map(Said::Exited).or(what);
        }
        let is_open = journal.read(|transcript| transcript.exchange(exchange).ended.is_none());
        if what.is_none() && self.patient {
            journal.write(|transcript, now| transcript.expired(now, exchange));
        } else if what.is_none() || matches!(what, Some(Said::Acknowledged)) && is_open {
            self.give_up(exchange).await;
        }
        let head = journal.read(|transcript| {
            transcript
                .entries_of(exchange)
                .find_map(|(_, entry)| match &entry.what {
                    What::Head(head) => Some(head.clone()),
                    _ => None,
                })
        });
        let unread = || journal.read(|transcript| lost(transcript, exchange));
        Answer {
            what: what.or_else(unread).unwrap_or(Said::Silent),
            exchange: Some(exchange),
            head,
            since_opened: self.opened.elapsed(),
        }
    }

    /// Ends a request from this side, as each transport has it.
    pub(super) async fn give_up(&self, exchange: ExchangeId) {
        let id = self
            .link
            .journal()
            .read(|transcript| transcript.exchange(exchange).sent.id().cloned());
        self.link.connection().cancel(exchange).await;
        if let (Some(id), None) = (id, self.target.url()) {
            // A process that is gone needs no notice.
            let _ = self.link.send(request::cancelled(self.target, id)).await;
        }
    }

    fn without_answer(&self, what: Said) -> Answer {
        Answer {
            what,
            exchange: None,
            head: None,
            since_opened: self.opened.elapsed(),
        }
    }
}

/// What a target has said so far, if it is enough.
fn said(transcript: &Transcript, exchange: ExchangeId) -> Option<Said> {
    let entries = || {
        transcript
            .entries_of(exchange)
            .map(|(_, entry)| &entry.what)
    };
    let inbounds = || {
        entries().filter_map(|what| match what {
            What::Line(inbound) | What::Body(inbound) | What::Event { inbound, .. } => {
                Some(inbound)
            }
            _ => None,
        })
    };
    let answer = inbounds()
        .filter(|inbound| beyond_reading(inbound).is_none())
        .filter_map(|inbound| inbound.decoded.value.as_ref())
        .find_map(|message| {
            let is_acknowledgement = message.get("method").and_then(Value::as_str)
                == Some("notifications/subscriptions/acknowledged");
            let acknowledged = is_acknowledgement.then_some(Said::Acknowledged);
            let result = || message.get("result").cloned().map(Said::Result);
            let error = || message.get("error").cloned().map(Said::Error);
            acknowledged.or_else(result).or_else(error)
        });
    if answer.is_some() {
        return answer;
    }
    match &transcript.exchange(exchange).ended {
        Some((_, End::Refused(problem))) => return Some(Said::Refused(problem.clone())),
        Some((_, End::CutOff(problem))) if transcript.exit().is_none() => {
            return Some(Said::CutOff(problem.clone()));
        }
        Some((_, End::TooLarge)) => {
            return Some(Said::Flood);
        }
        Some((_, End::Complete)) => {
            if let Some(beyond) = inbounds().find_map(|inbound| beyond_reading(inbound)) {
                return Some(beyond);
            }
            return Some(Said::Other(
                inbounds().map(|inbound| shown(inbound)).collect(),
            ));
        }
        _ => {}
    }
    transcript.exit().map(|(_, status)| Said::Exited(status))
}

/// A message after a request that may be its answer, if one could read it.
fn lost(transcript: &Transcript, exchange: ExchangeId) -> Option<Said> {
    let sent = *transcript.exchange(exchange).entries.first()?;
    let later = transcript.entries().iter().skip(sent + 1);
    later
        .filter(|entry| entry.exchange.is_none_or(|owner| owner == exchange))
        .find_map(|entry| match &entry.what {
            What::Line(inbound) => beyond_reading(inbound),
            _ => None,
        })
}

/// What a message is that is larger or deeper than what is read.
fn beyond_reading(inbound: &Inbound) -> Option<Said> {
    if inbound.is_beyond_limits() {
        return Some(Said::Unreadable);
    }
    inbound.is_cut().then_some(Said::TooLarge(inbound.len))
}

fn shown(inbound: &Inbound) -> String {
    inbound.beginning(200)
}
