/*!
What the user tells: targets, triggers, profiles of well-known servers, `mcpspec.toml`, sizes, and the verdicts that are already known.
*/

mod baseline;
mod document;
mod profile;
mod reach;
mod request;
mod settings;
mod size;
mod target;
mod trigger;
mod variables;

pub use baseline::{Baseline, Known};
pub use profile::{Profile, read_profiles};
pub use reach::{header_problem, url_problem};
pub use request::{Trigger, TriggerAction, WholeRequest};
pub use settings::{Settings, Surroundings};
pub use size::{SizeError, size};
pub use target::TargetSettings;
pub use variables::Expanded;
