//! Embeds the built-in suite: every case file, registry, shape and profile under `cases/`, as a sorted table of
//! `(path under cases/, text)` in `$OUT_DIR/embedded.rs`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Names of files that belong to the suite end so.
const EXTENSIONS: [&str; 3] = ["json", "toml", "yaml"];

fn main() -> Result<(), Box<dyn Error>> {
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = manifest
        .parent()
        .ok_or("the package has no parent directory")?
        .join("cases");
    let mut files = Vec::new();
    walk(&root, &mut files)?;

    let mut entries: Vec<(String, &PathBuf)> = Vec::new();
    for file in &files {
        let inside = file.strip_prefix(&root)?;
        let inside = inside
            .to_str()
            .ok_or_else(|| format!("{} is not UTF-8", file.display()))?;
        entries.push((inside.replace('\\', "/"), file));
    }
    entries.sort();

    let mut table = String::from("&[\n");
    for (inside, file) in entries {
        writeln!(
            table,
            "    ({inside:?}, include_str!({:?})),",
            file.display().to_string()
        )?;
    }
    table.push_str("]\n");
    fs::write(
        PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs"),
        table,
    )?;
    Ok(())
}

/// Collects the files of the suite under `folder`. Cargo watches each folder, so that a new file is noticed.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| EXTENSIONS.contains(&extension))
        {
            files.push(path);
        }
    }
    Ok(())
}
