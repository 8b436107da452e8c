//! A client that keeps one connection, over either transport.

use std::{sync::Arc, time::Duration};

use mcpspec_refserver::{Options, Server, Transport};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
    task::JoinHandle,
    time::timeout,
};

use crate::client::{Stdio, headers, post};

/// How long an answer may take before it counts as none.
const LIMIT: Duration = Duration::from_secs(10);

/// One pair of streams, or one HTTP connection that is kept alive.
pub(crate) enum Connection {
    Stdio(Stdio),
    Http(DuplexStream, JoinHandle<()>),
}

impl Connection {
    /// A connection to a server of its own.
    pub(crate) fn open(options: Options, transport: Transport) -> Self {
        match transport {
            Transport::Stdio => Self::Stdio(Stdio::start(options)),
            Transport::Http => Self::to(&Arc::new(Server::new(options))),
        }
    }

    /// An HTTP connection to this server.
    pub(crate) fn to(server: &Arc<Server>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let serving = tokio::spawn(Arc::clone(server).serve_http_connection(theirs));
        Self::Http(ours, serving)
    }

    /// Sends a request and gives the first message that comes back; `None` if none does.
    pub(crate) async fn ask(&mut self, message: &Value) -> Option<Value> {
        match self {
            Self::Stdio(client) => {
                client.send(message.clone()).await;
                timeout(LIMIT, client.next()).await.ok()
            }
            Self::Http(stream, _) => {
                let text = post(&headers(message), &message.to_string());
                let text = text.replacen("Connection: close\r\n", "", 1);
                let sent = stream.write_all(text.as_bytes()).await;
                sent.expect("it works over memory");
                timeout(LIMIT, body(stream)).await.ok()
            }
        }
    }

    /// Sends a request and gives the result that it has to get.
    pub(crate) async fn result(&mut self, message: &Value) -> Value {
        let answer = self.ask(message).await.expect("an answer");
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Self::Http(_, serving) = self {
            serving.abort();
        }
    }
}

/// Reads a response with a Content-Length.
async fn body(stream: &mut DuplexStream) -> Value {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("a whole head"));
    }
    let head = String::from_utf8(head).expect("it is text");
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .and_then(|length| length.parse().ok())
        .unwrap_or_else(|| panic!("no length: {head}"));
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.expect("a whole body");
    serde_json::from_slice(&body).expect("it is JSON")
}
