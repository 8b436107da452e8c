/*!
mcpspec tells whether a server keeps to revision 2026-07-28 of the Model Context Protocol.

The modules are layers: a module imports only from higher rows, and inside a row only from modules to its left.
`tests/architecture.rs` holds this table against the code.

| row | modules, left to right |
|---|---|
| 0 pure | [`text`], [`template`], [`spec`], [`verdict`], [`transcript`], [`event`]; crate `mcpspec-wire` |
| 1 data | [`matcher`], [`case`], [`arguments`], [`config`] |
| 2 I/O | [`transport`], [`target`] |
| 3 action | [`judge`], [`run`] |
| 4 show | [`report`] |
| 5 edge | [`cli`] |
*/
#![forbid(unsafe_code)]

pub mod arguments;
pub mod case;
pub mod cli;
pub mod config;
pub mod event;
pub mod judge;
pub mod matcher;
pub mod report;
pub mod run;
pub mod spec;
pub mod target;
pub mod template;
pub mod text;
pub mod transcript;
pub mod transport;
pub mod verdict;
