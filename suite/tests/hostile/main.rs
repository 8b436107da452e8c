//! The whole program against servers that mean it ill, and against some that mean it well: whatever a server does, there is a
//! fair verdict in bounded time and memory, and nothing is left running.
//!
//! The servers are this executable, started with a first argument of its own, as is the watch that each run of the program is
//! under.

#[cfg(target_os = "linux")]
mod bench;
#[cfg(target_os = "linux")]
mod fairness;
#[cfg(target_os = "linux")]
mod honesty;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod survival;
#[cfg(target_os = "linux")]
mod unusable;
#[cfg(target_os = "linux")]
mod watch;

use std::process::ExitCode;

/// Most of these runs wait for a server rather than for the processor.
#[cfg(target_os = "linux")]
const AT_ONCE: usize = 4;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((first, rest)) if first == server::WORD => server::serve(rest),
        Some((first, rest)) if first == watch::WORD => watch::watch(rest),
        _ => test(),
    }
}

#[cfg(target_os = "linux")]
fn test() -> ExitCode {
    let mut arguments = libtest_mimic::Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let trials = [
        survival::trials(),
        unusable::trials(),
        fairness::trials(),
        honesty::trials(),
    ];
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}

/// What is claimed of processes and memory is claimed on Linux.
#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ExitCode::SUCCESS
}
