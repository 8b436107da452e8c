//! The arguments of `init`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::check_args::{TARGET, TargetArguments, duration};

/// What `init` ends with.
const EXIT_CODES: &str = "\
Exit codes:
  0    mcpspec.toml is written
  2    a wrong option, or mcpspec.toml is there already or cannot be written
  3    the server cannot be started or reached, or it is no MCP server or one that does not speak
       revision 2026-07-28; nothing is written
  130  the user interrupted the survey; nothing is written";

/// `init`.
#[derive(Debug, Args)]
#[command(
    // Without a display order, options stand in the order of their names.
    next_display_order = None,
    group = clap::ArgGroup::new("target").multiple(true).required(true).args(["url", "command", "from"]),
    override_usage = "mcpspec init [OPTIONS] URL\n       \
                      mcpspec init [OPTIONS] -- COMMAND…\n       \
                      mcpspec init [OPTIONS] URL -- COMMAND…\n       \
                      mcpspec init [OPTIONS] --from FILE [--server NAME]",
    after_help = EXIT_CODES
)]
pub(super) struct InitArguments {
    /// The server's endpoint, to be judged over HTTP.
    #[arg(value_name = "URL")]
    pub(super) url: Option<String>,
    /// The server's command, to be judged over stdio; with a URL, it is started first, and the URL is judged.
    #[arg(value_name = "COMMAND", last = true)]
    pub(super) command: Vec<String>,

    /// Take a server that an MCP client's file (mcpServers) or the MCP Registry's server.json names.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["url", "command"], help_heading = TARGET)]
    pub(super) from: Option<PathBuf>,
    /// Which server of that file, if there are several; in server.json the type, identifier, URL or number of a package or remote.
    #[arg(long, value_name = "NAME", requires = "from", help_heading = TARGET)]
    pub(super) server: Option<String>,
    /// Replace an mcpspec.toml that is there.
    #[arg(long, help_heading = "Output")]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) target: TargetArguments,
    /// How long an answer may take.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration, help_heading = TARGET)]
    pub(super) timeout: Duration,
}
