//! The model of a case. It holds what the file says; what it means is `run`'s and `judge`'s.

use std::sync::Arc;

use crate::matcher::Matcher;
use crate::spec::Transport;
use crate::template::{Data, Location, Template};
use crate::transcript::Era;
use crate::verdict::Grade;

/// Members of an outcome that only HTTP has; on stdio a matcher that names them is not held to them.
pub const HTTP_MEMBERS: &[&str] = &[
    "status",
    "headers",
    "type",
    "challenge",
    "events",
    "ended_after",
];

/// One case file.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its path under `cases/` without `.yaml`.
    pub id: String,
    /// The file as users know it: `cases/http/origin/invalid-403.yaml`.
    pub file: Arc<str>,
    /// What a keeping server does.
    pub summary: String,
    /// Requirements that the case decides, with their places.
    pub requirements: Vec<(String, Location)>,
    /// Why anyone cares.
    pub why: Option<String>,
    /// Where it applies.
    pub transports: Vec<Transport>,
    /// All hold, or the case is not applicable.
    pub needs: Vec<Condition>,
    /// Ids that the case had before it was moved.
    pub formerly: Vec<String>,
    /// Steps or a watch.
    pub body: Body,
}

/// What a case does.
#[derive(Debug, Clone)]
pub enum Body {
    /// It has a stimulus of its own.
    Steps(Steps),
    /// It judges what passes while other cases run.
    Watch(Watch),
    /// It compares what was learned of one server over both transports.
    Compare,
}

/// A case with steps.
#[derive(Debug, Clone)]
pub struct Steps {
    /// What surrounds it.
    pub isolation: Isolation,
    /// Links on which nothing may have been sent before.
    pub fresh: Vec<String>,
    /// clientCapabilities of every request that does not set its own.
    pub capabilities: Option<Data>,
    /// Rows over which it is repeated; without, one row.
    pub each: Option<Each>,
    /// The steps in order.
    pub steps: Vec<Step>,
}

/// A case without a stimulus.
#[derive(Debug, Clone)]
pub struct Watch {
    /// What it looks at.
    pub kind: WatchKind,
    /// Which of them.
    pub filter: Option<Matcher>,
    /// What is judged of each.
    pub judged: Judged,
    /// Whether nothing seen means held (`unseen: held`).
    pub unseen_held: bool,
}

/// What a watch looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchKind {
    /// Every message of the server.
    Message,
    /// Those with a result.
    Result,
    /// Those with an error.
    Error,
    /// Notifications.
    Notification,
    /// Everything sent, once it is over.
    Exchange,
    /// Every line on standard output.
    Line,
}

/// How much quiet a case needs around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Isolation {
    /// The run's connection, with other cases interleaved.
    #[default]
    Shared,
    /// A link that no other row uses meanwhile; other cases on theirs.
    Own,
    /// Likewise, once all shared and own cases are over, beside other such cases: for those that change what others look at.
    Last,
    /// Likewise, and nothing beside it that rests on the same triggers.
    Alone,
}

/// A word of the closed list, or its negation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// The word.
    pub word: String,
    /// Whether `not` stands before it.
    pub negated: bool,
    /// Where it stands.
    pub at: Location,
}

/// The table of a repeated case.
#[derive(Debug, Clone)]
pub enum Each {
    /// One variable over a list, which may be a `$(…)`.
    Column {
        /// The variable.
        name: String,
        /// The list.
        list: Data,
    },
    /// Rows that set the same variables, in order; `label` names a row.
    Rows(Vec<Vec<(String, Data)>>),
}

/// `expect` and its alternatives.
#[derive(Debug, Clone)]
pub struct Judged {
    /// What is expected.
    pub expect: Matcher,
    /// What else may come, best first.
    pub alternatives: Vec<Alternative>,
}

/// A graded alternative.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// What it looks like.
    pub matcher: Matcher,
    /// What it is worth.
    pub grade: Grade,
    /// All hold, or it is not considered.
    pub when: Vec<Condition>,
    /// Printed when it matched.
    pub note: Option<String>,
    /// Where it stands.
    pub at: Location,
}

