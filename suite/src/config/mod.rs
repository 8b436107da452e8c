/*!
What the user tells: triggers, profiles of well-known servers, `mcpspec.toml`, sizes, and the verdicts that are already known.
*/

mod baseline;
mod document;
mod profile;
mod request;
mod settings;
mod size;
mod trigger;

pub use baseline::{Baseline, Known};
pub use profile::{Profile, read_profiles};
pub use request::{Trigger, TriggerAction, WholeRequest};
pub use settings::Settings;
pub use size::{SizeError, size};
