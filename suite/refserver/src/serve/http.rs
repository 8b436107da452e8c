//! The Streamable HTTP transport (`basic/transports/streamable-http`).

use std::{convert::Infallible, pin::pin, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderValue, Method, header},
    response::Response,
    routing::{any, get},
};
use futures_util::stream;
use hyper::server::conn::http1;
use hyper_util::{rt::TokioIo, service::TowerToHyperService};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    runtime::Handle,
    sync::mpsc,
    task::{JoinHandle, JoinSet},
};

use super::{
    accept::Accepted,
    auth,
    exchange::{Exchange, HttpReply, Payload},
    inbound::{self, Inbound},
    origin,
    sink::{Batch, Sent, Sink},
    tap::Tap,
};
use crate::{
    call::{Call, Link, Origin, Transport},
    methods::{SESSION_HEADER, is_session, new_session},
    mutants::{Answered, Orphan},
    rpc::Message,
    server::{Exit, Phase, Server},
};

/// The path of the MCP endpoint.
pub const HTTP_PATH: &str = "/mcp";

/// The longest body that is read, in bytes.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// How long an event stream may be quiet before a comment shows that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

impl Server {
    /// Serves HTTP on a listener until the server is shut down or crashes.
    pub async fn serve_http(self: Arc<Self>, listener: TcpListener) -> Exit {
        let mut connections = JoinSet::new();
        loop {
            tokio::select! {
                biased;
                _ = self.ending() => break,
                Some(_) = connections.join_next() => {}
                accepted = listener.accept() => {
                    // A connection that failed before it began concerns nobody else.
                    if let Ok((stream, _)) = accepted {
                        connections.spawn(Arc::clone(&self).serve_http_connection(stream));
                    }
                }
            }
        }
        drop(listener);
        let _ = tokio::time::timeout(2 * Self::GRACE, async {
            while connections.join_next().await.is_some() {}
        })
        .await;
        connections.shutdown().await;
        self.exit()
    }

    /// Serves one HTTP/1.1 connection until either side closes it.
    pub async fn serve_http_connection<S: AsyncRead + AsyncWrite>(self: Arc<Self>, stream: S) {
        if self.phase() != Phase::Running {
            return;
        }
        let door = Door {
            server: Arc::clone(&self),
            link: self.next_link(),
        };
        let mut router = Router::new()
            .route(HTTP_PATH, any(enter))
            .fallback(show_nothing);
        if self.options().protected {
            router = router.route(auth::METADATA_PATH, get(show_metadata));
        }
        let router = router.with_state(door);
        let tap = Tap::new(Arc::clone(&self), stream, |hooks, bytes| {
            hooks.wire_in(bytes);
        });
        let stream = TokioIo::new(tap);
        let mut connection =
            pin!(http1::Builder::new().serve_connection(stream, TowerToHyperService::new(router)));
        tokio::select! {
            biased;
            phase = self.ending() => {
                if phase == Phase::Closing {
                    connection.as_mut().graceful_shutdown();
                    tokio::select! {
                        biased;
                        _ = self.crashed() => {}
                        // How the connection ends is the client's business: a broken one has cancelled its requests.
                        _ = tokio::time::timeout(Self::GRACE, connection) => {}
                    }
                }
            }
            _ = &mut connection => {}
        }
    }
}

async fn show_metadata(request: Request) -> Response {
    let (exchange, _) = opened(request);
    auth::metadata(&exchange).into_response(Body::empty)
}

/// There is nothing at other paths.
async fn show_nothing(State(door): State<Door>, request: Request) -> Response {
    let (exchange, _) = opened(request);
    door.refuse(&exchange, HttpReply::empty(404))
}

/// A request, and its body that is still to be read.
fn opened(request: Request) -> (Exchange, Body) {
    let (head, body) = request.into_parts();
    let exchange = Exchange {
        method: head.method,
        path: head.uri.path().to_owned(),
        headers: head.headers,
        body: Vec::new(),
    };
    (exchange, body)
}

