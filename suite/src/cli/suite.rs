//! Loading the suite that a command works on: the built-in one, and what `--cases` adds.

use std::fs;
use std::path::{Path, PathBuf};

use crate::case::{KillMatrix, OWN_REQUIREMENTS, Suite, SuiteFile, digest, embedded};
use crate::config::{Profile, read_profiles};

use super::CliError;
use super::args::SuiteArguments;

/// Path of the kill matrix in the built-in suite.
const MATRIX: &str = "kill-matrix.yaml";

/// Folder of the profiles in the built-in suite.
const PROFILES: &str = "profiles/";

/// Folders of a suite that hold no cases.
const DATA: [&str; 3] = ["profiles", "requirements", "shapes"];

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
    for path in &arguments.directories {
        let added = read_path(path)?;
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

/// The case files of a directory, or one case file with the requirements of its directory.
pub(super) fn read_path(path: &Path) -> Result<Vec<SuiteFile>, CliError> {
    if path.is_file() {
        read_one(path)
    } else {
        read_directory(path)
    }
}

/// `DIR/AREA/TOPIC/NAME.yaml` and `DIR/requirements.yaml`, if there is one, or the latter alone.
fn read_one(path: &Path) -> Result<Vec<SuiteFile>, CliError> {
    let failed = |source| CliError::Read {
        path: path.to_owned(),
        source,
    };
    // The folders around it may not be part of what was written.
    let whole = fs::canonicalize(path).map_err(failed)?;
    let no_case = || CliError::NoCaseFile(path.to_owned());
    let text = fs::read_to_string(path).map_err(failed)?;
    let file = |inside: String, shown: &Path, text: String| SuiteFile {
        path: inside,
        shown: shown.display().to_string(),
        text,
    };
    if whole
        .file_name()
        .is_some_and(|name| name == OWN_REQUIREMENTS)
    {
        return Ok(vec![file(OWN_REQUIREMENTS.to_owned(), path, text)]);
    }
    let is_yaml = whole
        .extension()
        .is_some_and(|extension| extension == "yaml");
    let directory = whole
        .ancestors()
        .nth(3)
        .filter(|_| is_yaml)
        .ok_or_else(no_case)?;
    let is_data = |name: &std::ffi::OsStr| name == MATRIX || DATA.iter().any(|data| name == *data);
    let names = [whole.file_name(), whole.parent().and_then(Path::file_name)];
    if names.into_iter().flatten().any(is_data) {
        return Err(no_case());
    }
    let mut files = vec![file(inside(&whole, directory), path, text)];
    let own = directory.join(OWN_REQUIREMENTS);
    if own.is_file() {
        let source = fs::read_to_string(&own).map_err(|source| CliError::Read {
            path: own.clone(),
            source,
        })?;
        files.push(file(OWN_REQUIREMENTS.to_owned(), &own, source));
    }
    Ok(files)
}

/// The path of a file in its suite.
fn inside(path: &Path, directory: &Path) -> String {
    let inside = path.strip_prefix(directory).expect("the file lies in it");
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
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
        files.push(SuiteFile {
            path: inside(&path, directory),
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
