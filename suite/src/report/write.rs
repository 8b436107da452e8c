//! Puts a report where the user wants it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The file could not be written; what was there before is still there.
    #[error("cannot write the report {path}: {problem}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        problem: io::Error,
    },
    /// Standard output could not be written.
    #[error("cannot write the report to standard output: {0}")]
    Stdout(io::Error),
}

/// Writes a rendered report to a file, or to standard output where there is no path or it is `-`.
///
/// A file appears as a whole: it is written under a temporary name beside the old one and renamed. What is no regular
/// file, such as a pipe, is written as it is. A standard output that was closed is no error: nobody wanted the rest.
pub fn write(path: Option<&Path>, content: &str) -> Result<(), WriteError> {
    match path {
        Some(path) if path != Path::new("-") => {
            to_file(path, content).map_err(|problem| WriteError::File {
                path: path.to_owned(),
                problem,
            })
        }
        _ => to_stdout(content).map_err(WriteError::Stdout),
    }
}

/// Whether a report could be written to a file, as far as that can be told without writing it: a run may take long, and
/// its report should not be lost at the end of it.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    let failed = |problem| WriteError::File {
        path: path.to_owned(),
        problem,
    };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
        // To open a pipe would wait for its reader.
        Ok(metadata) if !metadata.is_file() => Ok(()),
        _ => new_file(folder_of(&target)).map(drop).map_err(failed),
    }
}

/// Writes a file as a whole where there is none yet, or else where `replace` says so.
///
/// # Errors
///
/// What the system says; [`io::ErrorKind::AlreadyExists`] if there is one and it is not to be replaced.
pub fn write_file(path: &Path, content: &str, replace: bool) -> io::Result<()> {
    if replace {
        return to_file(path, content);
    }
    let mut file = new_file(folder_of(path))?;
    file.write_all(content.as_bytes())?;
    file.persist_noclobber(path)?;
    Ok(())
}

fn to_stdout(content: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(content.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn to_file(path: &Path, content: &str) -> io::Result<()> {
    // A link stays a link: what it points to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::OpenOptions::new()
            .write(true)
            .open(&path)?
            .write_all(content.as_bytes());
    }
    let mut file = new_file(folder_of(&path))?;
    file.write_all(content.as_bytes())?;
    file.persist(&path)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A file as any program would create it: temporary files are private otherwise, and a report is not.
#[cfg(unix)]
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;

    let permissions = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new()
        .prefix(".mcpspec-")
        .permissions(permissions)
        .tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".mcpspec-")
        .tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = folder();
        let path = folder.path().join("report.json");
        write(Some(&path), "old, and longer").expect("the first is written");
        write(Some(&path), "new").expect("the second is written");
        assert_eq!(
            fs::read_to_string(&path).expect("the report is there"),
            "new"
        );
        assert_eq!(
            fs::read_dir(folder.path())
                .expect("the folder is there")
                .count(),
            1
        );
    }

    #[test]
    fn a_missing_folder_is_told_with_the_path() {
        let path = folder().path().join("missing/report.json");
        let error = write(Some(&path), "x")
            .expect_err("the folder is missing")
            .to_string();
        assert!(error.starts_with("cannot write the report /"), "{error}");
        assert!(
            error.contains("missing/report.json: No such file"),
            "{error}"
        );
    }

    #[test]
    fn what_cannot_be_written_is_told_before_anything_is_written() {
        let folder = folder();
        let path = folder.path().join("report.json");
        check_writable(&path).expect("the folder is writable");
        assert!(!path.exists(), "nothing is written");
        write(Some(&path), "old").expect("it is written");
        check_writable(&path).expect("the file can be replaced");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "old");
        for wrong in [folder.path().to_owned(), folder.path().join("missing/a")] {
            assert!(check_writable(&wrong).is_err(), "{}", wrong.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_a_report() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = folder();
        let path = folder.path().join("report.xml");
        write(Some(&path), "x").expect("it is written");
        let plain = folder.path().join("plain");
        fs::write(&plain, "x").expect("it is written");
        let mode = |path| {
            fs::metadata(path)
                .expect("it is there")
                .permissions()
                .mode()
        };
        assert_eq!(mode(&path), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = folder();
        let (path, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&path, "old").expect("it is written");
        std::os::unix::fs::symlink(&path, &link).expect("it is linked");
        write(Some(&link), "new").expect("it is written");
        assert!(
            fs::symlink_metadata(&link)
                .expect("it is there")
                .is_symlink()
        );
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "new");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_and_not_replaced() {
        write(Some(Path::new("/dev/null")), "x").expect("it is written");
        assert!(!fs::metadata("/dev/null").expect("it is there").is_file());
    }
}
