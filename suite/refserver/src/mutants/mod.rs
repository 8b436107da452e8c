//! The mutants: one wrong behaviour each.
//!
//! A [`Mutant`] is a row of a table, in the file of its area. Its name is the one that the requirement's entry in the registry
//! gives. What it does is a value of [`Hooks`], a trait whose every method leaves things as they are by default; the server
//! calls the hooks and knows no mutant.
//!
//! # How to add one
//!
//! 1. Find the file of the area (the first part of the requirement's id), or add one and list its table in `table.rs`.
//! 2. Add a row to its `MUTANTS`: name, `about` in our own words, where it shows (`BOTH`, `STDIO`, `HTTP`), and what it breaks.
//!    Where the rule can only be broken on another server than the default one, say so with `Mutant::on`.
//! 3. Choose the narrowest [`Breaks`](breaks::Breaks): `Shape` edits members of results, errors or notifications and needs no
//!    code; the others are single hooks as functions. Only what remembers something, or needs several hooks, is a type of its
//!    own that implements [`Hooks`] (`Breaks::Own`). It is made anew for each server, so its fields are its memory;
//!    what outlives a process is kept on [`Disk`](disk::Disk).
//! 4. Break the rule visibly to the stimulus of the entry, on each transport of the requirement, and as little else as can be.
//!    A [`Fault`](crate::rpc::Fault) names the [`Rule`](crate::admit::Rule) that it is about, so that one refusal can be picked.
//! 5. Where the breach is not plain from the row, test it.
//! 6. Of a mutant that breaks more than five requirements of others, as `cases/kill-matrix.yaml` tells, `suite/tests/mutants/proof.rs`
//!    says why.

mod breaks;
mod disk;
mod hooks;
mod listing;
mod memory;
mod mutant;
mod panics;
mod pick;
mod rounds;
mod shape;
mod table;

mod caching;
mod cancellation;
mod checks;
mod completion;
mod content;
mod discover;
mod elicitation;
mod elicitation_form;
mod elicitation_url;
mod ext;
mod http_headers;
mod http_legacy;
mod http_names;
mod http_params;
mod http_replies;
mod http_streams;
mod http_wire;
mod icons;
mod jsonrpc;
mod jsonrpc_errors;
mod jsonrpc_ids;
mod jsonrpc_notifications;
mod logging;
mod meta;
mod meta_capabilities;
mod meta_stateless;
mod mrtr_answers;
mod mrtr_asking;
mod mrtr_retry;
mod mrtr_state;
mod pagination;
mod progress;
mod prompts;
mod resources_list;
mod resources_read;
mod robustness;
mod robustness_http;
mod roots;
mod sampling;
mod schema;
mod stdio;
mod stdio_process;
mod stdio_requests;
mod subscriptions_changes;
mod subscriptions_filter;
mod subscriptions_open;
mod subscriptions_state;
mod tools_call;
mod tools_definitions;
mod tools_headers;
mod tools_list;
mod version;

pub(crate) use hooks::{Answered, Arrival, Conforming, Hooks, Orphan};
pub use mutant::{Mutant, Variant};
pub use table::{find_mutant, mutants};
