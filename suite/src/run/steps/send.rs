//! `send`.

use std::time::Duration;

use mcpspec_wire::{Object, Value};

use crate::case::{Send, Step, WriteHow};
use crate::config::WholeRequest;
use crate::judge::{Moment, StepClass};
use crate::matcher::Matcher;
use crate::template::{Resolved, Template, duration};
use crate::transcript::{Era, ExchangeId, HeaderLine, SentKind};
use crate::transport::{Outgoing, WriteMode, spare_unmarked};

use super::super::draft::{self, Departures};
use super::super::row::{Flow, LegacySession, Row, StepError};
use super::settle::closed;

/// How long an answer may take.
pub(in super::super) const ANSWER: Duration = Duration::from_secs(10);

/// How long the acknowledgement of a subscription may take.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(5);

/// How long a shell command of a trigger may take.
const COMMAND: Duration = Duration::from_secs(30);

/// What a `send` comes to.
pub(in super::super) struct Request {
    pub(in super::super) whole: WholeRequest,
    /// How long the target says that it takes.
    lasts: Duration,
}

impl Request {
    /// The usual limit for its answer.
    pub(super) fn usual_limit(&self) -> Duration {
        match self.whole.method.as_str() {
            "subscriptions/listen" => ACKNOWLEDGEMENT,
            _ => ANSWER + self.lasts,
        }
    }

    /// The same with another request.
    pub(super) fn with(&self, whole: WholeRequest) -> Request {
        Request {
            whole,
            lasts: self.lasts,
        }
    }

    pub(super) fn is_listen(&self) -> bool {
        self.whole.method == "subscriptions/listen"
    }
}

/// What a `send` sends.
pub(in super::super) enum What {
    Request(Request),
    /// It runs the shell command of a trigger.
    Command(String),
}