/// One step.
#[derive(Debug, Clone)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// The connection it uses, `main` by default.
    pub link: String,
    /// Name of its outcome (`as:`).
    pub name: Option<String>,
    /// The step is left out unless all hold.
    pub when: Vec<Condition>,
    /// Wait before it.
    pub after: Option<Data>,
    /// Its limit.
    pub within: Option<Data>,
    /// Set-up: unmet, the case is not observed.
    pub given: Option<Matcher>,
    /// `expect` and `else`. The alternatives of `silence` and of `await … some` stand in [`Silence`] and [`Await`].
    pub judged: Option<Judged>,
    /// Where it stands.
    pub at: Location,
}

impl Step {
    /// Its alternatives, wherever they stand.
    pub fn alternatives(&self) -> &[Alternative] {
        match &self.kind {
            StepKind::Silence(silence) => &silence.alternatives,
            StepKind::Await(waited) if waited.some.is_some() => &waited.alternatives,
            _ => self
                .judged
                .as_ref()
                .map_or(&[][..], |judged| &judged.alternatives),
        }
    }

    /// Whether something is judged by it: what it waits for and what it hears are, without an `expect` too.
    pub fn judges(&self) -> bool {
        match &self.kind {
            StepKind::Silence(_) => true,
            StepKind::Await(waited) => waited.some.is_some() || self.judged.is_some(),
            _ => self.judged.is_some(),
        }
    }
}

/// What a step does.
#[derive(Debug, Clone)]
pub enum StepKind {
    /// A conforming request, with departures.
    Send(Box<Send>),
    /// An input-required request once more, with answers.
    Retry(Box<Retry>),
    /// A conforming notification, with departures.
    Notify(Box<Notify>),
    /// Bytes as they are.
    Raw(Box<Raw>),
    /// Any HTTP request.
    Http(Box<Http>),
    /// Waits for something on an open request.
    Await(Box<Await>),
    /// Nothing comes.
    Silence(Box<Silence>),
    /// Ends an open request from the client's side.
    Cancel(Cancel),
    /// Ends the process.
    Stop(Stop),
}

/// `send:`. Members that a file leaves out are `None`; a plain `null` is data that removes.
#[derive(Debug, Clone)]
pub struct Send {
    /// A method, or a `$(…)` that gives a whole request.
    pub what: Template,
    /// Members of params, or what replaces them.
    pub params: Option<Data>,
    /// Members of `_meta` by their short names, or what replaces it.
    pub meta: Option<Data>,
    /// clientCapabilities, whole.
    pub capabilities: Option<Data>,
    /// HTTP header lines.
    pub headers: Option<Data>,
    /// The request id.
    pub id: Option<Data>,
    /// Members beside id and params.
    pub envelope: Option<Data>,
    /// The argument that the tool's first header annotation marks.
    pub marked: Option<Data>,
    /// As which revision it is written.
    pub era: Era,
    /// Whether the case goes on as soon as it is written.
    pub open: bool,
    /// Whether and how it is repeated.
    pub repeat: Option<Repeat>,
    /// stdio: how the bytes are written.
    pub write: Option<WriteHow>,
}

/// `retry:`.
#[derive(Debug, Clone)]
pub struct Retry {
    /// The outcome whose request is sent again.
    pub of: String,
    /// Overlay of the made answers, or what replaces them.
    pub answers: Option<Data>,
    /// What replaces requestState.
    pub state: Option<Data>,
    /// Whether it goes on answering until nothing is asked (`repeat: rounds`).
    pub rounds: bool,
    /// As in [`Send`].
    pub meta: Option<Data>,
    /// As in [`Send`].
    pub capabilities: Option<Data>,
    /// As in [`Send`].
    pub headers: Option<Data>,
    /// As in [`Send`].
    pub id: Option<Data>,
    /// As in [`Send`].
    pub envelope: Option<Data>,
    /// As in [`Send`].
    pub open: bool,
}

