//! Server-sent events (the WHATWG HTML standard, section "Server-sent events"), from chunks of any size.

mod decoder;
mod event;

pub use decoder::Decoder;
pub use event::{Event, Item};
