/*!
Matchers: what an answer has to look like (`cases/README.md`, section 7).

A [`Matcher`] is compiled from [`Data`](crate::template::Data) when a case is loaded, and checked against a value during
the run. It explains every mismatch by a JSON pointer, what was expected and what was there.
*/

mod check;
mod compile;
mod model;

pub use check::{Check, Context, Mismatch};
pub use compile::CompileError;
pub use model::Matcher;
