//! The registry of requirements, read from `cases/requirements/*.yaml`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Level, TransportRule, Violated};
use crate::template::{Data, Fields, Problem, read_yaml};

/// Whom a requirement binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The server under test.
    Server,
    /// The client.
    Client,
    /// A gateway between them.
    Intermediary,
    /// The server that issues tokens.
    AuthorizationServer,
}

/// What it takes to see a requirement kept or broken from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observable {
    /// Any server can be probed.
    BlackBox,
    /// The target has to have, or be, what `trigger` names.
    NeedsTrigger,
    /// It cannot be seen from outside.
    NotObservable,
}

/// One normative statement of the specification, in our words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Stable dotted name: area.topic.rule.
    pub id: String,
    /// Page of the specification, `schema`, `ext/tasks` or `seps/N`.
    pub page: String,
    /// Anchor on the page; empty for its top.
    pub anchor: String,
    /// Further places that state the same rule.
    pub also: Vec<String>,
    /// How it is stated.
    pub level: Level,
    /// The verdict of its plain violation; only where a server or an authorization server is bound.
    pub violated: Option<Violated>,
    /// Whom it binds.
    pub roles: Vec<Role>,
    /// Over which transports.
    pub transports: TransportRule,
    /// The rule.
    pub statement: String,
    /// What it takes to see it.
    pub observable: Observable,
    /// What the target must have or be, with `needs-trigger`.
    pub trigger: Option<String>,
    /// What to send.
    pub stimulus: String,
    /// What must be seen, with the verdicts of alternatives.
    pub expect: String,
    /// `name: description` of the smallest wrong behaviour that a checker has to notice, or `none`.
    pub mutant: String,
    /// `name: description` of each further wrong behaviour, for cases that look at something else than that mutant gets wrong.
    pub further_mutants: Vec<String>,
}

impl Requirement {
    /// Whether it binds the server under test.
    pub fn binds_server(&self) -> bool {
        self.roles.contains(&Role::Server)
    }

    /// Name of the mutant that breaks it, if it has one.
    pub fn mutant_name(&self) -> Option<&str> {
        let name = name_of_mutant(&self.mutant);
        (!name.is_empty() && name != "none").then_some(name)
    }

    /// Names of all mutants that break it, the one that it is judged by first.
    pub fn mutant_names(&self) -> impl Iterator<Item = &str> {
        let further = self.further_mutants.iter();
        self.mutant_name()
            .into_iter()
            .chain(further.map(|mutant| name_of_mutant(mutant)))
    }
}

/// The name in `name: description`.
fn name_of_mutant(mutant: &str) -> &str {
    mutant.split(':').next().unwrap_or_default().trim()
}

/// Every requirement known to a run, by id.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    by_id: BTreeMap<String, Requirement>,
}

/// Why a registry could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}:{}:{}: {problem}", problem.at.line, problem.at.column)]
pub struct RegistryError {
    /// File that was read.
    pub origin: String,
    /// What is wrong, and where.
    pub problem: Problem,
}

/// Ids of requirements that users bring begin so.
pub const OWN_REQUIREMENT: &str = "x.";

const LEVELS: [(&str, Level); 6] = [
    ("must", Level::Must),
    ("must-not", Level::MustNot),
    ("should", Level::Should),
    ("should-not", Level::ShouldNot),
    ("schema", Level::Schema),
    ("stated", Level::Stated),
];

const VIOLATED: [(&str, Violated); 3] = [
    ("fail", Violated::Fail),
    ("warn", Violated::Warn),
    ("note", Violated::Note),
];

const ROLES: [(&str, Role); 4] = [
    ("server", Role::Server),
    ("client", Role::Client),
    ("intermediary", Role::Intermediary),
    ("authorization-server", Role::AuthorizationServer),
];

const TRANSPORTS: [(&str, TransportRule); 3] = [
    ("any", TransportRule::Any),
    ("http", TransportRule::Http),
    ("stdio", TransportRule::Stdio),
];

const OBSERVABLE: [(&str, Observable); 3] = [
    ("black-box", Observable::BlackBox),
    ("needs-trigger", Observable::NeedsTrigger),
    ("not-observable", Observable::NotObservable),
];

