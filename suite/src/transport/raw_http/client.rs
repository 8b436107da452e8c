//! Requests and their responses over the connections of one link.

use std::io;
use std::sync::{Mutex, PoisonError};

use bytes::Buf;
use reqwest::Url;
use tokio::sync::oneshot;

use crate::transcript::End;
use crate::transport::HttpRequest;
use crate::transport::response::Response;

use super::body::{BodyReader, Step};
use super::dial::{Dialer, Origin};
use super::head::{self, Parsed};
use super::request;
use super::wire::{Idle, Wire};

/// The connections of one link.
pub(in crate::transport) struct RawClient {
    dialer: Dialer,
    idle: Mutex<Vec<(Origin, Idle)>>,
}

/// Why there is no response to read.
enum Failure {
    /// The connection closed before a byte of it came.
    Unanswered(String),
    /// It broke.
    Broken(String),
}

impl RawClient {
    pub(in crate::transport) fn new(dialer: Dialer) -> RawClient {
        RawClient {
            dialer,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Sends a request and records its response. `written` is told once the request is written.
    pub(in crate::transport) async fn exchange(
        &self,
        request: &HttpRequest,
        url: &Url,
        mut response: Response,
        written: oneshot::Sender<()>,
    ) {
        let end = match Origin::of(url) {
            Some(origin) => {
                self.round(request, url, &origin, &mut response, written)
                    .await
            }
            None => End::Refused(format!("{} is no URL of http or https", url.scheme())),
        };
        response.finish(end);
    }

    async fn round(
        &self,
        request: &HttpRequest,
        url: &Url,
        origin: &Origin,
        response: &mut Response,
        mut written: oneshot::Sender<()>,
    ) -> End {
        let bytes = request::encode(request, url);
        let mut closed = None;
        if let Some(idle) = self.take_idle(origin) {
            let mut wire = idle.write(bytes.clone(), written);
            match parsed(&mut wire).await {
                Ok(parsed) => return self.body(request, origin, wire, parsed, response).await,
                Err(Failure::Broken(problem)) => return End::CutOff(problem),
                // It was closed while it was idle: a fresh one takes its place, once.
                Err(Failure::Unanswered(problem)) => {
                    closed = Some(problem);
                    written = oneshot::channel().0;
                }
            }
        }
        let mut wire = match self.dialer.dial(origin).await {
            Ok(stream) => Idle::new(stream).write(bytes, written),
            Err(error) => {
                return match closed {
                    // It was taken after all: by a server that is gone for it.
                    Some(closed) => End::CutOff(format!("{closed}; then: {error}")),
                    None => End::Refused(error.to_string()),
                };
            }
        };
        match parsed(&mut wire).await {
            Ok(parsed) => self.body(request, origin, wire, parsed, response).await,
            Err(Failure::Broken(problem) | Failure::Unanswered(problem)) => End::CutOff(problem),
        }
    }

    async fn body(
        &self,
        request: &HttpRequest,
        origin: &Origin,
        mut wire: Wire,
        parsed: Parsed,
        response: &mut Response,
    ) -> End {
        let framing = parsed.framing(&request.method);
        let keeps_alive = parsed.keeps_alive();
        response.head(parsed.head);
        let mut reader = match framing {
            Ok(framing) => BodyReader::new(framing),
            Err(problem) => return End::CutOff(problem),
        };
        loop {
            match reader.step(&mut wire.buffer) {
                Err(problem) => return End::CutOff(problem),
                Ok(Step::Bytes(bytes)) => {
                    if response.chunk(&bytes).await.is_err() {
                        return End::TooLarge;
                    }
                }
                Ok(Step::Over) => break,
                Ok(Step::More) => match wire.fill().await {
                    Ok(0) => return reader.closed().map_or_else(End::CutOff, |()| End::Complete),
                    Ok(_) => {}
                    Err(error) => return End::CutOff(lost(&error)),
                },
            }
        }
        if keeps_alive && let Some(idle) = wire.into_idle() {
            self.idle().push((origin.clone(), idle));
        }
        End::Complete
    }

    /// An idle connection to this origin that is still good.
    fn take_idle(&self, origin: &Origin) -> Option<Idle> {
        let mut idle = self.idle();
        while let Some(at) = idle.iter().rposition(|(of, _)| of == origin) {
            let (_, mut found) = idle.remove(at);
            if found.is_usable() {
                return Some(found);
            }
        }
        None
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<(Origin, Idle)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the head of the final response; interim ones are passed over.
async fn parsed(wire: &mut Wire) -> Result<Parsed, Failure> {
    let mut any = false;
    let mut seen = 0;
    loop {
        while matches!(wire.buffer.first(), Some(b'\r' | b'\n')) {
            wire.buffer.advance(1);
        }
        if !head::may_begin(&wire.buffer) {
            return Err(Failure::Broken(format!(
                "the answer is no HTTP/1.1: it begins with {}",
                shown(&wire.buffer)
            )));
        }
        if let Some(length) = head::end(&wire.buffer, seen) {
            let parsed = head::parse(&wire.buffer.split_to(length)).map_err(Failure::Broken)?;
            if !parsed.is_interim() {
                return Ok(parsed);
            }
            seen = 0;
            continue;
        }
        seen = wire.buffer.len();
        if seen > head::MAX_HEAD {
            return Err(Failure::Broken(format!(
                "the head of the response is larger than {} bytes",
                head::MAX_HEAD
            )));
        }
        match wire.fill().await {
            Ok(0) if any => {
                return Err(Failure::Broken(
                    "the connection closed inside the head of the response".to_owned(),
                ));
            }
            Ok(0) => {
                return Err(Failure::Unanswered(
                    "the connection closed without an answer".to_owned(),
                ));
            }
            Ok(_) => any = true,
            Err(error) if any => return Err(Failure::Broken(lost(&error))),
            Err(error) => return Err(Failure::Unanswered(lost(&error))),
        }
    }
}

fn lost(error: &io::Error) -> String {
    format!("the connection was lost: {error}")
}

/// The first bytes, for a message.
fn shown(bytes: &[u8]) -> String {
    format!("`{}`", bytes[..bytes.len().min(16)].escape_ascii())
}
