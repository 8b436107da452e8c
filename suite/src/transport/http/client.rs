//! The client for conforming requests: one connection pool for a link.

use std::collections::HashSet;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpInfo;
use jiff::Timestamp;
use reqwest::{Client, Url};
use tokio::time::Instant;

use crate::transcript::{End, Head, HeaderLine};
use crate::transport::HttpRequest;
use crate::transport::response::Response;

use super::{Pacer, is_loopback, later, told};

/// How long it may take to open a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// The share of the time for an answer that may pass with waiting for a server that has had too many requests. The rest is
/// for the answer itself.
const WAITING: f64 = 0.8;

/// What came of a request.
enum Came {
    /// A response, or none, and how it ended.
    End(End),
    /// The server has had too many requests and wants to be asked again at this time.
    Later(Instant),
}

/// A client with a pool of its own; without redirects, decompression, cookies and HTTP/2.
#[derive(Debug)]
pub(in crate::transport) struct HttpClient {
    client: Client,
    /// The same without a pool: each of its connections is fresh.
    fresh: Client,
    /// The local addresses of connections that a response came on.
    answered: Mutex<HashSet<SocketAddr>>,
    /// How long an answer may take.
    timeout: Duration,
    /// What holds requests back that are sent again, if anything does.
    pacer: Option<Arc<Pacer>>,
}

impl HttpClient {
    /// A client for an endpoint. A proxy of the environment is used, unless the endpoint is on this host.
    pub(super) fn new(
        endpoint: &Url,
        tls: rustls::ClientConfig,
        timeout: Duration,
        pacer: Option<Arc<Pacer>>,
    ) -> Result<HttpClient, String> {
        let builder = || {
            let builder = Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .http1_only()
                .redirect(reqwest::redirect::Policy::none())
                .referer(false)
                .connect_timeout(PATIENCE);
            match is_loopback(endpoint) {
                true => builder.no_proxy(),
                false => builder,
            }
        };
        let fresh = builder().pool_max_idle_per_host(0);
        Ok(HttpClient {
            client: builder().build().map_err(|error| told(&error))?,
            fresh: fresh.build().map_err(|error| told(&error))?,
            answered: Mutex::default(),
            timeout,
            pacer,
        })
    }

    /// The request as the client sends it, or why it cannot.
    pub(super) fn request(
        &self,
        request: &HttpRequest,
        url: &Url,
    ) -> Result<reqwest::Request, String> {
        let method = Method::from_bytes(request.method.as_bytes())
            .map_err(|_| format!("{:?} is no HTTP method", request.method))?;
        let mut headers = HeaderMap::new();
        for line in &request.headers {
            let name = HeaderName::from_bytes(line.name.as_bytes())
                .map_err(|_| format!("{:?} is no name of a header", line.name))?;
            let value = HeaderValue::from_bytes(&line.value)
                .map_err(|_| format!("the header {name} has a value that no client may send"))?;
            headers.append(name, value);
        }
        let mut made = reqwest::Request::new(method, url.clone());
        *made.headers_mut() = headers;
        *made.body_mut() = Some(request.body.clone().into());
        Ok(made)
    }

    /// Sends a request and records its response. One that says that it comes too soon and when it is welcome (429 with
    /// `Retry-After`) is sent again, and not recorded, as often as the time for an answer allows.
    pub(super) async fn exchange(&self, request: reqwest::Request, mut response: Response) {
        let latest = Instant::now() + self.timeout.mul_f64(WAITING);
        let end = loop {
            match self.attempt(&request, &mut response, latest).await {
                Came::End(end) => break end,
                Came::Later(at) => {
                    tokio::time::sleep_until(at).await;
                    if let Some(pacer) = &self.pacer {
                        pacer.turn().await;
                    }
                    response.sent_again();
                }
            }
        };
        response.finish(end);
    }

    async fn attempt(
        &self,
        request: &reqwest::Request,
        response: &mut Response,
        latest: Instant,
    ) -> Came {
        let got = match self.round(&self.client, request).await {
            // An idle connection turned out closed: a fresh one takes its place, once.
            Err(error) if self.has_answered(&error) => {
                let again = self.round(&self.fresh, request).await;
                again.map_err(|second| match unanswered(&second) {
                    // The request was taken after all: by a server that is gone for it.
                    End::Refused(problem) => {
                        End::CutOff(format!("{}; then: {problem}", told(&error)))
                    }
                    end => end,
                })
            }
            got => got.map_err(|error| unanswered(&error)),
        };
        let got = match got {
            Ok(got) => got,
            Err(end) => return Came::End(end),
        };
        let pause = later::pause(got.status(), got.headers(), Timestamp::now());
        let at = pause.and_then(|pause| Instant::now().checked_add(pause));
        match at.filter(|at| *at <= latest) {
            Some(at) => Came::Later(at),
            None => Came::End(record(got, response).await),
        }
    }

    async fn round(
        &self,
        client: &Client,
        request: &reqwest::Request,
    ) -> Result<reqwest::Response, reqwest::Error> {
        let request = request.try_clone().expect("its body is no stream");
        let got = client.execute(request).await?;
        if let Some(info) = got.extensions().get::<HttpInfo>() {
            self.answered().insert(info.local_addr());
        }
        Ok(got)
    }

    /// Whether what a request failed on is a connection that a response came on before.
    fn has_answered(&self, error: &reqwest::Error) -> bool {
        connection(error).is_some_and(|local| self.answered().contains(&local))
    }

    fn answered(&self) -> MutexGuard<'_, HashSet<SocketAddr>> {
        self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The local address of the connection that a request failed on; none where it never had one.
fn connection(error: &reqwest::Error) -> Option<SocketAddr> {
    let mut errors = std::iter::successors(error.source(), |&error| error.source());
    let error = errors.find_map(|error| error.downcast_ref::<legacy::Error>())?;
    let mut extensions = Extensions::new();
    error.connect_info()?.get_extras(&mut extensions);
    extensions.get::<HttpInfo>().map(HttpInfo::local_addr)
}

/// How an exchange ended to which no response came.
fn unanswered(error: &reqwest::Error) -> End {
    match error.is_connect() {
        true => End::Refused(told(error)),
        false => End::CutOff(told(error)),
    }
}

/// Records a response as it comes in.
async fn record(mut got: reqwest::Response, response: &mut Response) -> End {
    let headers = got.headers().iter();
    response.head(Head {
        status: got.status().as_u16(),
        headers: headers
            .map(|(name, value)| HeaderLine::new(name.as_str(), value.as_bytes()))
            .collect(),
    });
    loop {
        match got.chunk().await {
            Ok(Some(chunk)) => {
                if response.chunk(&chunk).await.is_err() {
                    return End::TooLarge;
                }
            }
            Ok(None) => return End::Complete,
            Err(error) => return End::CutOff(told(&error)),
        }
    }
}