impl Registry {
    /// Adds the requirements of the specification from a file (`cases/README.md`, section 14). `origin` names the file in
    /// messages.
    ///
    /// # Errors
    ///
    /// What is wrong first.
    pub fn read(&mut self, origin: &str, text: &str) -> Result<(), RegistryError> {
        self.add(origin, text, requirement)
    }

    /// Adds requirements that a user brings beside cases of his own: their ids begin with `x.`.
    ///
    /// # Errors
    ///
    /// What is wrong first.
    pub fn read_own(&mut self, origin: &str, text: &str) -> Result<(), RegistryError> {
        self.add(origin, text, own_requirement)
    }

    /// The requirement with this id.
    pub fn get(&self, id: &str) -> Option<&Requirement> {
        self.by_id.get(id)
    }

    /// All requirements, in order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Requirement> {
        self.by_id.values()
    }

    /// Adds one; says whether it was new.
    pub fn insert(&mut self, requirement: Requirement) -> bool {
        self.by_id
            .insert(requirement.id.clone(), requirement)
            .is_none()
    }

    fn add(
        &mut self,
        origin: &str,
        text: &str,
        read: impl Fn(&Data) -> Result<Requirement, Problem>,
    ) -> Result<(), RegistryError> {
        let fails = |problem| RegistryError {
            origin: origin.to_owned(),
            problem,
        };
        let data = read_yaml(text).map_err(fails)?;
        for entry in data.list("a registry").map_err(fails)? {
            let requirement = read(entry).map_err(fails)?;
            let id = requirement.id.clone();
            if !self.insert(requirement) {
                let at = entry.member("id").map_or(entry.at, |id| id.at);
                return Err(fails(Problem::new(
                    at,
                    format!("requirement {id} is defined twice"),
                )));
            }
        }
        Ok(())
    }
}

fn requirement(data: &Data) -> Result<Requirement, Problem> {
    let mut fields = Fields::of(data, "a requirement")?;
    let id = fields.require("id")?;
    let requirement = Requirement {
        id: identifier(id)?,
        page: text(&mut fields, "page")?,
        anchor: text(&mut fields, "anchor")?,
        also: fields.take("also").map_or(Ok(Vec::new()), also)?,
        level: fields.require("level")?.one_of("level", &LEVELS)?,
        violated: violated(&mut fields)?,
        roles: fields
            .require("roles")?
            .list("roles")?
            .iter()
            .map(|role| role.one_of("roles", &ROLES))
            .collect::<Result<_, _>>()?,
        transports: fields
            .require("transports")?
            .one_of("transports", &TRANSPORTS)?,
        statement: text(&mut fields, "statement")?,
        observable: fields
            .require("observable")?
            .one_of("observable", &OBSERVABLE)?,
        trigger: fields
            .take("trigger")
            .map(|trigger| trigger.text("trigger").map(str::to_owned))
            .transpose()?,
        stimulus: text(&mut fields, "stimulus")?,
        expect: text(&mut fields, "expect")?,
        mutant: text(&mut fields, "mutant")?,
        further_mutants: fields
            .take("further-mutants")
            .map_or(Ok(Vec::new()), further_mutants)?,
    };
    first_unknown(fields)?;
    consistent(&requirement, id)?;
    Ok(requirement)
}

/// What has to go together in an entry.
fn consistent(requirement: &Requirement, id: &Data) -> Result<(), Problem> {
    let judged = [Role::Server, Role::AuthorizationServer];
    let is_judged = requirement.roles.iter().any(|role| judged.contains(role));
    let needs_trigger = requirement.observable == Observable::NeedsTrigger;
    let is_observable = requirement.observable != Observable::NotObservable;
    let problem = if requirement.roles.is_empty() {
        "`roles` names nobody"
    } else if is_judged != requirement.violated.is_some() {
        "`violated` stands where a server or an authorization server is bound, and nowhere else"
    } else if needs_trigger != requirement.trigger.is_some() {
        "`trigger` stands with `observable: needs-trigger`, and nowhere else"
    } else if is_observable != requirement.mutant_name().is_some() {
        "`mutant` is `none` where nothing can be observed, and nowhere else"
    } else if !is_observable && !requirement.further_mutants.is_empty() {
        "`further-mutants` stands beside a `mutant` only"
    } else if has_a_mutant_twice(requirement) {
        "a mutant is named twice"
    } else if requirement.id.starts_with(OWN_REQUIREMENT) {
        "ids that begin with `x.` are left to users"
    } else {
        return Ok(());
    };
    Err(Problem::new(id.at, problem))
}

