//! Steps: what they need around them, what they send, and that something is judged.

use super::super::{Body, Condition, Isolation, Step, StepKind, StopHow};
use super::ground::Ground;
use crate::matcher::OPERATORS;
use crate::spec::Transport;
use crate::template::{Data, Kind, Location, Placeholder, Problem};

/// Fields whose value is sent.
const SENT: [&str; 11] = [
    "answers",
    "body",
    "capabilities",
    "envelope",
    "headers",
    "id",
    "marked",
    "meta",
    "params",
    "state",
    "url",
];

/// The link of steps that name none.
const MAIN: &str = "main";

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    let Body::Steps(body) = &ground.case.body else {
        return;
    };
    for (step, data) in &ground.steps {
        if body.isolation == Isolation::Shared {
            isolation(ground, step, data, problems);
        }
        transports(ground, step, data, problems);
        marked(step, data, problems);
        unanswered(step, data, problems);
        for field in SENT {
            if let Some(sent) = data.member(field) {
                no_operators(sent, problems);
            }
        }
    }
    for field in ["capabilities", "each"] {
        if let Some(sent) = ground.data.member(field) {
            no_operators(sent, problems);
        }
    }
    if !ground.steps.iter().any(|(step, _)| step.judges()) {
        let at = ground
            .data
            .member("steps")
            .map_or(ground.data.at, |steps| steps.at);
        problems.push(
            Problem::new(at, "no step judges anything")
                .with_help("give a step an `expect`, or end with `silence`"),
        );
    }
}

fn place(data: &Data, field: &str) -> Location {
    data.member(field).map_or(data.at, |data| data.at)
}

/// On stdio these disturb, or are disturbed by, the cases that share the process.
fn isolation(ground: &Ground<'_>, step: &Step, data: &Data, problems: &mut Vec<Problem>) {
    let when: Vec<&Condition> = step.when.iter().collect();
    if !ground.runs_on(Transport::Stdio, &when) {
        return;
    }
    let on_main = step.link == MAIN;
    let sends_on_main = |field: &str| on_main && data.member(field).is_some();
    let token = ["meta", "params"].into_iter().find_map(|field| {
        let meta = data.member(field)?;
        let meta = if field == "params" {
            meta.member("_meta")?
        } else {
            meta
        };
        meta.member("progressToken")
    });
    let found = match &step.kind {
        StepKind::Raw(_) if on_main => Some(("`raw`", place(data, "raw"))),
        StepKind::Stop(_) if on_main => Some(("`stop`", place(data, "stop"))),
        StepKind::Silence(silence) if silence.names.iter().any(|name| name == MAIN) => {
            Some(("`silence: main`", place(data, "silence")))
        }
        _ if sends_on_main("write") => Some(("`write`", place(data, "write"))),
        _ if sends_on_main("id") => Some(("an `id` of your own", place(data, "id"))),
        _ => token
            .filter(|_| on_main)
            .map(|token| ("a progressToken of your own", token.at)),
    };
    if let Some((what, at)) = found {
        problems.push(
            Problem::new(at, format!("{what} needs a process of its own on stdio"))
                .with_help("write `isolation: own` at the top level"),
        );
    }
}

/// What only one transport can do.
fn transports(ground: &Ground<'_>, step: &Step, data: &Data, problems: &mut Vec<Problem>) {
    let when: Vec<&Condition> = step.when.iter().collect();
    let on_stdio = ground.runs_on(Transport::Stdio, &when);
    let on_http = ground.runs_on(Transport::Http, &when);
    let mut wrong = |at: Location, message: &str, help: &str| {
        problems.push(Problem::new(at, message).with_help(help));
    };
    if on_stdio && matches!(step.kind, StepKind::Http(_)) {
        let help = "write `transports: [http]`, or `when: http` on the step";
        wrong(place(data, "http"), "`http` steps run on HTTP only", help);
    }
    if on_http && data.member("write").is_some() {
        let help = "write `transports: [stdio]`, or `when: stdio` on the step";
        wrong(place(data, "write"), "`write` is for stdio only", help);
    }
    let StepKind::Stop(stop) = &step.kind else {
        return;
    };
    let at = place(data, "stop");
    if on_http && stop.how != StopHow::Terminate {
        let help = "write `transports: [stdio]`, or `when: stdio` on the step";
        wrong(at, "on HTTP only `stop: terminate` is possible", help);
    } else if on_http {
        let mut conditions = ground.case.needs.iter().chain(&step.when);
        if !conditions.any(|condition| condition.word == "stoppable" && !condition.negated) {
            let help = "name it under `needs`";
            wrong(at, "`stop` needs the condition `stoppable` on HTTP", help);
        }
    }
}

/// `marked` is about the annotation of a tool that has one.
fn marked(step: &Step, data: &Data, problems: &mut Vec<Problem>) {
    let StepKind::Send(send) = &step.kind else {
        return;
    };
    if send.marked.is_some() && trigger_of(send.what.whole()) != Some("x-mcp-header-tool") {
        problems.push(
            Problem::new(
                place(data, "marked"),
                "`marked` needs a tool with header annotations",
            )
            .with_help("send `$(trigger.x-mcp-header-tool…)`"),
        );
    }
}

/// These triggers may be commands, which nothing answers.
fn unanswered(step: &Step, data: &Data, problems: &mut Vec<Problem>) {
    let StepKind::Send(send) = &step.kind else {
        return;
    };
    let trigger = trigger_of(send.what.whole());
    if step.judged.is_some() && matches!(trigger, Some("list-change" | "resource-update")) {
        problems.push(Problem::new(
            place(data, "expect"),
            "this trigger may be a command, which has no answer to be judged",
        ));
    }
}

/// The trigger that a placeholder gives.
fn trigger_of(placeholder: Option<&Placeholder>) -> Option<&str> {
    match placeholder?.source.segments.as_slice() {
        [first, trigger, ..] if first == "trigger" => Some(trigger),
        _ => None,
    }
}

/// What is sent is plain data: an operator in it was meant for a matcher.
fn no_operators(data: &Data, problems: &mut Vec<Problem>) {
    match &data.kind {
        Kind::List(items) => {
            for item in items {
                no_operators(item, problems);
            }
        }
        Kind::Map(members) => {
            for (key, value) in members {
                match key.text.literal() {
                    Some(name) if OPERATORS.contains(&name) => problems.push(Problem::new(
                        key.at,
                        format!("`{name}` is an operator; what is sent is plain data"),
                    )),
                    _ => no_operators(value, problems),
                }
            }
        }
        _ => {}
    }
}
