//! Processes that a process left behind, found by a mark in their environment. Linux only.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(target_os = "linux")]
pub(super) use linux::{adopt, end_marked};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{adopt, end_marked};

/// The environment variable that holds the marks of a process, with blanks between them.
pub(super) const VARIABLE: &str = "MCPSPEC_RUN";

/// A new mark, and the value of [`VARIABLE`] that holds it beside the marks that this program carries itself.
pub(super) fn mark() -> (String, String) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let started = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    let mark = format!(
        "{}-{}-{started:x}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    );
    let value = match std::env::var(VARIABLE) {
        Ok(marks) => format!("{marks} {mark}"),
        Err(_) => mark.clone(),
    };
    (mark, value)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::ErrorKind;
    use std::sync::Once;
    use std::time::Duration;

    use rustix::process::{
        Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
    };

    use super::VARIABLE;

    /// How often marked processes are looked for: each round finds those that the one before orphaned.
    const ROUNDS: usize = 100;

    /// The pause between two rounds.
    const PAUSE: Duration = Duration::from_millis(5);

    /// Makes this program the parent of descendants whose own parent ended, so that they can be found and reaped.
    pub(in super::super) fn adopt() {
        static ONCE: Once = Once::new();
        // A kernel that refuses leaves them to the init process; they are still found by their mark.
        ONCE.call_once(|| {
            let _ = set_child_subreaper(Some(getpid()));
        });
    }

    /// Ends every process that carries the mark. The one that was started itself, `child`, is for its owner to reap.
    pub(in super::super) fn end_marked(mark: &str, child: u32) {
        let mut ended = Vec::new();
        for _ in 0..ROUNDS {
            // A process that ends while it is looked for hands its children on, past where they are looked for: so twice.
            let found = candidates().into_iter().chain(candidates());
            let marked: Vec<Pid> = found.filter(|&pid| carries(pid, mark)).collect();
            for &pid in &marked {
                // It may have ended since.
                let _ = kill_process(pid, Signal::KILL);
                if pid.as_raw_nonzero().get().cast_unsigned() != child {
                    ended.push(pid);
                }
            }
            // Those whose parent is another process are not ours to reap: that is an error, and they are done with.
            ended.retain(|&pid| matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(None)));
            if marked.is_empty() && ended.is_empty() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Every process that may carry a mark: the descendants of this program, since it adopts those whose parent ended; all
    /// processes where the kernel does not tell whose children they are.
    fn candidates() -> Vec<Pid> {
        let mut found = children(getpid()).unwrap_or_else(|| processes().collect());
        let mut next = 0;
        while let Some(&pid) = found.get(next) {
            // One that has ended meanwhile has no children any more.
            found.extend(children(pid).unwrap_or_default());
            next += 1;
        }
        found
    }

    /// The children of all threads of a process; none if that is not told.
    fn children(pid: Pid) -> Option<Vec<Pid>> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).ok()?;
        let mut children = Vec::new();
        for thread in threads.flatten() {
            let listed = match std::fs::read_to_string(thread.path().join("children")) {
                Ok(listed) => listed,
                Err(error) if error.kind() == ErrorKind::NotFound && thread.path().exists() => {
                    return None;
                }
                // The thread has ended meanwhile.
                Err(_) => continue,
            };
            let numbers = listed
                .split_whitespace()
                .filter_map(|number| number.parse().ok());
            children.extend(numbers.filter_map(Pid::from_raw));
        }
        Some(children)
    }

    fn processes() -> impl Iterator<Item = Pid> {
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
    }

    /// Whether a process carries the mark. The environment of other users' processes cannot be read; they are not ours.
    fn carries(pid: Pid, mark: &str) -> bool {
        let path = format!("/proc/{}/environ", pid.as_raw_nonzero());
        let Ok(environment) = std::fs::read(path) else {
            return false;
        };
        let mut entries = environment
            .split(|&byte| byte == 0)
            .filter_map(|entry| std::str::from_utf8(entry).ok());
        let marks = entries.find_map(|entry| entry.strip_prefix(VARIABLE)?.strip_prefix('='));
        marks.is_some_and(|marks| marks.split(' ').any(|one| one == mark))
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    /// Other systems have no such thing.
    pub(in super::super) fn adopt() {}

    /// Other systems do not show the environment of processes: only the group is ended there.
    pub(in super::super) fn end_marked(_: &str, _: u32) {}
}
