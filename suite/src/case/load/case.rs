//! The top level of a case file.

use std::sync::Arc;

use super::super::{
    Body, Case, Diagnostic, Each, Isolation, Judged, Steps, SuiteFile, Watch, WatchKind,
};
use super::parts::{Problems, is_name};
use super::step;
use crate::spec::Transport;
use crate::template::{Data, Fields, Kind, Location, Problem, read_yaml};

/// Longest summary, in characters.
const MAX_SUMMARY: usize = 80;

/// Words that make a statement of fact into a demand or a guess.
const MODAL: [&str; 11] = [
    "can", "cannot", "could", "may", "might", "must", "ought", "shall", "should", "will", "would",
];

const TRANSPORTS: [(&str, Transport); 2] = [("stdio", Transport::Stdio), ("http", Transport::Http)];

const ISOLATIONS: [(&str, Isolation); 4] = [
    ("shared", Isolation::Shared),
    ("own", Isolation::Own),
    ("last", Isolation::Last),
    ("alone", Isolation::Alone),
];

const WATCHES: [(&str, WatchKind); 6] = [
    ("message", WatchKind::Message),
    ("result", WatchKind::Result),
    ("error", WatchKind::Error),
    ("notification", WatchKind::Notification),
    ("exchange", WatchKind::Exchange),
    ("line", WatchKind::Line),
];

/// What a case is made of: one of these.
const BODIES: [&str; 3] = ["steps", "watch", "compare"];

/// Keys that only a case with steps has, and keys that only a watch has.
const STEPS_ONLY: [&str; 4] = ["each", "isolation", "fresh", "capabilities"];
const WATCH_ONLY: [&str; 4] = ["where", "expect", "else", "unseen"];

/// A case with the data it was read from.
#[derive(Debug)]
pub(in super::super) struct Loaded {
    pub(in super::super) case: Case,
    pub(in super::super) data: Data,
}

/// Loads a case file. What it says about other files is for lint to hold against them.
///
/// # Errors
///
/// Everything that is wrong with the file, in order of its lines.
pub fn load_case(file: &SuiteFile) -> Result<Case, Vec<Diagnostic>> {
    load(file).map(|loaded| loaded.case).map_err(|problems| {
        let (shown, text) = (
            Arc::from(file.shown.as_str()),
            Arc::from(file.text.as_str()),
        );
        problems
            .into_iter()
            .map(|problem| Diagnostic::new(&shown, &text, problem))
            .collect()
    })
}

/// The id of the case in a file of this path; none if no case can stand there.
pub(in super::super) fn case_id(path: &str) -> Option<&str> {
    let id = path.strip_suffix(".yaml")?;
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let parts: Vec<&str> = id.split('/').collect();
    (parts.len() == 3 && parts.iter().all(|part| is_part(part))).then_some(id)
}

impl Loaded {
    pub(in super::super) fn of(file: &SuiteFile) -> Result<Loaded, Vec<Problem>> {
        load(file)
    }
}

fn load(file: &SuiteFile) -> Result<Loaded, Vec<Problem>> {
    let start = Location { line: 1, column: 1 };
    let Some(id) = case_id(&file.path) else {
        return Err(vec![
            Problem::new(start, format!("no case can have the path `{}`", file.path)).with_help(
                "a case is area/topic/name.yaml, each of small letters, digits and hyphens",
            ),
        ]);
    };
    let data = read_yaml(&file.text).map_err(|problem| vec![problem])?;
    let mut fields = Fields::of(&data, "a case").map_err(|problem| vec![problem])?;
    let mut problems = Problems::default();
    let case = case(id, file, &mut fields, &mut problems);
    problems.close(fields);
    let Problems(mut problems) = problems;
    match case {
        Some(case) if problems.is_empty() => Ok(Loaded { case, data }),
        _ => {
            problems.sort_by_key(|problem| problem.at);
            Err(problems)
        }
    }
}

