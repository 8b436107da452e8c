//! Processes that a process left behind. Linux only.
//!
//! They are found by a mark in their environment. One that cleared it and has a session or group of its own cannot be told
//! from the helpers of another process that still runs; it is ended once none runs any more.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(target_os = "linux")]
pub(super) use linux::{adopt, end_left};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{adopt, end_left};

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

/// Whether what carries no mark is left alone.
static SPARED: AtomicBool = AtomicBool::new(false);

/// From now on only what carries the mark of a process that was started is ended: a command of the user is about to run, which
/// may leave something behind on purpose.
pub(crate) fn spare_unmarked() {
    SPARED.store(true, Ordering::Relaxed);
}

/// Numbers of the processes that were started and not reaped yet.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process that was started and is not reaped yet.
#[derive(Debug)]
pub(super) struct Running(u32);

impl Running {
    /// Starts a process by `start`, which gives its number. Meanwhile nothing is taken for left behind.
    pub(super) fn start<T, E>(
        start: impl FnOnce() -> Result<(T, u32), E>,
    ) -> Result<(T, Running), E> {
        let mut running = running();
        let (started, id) = start()?;
        running.insert(id);
        Ok((started, Running(id)))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io::ErrorKind;
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use rustix::process::{
        Pid, Signal, WaitOptions, getpgid, getpgrp, getpid, kill_process, set_child_subreaper,
        waitpid,
    };

    use super::{SPARED, VARIABLE, running};

    /// How often marked processes are looked for: each round finds those that the one before orphaned.
    const ROUNDS: usize = 100;

    /// The pause between two rounds.
    const PAUSE: Duration = Duration::from_millis(5);

    /// Whether this program had children before it started any: then it cannot tell theirs from those of its own.
    static HAD_CHILDREN: OnceLock<bool> = OnceLock::new();

    /// Makes this program the parent of descendants whose own parent ended, so that they can be found and reaped.
    pub(in super::super) fn adopt() {
        HAD_CHILDREN.get_or_init(|| {
            // A kernel that refuses leaves them to the init process; they are still found by their mark.
            let _ = set_child_subreaper(Some(getpid()));
            // The first process of a container is given the orphans of every other one.
            getpid().is_init() || children(getpid()).is_none_or(|children| !children.is_empty())
        });
    }

    /// Ends what `child` left behind, by its mark; and what any process left behind, if no other one runs any more.
    pub(in super::super) fn end_left(mark: &str, child: u32) {
        end_all(child, || {
            // A process that ends while it is looked for hands its children on, past where they are looked for: so twice.
            let found = candidates().into_iter().chain(candidates());
            kill(found.filter(|&pid| carries(pid, mark)))
        });
        if HAD_CHILDREN.get() == Some(&false) && !SPARED.load(Ordering::Relaxed) {
            end_all(child, || {
                // Nothing is started while this is held, and the number of what was started is known.
                let running = running();
                let is_last = running.iter().all(|&id| id == child);
                let orphans = if is_last { children(getpid()) } else { None };
                let orphans = orphans.unwrap_or_default().into_iter();
                kill(orphans.filter(|&pid| !running.contains(&number(pid)) && is_adopted(pid)))
            });
        }
    }

    /// Ends what `kill` finds and kills, until it finds nothing, and reaps it. The one that was started itself, `child`, is for
    /// its owner to reap.
    fn end_all(child: u32, kill: impl Fn() -> Vec<Pid>) {
        let mut ended = Vec::new();
        for _ in 0..ROUNDS {
            let killed = kill();
            ended.extend(killed.iter().filter(|&&pid| number(pid) != child));
            // Those whose parent is another process are not ours to reap: that is an error, and they are done with.
            ended.retain(|&pid| matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(None)));
            if killed.is_empty() && ended.is_empty() {
                return;
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn kill(found: impl Iterator<Item = Pid>) -> Vec<Pid> {
        let found: Vec<Pid> = found.collect();
        for &pid in &found {
            // It may have ended since.
            let _ = kill_process(pid, Signal::KILL);
        }
        found
    }

    fn number(pid: Pid) -> u32 {
        pid.as_raw_nonzero().get().cast_unsigned()
    }

    /// Whether a child of this program was another's before: what this program starts and does not know by its number stays in
    /// its own group.
    fn is_adopted(pid: Pid) -> bool {
        getpgid(Some(pid)).is_ok_and(|group| group != getpgrp())
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
    pub(in super::super) fn end_left(_: &str, _: u32) {}
}
