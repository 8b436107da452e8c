//! `lint`: what is wrong with case files.

use crate::text::counted;

use super::args::{LintArguments, SuiteArguments};
use super::output::tell;
use super::suite::{load, read_path};
use super::{CliError, Exit};

/// Loads the built-in suite, or that and the files of the user. Loading is strict: what it passes has nothing wrong.
pub(super) fn lint(arguments: &LintArguments) -> Result<Exit, CliError> {
    let loaded = load(&SuiteArguments {
        directories: arguments.path.iter().cloned().collect(),
        replace_cases: true,
    })?;
    let told = match &arguments.path {
        None => format!(
            "{} of the built-in suite",
            counted(loaded.suite.cases().len(), "case")
        ),
        Some(path) => {
            let files = read_path(path)?;
            let is_of_user = |file: &str| files.iter().any(|of_user| of_user.shown == file);
            let cases = loaded.suite.cases().iter();
            let count = cases.filter(|case| is_of_user(&case.file)).count();
            format!("{} under {}", counted(count, "case"), path.display())
        }
    };
    tell(&format!("{told}, nothing wrong"));
    Ok(Exit::Clean)
}
