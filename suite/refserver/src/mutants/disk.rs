//! What a mutant keeps beyond the process that it runs in.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

/// A small file for each server, in a folder that the servers of one mutant with the same parent process share. A file that
/// cannot be written or read is not there: the mutant then keeps the rule, and its test notices.
pub(super) struct Disk {
    folder: PathBuf,
    own: String,
}

/// The file of another server.
pub(super) struct Left {
    path: PathBuf,
    process: u32,
    /// What it holds.
    pub(super) text: String,
}

impl Disk {
    /// The place of a new server of this mutant.
    pub(super) fn of(mutant: &str) -> Disk {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        Disk {
            folder: std::env::temp_dir().join(format!("mcpspec-{mutant}-{}", parent())),
            own: format!("{}-{next}", std::process::id()),
        }
    }

    /// Keeps a text until it is forgotten.
    pub(super) fn keep(&self, text: &str) {
        let _ = fs::create_dir_all(&self.folder);
        let _ = fs::write(self.folder.join(&self.own), text);
    }

    /// Forgets what was kept, and the folder with it if it was the last.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(self.folder.join(&self.own));
        let _ = fs::remove_dir(&self.folder);
    }

    /// What other servers keep, or left behind.
    pub(super) fn others(&self) -> Vec<Left> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let others = files.filter(|file| file.file_name() != self.own.as_str());
        others.filter_map(|file| Left::read(file.path())).collect()
    }
}

impl Left {
    fn read(path: PathBuf) -> Option<Left> {
        let name = path.file_name()?.to_str()?;
        Some(Left {
            process: name.split('-').next()?.parse().ok()?,
            text: fs::read_to_string(&path).ok()?,
            path,
        })
    }

    /// Whether the process that wrote it is gone, as far as this system tells.
    pub(super) fn is_orphan(&self) -> bool {
        Path::new("/proc/self").exists() && !Path::new(&format!("/proc/{}", self.process)).exists()
    }

    /// Takes it away.
    pub(super) fn remove(self) {
        let _ = fs::remove_file(self.path);
    }
}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Other systems do not tell: each process is on its own there.
#[cfg(not(unix))]
fn parent() -> u32 {
    std::process::id()
}