fn has_a_mutant_twice(requirement: &Requirement) -> bool {
    let mut names = BTreeSet::new();
    !requirement.mutant_names().all(|name| names.insert(name))
}

fn own_requirement(data: &Data) -> Result<Requirement, Problem> {
    let mut fields = Fields::of(data, "a requirement")?;
    let id = fields.require("id")?;
    let requirement = Requirement {
        id: identifier(id)?,
        page: String::new(),
        anchor: String::new(),
        also: Vec::new(),
        level: fields.require("level")?.one_of("level", &LEVELS)?,
        violated: Some(fields.require("violated")?.one_of("violated", &VIOLATED)?),
        roles: vec![Role::Server],
        transports: TransportRule::Any,
        statement: text(&mut fields, "statement")?,
        observable: Observable::BlackBox,
        trigger: None,
        stimulus: String::new(),
        expect: String::new(),
        mutant: String::new(),
        further_mutants: Vec::new(),
    };
    first_unknown(fields)?;
    if requirement.id.starts_with(OWN_REQUIREMENT) {
        Ok(requirement)
    } else {
        Err(Problem::new(id.at, "an id of your own begins with `x.`"))
    }
}

fn violated(fields: &mut Fields<'_>) -> Result<Option<Violated>, Problem> {
    fields
        .take("violated")
        .map(|violated| violated.one_of("violated", &VIOLATED))
        .transpose()
}

fn also(data: &Data) -> Result<Vec<String>, Problem> {
    data.list("also")?
        .iter()
        .map(|place| place.text("also").map(str::to_owned))
        .collect()
}

/// A list of `name: description`, which is not empty.
fn further_mutants(data: &Data) -> Result<Vec<String>, Problem> {
    const KEY: &str = "further-mutants";
    let items = data.list(KEY)?;
    if items.is_empty() {
        return Err(Problem::new(data.at, "`further-mutants` names none"));
    }
    let mutant = |item: &Data| {
        let text = item.text(KEY)?;
        match text.split_once(": ") {
            Some((name, what)) if !name.trim().is_empty() && !what.trim().is_empty() => {
                Ok(text.to_owned())
            }
            _ => Err(Problem::new(
                item.at,
                "expected `NAME: what it does`, in quotes",
            )),
        }
    };
    items.iter().map(mutant).collect()
}

fn text(fields: &mut Fields<'_>, name: &'static str) -> Result<String, Problem> {
    fields.require(name)?.text(name).map(str::to_owned)
}

/// `area.topic.rule`: at least two parts of small letters, digits and hyphens.
fn identifier(data: &Data) -> Result<String, Problem> {
    let text = data.text("id")?;
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    if text.contains('.') && text.split('.').all(is_part) {
        return Ok(text.to_owned());
    }
    Err(Problem::new(data.at, format!("`{text}` is no id"))
        .with_help("write small letters, digits and hyphens in parts with dots between"))
}

