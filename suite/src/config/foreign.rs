//! Targets out of files that were written for others: an MCP client's, or the MCP Registry's `server.json`.

use super::TargetSettings;
use super::client::{client_server, servers};
use super::json::{ForeignFileError, JsonFile, Node};
use super::registry_entry::{entry, package_or_remote};

/// What such a file refers to outside of itself.
pub struct Around<'a> {
    /// The value of an environment variable.
    pub variables: &'a dyn Fn(&str) -> Option<String>,
    /// Whether the user gives a header of this name.
    pub gives_header: &'a dyn Fn(&str) -> bool,
}

/// Reads the target of this name out of a file, or the only one that it has. `origin` names the file in messages.
///
/// In a client's file (`mcpServers` or `servers`) it is the name of a server; in the Registry's `server.json` the type,
/// the identifier or the URL of a package or a remote.
///
/// # Errors
///
/// What is wrong, with line and column; or which environment variables are not set, all at once.
pub fn read_foreign(
    origin: &str,
    text: &str,
    name: Option<&str>,
    around: &Around<'_>,
) -> Result<TargetSettings, ForeignFileError> {
    let file = JsonFile::parse(origin, text)?;
    let root = file.root();
    if let Some(servers) = servers(&root) {
        return client_server(&servers, name, around);
    }
    match entry(&root) {
        Some(entry) => package_or_remote(&entry, name, around),
        None => Err(root.error("the file names no servers").with_help(
            "it has to be a client's, with `mcpServers` or `servers`, or the Registry's server.json, with `packages` or `remotes`",
        )),
    }
}

/// One of several servers that a file names.
pub(super) struct Choice {
    /// What chooses it, perhaps others as well.
    pub(super) names: Vec<String>,
    /// How the user is told to choose it.
    pub(super) told: String,
}

/// Which one is meant: the only one of this name, or the only one at all if there is no name.
pub(super) fn choose(
    node: &Node<'_>,
    choices: &[Choice],
    [what, whats]: [&str; 2],
    name: Option<&str>,
) -> Result<usize, ForeignFileError> {
    let told = |message: String, among: &[usize]| {
        let among: Vec<&str> = among.iter().map(|&index| &*choices[index].told).collect();
        let help = format!("choose one by --server: {}", among.join(", "));
        Err(node.error(message).with_help(help))
    };
    let all: Vec<usize> = (0..choices.len()).collect();
    let is_meant = |index: &usize| {
        let mut names = choices[*index].names.iter();
        name.is_none_or(|name| names.any(|one| one == name))
    };
    let meant: Vec<usize> = all.iter().copied().filter(is_meant).collect();
    match (meant.as_slice(), name) {
        ([one], _) => Ok(*one),
        (_, _) if choices.is_empty() => Err(node.error(format!("there is no {what}"))),
        ([], _) => told(
            format!("there is no {what} `{}`", name.unwrap_or_default()),
            &all,
        ),
        (several, Some(name)) => told(
            format!("`{name}` is said of {} {whats}", several.len()),
            several,
        ),
        (several, None) => told(format!("there are {} {whats}", several.len()), several),
    }
}

/// Environment variables that are wanted and not set.
#[derive(Debug, Default)]
pub(super) struct Unset(Vec<String>);

impl Unset {
    pub(super) fn add(&mut self, name: &str) {
        if !self.0.iter().any(|known| known == name) {
            self.0.push(name.to_owned());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The error that names them all, if there are any.
    pub(super) fn told(&self, node: &Node<'_>, name: &str) -> Result<(), ForeignFileError> {
        match self.0.as_slice() {
            [] => Ok(()),
            [one] => Err(node
                .error(format!(
                    "`{name}` wants the environment variable {one}, which is not set"
                ))
                .with_help(format!("set it for mcpspec: {one}=… mcpspec check …"))),
            several => {
                let message = format!(
                    "`{name}` wants environment variables that are not set: {}",
                    several.join(", ")
                );
                let set: Vec<String> = several.iter().map(|name| format!("{name}=…")).collect();
                Err(node.error(message).with_help(format!(
                    "set them for mcpspec: {} mcpspec check …",
                    set.join(" ")
                )))
            }
        }
    }
}
