//! The client for conforming requests: one connection pool for a link.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method};
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
    /// Whether a connection may be idle in the pool.
    used: AtomicBool,
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
        let mut builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .http1_only()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .connect_timeout(PATIENCE);
        if is_loopback(endpoint) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| told(&error))?;
        Ok(HttpClient {
            client,
            used: AtomicBool::new(false),
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
                }
            }
        };
        if end == End::Complete {
            self.used.store(true, Ordering::Relaxed);
        }
        response.finish(end);
    }

    async fn attempt(
        &self,
        request: &reqwest::Request,
        response: &mut Response,
        latest: Instant,
    ) -> Came {
        match self.round(request, response, latest).await {
            // A pooled connection turned out closed: a fresh one takes its place, once.
            Came::End(End::CutOff(closed))
                if !response.has_begun() && self.used.swap(false, Ordering::Relaxed) =>
            {
                match self.round(request, response, latest).await {
                    // It was taken after all: by a server that is gone for it.
                    Came::End(End::Refused(problem)) => {
                        Came::End(End::CutOff(format!("{closed}; then: {problem}")))
                    }
                    came => came,
                }
            }
            came => came,
        }
    }

    async fn round(
        &self,
        request: &reqwest::Request,
        response: &mut Response,
        latest: Instant,
    ) -> Came {
        let request = request.try_clone().expect("its body is no stream");
        let got = match self.client.execute(request).await {
            Ok(got) => got,
            Err(error) if error.is_connect() => return Came::End(End::Refused(told(&error))),
            Err(error) => return Came::End(End::CutOff(told(&error))),
        };
        let pause = later::pause(got.status(), got.headers(), Timestamp::now());
        let at = pause.and_then(|pause| Instant::now().checked_add(pause));
        match at.filter(|at| *at <= latest) {
            Some(at) => Came::Later(at),
            None => Came::End(record(got, response).await),
        }
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
