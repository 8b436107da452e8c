/*!
The transports: how bytes reach a target and come back.

A [`Connection`] is what a case calls a link: a process on stdio, and on HTTP a connection of its own. It writes what it
is given and records everything that happens in its [`Journal`], which others read and wait on. It judges nothing.
*/

mod connection;
mod http;
mod inbound;
mod journal;
mod limits;
mod memory;
mod process;
mod raw_http;
mod response;
mod stdio;
#[cfg(test)]
mod tests;

pub use connection::{Connection, HttpRequest, Outgoing, SendError, Stopped, WriteMode};
pub use http::Pacer;
pub(crate) use http::{Network, UNTRUSTED, is_loopback};
pub use journal::Journal;
pub use limits::{Budget, Limits};
pub(crate) use memory::MemoryServer;
pub(crate) use process::{Background, ChildError, CommandLine, spare_unmarked};
