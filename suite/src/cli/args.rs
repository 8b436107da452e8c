//! The arguments of the program: what `--help` shows.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use mcpspec_refserver::{Capability, Era};

use crate::case::{Selection, SelectionError};

use super::check_args::CheckArguments;
use super::init_args::InitArguments;

/// Tells whether an MCP server keeps to revision 2026-07-28 of the Model Context Protocol.
#[derive(Debug, Parser)]
#[command(
    name = "mcpspec",
    version,
    arg_required_else_help = true,
    after_help = EXIT_CODES
)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,
}

/// What the program ends with.
pub(super) const EXIT_CODES: &str = "\
Exit codes, the first that applies:
  130  the user interrupted the run; the reports are written
  2    a wrong option, configuration, baseline or case file, or a report cannot be written
  1    a failure, under --strict also a warning, that is not in the baseline,
       or an entry of the baseline that no longer occurs
  3    something could not be judged: the server does not start or cannot be reached,
       a verdict is inconclusive, the run was not over in time, nothing was judged
  4    no case is selected
  0    none of these: what was judged held, was only warned of, or is in the baseline";

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Judge a server.
    Check(Box<CheckArguments>),
    /// Show which requirements the suite judges, and which not yet.
    Coverage(CoverageArguments),
    /// Show a case or a requirement in full.
    Explain(ExplainArguments),
    /// Survey a server and write mcpspec.toml.
    Init(Box<InitArguments>),
    /// Check case files.
    Lint(LintArguments),
    /// Show the cases.
    List(ListArguments),
    /// Print a JSON Schema.
    Schema(SchemaArguments),
    /// Run the reference server, or a mutant of it that breaks one rule.
    Serve(ServeArguments),
}

/// Which cases there are.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct SuiteArguments {
    /// Add the case files under a directory, or one of them; may be repeated.
    #[arg(long = "cases", value_name = "DIR", display_order = 2)]
    pub(super) directories: Vec<PathBuf>,
    /// Let the cases of --cases take the place of those with the same id.
    #[arg(long, requires = "directories", display_order = 3)]
    pub(super) replace_cases: bool,
}

/// Which of them are meant.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct SelectionArguments {
    /// Take only cases whose id, or a requirement of which, matches; may be repeated.
    #[arg(long = "case", value_name = "GLOB", display_order = 1)]
    pub(super) only: Vec<String>,
    /// Leave out cases whose id, or a requirement of which, matches; may be repeated.
    #[arg(long = "skip", value_name = "GLOB", display_order = 4)]
    pub(super) skip: Vec<String>,
}

impl SelectionArguments {
    pub(super) fn selection(&self) -> Result<Selection, SelectionError> {
        Selection::new(&self.only, &self.skip)
    }
}

/// How something is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum TextFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

/// `list`.
#[derive(Debug, Args)]
pub(super) struct ListArguments {
    #[command(flatten)]
    pub(super) suite: SuiteArguments,
    #[command(flatten)]
    pub(super) selection: SelectionArguments,
    /// How to print them.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    pub(super) format: TextFormat,
}

/// `explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// Id of a case (`http/origin/invalid-403`) or of a requirement (`http.origin.invalid-403`).
    #[arg(value_name = "CASE|REQUIREMENT")]
    pub(super) id: String,
    #[command(flatten)]
    pub(super) suite: SuiteArguments,
    /// How to print it.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    pub(super) format: TextFormat,
}

/// `coverage`.
#[derive(Debug, Args)]
pub(super) struct CoverageArguments {
    /// How to print it.
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Output"
    )]
    pub(super) format: TextFormat,
}

/// `lint`.
#[derive(Debug, Args)]
pub(super) struct LintArguments {
    /// A directory of case files, or one of them; without, the built-in suite is checked.
    #[arg(value_name = "DIR|FILE")]
    pub(super) path: Option<PathBuf>,
}

/// `schema`.
#[derive(Debug, Args)]
pub(super) struct SchemaArguments {
    /// Of what.
    #[arg(value_name = "WHAT")]
    pub(super) what: SchemaOf,
}

/// What has a JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaOf {
    /// A case file, for editors.
    Case,
    /// mcpspec.toml, for editors.
    Config,
    /// The JSON report.
    Report,
}

/// For whom `serve` has fixtures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Fixtures {
    /// The official conformance suite.
    Official,
}

/// `serve`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("where").required(true).args(["stdio", "http", "list_mutants"]))]
pub(super) struct ServeArguments {
    /// Which revisions to speak: `modern` (2026-07-28), or `dual` (an older one too).
    #[arg(long, value_name = "ERA")]
    pub(super) era: Option<Era>,
    /// Also offer the tools, resources and prompts that a suite expects by name: `official` (@modelcontextprotocol/conformance).
    #[arg(long, value_name = "SUITE", value_enum, hide_possible_values = true)]
    pub(super) fixtures: Option<Fixtures>,
    /// Listen on an address (`127.0.0.1:8000`; port 0 takes a free one) and print its URL on standard error.
    #[arg(long, value_name = "ADDR")]
    pub(super) http: Option<String>,
    /// Print the names of the mutants, and what each does wrong.
    #[arg(long)]
    pub(super) list_mutants: bool,
    /// Do one thing wrong.
    #[arg(long, value_name = "NAME")]
    pub(super) mutant: Option<String>,
    /// Want a bearer token over HTTP: `token-of-alice` or `token-of-bob`.
    #[arg(long)]
    pub(super) protected: bool,
    /// Speak over standard input and output.
    #[arg(long)]
    pub(super) stdio: bool,
    /// Do not declare a capability; may be repeated.
    #[arg(long, value_name = "CAPABILITY")]
    pub(super) without: Vec<Capability>,
}
