//! The way out of a request.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{
    call::{Call, Level},
    rpc::Message,
    server::Server,
};

/// A message with its text, on its way to the transport.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) message: Message,
    pub(crate) text: Vec<u8>,
}

impl Sent {
    /// Makes a message ready to be framed, or what a mutant sends in its place.
    pub(crate) fn prepare(server: &Server, call: Option<&Call>, message: Message) -> Vec<Self> {
        let messages = server.hooks().deliver(call, message).into_iter();
        messages
            .map(|message| {
                let mut text = message.to_text();
                server.hooks().bytes_out(call, &mut text);
                Self { message, text }
            })
            .collect()
    }
}

/// Messages that belong together.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) messages: Vec<Sent>,
    muted: Arc<AtomicBool>,
}

impl Batch {
    /// Messages of no request.
    pub(crate) fn stray(messages: Vec<Sent>) -> Self {
        Self {
            messages,
            muted: Arc::default(),
        }
    }

    /// Whether the request was cancelled meanwhile, so that nothing more may be sent for it.
    pub(crate) fn is_muted(&self) -> bool {
        self.muted.load(Ordering::Acquire)
    }
}

/// Where a request sends its notifications and its response.
#[derive(Clone)]
pub(crate) struct Sink {
    server: Arc<Server>,
    call: Arc<Call>,
    out: mpsc::UnboundedSender<Batch>,
    muted: Arc<AtomicBool>,
    notifies: bool,
}

impl Sink {
    /// A sink for `call`. Where `notifies` is false the client takes one message only, so notifications are left out.
    pub(crate) fn new(
        server: Arc<Server>,
        call: Arc<Call>,
        out: mpsc::UnboundedSender<Batch>,
        notifies: bool,
    ) -> Self {
        Self {
            server,
            call,
            out,
            muted: Arc::default(),
            notifies,
        }
    }

    /// Lets nothing more through.
    pub(crate) fn mute(&self) {
        self.muted.store(true, Ordering::Release);
    }

    /// Sends a message. A client that is gone is no error: it has cancelled.
    pub(crate) fn send(&self, message: Message) {
        let messages = Sent::prepare(&self.server, Some(&self.call), message);
        let wanted = self.notifies || messages.iter().any(|sent| sent.message.is_response());
        if wanted && !messages.is_empty() {
            let _ = self.out.send(Batch {
                messages,
                muted: Arc::clone(&self.muted),
            });
        }
    }

    /// Reports progress, if the request has a token (`basic/patterns/progress`).
    pub(crate) fn progress(&self, progress: u64, total: u64, note: &str) {
        if let Some(token) = &self.call.progress_token {
            let params = json!({ "progressToken": null, "progress": progress, "total": total, "message": note });
            let mut message = Message::notification("notifications/progress", params);
            message.set(&["params"], "progressToken", token);
            self.send(message);
        }
    }

    /// Sends a log message, if the request wants this level (`server/utilities/logging`).
    pub(crate) fn log(&self, level: Level, data: Value) {
        let offered = self
            .server
            .options()
            .offers(crate::options::Capability::Logging);
        if offered && self.call.log_level().is_some_and(|lowest| lowest <= level) {
            let params =
                json!({ "level": level.name(), "logger": "mcpspec-refserver", "data": data });
            self.send(Message::notification("notifications/message", params));
        }
    }
}
