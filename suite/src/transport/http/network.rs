//! What all links to one endpoint share.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;

use crate::transport::Limits;
use crate::transport::raw_http::{Dialer, RawClient};

use super::trust::tls;
use super::{HttpClient, HttpLink, Pacer};

/// An endpoint that is reached over the network.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    endpoint: Url,
    tls: Arc<rustls::ClientConfig>,
    timeout: Duration,
    pacer: Option<Arc<Pacer>>,
}

impl Network {
    /// Prepares for an endpoint of which an answer may take so long; nothing is sent yet. Where it is `insecure` its host may
    /// show any certificate.
    pub(crate) fn new(
        endpoint: Url,
        timeout: Duration,
        insecure: bool,
        pacer: Option<Arc<Pacer>>,
    ) -> Result<Network, String> {
        let host = host(&endpoint);
        let tls = tls(endpoint.scheme() == "https", insecure.then_some(host))?;
        let tls = Arc::new(tls);
        Ok(Network {
            endpoint,
            tls,
            timeout,
            pacer,
        })
    }

    /// A link of its own.
    pub(in crate::transport) fn link(&self, limits: Limits) -> Result<HttpLink, String> {
        let client = HttpClient::new(
            &self.endpoint,
            (*self.tls).clone(),
            self.timeout,
            self.pacer.clone(),
        )?;
        let raw = RawClient::new(Dialer::Network(self.tls.clone()));
        Ok(HttpLink::new(Some(client), raw, limits, self.pacer.clone()))
    }
}

/// Whether a URL names this host by a loopback address or as `localhost`.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = host(url);
    let is_name =
        host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost");
    is_name
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

/// The host of a URL; that of an address of IPv6 without the brackets in which it stands.
fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_matches(['[', ']'])
}
