//! From a file to a case. Every unknown key is an error; all errors of a file are told at once.

mod case;
mod parts;
mod request;
mod step;

pub use case::load_case;
pub(super) use case::{Loaded, case_id};
