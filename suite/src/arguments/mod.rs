/*!
Values made from a JSON Schema: arguments of a tool, content of a form, and the answers that hold it.

The smallest valid value is made, so that a call does as little as it can. What is made is checked against the schema by
a validator before it is given out; a schema that asks for more than this module can make gives the reason instead.
*/

pub mod answers;
#[cfg(test)]
mod laws;
mod make;
mod number;
mod text;

pub use make::{Unmakeable, all_members, required_members, required_members_and};
