//! The JSON value that all of mcpspec works on: numbers keep their spelling, objects keep their order and duplicates.

mod bridge;
mod number;
mod object;
mod print;
mod token;
#[expect(
    clippy::module_inception,
    reason = "the type gives the module its name"
)]
mod value;

pub use bridge::LossyConversion;
pub(crate) use bridge::push_token;
pub(crate) use number::token_length;
pub use number::{InvalidNumber, Number};
pub use object::Object;
pub(crate) use print::plain_length;
pub use value::{Value, same_id};
pub(crate) use value::{array_index, pointer_tokens};
