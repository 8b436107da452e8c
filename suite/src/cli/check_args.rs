//! The arguments of `check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};
use mcpspec_wire::Value;

use crate::target::CallTools;

use super::args::{EXIT_CODES, SelectionArguments, SuiteArguments};
use super::reports::ReportOption;

/// The heading over what tells which server is meant.
pub(super) const TARGET: &str = "Target";

/// `check`.
#[derive(Debug, Args)]
#[command(
    // Without a display order, options stand in the order of their names.
    next_display_order = None,
    group = clap::ArgGroup::new("target").multiple(true).args(["url", "command", "demo"]),
    override_usage = "mcpspec check [OPTIONS] URL\n       \
                      mcpspec check [OPTIONS] -- COMMAND…\n       \
                      mcpspec check [OPTIONS] URL -- COMMAND…\n       \
                      mcpspec check [OPTIONS] --demo\n       \
                      mcpspec check [OPTIONS] --from FILE [--server NAME]\n       \
                      mcpspec check [OPTIONS] [--target NAME]",
    after_help = EXIT_CODES
)]
pub(super) struct CheckArguments {
    /// The server's endpoint, judged over HTTP.
    #[arg(value_name = "URL")]
    pub(super) url: Option<String>,
    /// The server's command, judged over stdio; with a URL, it is started first, and the URL is judged.
    #[arg(value_name = "COMMAND", last = true)]
    pub(super) command: Vec<String>,

    /// Judge the built-in reference server over both transports.
    #[arg(long, conflicts_with_all = ["url", "command", "bearer_env"], help_heading = TARGET)]
    pub(super) demo: bool,
    /// Judge a server that an MCP client's file (mcpServers) or the MCP Registry's server.json names.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["url", "command", "demo"], help_heading = TARGET)]
    pub(super) from: Option<PathBuf>,
    /// Which server of that file, if there are several; in server.json the type, identifier, URL or number of a package or remote.
    #[arg(long, value_name = "NAME", requires = "from", help_heading = TARGET)]
    pub(super) server: Option<String>,
    /// Judge only this [[target]] of mcpspec.toml; may be repeated.
    #[arg(long = "target", value_name = "NAME", conflicts_with_all = ["url", "command", "demo", "from"], help_heading = TARGET)]
    pub(super) names: Vec<String>,
    #[command(flatten)]
    pub(super) target: TargetArguments,
    #[command(flatten)]
    pub(super) suite: SuiteArguments,
    #[command(flatten)]
    pub(super) selection: SelectionArguments,
    #[command(flatten)]
    pub(super) judging: JudgingArguments,
    #[command(flatten)]
    pub(super) output: OutputArguments,
}

/// How the server is started, reached and treated.
#[derive(Debug, Args)]
#[command(next_help_heading = TARGET)]
pub(super) struct TargetArguments {
    /// Environment variable whose value is sent as the bearer token of every HTTP request.
    #[arg(long, value_name = "NAME")]
    pub(super) bearer_env: Option<String>,
    /// Which tools may be called; readonly unless mcpspec.toml tells otherwise.
    #[arg(long, value_name = "MODE")]
    pub(super) call_tools: Option<CallToolsMode>,
    /// Working directory of the command.
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// Environment variable of the command; may be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) env: Vec<String>,
    /// Header of every HTTP request; may be repeated.
    #[arg(long, value_name = "NAME: VALUE")]
    pub(super) header: Vec<String>,
    /// Accept any certificate of the host of the URL: nobody knows then who answers.
    #[arg(long)]
    pub(super) insecure: bool,
    /// How many requests a second to send over HTTP at most.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_rate: Option<u32>,
    /// Triggers to use, where the server's name does not choose them.
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
    /// How long the command may take to start, up to its first answer over stdio, up to when it listens over HTTP; 20s
    /// unless mcpspec.toml tells otherwise.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) startup_timeout: Option<Duration>,
}

impl CheckArguments {
    /// Whether the command line says what to judge, so that no target of mcpspec.toml is meant.
    pub(super) fn names_target(&self) -> bool {
        self.url.is_some() || !self.command.is_empty() || self.demo || self.from.is_some()
    }
}

/// How it is judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(super) struct JudgingArguments {
    /// Verdicts that are known; only differences fail the run.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Survey the target, print every request that a run would send it, and send none of them.
    #[arg(long, conflicts_with_all = ["baseline", "report"])]
    pub(super) dry_run: bool,
    /// How many cases run at a time.
    #[arg(long, value_name = "N", default_value = "8", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) jobs: u16,
    /// The largest message that is judged.
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = crate::config::size)]
    pub(super) max_message: usize,
    /// How long the whole run may take.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    pub(super) max_run: Duration,
    /// Let warnings fail the run.
    #[arg(long)]
    pub(super) strict: bool,
    /// How long an answer may take; 10s unless mcpspec.toml tells otherwise.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) timeout: Option<Duration>,
}

/// What is printed and written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArguments {
    /// When to use colour.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: ColorMode,
    /// Show no progress, even on a terminal.
    #[arg(long)]
    pub(super) no_progress: bool,
    /// Show only the failures and the last line.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Write a report: json, junit or terminal; may be repeated. Without a path it goes to standard output.
    #[arg(long, value_name = "FORMAT[=PATH]")]
    pub(super) report: Vec<ReportOption>,
    /// Show every case.
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub(super) verbose: bool,
}

/// Which tools may be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum CallToolsMode {
    /// Every listed tool.
    All,
    /// Only tools that the configuration or an applied profile names.
    Listed,
    /// None.
    None,
    /// Those and tools that say they only read, and neither destroy nor reach the outside.
    #[default]
    Readonly,
}

impl CallToolsMode {
    /// As it is written.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            CallToolsMode::All => "all",
            CallToolsMode::Listed => "listed",
            CallToolsMode::None => "none",
            CallToolsMode::Readonly => "readonly",
        }
    }
}

impl From<CallToolsMode> for CallTools {
    fn from(mode: CallToolsMode) -> CallTools {
        match mode {
            CallToolsMode::All => CallTools::All,
            CallToolsMode::Listed => CallTools::Listed,
            CallToolsMode::None => CallTools::None,
            CallToolsMode::Readonly => CallTools::Readonly,
        }
    }
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorMode {
    /// Always.
    Always,
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Never.
    Never,
}

/// A time that is more than nothing.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration =
        crate::template::duration(&Value::from(text)).map_err(|error| error.to_string())?;
    if duration.is_zero() {
        Err("it has to be more than nothing".to_owned())
    } else {
        Ok(duration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_nothing_is_refused() {
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert!(duration("0ms").is_err());
        assert!(duration("2").is_err());
    }
}
