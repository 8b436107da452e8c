/*!
Matchers: what an answer has to look like (`cases/README.md`, section 7).

A [`Matcher`] is compiled from [`Data`](crate::template::Data) when a case is loaded, and checked against a value during
the run. It explains every mismatch by a JSON pointer, what was expected and what was there.
*/

mod asked;
mod check;
mod compare;
mod compile;
mod describe;
mod finding;
mod format;
mod kind;
mod model;
mod operator;
mod predicate;
mod schema;
#[cfg(test)]
mod tests;

pub use asked::Asked;
pub use check::{Check, Context, Mismatch};
pub use compile::{CompileError, OPERATORS};
pub use model::Matcher;
pub use operator::lasting;
pub use schema::fits_schema;
