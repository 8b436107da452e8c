/*!
The transports: how bytes reach a target and come back.

A [`Connection`] is what a case calls a link: a process on stdio, and on HTTP a connection of its own. It writes what it
is given and records everything that happens in its [`Journal`], which others read and wait on. It judges nothing.
*/

mod connection;
mod journal;

pub use connection::{Connection, HttpRequest, Outgoing, SendError, Stopped, WriteMode};
pub use journal::{Journal, Limits};
