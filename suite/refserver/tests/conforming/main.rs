//! The server without a mutant, over memory, with the clock paused.

mod asking;
mod client;
mod http;
mod stdio;
