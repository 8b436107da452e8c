//! The two streams. Data goes to standard output, all else to standard error; that either is closed changes nothing.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::CliError;

/// As clap styles its own messages.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Green.on_default();

/// Writes data to standard output. A closed one is no error: the reader has seen enough.
pub(super) fn print(text: &str) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CliError::Stdout(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// A value as indented JSON, ending in a line feed.
pub(super) fn json(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("all members have text for names");
    text.push('\n');
    text
}

/// Writes a message to standard error. If that fails, there is nobody left to tell.
pub(super) fn tell(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Writes an error and its hint to standard error.
pub(super) fn tell_error(error: &CliError) {
    if let CliError::Files(diagnostics) = error {
        for diagnostic in diagnostics {
            tell(&format!("{diagnostic}\n"));
        }
    }
    tell(&format!("{ERROR}error:{ERROR:#} {error}"));
    if let Some(hint) = error.hint() {
        tell_hint(&hint);
    }
}

/// Writes a warning to standard error.
pub(super) fn tell_warning(text: &str) {
    tell(&format!("{WARNING}warning:{WARNING:#} {text}"));
}

/// Says loudly of which URLs, as they may be shown, no certificate is looked at.
pub(super) fn tell_insecure(urls: &[&str]) {
    for url in urls {
        tell_warning(&format!(
            "--insecure: any certificate is accepted for {url}, so that nobody knows who answers, and who reads the secrets that are sent"
        ));
    }
    if urls.is_empty() {
        tell("note: --insecure changes nothing, since no target is reached by https");
    }
}

/// Writes what to do about an error to standard error.
pub(super) fn tell_hint(hint: &str) {
    tell(&format!("{HINT}hint:{HINT:#} {hint}"));
}
