//! What a survey gives.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcpspec_wire::Value;

use crate::config::{Trigger, WholeRequest};
use crate::target::OpenError;
use crate::transport::Journal;

/// Which generations of the protocol a target serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServedEra {
    /// Revision 2026-07-28 alone.
    Modern,
    /// That and revisions that begin with `initialize`.
    Dual,
    /// Only others: it does not speak the revision.
    Legacy,
}

/// What came of a conforming request that was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// In words.
    pub how: String,
    /// Whether the process or the connection that it was sent on served others afterwards.
    pub served_after: bool,
}

/// What was learned of a target.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Which generations it serves.
    pub era: ServedEra,
    /// Result of `server/discover`; none of a legacy server, and of one that refuses it.
    pub discover: Option<Value>,
    /// Versions that discovery lists, or that a refusal names.
    pub supported_versions: Vec<String>,
    /// Version that `initialize` settles on, if it is answered with a result.
    pub legacy_version: Option<String>,
    /// Capabilities as declared, an object.
    pub capabilities: Value,
    /// serverInfo as the server gives it.
    pub server_info: Option<Value>,
    /// Listed tools, resources, templates and prompts, all pages.
    pub tools: Vec<Value>,
    /// See `tools`.
    pub resources: Vec<Value>,
    /// See `tools`.
    pub templates: Vec<Value>,
    /// See `tools`.
    pub prompts: Vec<Value>,
    /// One request for each list method that was answered with a result.
    pub lists: Vec<WholeRequest>,
    /// List methods that got no answer at all to a conforming request, and what came of it.
    pub unanswered: BTreeMap<String, Unanswered>,
    /// Why nothing can be judged any more, if the target was lost during the survey.
    pub lost: Option<String>,
    /// One conforming request for each method that was seen served.
    pub requests: Vec<WholeRequest>,
    /// A call of the tool that may be called, if there is one, and the tool's definition.
    pub callable: Option<(WholeRequest, Value)>,
    /// Known triggers by name. Those that call a tool which may not be called are left out.
    pub triggers: BTreeMap<String, Trigger>,
    /// Those that were left out, variants as `TRIGGER.VARIANT`, and why.
    pub forbidden: BTreeMap<String, String>,
    /// Whether requests without a token get 401.
    pub auth: bool,
    /// Profile that was applied, if any.
    pub profile: Option<String>,
    /// The survey's own links, all closed, for the watches to look at.
    pub journals: Vec<Arc<Journal>>,
}

impl Survey {
    /// A survey that learned nothing but the era.
    pub(super) fn of(era: ServedEra) -> Survey {
        Survey {
            era,
            discover: None,
            supported_versions: Vec::new(),
            legacy_version: None,
            capabilities: Value::Object(mcpspec_wire::Object::new()),
            server_info: None,
            tools: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            lists: Vec::new(),
            unanswered: BTreeMap::new(),
            lost: None,
            requests: Vec::new(),
            callable: None,
            triggers: BTreeMap::new(),
            forbidden: BTreeMap::new(),
            auth: false,
            profile: None,
            journals: Vec::new(),
        }
    }

    /// Whether a capability is declared, by its JSON pointer: an object, or `true`.
    pub(super) fn declares(&self, pointer: &str) -> bool {
        match self.capabilities.pointer(pointer) {
            Some(Value::Bool(declared)) => *declared,
            Some(Value::Object(_)) => true,
            _ => false,
        }
    }
}

/// Why a survey did not come to an end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SurveyError {
    /// The target could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It answers nothing that can be used.
    #[error("{0}")]
    Unusable(String),
}
