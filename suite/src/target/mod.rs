/*!
Targets: how a server under test is started, reached, surveyed and stopped, and which tools may be called on it.
*/

mod link;
mod permit;
mod request;
mod survey;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the type that it holds"
)]
mod target;

pub use link::{Link, LinkError};
pub use permit::{CallTools, Permit, PermitError};
pub use request::{Draft, IdSource, Identity, is_safe_token};
pub use survey::{ServedEra, Survey, SurveyError, survey};
pub use target::{Endpoint, OpenError, Target, TargetOptions};
