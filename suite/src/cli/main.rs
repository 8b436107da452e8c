//! From arguments to an exit code.

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use tokio::runtime::Builder;

use super::args::{Arguments, Command};
use super::output::{tell_error, tell_hint};
use super::{CliError, Exit, check, coverage, explain, lint, list, schema, serve};

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that nobody reads any more is no error.
            let _ = error.print();
            if is_command_without_dashes(&error) {
                tell_hint("a server's command goes behind `--`: mcpspec check -- COMMAND…");
            }
            return if error.use_stderr() {
                Exit::Usage.into()
            } else {
                Exit::Clean.into()
            };
        }
    };
    match run(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            tell_error(&error);
            error.exit().into()
        }
    }
}

/// Whether the server's command was probably given without `--`: then its second word is one too many.
fn is_command_without_dashes(error: &clap::Error) -> bool {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
        && words.first().is_some_and(|word| word == "check")
        && !words.iter().any(|word| word == "--")
}

fn run(command: Command) -> Result<Exit, CliError> {
    match command {
        Command::Check(arguments) => {
            wait_for(Builder::new_multi_thread(), check::check(*arguments))
        }
        Command::Coverage(arguments) => coverage::coverage(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Lint(arguments) => lint::lint(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Schema(arguments) => schema::schema(&arguments),
        // A run of the suite starts some two hundred of these: threads of its own would make each dearer.
        Command::Serve(arguments) => {
            wait_for(Builder::new_current_thread(), serve::serve(arguments))
        }
    }
}

fn wait_for(
    mut runtime: Builder,
    work: impl Future<Output = Result<Exit, CliError>>,
) -> Result<Exit, CliError> {
    let runtime = runtime
        .enable_all()
        .build()
        .map_err(|source| CliError::System {
            what: "start the runtime",
            source,
        })?;
    let result = runtime.block_on(work);
    // A thread that waits for standard input would hold the process until the next line.
    runtime.shutdown_background();
    result
}