impl<'a> Row<'a> {
    pub(in super::super) async fn send(
        &mut self,
        step: &'a Step,
        send: &'a Send,
    ) -> Result<Flow, StepError> {
        let request = match self.what(&send.what)? {
            What::Request(request) => request,
            What::Command(command) => {
                run_command(&command).await?;
                return Ok(Flow::Next);
            }
        };
        if let Some(repeat) = &send.repeat {
            return self.send_repeated(step, send, request, repeat).await;
        }
        let limit = self.limit(step, request.usual_limit())?;
        let began = self.length(&step.link);
        let id = match self.send_once(step, send, &request.whole).await {
            Ok(id) => id,
            Err(error) if error.is_closed() => {
                let due = (!send.open).then_some(&self.session.defaults.answer);
                return self.judge_closed(step, due);
            }
            Err(error) => return Err(error),
        };
        let journal = self.link(&step.link).await?;
        let deadline = self.session.deadline(journal.journal(), limit);
        if send.open {
            self.leave_open(step, id, deadline, began);
            return Ok(Flow::Next);
        }
        let value = self
            .await_outcome(&step.link, id, deadline, Moment::Sending)
            .await?;
        self.remember_legacy(&step.link, send, &value);
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            vec![id],
            value.clone(),
            began,
        );
        let implied = self.implied(request.is_listen());
        Ok(self.judge_step(step, &value, StepClass::Request, Some(implied)))
    }

    /// Composes the request afresh, with an id of its own, and sends it.
    pub(super) async fn send_once(
        &mut self,
        step: &Step,
        send: &Send,
        whole: &WholeRequest,
    ) -> Result<ExchangeId, StepError> {
        if let Some(blocked) = self.session.unanswered(&whole.method) {
            return Err(StepError::Blocked(blocked));
        }
        let departures = self.departures_of_send(send)?;
        let outgoing = self.compose(step, send, whole, &departures);
        self.dispatch(&step.link, outgoing).await
    }

    pub(in super::super) fn compose(
        &self,
        step: &Step,
        send: &Send,
        whole: &WholeRequest,
        departures: &Departures,
    ) -> Outgoing {
        let around = self.session.surroundings(&self.origin);
        let id = self.session.ids.next_id();
        let composed = match send.era {
            Era::Modern => draft::request(whole, id, departures, &around),
            Era::Legacy => draft::legacy(
                &whole.method,
                Some(id),
                departures,
                self.legacy_headers(&step.link),
                &around,
            ),
        };
        composed.outgoing(
            SentKind::Request,
            write_mode(send.write),
            send.write == Some(WriteHow::CrLf),
            &around,
        )
    }

    /// Judges a step whose link was over before it could send. `due` is what it takes for a set-up step to be met, if anything.
    pub(super) fn judge_closed(
        &mut self,
        step: &'a Step,
        due: Option<&Matcher>,
    ) -> Result<Flow, StepError> {
        let is_flooded = self
            .opened(&step.link)
            .is_some_and(|link| link.journal().read(|transcript| transcript.is_flooded()));
        if is_flooded {
            return Err(StepError::Other(
                "the process was ended, since it wrote more than mcpspec keeps".to_owned(),
            ));
        }
        let value = closed();
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            Vec::new(),
            value.clone(),
            0,
        );
        Ok(self.judge_step(step, &value, StepClass::Request, due))
    }

    /// What is sent: a method, a whole request, or the shell command of a trigger.
    pub(in super::super) fn what(&self, template: &Template) -> Result<What, StepError> {
        let request = |whole, lasts| What::Request(Request { whole, lasts });
        match template.resolve(&self.scope())? {
            Resolved::Value(Value::String(method)) => Ok(request(
                WholeRequest::new(method, Value::Object(Object::new())),
                Duration::ZERO,
            )),
            Resolved::Value(value) => match value.get("command").and_then(Value::as_str) {
                Some(command) => Ok(What::Command(command.to_owned())),
                None => {
                    let lasts = value
                        .get("lasts")
                        .map(duration)
                        .transpose()?
                        .unwrap_or_default();
                    whole_of(&value)
                        .map(|whole| request(whole, lasts))
                        .ok_or_else(|| StepError::Other(format!("{value} is no whole request")))
                }
            },
            _ => Err(StepError::Other("there is nothing to send".to_owned())),
        }
    }

    /// The headers that an older revision's session adds on a link.
    pub(super) fn legacy_headers(&self, link: &str) -> Vec<HeaderLine> {
        self.legacy
            .get(link)
            .map(|session| session.headers.clone())
            .unwrap_or_default()
    }

    /// After an answered `initialize`: version and session of what follows on this link.
    fn remember_legacy(&mut self, link: &str, send: &Send, value: &Value) {
        if send.era != Era::Legacy
            || send.what.literal() != Some("initialize")
            || value.get("result").is_none()
        {
            return;
        }
        let mut headers = Vec::new();
        if let Some(version) = value
            .pointer("/result/protocolVersion")
            .and_then(Value::as_str)
        {
            headers.push(HeaderLine::new("MCP-Protocol-Version", version));
        }
        if let Some(session) = value
            .pointer("/headers/mcp-session-id")
            .and_then(Value::as_str)
        {
            headers.push(HeaderLine::new("Mcp-Session-Id", session));
        }
        self.legacy
            .insert(link.to_owned(), LegacySession { headers });
    }
}

/// A whole request from its value.
pub(super) fn whole_of(value: &Value) -> Option<WholeRequest> {
    Some(WholeRequest {
        method: value.get("method")?.as_str()?.to_owned(),
        params: value
            .get("params")
            .cloned()
            .unwrap_or_else(|| Value::Object(Object::new())),
        capabilities: value.get("capabilities").cloned(),
        header: value
            .get("header")
            .and_then(Value::as_str)
            .map(str::to_owned),
        label: None,
    })
}

pub(super) fn write_mode(write: Option<WriteHow>) -> WriteMode {
    match write {
        Some(WriteHow::Pieces) => WriteMode::Pieces,
        Some(WriteHow::WithNext) => WriteMode::WithNext,
        Some(WriteHow::CrLf) | None => WriteMode::Whole,
    }
}

/// Runs the shell command of a trigger to its end.
async fn run_command(command: &str) -> Result<(), StepError> {
    spare_unmarked();
    let mut process = tokio::process::Command::new("sh");
    process
        .arg("-c")
        .arg(command)
        .kill_on_drop(true)
        .stdin(std::process::Stdio::null());
    process
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    let failed = |problem: String| StepError::Other(format!("the command `{command}` {problem}"));
    match tokio::time::timeout(COMMAND, process.status()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(failed(format!("ended with {status}"))),
        Ok(Err(error)) => Err(failed(format!("could not be run: {error}"))),
        Err(_) => Err(failed(format!(
            "was still running after {}s",
            COMMAND.as_secs()
        ))),
    }
}
