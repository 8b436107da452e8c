/*!
The command line: one file a command. It is the only part of mcpspec that knows of standard output and exit codes.
*/

mod args;
mod check;
mod check_args;
mod configured;
mod coverage;
mod demo;
mod errors;
mod exit;
mod explain;
mod init;
mod init_args;
mod learned;
mod lint;
mod list;
mod main;
mod output;
mod reports;
mod reproduce;
mod schema;
mod serve;
mod signal;
mod suite;
mod targets;

use errors::CliError;
use exit::Exit;
pub use main::main;
