//! What the user tells: triggers, profiles of well-known servers, and `mcpspec.toml`.

mod profile;
mod request;

pub use profile::{Profile, ProfileError};
pub use request::{Trigger, TriggerAction, WholeRequest};
