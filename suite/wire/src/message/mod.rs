//! One JSON-RPC message as revision 2026-07-28 has it (page `basic/index`), or what is wrong with it and at which byte.

mod decode;
#[expect(
    clippy::module_inception,
    reason = "the type gives the module its name"
)]
mod message;
mod problem;

pub use decode::Decoded;
pub use message::Message;
pub use problem::{Problem, ProblemKind};
