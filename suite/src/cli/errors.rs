//! Everything by which a command can end without doing what it was asked for, each with one message and one hint.

use std::io;
use std::path::PathBuf;

use crate::case::{Diagnostic, SelectionError};
use crate::config::{ForeignFileError, MIRRORED, Unreadable};
use crate::report::WriteError;

use crate::text::counted;

use super::Exit;

/// Why a command did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum CliError {
    /// Files that the user wrote are wrong: cases, profiles, the configuration, a baseline.
    #[error("{}", counted(.0.len(), "problem"))]
    Files(Vec<Diagnostic>),
    /// There are no cases where the user said that they are.
    #[error("there is no case file under {}", .0.display())]
    NoCases(PathBuf),
    /// A pattern of `--case` or `--skip` is none.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// No case is selected.
    #[error("no case is selected")]
    NothingSelected,
    /// The URL is not that of a server.
    #[error("{url} is not the URL of a server: {problem}")]
    Url {
        /// The URL, redacted.
        url: String,
        /// What is wrong with it.
        problem: String,
        /// What was probably meant.
        meant: Meant,
    },
    /// A `--header` is none. It is not repeated, since it may hold a secret.
    #[error("a --header is wrong: {problem}")]
    Header {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The variable that `--bearer-env` names holds no token. Its name is not repeated, since a token given in its place
    /// would be a secret.
    #[error("--bearer-env names an environment variable that {problem}")]
    BearerEnv {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Something is told of a command, and none is started.
    #[error("{options} for a command, and mcpspec starts none here")]
    NoCommand {
        /// The options, and the verb.
        options: &'static str,
    },
    /// A token is given in two ways.
    #[error("--bearer-env and a --header both give Authorization")]
    TwoAuthorizations,
    /// The token of another principal is that of the command line.
    #[error(
        "`{key}` of the target {target} gives the token that the command line gives: name a variable that holds another, or leave it out"
    )]
    SamePrincipal {
        /// The name of the target.
        target: String,
        /// The key in `mcpspec.toml`.
        key: &'static str,
    },
    /// An `--env` is none. It is not repeated, since it may hold a secret.
    #[error("an --env is wrong")]
    Env,
    /// The command that is to be started has an empty word for a program.
    #[error("the command is empty")]
    EmptyCommand,
    /// A file that was written for others names no target that can be judged.
    #[error(transparent)]
    Foreign(#[from] ForeignFileError),
    /// The working directory of the command is none.
    #[error("{} is no directory", .0.display())]
    NoDirectory(PathBuf),
    /// A file of the suite is none that can be looked at alone.
    #[error("{} holds no case", .0.display())]
    NoCaseFile(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A report cannot be written.
    #[error(transparent)]
    Report(#[from] WriteError),
    /// Standard output cannot be written to, for another reason than that it is closed.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// Two reports go to standard output.
    #[error("only one report can go to standard output")]
    TwoReportsOnStdout,
    /// Neither the command line nor the configuration names a target.
    #[error("there is nothing to judge")]
    NoTarget,
    /// The configuration has no target of this name.
    #[error("mcpspec.toml has no target `{name}`")]
    UnknownTarget {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// There is no profile of this name.
    #[error("there is no profile `{name}`")]
    UnknownProfile {
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// There is no case or requirement of this name.
    #[error("there is no case or requirement `{id}`")]
    UnknownId {
        /// The id.
        id: String,
        /// The one that was probably meant.
        closest: Option<String>,
    },
    /// There is no mutant of this name.
    #[error("there is no mutant `{name}`")]
    UnknownMutant {
        /// The name.
        name: String,
        /// The one that was probably meant.
        closest: Option<String>,
    },
    /// The reference server cannot listen.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// There is a configuration already.
    #[error("mcpspec.toml is there already")]
    ConfigurationExists,
    /// The configuration cannot be written.
    #[error("cannot write mcpspec.toml: {0}")]
    WriteConfiguration(io::Error),
    /// What would be written gives another target.
    #[error("mcpspec.toml cannot hold this target: {0}; nothing is written")]
    Unreadable(#[from] Unreadable),
    /// The server cannot be surveyed, for this reason, which is fit to be shown.
    #[error("{0}")]
    NotSurveyed(String),
    /// The program cannot find itself, a free port or a runtime.
    #[error("cannot {what}: {source}")]
    System {
        /// What it wanted.
        what: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

/// What was probably meant by an argument that is no URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meant {
    /// This URL, redacted.
    Url(String),
    /// This command.
    Command(String),
    /// Nobody knows.
    Unknown,
}

impl CliError {
    /// The exit code.
    pub(super) fn exit(&self) -> Exit {
        match self {
            CliError::NothingSelected => Exit::NothingSelected,
            CliError::NotSurveyed(_) => Exit::NotJudged,
            CliError::Files(_)
            | CliError::NoCases(_)
            | CliError::Selection(_)
            | CliError::Url { .. }
            | CliError::Header { .. }
            | CliError::BearerEnv { .. }
            | CliError::NoCommand { .. }
            | CliError::TwoAuthorizations
            | CliError::SamePrincipal { .. }
            | CliError::Env
            | CliError::EmptyCommand
            | CliError::Foreign(_)
            | CliError::NoDirectory(_)
            | CliError::NoCaseFile(_)
            | CliError::Read { .. }
            | CliError::Report(_)
            | CliError::Stdout(_)
            | CliError::TwoReportsOnStdout
            | CliError::NoTarget
            | CliError::UnknownTarget { .. }
            | CliError::UnknownProfile { .. }
            | CliError::UnknownId { .. }
            | CliError::UnknownMutant { .. }
            | CliError::Listen { .. }
            | CliError::ConfigurationExists
            | CliError::WriteConfiguration(_)
            | CliError::Unreadable(_)
            | CliError::System { .. } => Exit::Usage,
        }
    }

    /// What to do about it, where that is not plain.
    pub(super) fn hint(&self) -> Option<String> {
        match self {
            CliError::NoCases(_) => Some("a case file is DIR/AREA/TOPIC/NAME.yaml".to_owned()),
            CliError::NothingSelected => {
                Some("`mcpspec list` shows the ids that --case and --skip choose from".to_owned())
            }
            CliError::Url { meant, .. } => Some(match meant {
                Meant::Url(url) => format!("is it {url}?"),
                Meant::Command(command) => format!(
                    "a command goes behind `--`: mcpspec check -- {command}"
                ),
                Meant::Unknown => {
                    "write http://HOST/PATH or https://HOST/PATH, or -- COMMAND for a stdio server"
                        .to_owned()
                }
            }),
            CliError::NoCaseFile(_) => Some(
                "a case file is DIR/AREA/TOPIC/NAME.yaml, and beside its folders may lie DIR/requirements.yaml"
                    .to_owned(),
            ),
            CliError::Header { problem } if *problem == MIRRORED => Some("leave it out".to_owned()),
            CliError::Header { .. } => Some("write --header 'NAME: VALUE'".to_owned()),
            CliError::BearerEnv { .. } => {
                Some("write --bearer-env NAME with the name of a variable, such as MCP_TOKEN, whose value is the token alone, without `Bearer`".to_owned())
            }
            CliError::NoCommand { .. } => Some(
                "write the command behind the URL, as in URL -- COMMAND…, or leave that out".to_owned(),
            ),
            CliError::EmptyCommand => {
                Some("write -- COMMAND…, such as -- node build/index.js".to_owned())
            }
            CliError::Foreign(error) => error.help.clone(),
            CliError::Env => Some("write --env NAME=VALUE".to_owned()),
            CliError::TwoReportsOnStdout => {
                Some("give the others a path: --report json=FILE".to_owned())
            }
            CliError::NoTarget => Some(
                "give a URL, -- COMMAND or --demo, or a [[target]] in mcpspec.toml, which `mcpspec init` writes".to_owned(),
            ),
            CliError::UnknownProfile { known, .. } | CliError::UnknownTarget { known, .. } => {
                Some(format!("there are: {}", known.join(", ")))
            }
            CliError::UnknownId {
                closest: Some(closest),
                ..
            } => Some(format!("is it `{closest}`?")),
            CliError::UnknownId { closest: None, .. } => {
                Some("`mcpspec list` shows the cases".to_owned())
            }
            CliError::UnknownMutant {
                closest: Some(closest),
                ..
            } => Some(format!("is it `{closest}`?")),
            CliError::UnknownMutant { closest: None, .. } => {
                Some("`mcpspec serve --list-mutants` shows them".to_owned())
            }
            CliError::ConfigurationExists => {
                Some("`--force` writes it anew; what it holds is lost then".to_owned())
            }
            CliError::Unreadable(_) => Some(
                "it cannot hold two headers of one name; if there are none, this is a defect of mcpspec: please report it".to_owned(),
            ),
            CliError::NotSurveyed(_) => Some("nothing is written".to_owned()),
            CliError::Files(_)
            | CliError::Selection(_)
            | CliError::TwoAuthorizations
            | CliError::SamePrincipal { .. }
            | CliError::NoDirectory(_)
            | CliError::Read { .. }
            | CliError::Report(_)
            | CliError::Stdout(_)
            | CliError::Listen { .. }
            | CliError::WriteConfiguration(_)
            | CliError::System { .. } => None,
        }
    }
}

impl From<Vec<Diagnostic>> for CliError {
    fn from(diagnostics: Vec<Diagnostic>) -> CliError {
        CliError::Files(diagnostics)
    }
}

impl From<Diagnostic> for CliError {
    fn from(diagnostic: Diagnostic) -> CliError {
        CliError::Files(vec![diagnostic])
    }
}