/// The server as one connection sees it.
#[derive(Clone)]
struct Door {
    server: Arc<Server>,
    link: Link,
}

async fn enter(State(door): State<Door>, request: Request) -> Response {
    let (mut exchange, body) = opened(request);
    if exchange.method == Method::POST {
        match to_bytes(body, MAX_BODY).await {
            Ok(body) => exchange.body = body.into(),
            Err(_) => return door.reply(None, None, HttpReply::empty(413), Body::empty),
        }
    }
    door.answer(exchange).await
}

impl Door {
    async fn answer(&self, exchange: Exchange) -> Response {
        match self.admit(&exchange) {
            Err(reply) => self.refuse(&exchange, *reply),
            Ok(principal) => self.serve(exchange, principal).await,
        }
    }

    fn refuse(&self, exchange: &Exchange, mut reply: HttpReply) -> Response {
        self.server.hooks().http_refusal(exchange, &mut reply);
        self.reply(None, None, reply, Body::empty)
    }

    /// What HTTP alone has to say: where the request comes from, what it is, and who sends it.
    fn admit(&self, exchange: &Exchange) -> Result<Option<String>, Box<HttpReply>> {
        let refusal = |status| Box::new(HttpReply::empty(status));
        if !self
            .server
            .hooks()
            .admits_origin(exchange, origin::is_local(exchange))
        {
            return Err(refusal(403));
        }
        if exchange.method != Method::POST {
            let mut reply = refusal(405);
            reply.set(header::ALLOW, "POST");
            return Err(reply);
        }
        let principal = auth::principal(self.server.options(), exchange)?;
        if !Accepted::of(exchange).is_enough() {
            return Err(refusal(406));
        }
        if exchange
            .header(header::CONTENT_TYPE)
            .is_none_or(|value| media_type(value) != "application/json")
        {
            return Err(refusal(415));
        }
        Ok(principal)
    }

    async fn serve(&self, exchange: Exchange, principal: Option<String>) -> Response {
        let origin = Origin {
            transport: Transport::Http,
            link: self.link,
            serial: self.server.next_serial(),
            principal,
            headers: exchange.headers.clone(),
            in_session: exchange.header(SESSION_HEADER).is_some_and(is_session),
        };
        match inbound::receive(&self.server, origin, exchange.body.clone()) {
            Inbound::Request(call) => self.request(exchange, call).await,
            Inbound::Notification(call) => match self.server.hooks().notification(&call) {
                None => self.reply(Some(&call), None, HttpReply::empty(202), Body::empty),
                Some(message) => self.finished(
                    Some(&call),
                    &Sent::prepare(&self.server, Some(&call), message),
                ),
            },
            Inbound::Refused { call, messages, .. } => self.finished(call.as_deref(), &messages),
            Inbound::Crash(code) => {
                self.server.crash(code);
                std::future::pending().await
            }
        }
    }

    /// Answers with one JSON text where the response comes first and alone, else with an event stream.
    async fn request(&self, exchange: Exchange, call: Arc<Call>) -> Response {
        let accepted = Accepted::of(&exchange);
        if call.method() == "subscriptions/listen" && !accepted.events {
            return self.reply(Some(&call), None, HttpReply::empty(406), Body::empty);
        }
        let (out, mut batches) = mpsc::unbounded_channel();
        let sink = Sink::new(
            Arc::clone(&self.server),
            Arc::clone(&call),
            out,
            accepted.events,
        );
        // The work goes on as long as somebody waits for it: the client that closes its connection cancels the request.
        let mut work = Work {
            is_over: false,
            server: Arc::clone(&self.server),
            call: Arc::clone(&call),
            task: tokio::spawn(inbound::respond(
                Arc::clone(&self.server),
                Arc::clone(&call),
                sink,
            )),
        };
        let Some(first) = batches.recv().await else {
            // There is no answer, and never will be.
            return std::future::pending().await;
        };
        let alone = matches!(first.messages.as_slice(), [sent] if sent.message.is_response());
        if accepted.json && (alone || !accepted.events) {
            work.is_over = true;
            return self.finished(Some(&call), &first.messages);
        }
        let opening = first.messages.first().map(|sent| sent.message.clone());
        let status = opening
            .as_ref()
            .filter(|_| alone)
            .map_or(200, |message| message.status);
        let reply = HttpReply::events(status);
        self.reply(Some(&call), opening.as_ref(), reply, || {
            events(first, batches, work)
        })
    }

