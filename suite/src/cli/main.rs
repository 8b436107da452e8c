//! From arguments to an exit code.

use std::process::ExitCode;

use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use tokio::runtime::Builder;

use super::args::{Arguments, Command};
use super::output::{tell_error, tell_hint};
use super::{CliError, Exit, check, coverage, explain, init, lint, list, schema, serve};

/// Runs the program.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help that nobody reads any more is no error.
            let _ = error.print();
            if let Some(command) = command_without_dashes(&error) {
                tell_hint(&format!(
                    "a server's command goes behind `--`: mcpspec {command} -- COMMAND…"
                ));
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

/// The command of this program to which a server's was probably given without `--`: then its second word is one too many.
fn command_without_dashes(error: &clap::Error) -> Option<String> {
    let mut words = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    let first = words.next()?;
    let is_meant = error.kind() == ErrorKind::UnknownArgument
        && error.get(ContextKind::SuggestedArg).is_none()
        && matches!(first.as_str(), "check" | "init")
        && !words.any(|word| word == "--");
    is_meant.then_some(first)
}

fn run(command: Command) -> Result<Exit, CliError> {
    match command {
        Command::Check(arguments) => {
            wait_for(Builder::new_multi_thread(), check::check(*arguments))
        }
        Command::Coverage(arguments) => coverage::coverage(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
        Command::Init(arguments) => wait_for(Builder::new_multi_thread(), init::init(*arguments)),
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
