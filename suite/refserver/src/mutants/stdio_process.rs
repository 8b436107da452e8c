//! Mutants of the life of a process on standard streams (`basic/transports/stdio#shutdown`, `#unexpected-termination`).

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{
    breaks::Breaks::Own,
    disk::Disk,
    hooks::Hooks,
    mutant::{Mutant, STDIO},
};
use crate::{
    admit::Rule,
    call::Call,
    rpc::{Fault, codes},
    server::Outcome,
};

const AREA: &str = "stdio";

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "outlives-stdin",
        "the process stays after the end of its input",
        STDIO,
        Own(|| Box::new(Stays(|_| true))),
    ),
    Mutant::new(
        AREA,
        "listen-keeps-process-alive",
        "a request in flight holds the process after the end of its input",
        STDIO,
        Own(|| Box::new(Stays(|is_busy| is_busy))),
    ),
    Mutant::new(
        AREA,
        "stale-lock-blocks-restart",
        "the process that follows a killed one refuses everything",
        STDIO,
        Own(|| Box::new(StaleLock::new())),
    ),
];

/// `outlives-stdin`, `listen-keeps-process-alive`.
struct Stays(fn(bool) -> bool);

impl Hooks for Stays {
    fn stays_after_input(&self, is_busy: bool) -> bool {
        (self.0)(is_busy)
    }
}

/// What the lock of a killed process in memory says. Of one that was a real process, nobody is left to say it.
const STALE: &str = "stale";

/// `stale-lock-blocks-restart`.
struct StaleLock {
    is_locked_out: AtomicBool,
    has_ended: Arc<AtomicBool>,
}

/// The lock of a running process.
struct Lock {
    disk: Disk,
    has_ended: Arc<AtomicBool>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.has_ended.load(Ordering::Relaxed) {
            self.disk.forget();
        } else {
            self.disk.keep(STALE);
        }
    }
}

impl StaleLock {
    fn new() -> Self {
        Self {
            is_locked_out: AtomicBool::new(false),
            has_ended: Arc::default(),
        }
    }
}

impl Hooks for StaleLock {
    fn presence(&self) -> Option<Box<dyn Send>> {
        let disk = Disk::of("stale-lock");
        let mut locks = disk.others().into_iter();
        let stale = locks.find(|lock| lock.text == STALE || lock.is_orphan());
        if let Some(stale) = stale {
            stale.remove();
            self.is_locked_out.store(true, Ordering::Relaxed);
        }
        disk.keep("");
        let has_ended = Arc::clone(&self.has_ended);
        Some(Box::new(Lock { disk, has_ended }))
    }

    fn outcome(&self, _call: &Call, outcome: Outcome) -> Outcome {
        if self.is_locked_out.load(Ordering::Relaxed) {
            let why = "Another process is running.";
            return Err(Fault::new(Rule::Work, codes::INTERNAL, why));
        }
        outcome
    }

    fn farewell(&self) -> Vec<u8> {
        self.has_ended.store(true, Ordering::Relaxed);
        Vec::new()
    }
}
