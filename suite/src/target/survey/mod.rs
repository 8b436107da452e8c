/*!
The survey: what is learned of a target before anything is judged.

It goes over links of its own. First it finds out which generations of the protocol the target serves (page
`basic/versioning`), then it walks the lists that the target declares, tells the [gate](super::Permit) which tools there
are, and tries one request of each method. Triggers come from the configuration, a profile, the definitions listed, or from calling
each permitted tool once and looking at what comes.

| module | what |
|---|---|
| `whole` | the whole survey, step by step |
| `asker`, `trouble` | asking, and saying why a target cannot be judged |
| `era`, `lists`, `served` | generations, lists, one request of each method |
| `principal` | whether the tokens of others are taken |
| `known`, `definitions` | triggers that are named, and those that definitions show |
| `sought`, `search`, `caller`, `shown`, `interview`, `role`, `changes` | triggers that calls show, as far as they are sought |
*/

mod asker;
mod caller;
mod changes;
mod definitions;
mod era;
mod interview;
mod known;
mod lists;
mod model;
mod principal;
mod role;
mod search;
mod served;
mod shown;
mod sought;
mod trouble;
mod whole;

pub use known::named_tools;
pub use model::{ServedEra, Survey, SurveyError, Unanswered};
pub use principal::refuses;
pub use sought::Sought;
pub use whole::survey;
