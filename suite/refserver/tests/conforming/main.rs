//! The conforming server over memory, with the clock paused.

mod asking;
mod client;
mod fixtures;
mod http;
mod stdio;
mod streams;
mod variants;
