/*!
What crossed the wire on one link, in order, and which sent thing each message belongs to.

A [`Transcript`] is written by the transports as bytes arrive and read by everybody else. Attribution happens as an
entry is recorded (`cases/README.md`, section 9), so that a step and a watch never disagree about it. No I/O.
*/

mod attribute;
mod entry;
mod exchange;
mod log;
#[cfg(test)]
mod tests;

pub use entry::{End, Entry, ExitStatus, Head, HeaderLine, Inbound, LineEnd, What};
pub use exchange::{Altered, Era, Exchange, HttpSent, Sent, SentKind};
pub use log::{LinkInfo, Transcript};

/// Number of a sent thing on its link, from 0 in order of sending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExchangeId(pub usize);
