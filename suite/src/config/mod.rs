/*!
What the user tells: targets, triggers, profiles of well-known servers, `mcpspec.toml`, sizes, and the verdicts that are already known. What
is learned of a server is written as such a file, too.
*/

mod baseline;
mod conceal;
mod document;
mod inline;
mod outline;
mod page;
mod profile;
mod reach;
mod request;
mod schema;
mod settings;
mod size;
mod target;
mod trigger;
mod variables;
mod write;
#[cfg(test)]
mod written;

pub use baseline::{Baseline, Known};
pub use conceal::{ConcealedTarget, GivenTarget, Variable};
pub use outline::{KnownTrigger, MissingTrigger, Outline, ToolClass, Unreadable};
pub use profile::{Profile, read_profiles};
pub use reach::{header_problem, url_problem};
pub use request::{Trigger, TriggerAction, WholeRequest};
pub use schema::json_schema;
pub use settings::{Settings, Surroundings};
pub use size::{SizeError, size};
pub use target::TargetSettings;
pub use variables::Expanded;
pub use write::trigger_lines;
