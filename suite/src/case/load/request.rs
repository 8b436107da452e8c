//! The steps that send something.

use super::super::{Http, Notify, Raw, Repeat, Retry, Send, WriteHow};
use super::parts::Problems;
use crate::template::{Data, Fields, Kind, Problem, Template};
use crate::transcript::Era;

/// Most times that a request is repeated, where the file says a number.
const MAX_TIMES: i64 = 10_000;

const WRITES: [(&str, WriteHow); 3] = [
    ("pieces", WriteHow::Pieces),
    ("crlf", WriteHow::CrLf),
    ("with-next", WriteHow::WithNext),
];

pub(super) fn send(value: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Send> {
    let what = problems.template(value, "send");
    Some(Send {
        params: fields.take("params").cloned(),
        meta: fields.take("meta").cloned(),
        capabilities: fields.take("capabilities").cloned(),
        headers: problems.map_or_placeholder(fields.take("headers"), "headers"),
        id: fields.take("id").cloned(),
        envelope: problems.map_or_placeholder(fields.take("envelope"), "envelope"),
        marked: fields.take("marked").cloned(),
        era: problems.era(fields),
        open: problems.flag(fields.take("open"), "open"),
        repeat: fields
            .take("repeat")
            .and_then(|repeat| problems.repeat(repeat)),
        write: problems.write(fields),
        what: what?,
    })
}

pub(super) fn retry(
    value: &Data,
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<Retry> {
    let of = problems.name(value, "retry");
    let rounds = fields.take("repeat").is_some_and(|repeat| {
        problems
            .take(repeat.one_of("repeat", &[("rounds", ())]))
            .is_some()
    });
    Some(Retry {
        answers: fields.take("answers").cloned(),
        state: fields.take("state").cloned(),
        rounds,
        meta: fields.take("meta").cloned(),
        capabilities: fields.take("capabilities").cloned(),
        headers: problems.map_or_placeholder(fields.take("headers"), "headers"),
        id: fields.take("id").cloned(),
        envelope: problems.map_or_placeholder(fields.take("envelope"), "envelope"),
        open: problems.flag(fields.take("open"), "open"),
        of: of?,
    })
}

pub(super) fn notify(
    value: &Data,
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<Notify> {
    let method = problems.template(value, "notify");
    Some(Notify {
        params: fields.take("params").cloned(),
        meta: fields.take("meta").cloned(),
        headers: problems.map_or_placeholder(fields.take("headers"), "headers"),
        envelope: problems.map_or_placeholder(fields.take("envelope"), "envelope"),
        era: problems.era(fields),
        write: problems.write(fields),
        method: method?,
    })
}

pub(super) fn raw(value: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Raw> {
    let text = problems.template(value, "raw");
    Some(Raw {
        headers: problems.map_or_placeholder(fields.take("headers"), "headers"),
        text: text?,
    })
}

pub(super) fn http(value: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Http> {
    let method = problems.template(value, "http");
    Some(Http {
        url: fields.take("url").and_then(|url| problems.url(url)),
        headers: problems.map_or_placeholder(fields.take("headers"), "headers"),
        body: fields
            .take("body")
            .and_then(|body| problems.template(body, "body")),
        method: method?,
    })
}

impl Problems {
    fn template(&mut self, data: &Data, field: &str) -> Option<Template> {
        match &data.kind {
            Kind::Text(template) if !template.parts.is_empty() || field == "body" => {
                Some(template.clone())
            }
            Kind::Text(_) => {
                self.add(data.at, format!("`{field}` is empty"));
                None
            }
            _ => {
                self.0.push(
                    Problem::new(data.at, format!("`{field}` is text")).with_help("quote it"),
                );
                None
            }
        }
    }

    /// A text, or a list of texts.
    fn url(&mut self, data: &Data) -> Option<Data> {
        let is_text = |data: &Data| matches!(data.kind, Kind::Text(_));
        let fits = match &data.kind {
            Kind::List(items) => !items.is_empty() && items.iter().all(is_text),
            _ => is_text(data),
        };
        if fits {
            return Some(data.clone());
        }
        self.add(data.at, "`url` is a URL or a path, or a list of them");
        None
    }

    fn era(&mut self, fields: &mut Fields<'_>) -> Era {
        let era = fields.take("era");
        era.and_then(|era| self.take(era.one_of("era", &[("legacy", Era::Legacy)])))
            .unwrap_or(Era::Modern)
    }

    fn write(&mut self, fields: &mut Fields<'_>) -> Option<WriteHow> {
        let write = fields.take("write")?;
        self.take(write.one_of("write", &WRITES))
    }

    fn repeat(&mut self, data: &Data) -> Option<Repeat> {
        match &data.kind {
            Kind::Text(template) if template.literal() == Some("pages") => Some(Repeat::Pages),
            Kind::Number(_) | Kind::Text(_) => self.times(data).map(Repeat::Times),
            Kind::Map(_) => {
                let mut fields = self.take(Fields::of(data, "`repeat`"))?;
                let repeat = if let Some(until) = fields.take("until") {
                    self.matcher(until).map(Repeat::Until)
                } else {
                    let times = fields.require("times");
                    let times = self.take(times).and_then(|times| self.times(times));
                    let every = fields.require("every");
                    let every = self.take(every);
                    let every = self.duration(every, "every");
                    times
                        .zip(every)
                        .map(|(times, every)| Repeat::Every { times, every })
                };
                self.close(fields);
                repeat
            }
            _ => {
                self.add(
                    data.at,
                    "`repeat` takes a number, `pages`, `{ times: N, every: D }` or `{ until: M }`",
                );
                None
            }
        }
    }

    /// How often: a number from 1, or a `$(…)`.
    fn times(&mut self, data: &Data) -> Option<Data> {
        let fits = match &data.kind {
            Kind::Number(number) => number
                .as_i64()
                .is_some_and(|times| (1..=MAX_TIMES).contains(&times)),
            Kind::Text(template) => template.whole().is_some(),
            _ => false,
        };
        if fits {
            return Some(data.clone());
        }
        self.add(
            data.at,
            format!("a number from 1 to {MAX_TIMES} is due here"),
        );
        None
    }
}
