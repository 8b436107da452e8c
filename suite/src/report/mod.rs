/*!
Reports: what a run found out, as one versioned [`Report`] and the forms made of it.

| file | does |
|---|---|
| `model` | the report, whose JSON form is a published format |
| `baseline` | how it differs from the verdicts that are known |
| `fold` | makes it of the events of a run; `scrub` redacts and bounds every text on the way in |
| `tally` | counts, and the exit code that follows |
| `format` | the list of forms; each is a pure function of the report |
| `terminal`, `json`, `junit` | the forms; `conclusion` is the last line on the terminal |
| `failure` | one case as a block of text, shared by terminal and JUnit |
| `page` | text for people: escapes, wraps and colours whatever is put on it |
| `progress` | a line that tells how far a run is |
| `rehearsal` | what a dry run finds out, as a page |
| `write` | puts a rendered report into a file or on standard output |

Nothing here knows how a run works: reports see events only. To add a form: a file with `render(&Report, …) -> String`, a
line in `format`, and its snapshots in `tests/reports.rs`.
*/

mod baseline;
mod conclusion;
mod failure;
mod fold;
mod format;
mod json;
mod junit;
mod model;
mod page;
mod progress;
mod rehearsal;
mod scrub;
mod tally;
mod terminal;
mod write;

pub use baseline::{Difference, Gone, New, compare};
pub use fold::{Folder, Meta};
pub use format::{Format, RenderOptions, UnknownFormat, Verbosity, render};
pub use json::{ReadError, json_schema, read};
pub use model::{FORMAT, Interruption, Report, RequirementCounts, Summary, Tool, VerdictCounts};
pub use progress::Progress;
pub use rehearsal::Rehearsal;
pub use tally::exit_code;
pub use write::{WriteError, check_writable, write, write_file};
