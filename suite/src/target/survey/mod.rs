/*!
The survey: what is learned of a target before anything is judged.

It goes over links of its own. First it finds out which generations of the protocol the target serves (page
`basic/versioning`), then it walks the lists that the target declares, tells the [gate](super::Permit) which tools there
are, and tries one request of each method. Triggers come from the configuration, a profile, or the definitions listed.
*/

mod asker;
mod definitions;
mod era;
mod known;
mod lists;
mod model;
mod served;
mod trouble;
mod whole;

pub use known::named_tools;
pub use model::{ServedEra, Survey, SurveyError, Unanswered};
pub use whole::survey;
