/*!
Values with places and placeholders: what a case file holds before a run fills it in (`cases/README.md`, section 3).

[`Data`] is a YAML value that remembers where it stands; its strings and keys are [`Template`]s, in which
`$(source | filter)` stands for something known only during the run. A [`Scope`] gives the sources.
*/

mod bytes;
mod data;
mod duration;
mod fields;
mod filter;
mod parse;
mod resolve;
mod source;
mod yaml;

pub use bytes::{bytes_to_text, text_to_bytes};
pub use data::{Data, Key, Kind, Location, Part, Placeholder, SourcePath, Template};
pub use duration::{DurationError, duration};
pub use fields::{Fields, Problem};
pub use parse::TemplateError;
pub use resolve::{Resolved, Scope, Unresolved};
pub(crate) use source::descend;
pub use yaml::{MAX_YAML_BYTES, MAX_YAML_DEPTH, read_yaml};
