//! `lint`: what is wrong with case files.

use crate::text::counted;

use super::args::{LintArguments, SuiteArguments};
use super::output::tell;
use super::suite::load;
use super::{CliError, Exit};

/// Loads the built-in suite, or that and the files of a directory. Loading is strict: what it passes has nothing wrong.
pub(super) fn lint(arguments: &LintArguments) -> Result<Exit, CliError> {
    let directories = arguments.directory.iter().cloned().collect();
    let loaded = load(&SuiteArguments {
        directories,
        replace_cases: true,
    })?;
    tell(&format!(
        "{}, nothing wrong",
        counted(loaded.suite.cases().len(), "case")
    ));
    Ok(Exit::Clean)
}