/// `notify:`.
#[derive(Debug, Clone)]
pub struct Notify {
    /// The method.
    pub method: Template,
    /// As in [`Send`].
    pub params: Option<Data>,
    /// As in [`Send`].
    pub meta: Option<Data>,
    /// As in [`Send`].
    pub headers: Option<Data>,
    /// As in [`Send`].
    pub envelope: Option<Data>,
    /// As in [`Send`].
    pub era: Era,
    /// As in [`Send`].
    pub write: Option<WriteHow>,
}

/// `raw:`.
#[derive(Debug, Clone)]
pub struct Raw {
    /// The bytes.
    pub text: Template,
    /// HTTP: changes to the headers of a conforming `server/discover`.
    pub headers: Option<Data>,
}

/// `http:`.
#[derive(Debug, Clone)]
pub struct Http {
    /// The HTTP method.
    pub method: Template,
    /// The endpoint by default; a path, a URL, or a list of them tried in turn.
    pub url: Option<Data>,
    /// All header lines.
    pub headers: Option<Data>,
    /// The body.
    pub body: Option<Template>,
}

/// `await:`.
#[derive(Debug, Clone)]
pub struct Await {
    /// Outcomes that are waited for.
    pub names: Vec<String>,
    /// The message waited for; without, the final answer.
    pub some: Option<Matcher>,
    /// With `some`, what else may come of it: `expect` does not exist then, and the step's `judged` is none.
    pub alternatives: Vec<Alternative>,
}

/// `silence:`. Its step's alternatives match one message each; `expect` does not exist.
#[derive(Debug, Clone)]
pub struct Silence {
    /// Outcomes or links on which nothing comes.
    pub names: Vec<String>,
    /// How long from now, 500ms by default.
    pub span: Option<Data>,
    /// How far it looks back.
    pub since: Option<Since>,
    /// What comes in this first part of the span does not count.
    pub grace: Option<Data>,
    /// Only messages that match count.
    pub of: Option<Matcher>,
    /// Graded alternatives.
    pub alternatives: Vec<Alternative>,
}

/// How far `silence` looks back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// To the start of the link.
    Start,
    /// To the beginning of the step with this name.
    Step(String),
}

/// `cancel:`.
#[derive(Debug, Clone)]
pub struct Cancel {
    /// The open request.
    pub of: String,
}

/// `stop:`.
#[derive(Debug, Clone, Copy)]
pub struct Stop {
    /// How.
    pub how: StopHow,
}

/// How a process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopHow {
    /// Its input ends.
    CloseStdin,
    /// SIGTERM.
    Terminate,
    /// SIGKILL.
    Kill,
}

/// How a request is repeated.
#[derive(Debug, Clone)]
pub enum Repeat {
    /// So often, one after another, or with `open` all at once.
    Times(Data),
    /// So often, one each `every`.
    Every {
        /// How often.
        times: Data,
        /// The pause.
        every: Data,
    },
    /// Following nextCursor until it is absent.
    Pages,
    /// Until the outcome matches.
    Until(Matcher),
}

/// stdio: how the bytes of a message are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteHow {
    /// Three chunks, 100 ms apart.
    Pieces,
    /// The line ends in CR LF.
    CrLf,
    /// Kept back and written in one write with the next message.
    WithNext,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{SuiteFile, load_case};

    #[test]
    fn what_a_step_waits_for_is_judged_without_an_expect_and_set_up_is_not() {
        let file = SuiteFile {
            path: "a/b/c.yaml".to_owned(),
            shown: "c.yaml".to_owned(),
            text: "summary: s\nrequirement: x.y\nisolation: own\nsteps:\n  - send: subscriptions/listen\n    as: sub\n  - await: sub\n    some: {}\n  - await: sub\n  - silence: main\n  - send: server/discover\n    expect: {}\n".to_owned(),
        };
        let case = load_case(&file).expect("the case is right");
        let Body::Steps(steps) = &case.body else {
            panic!("it has steps");
        };
        let judged: Vec<bool> = steps.steps.iter().map(Step::judges).collect();
        assert_eq!(judged, [false, true, false, true, true]);
    }
}
