//! The transports: standard streams, and HTTP.

mod accept;
mod auth;
mod exchange;
mod http;
mod inbound;
mod origin;
mod sink;
mod stdio;
mod tap;

pub(crate) use exchange::{Exchange, HttpReply, Payload};
pub use http::HTTP_PATH;
pub(crate) use sink::Sink;
