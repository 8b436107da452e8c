//! The command line as a user meets it: exit code, standard output and standard error together.

mod runs;
mod suite;
mod usage;

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// No command here takes longer.
const LIMIT: Duration = Duration::from_secs(60);

/// The program in a folder of its own, with no colour and no terminal.
fn mcpspec(arguments: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::cargo_bin("mcpspec").expect("the program is built");
    command
        .args(arguments)
        .timeout(LIMIT)
        .env("NO_COLOR", "1")
        .env_remove("RUST_LOG")
        .env("COLUMNS", "100");
    command
}

/// Everything that the shell sees of a run, times aside.
fn shown(output: &Output) -> String {
    let text = format!(
        "exit: {}\n--- stdout\n{}--- stderr\n{}",
        output
            .status
            .code()
            .map_or("signal".to_owned(), |code| code.to_string()),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let time = regex::Regex::new(r"after [0-9.]+ m?s\b").expect("the expression is right");
    time.replace_all(&text, "after TIME").into_owned()
}

fn run(arguments: &[&str]) -> String {
    shown(&mcpspec(arguments).output().expect("the program runs"))
}

/// A folder with case files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("the file has a folder"))
            .expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    }
    folder
}

fn path(folder: &Path) -> &str {
    folder.to_str().expect("the path is UTF-8")
}

fn regex_of(path: &Path) -> String {
    regex::escape(path.to_str().expect("the path is UTF-8"))
}
