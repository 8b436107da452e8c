//! The forms of a report.

use std::fmt;
use std::str::FromStr;

use super::{Report, json, junit, terminal};

/// A form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people at a terminal.
    Terminal,
    /// The whole report.
    Json,
    /// For continuous integration.
    Junit,
}

impl Format {
    /// All forms, in the order of the documentation.
    pub const ALL: [Format; 3] = [Format::Terminal, Format::Json, Format::Junit];

    /// The name in `--report`.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Terminal => "terminal",
            Format::Json => "json",
            Format::Junit => "junit",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that is no form of a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no report format {0:?}; use terminal, json or junit")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.as_str() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// How much the terminal report tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Verbosity {
    /// Failures and the last line (`-q`).
    Quiet,
    /// Failures in full, the rest in short.
    #[default]
    Normal,
    /// Every case (`-v`).
    Verbose,
}

/// How a report is rendered. The JSON form heeds none of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether warnings count as failures (`--strict`).
    pub strict: bool,
    /// Terminal: how much it tells.
    pub verbosity: Verbosity,
    /// Terminal: whether it is coloured by ANSI sequences.
    pub color: bool,
    /// Terminal: columns that prose is wrapped to. Evidence is never wrapped.
    pub width: usize,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            strict: false,
            verbosity: Verbosity::Normal,
            color: false,
            width: 100,
        }
    }
}

/// The report in one of its forms, ending in a line feed.
pub fn render(format: Format, report: &Report, options: &RenderOptions) -> String {
    match format {
        Format::Terminal => terminal::render(report, options),
        Format::Json => json::render(report),
        Format::Junit => junit::render(report, options),
    }
}