fn case(
    id: &str,
    file: &SuiteFile,
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<Case> {
    let summary = fields.require("summary");
    let summary = problems
        .take(summary)
        .and_then(|summary| problems.summary(summary));
    let requirement = fields.require("requirement");
    let requirements = problems
        .take(requirement)
        .map(|requirement| problems.requirements(requirement));
    let why = fields
        .take("why")
        .and_then(|why| problems.take(why.text("why")).map(str::to_owned));
    let transports = match fields.take("transports") {
        Some(transports) => problems.transports(transports),
        None => Transport::ALL.to_vec(),
    };
    let needs = match fields.take("needs") {
        Some(needs) => problems.conditions(needs, "needs"),
        None => Vec::new(),
    };
    let formerly = match fields.take("formerly") {
        Some(formerly) => problems.formerly(formerly),
        None => Vec::new(),
    };
    let body = body(fields, problems);
    Some(Case {
        id: id.to_owned(),
        file: Arc::from(file.shown.as_str()),
        summary: summary?,
        requirements: requirements?,
        why,
        transports,
        needs,
        formerly,
        body: body?,
    })
}

fn body(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Body> {
    let at = fields.at;
    let mut bodies = BODIES
        .into_iter()
        .filter_map(|name| Some((name, fields.take_with_place(name)?)));
    let (first, second) = (bodies.next(), bodies.next());
    match (first, second) {
        (Some(("steps", (_, steps))), None) => {
            refuse(fields, problems, &WATCH_ONLY, "belongs to a watch");
            steps_of(steps, fields, problems).map(Body::Steps)
        }
        (Some(("watch", (_, watch))), None) => {
            refuse(
                fields,
                problems,
                &STEPS_ONLY,
                "belongs to a case with steps",
            );
            watch_of(watch, fields, problems).map(Body::Watch)
        }
        (Some((_, (_, compared))), None) => {
            refuse(fields, problems, &WATCH_ONLY, "belongs to a watch");
            refuse(
                fields,
                problems,
                &STEPS_ONLY,
                "belongs to a case with steps",
            );
            let what = compared.one_of("compare", &[("transports", ())]);
            problems.take(what).map(|()| Body::Compare)
        }
        (_, Some((_, (at, _)))) => {
            for name in STEPS_ONLY.into_iter().chain(WATCH_ONLY) {
                fields.take(name);
            }
            problems.add(at, "a case has `steps` or a `watch`, not both");
            None
        }
        (None, None) => {
            problems.add(at, "a case has `steps`, or a `watch`, or a `compare`");
            None
        }
    }
}

fn refuse(fields: &mut Fields<'_>, problems: &mut Problems, names: &[&'static str], why: &str) {
    for name in names {
        // Only what is there is asked for, so that it does not show among the known keys.
        if fields.contains(name)
            && let Some((at, _)) = fields.take_with_place(name)
        {
            problems.add(at, format!("`{name}` {why}"));
        }
    }
}

fn steps_of(data: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Steps> {
    let isolation = match fields.take("isolation") {
        Some(isolation) => problems.take(isolation.one_of("isolation", &ISOLATIONS))?,
        None => Isolation::default(),
    };
    let fresh = fields
        .take("fresh")
        .map(|fresh| problems.names(fresh, "fresh"))
        .unwrap_or_default();
    let capabilities = problems.map_or_placeholder(fields.take("capabilities"), "capabilities");
    let each = fields.take("each").and_then(|each| problems.each(each));
    let items = problems.take(data.list("steps"))?;
    if items.is_empty() {
        problems.add(data.at, "`steps` lists no step");
    }
    let steps = items
        .iter()
        .filter_map(|item| step::step(item, problems))
        .collect();
    Some(Steps {
        isolation,
        fresh,
        capabilities,
        each,
        steps,
    })
}

fn watch_of(data: &Data, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Watch> {
    let kind = problems.take(data.one_of("watch", &WATCHES));
    let filter = fields.take("where").and_then(|data| problems.matcher(data));
    let unseen_held = fields.take("unseen").is_some_and(|data| {
        problems
            .take(data.one_of("unseen", &[("held", ())]))
            .is_some()
    });
    let has_expect = fields.contains("expect");
    let judged: Option<Judged> = problems.judged(fields);
    if !has_expect {
        problems.add(fields.at, "a watch has an `expect`");
    }
    Some(Watch {
        kind: kind?,
        filter,
        judged: judged?,
        unseen_held,
    })
}

impl Problems {
    fn summary(&mut self, data: &Data) -> Option<String> {
        let text = self.take(data.text("summary"))?;
        let length = text.chars().count();
        if text.trim().is_empty() {
            self.add(data.at, "`summary` says nothing");
        }
        if length > MAX_SUMMARY {
            self.add(
                data.at,
                format!("`summary` has {length} characters, {MAX_SUMMARY} at most"),
            );
        }
        let mut words = text.split(|character: char| !character.is_alphanumeric());
        if let Some(modal) = words.find(|word| MODAL.contains(&word.to_lowercase().as_str())) {
            self.0.push(
                Problem::new(data.at, format!("`summary` has the modal verb `{modal}`"))
                    .with_help("say what a keeping server does: \"A batch is refused\""),
            );
        }
        Some(text.to_owned())
    }

    fn requirements(&mut self, data: &Data) -> Vec<(String, Location)> {
        let items = match &data.kind {
            Kind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(data),
        };
        if items.is_empty() {
            self.add(data.at, "`requirement` names nothing");
        }
        let mut found: Vec<(String, Location)> = Vec::new();
        for item in items {
            let Some(id) = self.take(item.text("requirement")) else {
                continue;
            };
            if found.iter().any(|(known, _)| known == id) {
                self.add(item.at, format!("`{id}` stands here twice"));
            }
            found.push((id.to_owned(), item.at));
        }
        found
    }

    fn transports(&mut self, data: &Data) -> Vec<Transport> {
        let items = self.take(data.list("transports")).unwrap_or_default();
        let mut found = Vec::new();
        for item in items {
            if let Some(transport) = self.take(item.one_of("transports", &TRANSPORTS)) {
                if found.contains(&transport) {
                    self.add(item.at, format!("`{transport}` stands here twice"));
                }
                found.push(transport);
            }
        }
        if items.is_empty() {
            self.add(data.at, "`transports` names none");
        }
        found.sort_unstable();
        found
    }

    fn formerly(&mut self, data: &Data) -> Vec<String> {
        let items = self.take(data.list("formerly")).unwrap_or_default();
        items
            .iter()
            .filter_map(|item| {
                let id = self.take(item.text("formerly"))?;
                if case_id(&format!("{id}.yaml")).is_none() {
                    self.add(item.at, format!("`{id}` is no id of a case"));
                }
                Some(id.to_owned())
            })
            .collect()
    }

    /// The table: one name with a list, or a list of rows that all have the same names.
    fn each(&mut self, data: &Data) -> Option<Each> {
        match &data.kind {
            Kind::Map(members) => {
                let [(key, list)] = members.as_slice() else {
                    self.add(data.at, "`each` has one name, or is a list of rows");
                    return None;
                };
                let name = self.variable(key.text.literal(), key.at)?;
                if name == "label" {
                    self.add(key.at, "`label` names a row; the values need another name");
                }
                let is_list = match &list.kind {
                    Kind::List(_) => true,
                    Kind::Text(template) => template.whole().is_some(),
                    _ => false,
                };
                if !is_list {
                    self.add(list.at, "a list is due here, or a `$(…)` that gives one");
                }
                Some(Each::Column {
                    name,
                    list: list.clone(),
                })
            }
            Kind::List(items) => {
                let rows: Vec<_> = items.iter().filter_map(|item| self.row(item)).collect();
                self.alike(items, &rows);
                Some(Each::Rows(rows))
            }
            _ => {
                self.add(
                    data.at,
                    "`each` has one name with a list, or is a list of rows",
                );
                None
            }
        }
    }

    fn row(&mut self, data: &Data) -> Option<Vec<(String, Data)>> {
        let Kind::Map(members) = &data.kind else {
            self.add(data.at, "a row is a map of names and values");
            return None;
        };
        let mut row = Vec::with_capacity(members.len());
        for (key, value) in members {
            let name = self.variable(key.text.literal(), key.at)?;
            if name == "label" {
                self.take(value.text("label"));
            }
            row.push((name, value.clone()));
        }
        Some(row)
    }

    /// Rows have the same names, the label aside.
    fn alike(&mut self, items: &[Data], rows: &[Vec<(String, Data)>]) {
        if items.is_empty() || items.len() != rows.len() {
            return;
        }
        let names = |row: &[(String, Data)]| {
            let mut names: Vec<String> = row.iter().map(|(name, _)| name.clone()).collect();
            names.retain(|name| name != "label");
            names.sort();
            names
        };
        let first = names(&rows[0]);
        if first.is_empty() {
            self.add(items[0].at, "a row sets no variable");
        }
        for (item, row) in items.iter().zip(rows) {
            if names(row) != first {
                self.add(
                    item.at,
                    format!(
                        "this row does not set the names of the first: {}",
                        first.join(", ")
                    ),
                );
            }
        }
    }

    fn variable(&mut self, name: Option<&str>, at: Location) -> Option<String> {
        match name {
            Some(name) if is_name(name) => Some(name.to_owned()),
            _ => {
                self.add(
                    at,
                    "a variable is named by letters, digits, `-` and `_` after a letter",
                );
                None
            }
        }
    }
}
