//! Exit codes, all in one place. They are a contract with scripts: a code never changes its meaning.

use std::process::ExitCode;

/// How a run of the program ends. Where several apply, the first in this order does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Exit {
    /// Ctrl-C ended the run; the reports are written.
    Interrupted,
    /// A wrong option, configuration, baseline, case file or other input, or a report that cannot be written.
    Usage,
    /// `check`: a case failed (under `--strict` also: warned) that is not in the baseline, or an entry of the baseline no longer
    /// occurs.
    Failed,
    /// Something could not be judged: the target cannot be used, a verdict is inconclusive, or nothing was judged.
    NotJudged,
    /// The selection holds no case.
    NothingSelected,
    /// All that was judged held.
    Clean,
    /// `serve` only: a mutant crashed, with the code that it chose.
    Crashed(u8),
}

impl Exit {
    /// The number that the shell sees.
    pub(super) fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::NotJudged => 3,
            Exit::NothingSelected => 4,
            Exit::Interrupted => 130,
            Exit::Crashed(code) => code,
        }
    }
}

impl Exit {
    /// The meaning of the exit code that a report gives for its run.
    pub(super) fn of_report(code: u8) -> Exit {
        match code {
            0 => Exit::Clean,
            1 => Exit::Failed,
            4 => Exit::NothingSelected,
            130 => Exit::Interrupted,
            _ => Exit::NotJudged,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
