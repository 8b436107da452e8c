//! What a run is asked to do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::case::{Case, Suite};
use crate::config::{Profile, Trigger};
use crate::target::{Endpoint, TargetOptions};

/// A run over one or more targets.
pub struct RunRequest {
    /// Registry and shapes.
    pub suite: Arc<Suite>,
    /// The chosen cases, in order of their ids.
    pub cases: Vec<Arc<Case>>,
    /// The targets, in order of the report.
    pub targets: Vec<TargetRequest>,
    /// What holds for all of them.
    pub options: RunOptions,
}

/// One target of a run.
#[derive(Clone)]
pub struct TargetRequest {
    /// What the user calls it; else the server's own name is shown.
    pub name: Option<String>,
    /// How it is reached.
    pub endpoint: Endpoint,
    /// How it is treated.
    pub options: TargetOptions,
    /// Triggers from the configuration.
    pub triggers: BTreeMap<String, Trigger>,
    /// Other principals than the one that the run uses.
    pub credentials: Credentials,
    /// Profiles that may apply.
    pub profiles: Vec<Profile>,
    /// The command as it may be shown: redacted, empty where none is started.
    pub shown_command: Vec<String>,
    /// The endpoint as it may be shown: redacted.
    pub shown_url: Option<String>,
    /// What follows `mcpspec check --case ID ` to judge this target again.
    pub reproduce: String,
}

/// Authorization values of other principals, for cases that compare what they may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    /// Of a second principal with the same rights.
    pub second: Option<String>,
    /// Of one with less scope.
    pub low: Option<String>,
}

/// What holds for a whole run.
#[derive(Clone)]
pub struct RunOptions {
    /// How many rows go on at once.
    pub jobs: usize,
    /// Seed of invented names; the same seed gives the same names.
    pub seed: u64,
    /// When the run is ended whatever is left.
    pub max_run: Duration,
    /// Turns true when the user wants the run to end.
    pub interrupt: watch::Receiver<bool>,
}
