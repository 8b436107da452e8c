//! What each step does, as methods of [`Row`](super::row::Row). A file for each kind.

mod change;
mod end;
mod plain;
mod repeat;
mod retry;
mod send;
mod settle;
mod wait;

pub(super) use send::{ANSWER, What};
pub(super) use wait::SILENCE;
