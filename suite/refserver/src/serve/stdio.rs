//! The stdio transport (`basic/transports/stdio`).

use std::{io, pin::pin, sync::Arc};

use http::HeaderMap;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::mpsc,
    task::{AbortHandle, JoinSet},
};

use super::{
    inbound::{self, Inbound},
    sink::{Batch, Sent, Sink},
    tap::Tap,
};
use crate::{
    admit::Rule,
    call::{Call, Link, Origin, Transport},
    rpc::{Fault, Id, Message, codes},
    server::{Exit, Phase, Server},
};

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 8 * 1024 * 1024;

impl Server {
    /// Serves one client over a pair of byte streams, one message per line. Returns when the input has ended and what was in
    /// flight is answered, when the server was shut down, or when the output is closed.
    pub async fn serve_stdio<R: AsyncRead, W: AsyncWrite>(
        self: Arc<Self>,
        reader: R,
        writer: W,
    ) -> Exit {
        let _presence = self.hooks().presence();
        let (out, batches) = mpsc::unbounded_channel();
        let mut session = Session {
            server: Arc::clone(&self),
            link: self.next_link(),
            out,
            requests: JoinSet::new(),
            open: Vec::new(),
            legacy: false,
        };
        let mut writing = pin!(write(&self, writer, batches));
        let mut reading = pin!(async move {
            session.read(reader).await;
            session.finish().await;
        });
        // Either side ends it: the reader once everything is said, the writer when nobody listens any more.
        tokio::select! {
            biased;
            _ = self.crashed() => {}
            _ = &mut writing => {}
            () = &mut reading => {
                // The session is gone and with it the last sender, so the writer ends once it has written what is left.
                let _ = writing.await;
            }
        }
        self.exit()
    }
}

/// What is in flight on one pair of streams.
struct Session {
    server: Arc<Server>,
    link: Link,
    out: mpsc::UnboundedSender<Batch>,
    requests: JoinSet<()>,
    open: Vec<(Id, Sink, AbortHandle)>,
    /// Whether an older client has opened with `initialize`.
    legacy: bool,
}

impl Session {
    /// Reads until the input ends or the server does.
    async fn read<R: AsyncRead>(&mut self, reader: R) {
        let server = Arc::clone(&self.server);
        let tap = Tap::new(Arc::clone(&server), reader, |hooks, bytes| {
            hooks.stdin(bytes)
        });
        let mut reader = BufReader::new(tap);
        let mut ending = pin!(server.ending());
        loop {
            let line = tokio::select! {
                biased;
                _ = &mut ending => return,
                line = next_line(&mut reader) => line,
            };
            match line {
                // A broken input is an ended one.
                Ok(None) | Err(_) => return,
                Ok(Some(Line::TooLong)) => {
                    let message = format!("A message is longer than {MAX_LINE} bytes.");
                    let fault = Fault::new(Rule::Object, codes::INVALID_REQUEST, message);
                    let messages = Sent::prepare(&self.server, None, Message::error(None, &fault));
                    let _ = self.out.send(Batch::stray(messages));
                }
                Ok(Some(Line::Text(bytes))) => self.take(bytes),
            }
        }
    }

    fn take(&mut self, bytes: Vec<u8>) {
        let serial = self.server.next_serial();
        let origin = Origin {
            transport: Transport::Stdio,
            link: self.link,
            serial,
            principal: None,
            headers: HeaderMap::new(),
            in_session: self.legacy,
        };
        match inbound::receive(&self.server, origin, bytes) {
            Inbound::Request(call) => {
                self.legacy |= call.legacy;
                self.start(call);
            }
            Inbound::Notification(call) => {
                if let Some(message) = self.server.hooks().notification(&call) {
                    let _ = self.out.send(Batch::stray(Sent::prepare(
                        &self.server,
                        Some(&call),
                        message,
                    )));
                }
                self.cancel(&call);
            }
            Inbound::Refused {
                messages,
                unanswerable,
                ..
            } => {
                if !unanswerable {
                    let _ = self.out.send(Batch::stray(messages));
                }
            }
            Inbound::Crash(code) => self.server.crash(code),
        }
    }

    fn start(&mut self, call: Arc<Call>) {
        // What has ended meanwhile is forgotten.
        self.open.retain(|(_, _, task)| !task.is_finished());
        while self.requests.try_join_next().is_some() {}
        let sink = Sink::new(
            Arc::clone(&self.server),
            Arc::clone(&call),
            self.out.clone(),
            true,
        );
        let server = Arc::clone(&self.server);
        let id = call.id.clone();
        let answered = sink.clone();
        let task = self.requests.spawn(async move {
            let _turn = match server.hooks().turn() {
                Some(turn) => turn.acquire_owned().await.ok(),
                None => None,
            };
            inbound::respond(server, call, answered).await;
        });
        if let Some(id) = id {
            self.open.push((id, sink, task));
        }
    }

    /// Follows a cancellation; one that names no request in flight, or is malformed, is ignored (`basic/patterns/cancellation`).
    fn cancel(&mut self, call: &Call) {
        if call.method() != "notifications/cancelled" {
            return;
        }
        if let Some(cancelled) = &call.request_id {
            for (_, sink, task) in self.open.iter().filter(|(id, _, _)| id.same_as(cancelled)) {
                sink.mute();
                task.abort();
            }
        }
    }

    /// Lets what is in flight come to its end, subscriptions at once and work for a moment.
    async fn finish(mut self) {
        if matches!(self.server.phase(), Phase::Crashed(_)) {
            return;
        }
        let is_busy = self.open.iter().any(|(_, _, task)| !task.is_finished());
        if self.server.hooks().stays_after_input(is_busy) {
            self.server.ending().await;
        }
        // The end of one client's input is the end of the process, as nothing else could reach it.
        self.server.shut_down();
        let _ = tokio::time::timeout(Server::GRACE, async {
            while self.requests.join_next().await.is_some() {}
        })
        .await;
        self.requests.shutdown().await;
    }
}

enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// The next line that is not blank, without its end. An unfinished last line counts.
async fn next_line<R: AsyncRead + Unpin>(reader: &mut BufReader<R>) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = reader.fill_buf().await?;
        let (length, ended) = match chunk.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (chunk.len(), chunk.is_empty()),
        };
        too_long |= line.len() + length > MAX_LINE;
        if !too_long {
            line.extend_from_slice(&chunk[..length]);
        }
        reader.consume(length);
        if !ended {
            continue;
        }
        if too_long {
            return Ok(Some(Line::TooLong));
        }
        let at_end = length == 0;
        while line
            .last()
            .is_some_and(|byte| matches!(byte, b'\n' | b'\r'))
        {
            line.pop();
        }
        if !line.iter().all(u8::is_ascii_whitespace) {
            return Ok(Some(Line::Text(line)));
        }
        if at_end {
            return Ok(None);
        }
        line.clear();
    }
}

/// Writes what is sent until the last sender is gone.
async fn write<W: AsyncWrite>(
    server: &Server,
    writer: W,
    mut batches: mpsc::UnboundedReceiver<Batch>,
) -> io::Result<()> {
    let mut writer = pin!(writer);
    let greeting = server.hooks().greeting();
    if !greeting.is_empty() {
        writer.write_all(&greeting).await?;
        writer.flush().await?;
    }
    while let Some(batch) = batches.recv().await {
        for sent in &batch.messages {
            if batch.is_muted() {
                break;
            }
            writer.write_all(&sent.text).await?;
            writer.write_all(b"\n").await?;
        }
        writer.flush().await?;
    }
    writer.write_all(&server.hooks().farewell()).await?;
    writer.flush().await
}
