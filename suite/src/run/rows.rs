//! Rows of cases: run side by side as far as there are turns, and put together to what their cases come to.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::OptionFuture;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::case::{Body, Case};
use crate::event::Event;

use super::finding::Finding;
use super::links::Attempt;
use super::plan::PlannedRow;
use super::quiet::Queue;
use super::row::{Row, RowFinding};
use super::run::Run;
use super::session::{Blocked, Session};
use super::turn::{Turn, Turns};

/// Rows of a case that are still to come, and what has come of the others.
struct Progress {
    case: Arc<Case>,
    took: Duration,
    missing: usize,
    rows: BTreeMap<usize, (Option<String>, RowFinding)>,
    blocked: Option<(String, String)>,
}

/// A row that is still to be run: which case, which row.
struct Waiting {
    case: usize,
    row: usize,
    planned: PlannedRow,
}

/// What comes next where rows are run.
enum Next {
    /// The next row may begin.
    Turn(Turn),
    /// A row is done.
    Done(RowDone),
    /// Nothing more comes, or the run is to end.
    Over,
}

/// What a task gives back: which case, which row.
struct RowDone {
    case: usize,
    row: usize,
    label: Option<String>,
    took: Duration,
    finding: Result<RowFinding, Blocked>,
}

impl Run {
    /// Runs the rows of some cases in order, so many at once as there are turns and at most `at_once`, and reports each case when
    /// its last row is done.
    pub(super) async fn run_rows(
        &self,
        index: usize,
        session: &Arc<Session>,
        cases: Queue<Vec<PlannedRow>>,
        turns: &Turns,
        at_once: usize,
    ) {
        let mut tasks = JoinSet::new();
        let mut progress: Vec<Progress> = Vec::new();
        let mut waiting = VecDeque::new();
        for (number, (case, rows)) in cases.into_iter().enumerate() {
            progress.push(Progress::new(Arc::clone(&case), rows.len()));
            let rows = rows.into_iter().enumerate();
            waiting.extend(rows.map(|(row, planned)| Waiting {
                case: number,
                row,
                planned,
            }));
        }
        loop {
            let may_begin = !waiting.is_empty() && tasks.len() < at_once;
            match self.next(&mut tasks, may_begin.then_some(turns)).await {
                Next::Turn(turn) => {
                    let Some(next) = waiting.pop_front() else {
                        continue;
                    };
                    let case = Arc::clone(&progress[next.case].case);
                    if next.row == 0 {
                        self.send(Event::CaseStarted {
                            id: case.id.clone(),
                            target: index,
                        });
                    }
                    tasks.spawn(judge_row(Arc::clone(session), case, next, turn));
                }
                Next::Done(done) => {
                    let progress = &mut progress[done.case];
                    progress.add(done);
                    if progress.missing == 0 {
                        let (finding, took) = progress.finding();
                        self.report(index, session, &progress.case, finding, took);
                    }
                }
                Next::Over => break,
            }
        }
        tasks.shutdown().await;
        for unfinished in progress.iter().filter(|progress| progress.missing > 0) {
            let finding = Finding::not_observed(self.interruption());
            self.report(index, session, &unfinished.case, finding, unfinished.took);
        }
    }

    /// What comes next: a row that is done, a turn for the next one if turns are given, or the end.
    async fn next(&self, tasks: &mut JoinSet<RowDone>, turns: Option<&Turns>) -> Next {
        if tasks.is_empty() && turns.is_none() {
            return Next::Over;
        }
        let mut interrupt = self.request.options.interrupt.clone();
        tokio::select! {
            biased;
            () = interrupted(&mut interrupt) => Next::Over,
            () = tokio::time::sleep_until(self.ends) => Next::Over,
            Some(done) = tasks.join_next() => match done {
                Ok(done) => Next::Done(done),
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            },
            Some(turn) = OptionFuture::from(turns.map(Turns::wait)) => Next::Turn(turn),
        }
    }
}

impl Progress {
    fn new(case: Arc<Case>, rows: usize) -> Progress {
        Progress {
            case,
            missing: rows,
            rows: BTreeMap::new(),
            blocked: None,
            took: Duration::ZERO,
        }
    }

    fn add(&mut self, done: RowDone) {
        self.missing -= 1;
        self.took += done.took;
        match done.finding {
            Ok(finding) => {
                self.rows.insert(done.row, (done.label, finding));
            }
            Err(blocked) => self.blocked = Some((blocked.by, blocked.how)),
        }
    }

    fn finding(&mut self) -> (Finding, Duration) {
        let rows = std::mem::take(&mut self.rows);
        let mut finding = Finding::of_rows(rows.into_values().collect());
        if let Some((by, how)) = self.blocked.take()
            && !finding.is_decided()
        {
            finding = Finding::blocked(by, how);
        }
        (finding, self.took)
    }
}

/// Runs one row, unless nothing can be judged any more.
async fn judge_row(
    session: Arc<Session>,
    case: Arc<Case>,
    row: Waiting,
    mut turn: Turn,
) -> RowDone {
    let started = Instant::now();
    let finding = match session.blocked() {
        Some(blocked) => Err(blocked),
        None => Ok(run_row(&session, &case, &row.planned, &mut turn).await),
    };
    RowDone {
        case: row.case,
        row: row.row,
        label: row.planned.label,
        took: started.elapsed().saturating_sub(turn.waited),
        finding,
    }
}

/// Runs one row. Where what came of it may be the doing of other rows, once more apart from them. A violation that was seen stays one
/// where nothing can be seen apart from them.
async fn run_row(session: &Session, case: &Case, row: &PlannedRow, turn: &mut Turn) -> RowFinding {
    let Body::Steps(steps) = &case.body else {
        return RowFinding::default();
    };
    let label = row.label.as_deref();
    let mut attempt = Attempt::Usual;
    let mut doubted: Option<RowFinding> = None;
    loop {
        let mut this = Row::new(session, case, steps, label, &row.variables, turn);
        this.attempt = attempt;
        let finding = this.run().await;
        let finding = match doubted.take() {
            Some(doubted) => {
                if finding.holds() {
                    session.pool.distrust();
                }
                doubted.decided_by(finding)
            }
            None => finding,
        };
        match finding.again {
            Some(again) if again > attempt => {
                attempt = again;
                doubted = (again == Attempt::Afresh).then_some(finding);
            }
            _ => return finding,
        }
    }
}

/// Waits for the user to end the run.
pub(super) async fn interrupted(interrupt: &mut watch::Receiver<bool>) {
    // The sender being gone means that nobody can interrupt.
    if interrupt
        .wait_for(|interrupted| *interrupted)
        .await
        .is_err()
    {
        std::future::pending::<()>().await;
    }
}
