//! Loading the suite that a command works on: the built-in one, and what `--cases` adds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::case::{KillMatrix, Suite, SuiteFile, digest, embedded};
use crate::config::{Profile, read_profiles};

use super::CliError;
use super::args::SuiteArguments;

/// Path of the kill matrix in the built-in suite.
const MATRIX: &str = "kill-matrix.yaml";

/// Folder of the profiles in the built-in suite.
const PROFILES: &str = "profiles/";

/// The suite, and what belongs to it beside the cases.
pub(super) struct Loaded {
    pub(super) suite: Suite,
    /// Of the built-in suite.
    pub(super) matrix: KillMatrix,
    pub(super) profiles: Vec<Profile>,
    /// Of all files.
    pub(super) digest: String,
    files: Vec<SuiteFile>,
}

impl Loaded {
    /// The text of a file of the suite.
    pub(super) fn text(&self, shown: &str) -> &str {
        // With `--replace-cases` the file that came later is the one that counts.
        self.files
            .iter()
            .rfind(|file| file.shown == shown)
            .map_or("", |file| &file.text)
    }
}

/// Loads the suite.
pub(super) fn load(arguments: &SuiteArguments) -> Result<Loaded, CliError> {
    let mut files = embedded();
    let mut suite = Suite::load(files.clone()).map_err(CliError::Files)?;
    for directory in &arguments.directories {
        let added = read_directory(directory)?;
        suite
            .extend(added.clone(), arguments.replace_cases)
            .map_err(CliError::Files)?;
        files.extend(added);
    }
    let mut matrix = KillMatrix::default();
    let mut profiles = Vec::new();
    for file in embedded() {
        if file.path == MATRIX {
            matrix = KillMatrix::read(&file.shown, &file.text)?;
        } else if file.path.starts_with(PROFILES) {
            profiles.extend(read_profiles(&file.shown, &file.text)?);
        }
    }
    Ok(Loaded {
        suite,
        matrix,
        profiles,
        digest: digest(&files),
        files,
    })
}

/// The case files of a directory, sorted by path.
fn read_directory(directory: &Path) -> Result<Vec<SuiteFile>, CliError> {
    let mut paths = Vec::new();
    walk(directory, &mut paths)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|source| CliError::Read {
            path: path.clone(),
            source,
        })?;
        let inside = path.strip_prefix(directory).expect("the walk began there");
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        files.push(SuiteFile {
            path: parts.join("/"),
            shown: path.display().to_string(),
            text,
        });
    }
    if files.is_empty() {
        return Err(CliError::NoCases(directory.to_owned()));
    }
    Ok(files)
}

/// Collects the YAML files under a directory. Links to directories are not followed, since they can form a circle.
fn walk(directory: &Path, paths: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let failed = |source| CliError::Read {
        path: directory.to_owned(),
        source,
    };
    for entry in fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.file_type().map_err(failed)?.is_dir() {
            walk(&entry.path(), paths)?;
        } else if entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            paths.push(entry.path());
        }
    }
    Ok(())
}
