//! A server that conforms to revision 2026-07-28 of the Model Context Protocol, and its mutants, each of which breaks one rule.
//!
//! The server is the yardstick of mcpspec: every case has to hold on it, and to fail on the mutant of its requirement. It has
//! its own JSON-RPC on serde_json and shares no code with the judge, so that a misreading of the specification cannot cancel
//! itself out.
//!
//! All waiting is tokio time and no logic reads another clock, so that a test can run hours of it in no time.
//!
//! ```no_run
//! # async fn demo() {
//! use std::sync::Arc;
//! use mcpspec_refserver::{Options, Server};
//!
//! let server = Arc::new(Server::new(Options::default()));
//! server.serve_stdio(tokio::io::empty(), tokio::io::sink()).await;
//! # }
//! ```

#![forbid(unsafe_code)]

mod admit;
mod answers;
mod call;
mod catalogue;
mod clock;
mod interview;
mod methods;
mod mutants;
mod options;
mod rpc;
mod schema;
mod seal;
mod serve;
mod server;
mod world;

pub use call::Transport;
pub use mutants::{Mutant, Variant, find_mutant, mutants};
pub use options::{Capability, Era, Options, UnknownName};
pub use serve::HTTP_PATH;
pub use server::{Exit, Server};
