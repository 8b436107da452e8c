/*!
Targets: how a server under test is started, reached, surveyed and stopped, and which tools may be called on it.
*/

mod ids;
mod link;
mod mirror;
mod neighbours;
mod permit;
mod request;
mod server;
mod startup;
mod survey;
#[expect(
    clippy::module_inception,
    reason = "the type gives the module its name"
)]
mod target;
#[cfg(test)]
mod tests;

pub use ids::IdSource;
pub use link::{Link, LinkError};
pub use permit::{CallTools, Permit, PermitError};
pub use request::{Draft, Identity, conforming, is_safe_token, post_headers};
pub use survey::{
    ServedEra, Sought, Survey, SurveyError, Unanswered, named_tools, refuses, survey,
};
pub use target::{Endpoint, OpenError, Slot, Target, TargetOptions};