fn first_unknown(fields: Fields<'_>) -> Result<(), Problem> {
    fields.unknown().into_iter().next().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "- id: a.b
  page: basic/index
  anchor: \"\"
  level: must
  violated: fail
  roles: [server]
  transports: any
  statement: A rule.
  observable: black-box
  stimulus: none
  expect: something
  mutant: 'breaks-it: does the opposite'
";

    fn read(text: &str) -> Result<Registry, RegistryError> {
        let mut registry = Registry::default();
        registry.read("r.yaml", text)?;
        Ok(registry)
    }

    fn error(text: &str) -> String {
        read(text).expect_err(text).to_string()
    }

    #[test]
    fn an_entry_is_read_as_it_stands() {
        let registry = read(ENTRY).expect("it is well-formed");
        let requirement = registry.get("a.b").expect("it is there");
        assert_eq!(requirement.violated, Some(Violated::Fail));
        assert_eq!(requirement.mutant_name(), Some("breaks-it"));
        assert!(requirement.binds_server());
    }

    #[test]
    fn a_requirement_may_have_further_mutants() {
        let further = "  further-mutants: ['other: does something else', 'third: does nothing']\n";
        let registry = read(&format!("{ENTRY}{further}")).expect("it is well-formed");
        let requirement = registry.get("a.b").expect("it is there");
        assert_eq!(requirement.mutant_name(), Some("breaks-it"));
        let names: Vec<&str> = requirement.mutant_names().collect();
        assert_eq!(names, ["breaks-it", "other", "third"]);
    }

    #[test]
    fn further_mutants_have_the_form_of_the_first_and_other_names() {
        let with = |further: &str| error(&format!("{ENTRY}  further-mutants: {further}\n"));
        assert_eq!(with("[]"), "r.yaml:13:20: `further-mutants` names none");
        assert_eq!(
            with("[other]"),
            "r.yaml:13:21: expected `NAME: what it does`, in quotes"
        );
        for twice in ["['breaks-it: x']", "['other: x', 'other: y']"] {
            assert_eq!(with(twice), "r.yaml:1:7: a mutant is named twice");
        }
        let unobservable = ENTRY
            .replace("black-box", "not-observable")
            .replace("'breaks-it: does the opposite'", "none");
        assert_eq!(
            error(&format!("{unobservable}  further-mutants: ['other: x']\n")),
            "r.yaml:1:7: `further-mutants` stands beside a `mutant` only"
        );
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let with = |from: &str, to: &str| error(&ENTRY.replace(from, to));
        assert_eq!(
            with("level: must", "level: most"),
            "r.yaml:4:10: `level` cannot be `most`"
        );
        assert_eq!(with("  page:", "  pages:"), "r.yaml:1:3: `page` is missing");
        assert_eq!(
            with("  mutant:", "  extra: 1\n  mutant:"),
            "r.yaml:12:3: unknown key `extra`"
        );
        assert_eq!(
            with("violated: fail", "also: []"),
            "r.yaml:1:7: `violated` stands where a server or an authorization server is bound, and nowhere else"
        );
        assert_eq!(
            with("black-box", "needs-trigger"),
            "r.yaml:1:7: `trigger` stands with `observable: needs-trigger`, and nowhere else"
        );
        assert_eq!(
            error(&format!("{ENTRY}{ENTRY}")),
            "r.yaml:13:7: requirement a.b is defined twice"
        );
        assert_eq!(with("a.b", "a b"), "r.yaml:1:7: `a b` is no id");
        assert_eq!(
            error("a: [\n"),
            "r.yaml:2:1: while parsing a node, did not find expected node content"
        );
    }

    #[test]
    fn requirements_of_ones_own_are_told_by_their_ids() {
        let own = "- { id: x.a, statement: A rule., level: should, violated: warn }";
        let mut registry = read(ENTRY).expect("it is well-formed");
        registry
            .read_own("own.yaml", own)
            .expect("it is well-formed");
        assert_eq!(
            registry.get("x.a").and_then(|own| own.violated),
            Some(Violated::Warn)
        );
        let wrong = registry.read_own("own.yaml", &own.replace("x.a", "y.a"));
        assert_eq!(
            wrong.expect_err("no x.").to_string(),
            "own.yaml:1:9: an id of your own begins with `x.`"
        );
        assert!(error(&ENTRY.replace("a.b", "x.b")).contains("left to users"));
    }

    #[test]
    fn the_registry_of_the_suite_is_well_formed() {
        let text = include_str!("../../../cases/requirements/2026-07-28.yaml");
        let registry = read(text).unwrap_or_else(|error| panic!("{error}"));
        assert!(registry.iter().count() > 800);
    }
}
