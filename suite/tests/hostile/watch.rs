//! A process between a test and the program, so that what the program takes and leaves behind is known exactly.
//!
//! It becomes the parent of whatever the program leaves, waits for the program alone, and so gets from the system how much
//! memory it took at most. What it saw stands in a file.

use std::fs;
use std::process::{Command, ExitCode};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, wait};
use serde::{Deserialize, Serialize};

/// The first argument that makes this executable a watch.
pub(crate) const WORD: &str = "hostile-watch";

/// How long the system may take to end a process that was killed.
const DYING: Duration = Duration::from_secs(2);

/// What was seen of one run of the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Seen {
    /// Its exit code; none if it was ended by a signal.
    pub(crate) code: Option<i32>,
    /// Whether it was ended for taking too long.
    pub(crate) late: bool,
    /// Its largest resident memory, or that of a server that it waited for, in bytes.
    pub(crate) peak: u64,
    /// Command lines of processes that it left behind.
    pub(crate) left: Vec<String>,
}

/// The arguments of a watch: where to write what was seen, how many seconds the program may take, the program itself.
pub(crate) fn watch(words: &[String]) -> ExitCode {
    let [file, seconds, program, arguments @ ..] = words else {
        return ExitCode::FAILURE;
    };
    set_child_subreaper(Some(getpid())).expect("the kernel knows subreapers");
    let limit = Duration::from_secs(seconds.parse().expect("it is a number"));
    let mut child = Command::new(program)
        .args(arguments)
        .spawn()
        .expect("the program starts");
    let id = Pid::from_child(&child);
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || tell.send(child.wait()));
    let (status, late) = match told.recv_timeout(limit) {
        Ok(status) => (status, false),
        Err(_) => {
            // It may have ended just now.
            let _ = kill_process(id, Signal::KILL);
            (told.recv().expect("the thread is there"), true)
        }
    };
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system knows");
    let seen = Seen {
        code: status.expect("the program can be waited for").code(),
        late,
        peak: u64::try_from(usage.max_rss()).unwrap_or_default() * 1024,
        left: left(),
    };
    let text = serde_json::to_string(&seen).expect("it is plain data");
    fs::write(file, text).expect("the file can be written");
    ExitCode::SUCCESS
}

/// Whatever the program left is a child of this process by now: names it, and ends it.
fn left() -> Vec<String> {
    let deadline = Instant::now() + DYING;
    let mut left = Vec::new();
    // Without a child there is nothing to wait for, which is an error.
    while let Ok(ended) = wait(WaitOptions::NOHANG) {
        if ended.is_some() {
            continue;
        }
        if Instant::now() >= deadline {
            for pid in children() {
                left.push(command_line(pid));
                // It may have ended just now.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    left.sort();
    left.dedup();
    left
}

fn children() -> Vec<Pid> {
    let tasks = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let text: String = lists.collect::<Vec<_>>().join(" ");
    let ids = text.split_whitespace();
    ids.filter_map(|id| Pid::from_raw(id.parse().ok()?))
        .collect()
}

fn command_line(pid: Pid) -> String {
    let line = fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&line).replace('\0', " ")
}
