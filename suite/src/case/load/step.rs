//! Steps.

use super::super::{Await, Cancel, Condition, Silence, Since, Step, StepKind, Stop, StopHow};
use super::parts::Problems;
use super::request;
use crate::template::{Data, Fields, Problem};

/// The nine steps.
const STEPS: [&str; 9] = [
    "send", "retry", "notify", "raw", "http", "await", "silence", "cancel", "stop",
];

/// The connection of steps that name none.
const MAIN: &str = "main";

/// A step: one of the nine keys, its own fields and the common ones.
pub(super) fn step(data: &Data, problems: &mut Problems) -> Option<Step> {
    let mut fields = problems.take(Fields::of(data, "a step"))?;
    let found: Vec<&'static str> = STEPS
        .into_iter()
        .filter(|name| fields.contains(name))
        .collect();
    let [name] = found.as_slice() else {
        let known = STEPS.join(", ");
        problems.0.push(match found.as_slice() {
            [] => Problem::new(data.at, "this is no step")
                .with_help(format!("a step has one of: {known}")),
            several => Problem::new(
                data.at,
                format!("a step does one thing, not {}", several.join(" and ")),
            ),
        });
        return None;
    };
    let (at, value) = fields.take_with_place(name)?;
    let common = Common::take(name, &mut fields, problems);
    let kind = kind(name, value, &mut fields, problems);
    let waits_for_some = matches!(&kind, Some(StepKind::Await(step)) if step.some.is_some());
    if waits_for_some {
        for field in ["expect", "given"] {
            if fields.contains(field)
                && let Some((at, _)) = fields.take_with_place(field)
            {
                problems.add(
                    at,
                    format!("`some` says what is due; `{field}` judges a final answer"),
                );
            }
        }
    }
    // Silence and a message that is waited for are judged by what they name; a cancel has no outcome.
    let has_outcome = !waits_for_some && !matches!(*name, "silence" | "cancel");
    let (judged, given) = if has_outcome {
        let given = fields
            .take("given")
            .and_then(|given| problems.matcher(given));
        (problems.judged(&mut fields), given)
    } else {
        (None, None)
    };
    problems.close(fields);
    Some(Step {
        kind: kind?,
        link: common.link,
        name: common.name,
        when: common.when,
        after: common.after,
        within: common.within,
        given,
        judged,
        at,
    })
}

/// The fields that steps have in common, `given` and `expect` aside.
struct Common {
    link: String,
    name: Option<String>,
    when: Vec<Condition>,
    after: Option<Data>,
    within: Option<Data>,
}

impl Common {
    fn take(step: &str, fields: &mut Fields<'_>, problems: &mut Problems) -> Common {
        // These look at outcomes and links that other steps made.
        let has_link = !matches!(step, "await" | "silence" | "cancel");
        let link = if has_link { fields.take("link") } else { None };
        let has_limit = !matches!(step, "silence" | "cancel");
        let within = if has_limit {
            fields.take("within")
        } else {
            None
        };
        Common {
            link: link
                .and_then(|link| problems.name(link, "link"))
                .unwrap_or_else(|| MAIN.to_owned()),
            name: fields.take("as").and_then(|name| problems.name(name, "as")),
            when: problems.when(fields.take("when")),
            after: problems.duration(fields.take("after"), "after"),
            within: problems.duration(within, "within"),
        }
    }
}

fn kind(
    name: &str,
    value: &Data,
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<StepKind> {
    Some(match name {
        "send" => StepKind::Send(Box::new(request::send(value, fields, problems)?)),
        "retry" => StepKind::Retry(Box::new(request::retry(value, fields, problems)?)),
        "notify" => StepKind::Notify(Box::new(request::notify(value, fields, problems)?)),
        "raw" => StepKind::Raw(Box::new(request::raw(value, fields, problems)?)),
        "http" => StepKind::Http(Box::new(request::http(value, fields, problems)?)),
        "await" => StepKind::Await(Box::new(waited(value, fields, problems)?)),
        "silence" => StepKind::Silence(Box::new(silence(value, fields, problems)?)),
        "cancel" => StepKind::Cancel(Cancel {
            of: problems.name(value, "cancel")?,
        }),
        _ => {
            let how = value.one_of(
                "stop",
                &[
                    ("close-stdin", StopHow::CloseStdin),
                    ("terminate", StopHow::Terminate),
                    ("kill", StopHow::Kill),
                ],
            );
            StepKind::Stop(Stop {
                how: problems.take(how)?,
            })
        }
    })
}

fn waited(value: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Await> {
    let names = problems.names(value, "await");
    let some = fields.take("some").map(|some| problems.matcher(some));
    let alternatives = match &some {
        Some(_) => fields
            .take("else")
            .map_or_else(Vec::new, |data| problems.alternatives(data)),
        None => Vec::new(),
    };
    let some = match some {
        Some(some) => Some(some?),
        None => None,
    };
    (!names.is_empty()).then_some(Await {
        names,
        some,
        alternatives,
    })
}

fn silence(value: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Silence> {
    let names = problems.names(value, "silence");
    let since = fields
        .take("since")
        .and_then(|since| problems.name(since, "since"))
        .map(|since| match since.as_str() {
            "start" => Since::Start,
            _ => Since::Step(since),
        });
    let silence = Silence {
        span: problems.duration(fields.take("for"), "for"),
        since,
        grace: problems.duration(fields.take("grace"), "grace"),
        of: fields.take("of").and_then(|of| problems.matcher(of)),
        alternatives: fields
            .take("else")
            .map_or_else(Vec::new, |data| problems.alternatives(data)),
        names,
    };
    (!silence.names.is_empty()).then_some(silence)
}
