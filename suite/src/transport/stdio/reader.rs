//! Reading a process's output.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mcpspec_wire::lines::{Ending, Line, LineSplitter};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::oneshot;

use crate::transcript::{Inbound, LineEnd};
use crate::transport::limits::Influx;
use crate::transport::{Journal, Limits, inbound};

/// How many bytes are read at once.
const CHUNK: usize = 64 << 10;

/// How long a line that is too long may pause before it is recorded as far as it came.
const PATIENCE: Duration = Duration::from_secs(5);

/// How reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadEnd {
    /// The output ended, or reading was told to end.
    Over,
    /// More came than may be kept.
    Flood,
}

/// Records the lines of a process's output.
pub(super) struct Reader {
    journal: Arc<Journal>,
    splitter: LineSplitter,
    limits: Limits,
    influx: Arc<Influx>,
    /// Whether the client ends the process.
    left: Arc<AtomicBool>,
    /// Length of the unfinished line so far.
    length: u64,
    /// The beginning of the unfinished line if it is too long; none inside once it was recorded.
    long: Option<Option<Vec<u8>>>,
    flooded: bool,
}

impl Reader {
    /// Once `left` is true a line that breaks off is not recorded.
    pub(super) fn new(
        journal: Arc<Journal>,
        limits: &Limits,
        influx: Arc<Influx>,
        left: Arc<AtomicBool>,
    ) -> Reader {
        Reader {
            journal,
            splitter: LineSplitter::new(limits.max_message),
            limits: *limits,
            influx,
            left,
            length: 0,
            long: None,
            flooded: false,
        }
    }

    /// Reads until the output ends, more comes than may be kept, or `stop` comes. Gives the output back.
    pub(super) async fn run(
        mut self,
        mut output: Box<dyn AsyncRead + Send + Unpin>,
        mut stop: oneshot::Receiver<()>,
    ) -> (ReadEnd, Box<dyn AsyncRead + Send + Unpin>) {
        let mut chunk = vec![0; CHUNK];
        let mut place = None;
        while !self.flooded {
            tokio::select! {
                biased;
                _ = &mut stop => break,
                () = self.journal.admit(self.held(), &mut place) => {}
            }
            let is_waiting = self.long.as_ref().is_some_and(Option::is_some);
            tokio::select! {
                biased;
                read = output.read(&mut chunk) => match read {
                    Ok(0) | Err(_) => break,
                    Ok(length) => self.take(&chunk[..length]),
                },
                _ = &mut stop => break,
                () = tokio::time::sleep(PATIENCE), if is_waiting => self.record_long(),
            }
        }
        (self.finish(), output)
    }

    /// How much of the unfinished line is kept.
    fn held(&self) -> usize {
        match self.long {
            Some(_) => 0,
            None => usize::try_from(self.length).unwrap_or(usize::MAX),
        }
    }

    fn take(&mut self, mut chunk: &[u8]) {
        if self.long.is_some() {
            // The rest of such a line is dropped, so it need not go through the splitter.
            let dropped = chunk
                .iter()
                .position(|&byte| byte == b'\n')
                .unwrap_or(chunk.len());
            self.length += dropped as u64;
            self.flooded = self.length > self.limits.endless();
            chunk = &chunk[dropped..];
        }
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            if self.flooded {
                return;
            }
            self.piece(piece);
        }
    }

    /// Takes bytes of which only the last may end a line.
    fn piece(&mut self, piece: &[u8]) {
        let ended = piece.ends_with(b"\n");
        self.length += (piece.len() - usize::from(ended)) as u64;
        let mut line = None;
        self.splitter.push(piece, &mut |next| line = Some(next));
        match line {
            Some(mut line) if line.truncated => {
                inbound::shorten(&mut line.bytes);
                self.long = Some(Some(line.bytes));
            }
            Some(line) => self.record(whole(line)),
            None => {}
        }
        if ended {
            self.record_long();
            self.long = None;
            self.length = 0;
        }
    }

    fn finish(mut self) -> ReadEnd {
        self.record_long();
        if self.flooded {
            return ReadEnd::Flood;
        }
        if self.left.load(Ordering::Relaxed) {
            return ReadEnd::Over;
        }
        let splitter = std::mem::replace(&mut self.splitter, LineSplitter::new(0));
        if let Some(line) = splitter.finish() {
            let unfinished = if line.truncated {
                inbound::cut(line.bytes, self.length)
            } else {
                whole(line)
            };
            self.record(unfinished);
        }
        ReadEnd::Over
    }

    fn record_long(&mut self) {
        if let Some(beginning) = self.long.as_mut().and_then(Option::take) {
            self.record(inbound::cut(beginning, self.length));
        }
    }

    fn record(&mut self, inbound: Inbound) {
        if !self.influx.counts(inbound::weight(&inbound), &self.limits) {
            self.flooded = true;
            return;
        }
        let kept = self.journal.fitting(inbound);
        self.journal
            .write(|transcript, now| transcript.line(now, kept));
    }
}

fn whole(line: Line) -> Inbound {
    let ending = match line.ending {
        Ending::Lf => LineEnd::Lf,
        Ending::CrLf => LineEnd::CrLf,
        Ending::None => LineEnd::None,
    };
    inbound::whole(line.bytes, ending)
}
