//! The two standard transports (page `basic/transports`).

use std::fmt;

use serde::{Deserialize, Serialize};

/// A transport over which a target is judged.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// A process that reads messages from its input and writes them to its output, a line each.
    Stdio,
    /// Streamable HTTP.
    Http,
}

impl Transport {
    /// Both, in the order of reports.
    pub const ALL: [Transport; 2] = [Transport::Stdio, Transport::Http];

    /// The name in cases, options and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
        }
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which transports a requirement binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransportRule {
    /// Both.
    Any,
    /// stdio only.
    Stdio,
    /// Streamable HTTP only.
    Http,
}

impl TransportRule {
    /// Whether the requirement binds this transport.
    pub fn covers(self, transport: Transport) -> bool {
        match self {
            TransportRule::Any => true,
            TransportRule::Stdio => transport == Transport::Stdio,
            TransportRule::Http => transport == Transport::Http,
        }
    }
}
