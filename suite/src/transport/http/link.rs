//! The connections of one HTTP link.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::Url;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::transcript::{End, ExchangeId, Transcript};
use crate::transport::raw_http::RawClient;
use crate::transport::response::Response;
use crate::transport::{Journal, Limits, Outgoing, SendError};

use super::{HttpClient, Pacer};

/// How long closing a link waits for answered exchanges to be over.
const PATIENCE: Duration = Duration::from_secs(2);

/// Connections over HTTP that share nothing with other links.
pub(in crate::transport) struct HttpLink {
    /// Requests as a library writes them; none in memory, where there is only the raw client.
    conforming: Option<Arc<HttpClient>>,
    raw: Arc<RawClient>,
    limits: Limits,
    /// What holds requests back, if anything does.
    pacer: Option<Arc<Pacer>>,
    /// Responses that may still be coming in; none once the link is closed.
    running: Mutex<Option<BTreeMap<ExchangeId, AbortHandle>>>,
}

impl HttpLink {
    pub(in crate::transport) fn new(
        conforming: Option<HttpClient>,
        raw: RawClient,
        limits: Limits,
        pacer: Option<Arc<Pacer>>,
    ) -> HttpLink {
        HttpLink {
            conforming: conforming.map(Arc::new),
            raw: Arc::new(raw),
            limits,
            pacer,
            running: Mutex::new(Some(BTreeMap::new())),
        }
    }

    pub(in crate::transport) async fn send(
        &self,
        journal: &Arc<Journal>,
        outgoing: Outgoing,
    ) -> Result<ExchangeId, SendError> {
        let Outgoing { sent, http, .. } = outgoing;
        let request = http.ok_or_else(|| SendError::Url {
            url: String::new(),
            problem: "nothing says how the message is sent over HTTP".to_owned(),
        })?;
        let problem = |problem: String| SendError::Url {
            url: request.url.clone(),
            problem,
        };
        let url: Url = request
            .url
            .parse()
            .map_err(|error| problem(format!("{error}")))?;
        let conforming = self.conforming.as_ref().filter(|_| !request.raw);
        let conforming = match conforming {
            Some(client) => Some((
                client.clone(),
                client.request(&request, &url).map_err(problem)?,
            )),
            None => None,
        };
        if let Some(pacer) = &self.pacer {
            pacer.turn().await;
        }
        let (tell, written) = oneshot::channel();
        let exchange = {
            let mut running = self.running();
            let running = running.as_mut().ok_or(SendError::Closed)?;
            running.retain(|_, task| !task.is_finished());
            let exchange = journal.write(|transcript, now| transcript.sent(now, Arc::new(sent)));
            let response = Response::new(journal.clone(), exchange, self.limits);
            let task = match conforming {
                Some((client, request)) => {
                    drop(tell);
                    tokio::spawn(async move { client.exchange(request, response).await })
                }
                None => {
                    let raw = self.raw.clone();
                    tokio::spawn(async move { raw.exchange(&request, &url, response, tell).await })
                }
            };
            running.insert(exchange, task.abort_handle());
            exchange
        };
        // It is dropped where the connection could not be made, which the journal tells.
        let _ = written.await;
        Ok(exchange)
    }

    /// Closes the connection that an exchange is on, if it is not over.
    pub(in crate::transport) async fn end(&self, journal: &Journal, exchange: ExchangeId) {
        let task = self
            .running()
            .as_mut()
            .and_then(|running| running.remove(&exchange));
        if let Some(task) = task {
            task.abort();
        }
        journal.write(|transcript, now| transcript.end(now, exchange, End::ByClient));
    }

    pub(in crate::transport) async fn close(&self, journal: &Journal) {
        let answered_are_over = |transcript: &Transcript| {
            let mut exchanges = transcript.exchanges();
            exchanges
                .all(|(_, exchange)| exchange.answered_at.is_none() || exchange.ended.is_some())
                .then_some(())
        };
        journal
            .wait(Instant::now() + PATIENCE, answered_are_over)
            .await;
        for exchange in self.running().take().unwrap_or_default() {
            let (exchange, task) = exchange;
            task.abort();
            journal.write(|transcript, now| transcript.end(now, exchange, End::ByClient));
        }
    }

    fn running(&self) -> MutexGuard<'_, Option<BTreeMap<ExchangeId, AbortHandle>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HttpLink {
    fn drop(&mut self) {
        for task in self.running().take().unwrap_or_default().into_values() {
            task.abort();
        }
    }
}
