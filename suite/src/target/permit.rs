//! The one gate for tool calls (`design`, layers): malformed and raw ones included, since a lenient server runs those too.

use crate::event::ToolCalls;
use crate::transcript::Sent;

/// Which tools a run may call (`--call-tools`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallTools {
    /// None.
    None,
    /// Those that say they only read, and neither destroy nor reach the outside.
    #[default]
    Readonly,
    /// Those that the configuration or an applied profile names.
    Listed,
    /// Every listed tool.
    All,
}

/// Decides about every outgoing `tools/call`, and counts them.
#[derive(Debug, Default)]
pub struct Permit {}

/// Why a call did not go out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tool {tool} may not be called: {reason}")]
pub struct PermitError {
    /// The tool.
    pub tool: String,
    /// Why not, and what would permit it.
    pub reason: String,
}

impl Permit {
    /// Lets a sent thing through, or says why not. Anything that holds no `tools/call` passes.
    pub fn check(&self, sent: &Sent) -> Result<(), PermitError> {
        let _ = sent;
        todo!("target helper")
    }

    /// Calls so far, by tool.
    pub fn calls(&self) -> Vec<ToolCalls> {
        todo!("target helper")
    }
}
