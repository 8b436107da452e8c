//! How the processes of a target start: no more at once than there are cores, and how long one takes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::transcript::{Transcript, What};
use crate::transport::Journal;

/// How many times what the slowest start took a process counts as starting: a machine that became busy makes the next one slower.
const MARGIN: u32 = 3;

/// How long a process counts as starting at least.
const LEAST: Duration = Duration::from_millis(500);

/// How long a process counts as starting before any start was measured.
const UNKNOWN: Duration = Duration::from_secs(5);

/// How long a start is measured at most.
const LONGEST: Duration = Duration::from_secs(60);

/// The survey asks two processes side by side, whatever the machine.
const FEWEST: usize = 2;

/// Starts of a target's processes.
pub(super) struct Startup {
    slots: Arc<Semaphore>,
    longest: Arc<Mutex<Duration>>,
}

impl Startup {
    /// Nothing has started yet.
    pub(super) fn new() -> Startup {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Startup {
            slots: Arc::new(Semaphore::new(cores.max(FEWEST))),
            longest: Arc::default(),
        }
    }

    /// The longest start that was measured; zero if none was.
    pub(super) fn longest(&self) -> Duration {
        *lock(&self.longest)
    }

    /// Takes note of how long a start took.
    pub(super) fn measured(&self, took: Duration) {
        note(&self.longest, took);
    }

    /// Waits until another process may start: more at once than there are cores would make each of them slow, and slow starts
    /// look like deaf servers.
    pub(super) async fn slot(&self) -> OwnedSemaphorePermit {
        Arc::clone(&self.slots)
            .acquire_owned()
            .await
            .expect("the semaphore is never closed")
    }

    /// Keeps the slot until the process has written a line, has ended, or had more time than any start took. Takes note of how
    /// long it took if it was first asked for discovery, since anything else may take long by itself.
    pub(super) fn keep(&self, slot: OwnedSemaphorePermit, journal: Arc<Journal>) {
        let started = Instant::now();
        let longest = Arc::clone(&self.longest);
        tokio::spawn(async move {
            let patience = patience(*lock(&longest));
            let mut began = journal.wait(started + patience, beginning).await;
            drop(slot);
            if began.is_none() {
                began = journal.wait(started + LONGEST, beginning).await;
            }
            if let Some(Beginning::Discovered(took)) = began {
                note(&longest, took);
            }
        });
    }
}

/// How long a process counts as starting, where the slowest start took `longest`.
fn patience(longest: Duration) -> Duration {
    if longest.is_zero() {
        UNKNOWN
    } else {
        (longest * MARGIN).max(LEAST)
    }
}

fn note(longest: &Mutex<Duration>, took: Duration) {
    let mut longest = lock(longest);
    *longest = longest.max(took);
}

fn lock(longest: &Mutex<Duration>) -> MutexGuard<'_, Duration> {
    longest.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a process shows that it has started.
enum Beginning {
    /// Its first line answers a discovery, so long after that was sent.
    Discovered(Duration),
    /// It wrote something else, or has ended.
    Other,
}

fn beginning(transcript: &Transcript) -> Option<Beginning> {
    let first = transcript
        .entries()
        .iter()
        .find(|entry| matches!(entry.what, What::Line(_) | What::Exited(_)))?;
    let asked = first.exchange.map(|id| transcript.exchange(id));
    let discovery = asked.filter(|asked| asked.sent.method() == Some("server/discover"));
    Some(match discovery {
        Some(asked) => Beginning::Discovered(first.at.saturating_sub(asked.sent_at)),
        None => Beginning::Other,
    })
}

#[cfg(test)]
mod tests {
    use mcpspec_wire::Message;

    use crate::spec::Transport;
    use crate::transcript::{Era, ExitStatus, Inbound, LineEnd, LinkInfo, Sent, SentKind};

    use super::*;

    fn request(method: &str) -> Arc<Sent> {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
        Arc::new(Sent {
            kind: SentKind::Request,
            message: Message::decode(text.as_bytes()).value,
            bytes: text.into(),
            http: None,
            era: Era::Modern,
            altered: Vec::new(),
            origin: None,
        })
    }

    fn answer() -> Arc<Inbound> {
        let text = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        Arc::new(Inbound {
            len: text.len() as u64,
            decoded: Message::decode(text.as_bytes()),
            bytes: text.into(),
            ending: LineEnd::Lf,
        })
    }

    fn journal() -> Arc<Journal> {
        let info = LinkInfo {
            name: "main".to_owned(),
            transport: Transport::Stdio,
            exclusive: true,
        };
        Arc::new(Journal::new(info, Instant::now()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_slot_is_free_again_when_the_process_has_ended() {
        let startup = Startup::new();
        let free = startup.slots.available_permits();
        let journal = journal();
        startup.keep(startup.slot().await, Arc::clone(&journal));
        tokio::time::sleep(UNKNOWN / 2).await;
        assert_eq!(startup.slots.available_permits(), free - 1);
        let status = ExitStatus {
            code: Some(0),
            signal: None,
        };
        journal.write(|transcript, now| transcript.exited(now, status, Vec::new()));
        tokio::task::yield_now().await;
        assert_eq!(startup.slots.available_permits(), free);
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_process_keeps_its_slot_longer_than_any_start_took() {
        let startup = Startup::new();
        let free = startup.slots.available_permits();
        startup.measured(Duration::from_secs(3));
        startup.measured(Duration::from_secs(2));
        assert_eq!(startup.longest(), Duration::from_secs(3));
        startup.keep(startup.slot().await, journal());
        tokio::time::sleep(Duration::from_millis(8_999)).await;
        assert_eq!(startup.slots.available_permits(), free - 1);
        tokio::time::sleep(Duration::from_millis(2)).await;
        assert_eq!(startup.slots.available_permits(), free);
    }

    #[tokio::test(start_paused = true)]
    async fn a_start_is_measured_by_the_answer_to_a_discovery() {
        let startup = Startup::new();
        for (method, took) in [("tools/list", 0), ("server/discover", 7)] {
            let journal = journal();
            startup.keep(startup.slot().await, Arc::clone(&journal));
            tokio::time::sleep(Duration::from_secs(1)).await;
            journal.write(|transcript, now| transcript.sent(now, request(method)));
            tokio::time::sleep(Duration::from_secs(7)).await;
            journal.write(|transcript, now| transcript.line(now, answer()));
            tokio::task::yield_now().await;
            assert_eq!(startup.longest(), Duration::from_secs(took), "{method}");
        }
    }
}