    fn finished(&self, call: Option<&Call>, messages: &[Sent]) -> Response {
        // Several messages fit only into an event stream; a client that takes none gets the response.
        let response = messages.iter().find(|sent| sent.message.is_response());
        match response.or(messages.first()) {
            Some(Sent { message, text }) => {
                let reply = HttpReply::json(message.status, text.clone());
                self.reply(call, Some(message), reply, Body::empty)
            }
            None => self.reply(call, None, HttpReply::empty(202), Body::empty),
        }
    }

    fn reply(
        &self,
        call: Option<&Call>,
        message: Option<&Message>,
        mut reply: HttpReply,
        events: impl FnOnce() -> Body,
    ) -> Response {
        if let Some(call) = call.filter(|call| call.legacy && call.method() == "initialize")
            && let Ok(session) = HeaderValue::from_str(&new_session(call.serial))
        {
            reply.headers.insert(SESSION_HEADER, session);
        }
        self.server
            .hooks()
            .http_reply(&Answered { call, message }, &mut reply);
        debug_assert!(
            reply.body != Payload::Events || message.is_some(),
            "an event stream begins with a message"
        );
        reply.into_response(events)
    }
}

/// The body of an event stream. Once it is dropped the work ends.
fn events(first: Batch, batches: mpsc::UnboundedReceiver<Batch>, work: Work) -> Body {
    let parts = stream::unfold(
        (Some(first), batches, work),
        async |(first, mut batches, mut work)| {
            let next = match first {
                Some(batch) => Ok(Some(batch)),
                None => tokio::time::timeout(KEEP_ALIVE, batches.recv()).await,
            };
            let part = match next {
                Ok(Some(batch)) => framed(&batch),
                Ok(None) => {
                    work.is_over = true;
                    return None;
                }
                Err(_) => b":\n\n".to_vec(),
            };
            Some((
                Ok::<_, Infallible>(Bytes::from(part)),
                (None, batches, work),
            ))
        },
    );
    Body::from_stream(parts)
}

fn framed(batch: &Batch) -> Vec<u8> {
    let mut events = Vec::new();
    for sent in &batch.messages {
        events.extend_from_slice(b"event: message\ndata: ");
        events.extend_from_slice(&sent.text);
        events.extend_from_slice(b"\n\n");
    }
    events
}

/// A media type in lower case, without its parameters.
pub(super) fn media_type(value: &str) -> String {
    value
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

/// The work of a request, which stops when nobody waits for it.
struct Work {
    /// Whether all was said.
    is_over: bool,
    server: Arc<Server>,
    call: Arc<Call>,
    task: JoinHandle<()>,
}

impl Drop for Work {
    fn drop(&mut self) {
        let is_over = self.is_over || self.task.is_finished();
        let fate = if is_over || self.server.phase() != Phase::Running {
            Orphan::Stops
        } else {
            self.server.hooks().orphaned(&self.call)
        };
        match fate {
            Orphan::Stops => self.task.abort(),
            Orphan::StopsAfter(delay) => {
                let task = self.task.abort_handle();
                if let Ok(runtime) = Handle::try_current() {
                    runtime.spawn(async move {
                        tokio::time::sleep(delay).await;
                        task.abort();
                    });
                }
            }
            Orphan::GoesOn => {}
            Orphan::Crashes(code) => self.server.crash(code),
        }
    }
}
