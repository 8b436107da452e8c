//! The revision judged, its requirements (the registry) and its shapes.

mod level;
mod link;
mod registry;
mod shapes;
mod transport;
mod trigger;

pub use level::{Level, Violated};
pub use link::link;
pub use registry::{OWN_REQUIREMENT, Observable, Registry, RegistryError, Requirement, Role};
pub use shapes::{Shapes, ShapesError};
pub use transport::{Transport, TransportRule};
pub use trigger::{NAMINGS, Naming, PropertyValue, SLOW, TRIGGERS, TriggerKind, TriggerProperty};

/// The revision of the protocol that mcpspec judges.
pub const REVISION: &str = "2026-07-28";

/// Older revisions that begin with an `initialize` handshake, newest first (page `basic/versioning`).
pub const LEGACY_REVISIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
