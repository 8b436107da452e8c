//! The registry of requirements, read from `cases/requirements/*.yaml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Level, TransportRule, Violated};

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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Stable dotted name: area.topic.rule.
    pub id: String,
    /// Page of the specification, `schema`, `ext/tasks` or `seps/N`.
    #[serde(default)]
    pub page: String,
    /// Anchor on the page; empty for its top.
    #[serde(default)]
    pub anchor: String,
    /// Further places that state the same rule.
    #[serde(default)]
    pub also: Vec<String>,
    /// How it is stated.
    pub level: Level,
    /// The verdict of its plain violation; only where a server or an authorization server is bound.
    #[serde(default)]
    pub violated: Option<Violated>,
    /// Whom it binds.
    #[serde(default)]
    pub roles: Vec<Role>,
    /// Over which transports.
    pub transports: TransportRule,
    /// The rule.
    pub statement: String,
    /// What it takes to see it.
    pub observable: Observable,
    /// What the target must have or be, with `needs-trigger`.
    #[serde(default)]
    pub trigger: Option<String>,
    /// What to send.
    #[serde(default)]
    pub stimulus: String,
    /// What must be seen, with the verdicts of alternatives.
    #[serde(default)]
    pub expect: String,
    /// `name: description` of the smallest wrong behaviour that a checker has to notice, or `none`.
    #[serde(default)]
    pub mutant: String,
}

impl Requirement {
    /// Whether it binds the server under test.
    pub fn binds_server(&self) -> bool {
        self.roles.contains(&Role::Server)
    }

    /// Name of the mutant that breaks it, if it has one.
    pub fn mutant_name(&self) -> Option<&str> {
        let name = self.mutant.split(':').next().unwrap_or_default().trim();
        (!name.is_empty() && name != "none").then_some(name)
    }
}

/// Every requirement known to a run, by id.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    by_id: BTreeMap<String, Requirement>,
}

/// Why a registry could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The text is no list of requirements.
    #[error("{origin}:{line}:{column}: {message}")]
    Malformed {
        /// File that was read.
        origin: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// Two entries have one id.
    #[error("{origin}: requirement {id} is defined twice")]
    Duplicate {
        /// File that was read.
        origin: String,
        /// The id.
        id: String,
    },
}

impl Registry {
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
        self.by_id.insert(requirement.id.clone(), requirement).is_none()
    }
}
