/*!
What the user tells: targets, in `mcpspec.toml` or in files written for others, triggers, profiles of well-known servers, sizes, and the
verdicts that are already known. What is learned of a server is written as such a file, too.
*/

mod baseline;
mod client;
mod conceal;
mod document;
mod foreign;
mod inline;
mod json;
mod outline;
mod page;
mod profile;
mod reach;
mod registry_entry;
mod registry_input;
mod request;
mod schema;
mod settings;
mod size;
mod stub;
mod target;
mod trigger;
mod variables;
mod write;
#[cfg(test)]
mod written;

#[cfg(test)]
mod conceal_tests;
#[cfg(test)]
mod foreign_tests;
#[cfg(test)]
mod target_tests;

pub use baseline::{Baseline, Known};
pub use conceal::{ConcealedTarget, GivenTarget, Variable};
pub use foreign::{Around, read_foreign};
pub use json::ForeignFileError;
pub use outline::{KnownTrigger, MissingTrigger, Outline, ToolClass, ToolUse, Unreadable};
pub use profile::{Profile, read_profiles};
pub use reach::{MIRRORED, NO_TOKEN, header_problem, token_problem, url_problem};
pub use request::{Trigger, TriggerAction, WholeRequest};
pub use schema::json_schema;
pub use settings::{Settings, Surroundings};
pub use size::{SizeError, size};
pub use stub::{lines_in_place, lines_to_add};
pub use target::TargetSettings;
pub use variables::Expanded;
