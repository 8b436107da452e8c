//! JSON-RPC 2.0 as the revision profiles it: what arrives ([`Call`] is made of it), what leaves ([`Message`]), and what goes
//! wrong in between ([`Fault`]).

mod fault;
mod id;
mod message;
mod read;

pub(crate) use fault::{Effect, Fault, Found, codes};
pub(crate) use id::Id;
pub(crate) use message::{Kind, Message};
pub(crate) use read::{Reading, read};
