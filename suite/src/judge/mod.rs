/*!
What was seen, and what it is worth: pure functions over a transcript.

[`outcome`] turns an exchange into the value that steps and watches look at; [`judge`] holds it against `expect` and its
alternatives; [`Watcher`] judges everything that passed on a link. Nothing here waits or sends.
*/

mod challenge;
mod decide;
mod demands;
mod message;
mod outcome;
mod record;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transcript_tests;
mod watch;

pub use decide::{Judgement, Judging, alternatives, judge, matches};
pub use demands::{Demands, StepClass};
pub use outcome::{HTTP_MEMBERS, Moment, answer_of, outcome, request_view, unreadable};
pub use record::{record_exchange, record_sent};
pub use watch::{Near, Sighting, WatchFinding, Watcher};
