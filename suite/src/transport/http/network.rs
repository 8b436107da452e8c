//! What all links to one endpoint share.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;

use crate::transport::Limits;
use crate::transport::raw_http::{Dialer, RawClient};

use super::{HttpClient, HttpLink};

/// An endpoint that is reached over the network.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    endpoint: Url,
    tls: Arc<rustls::ClientConfig>,
    timeout: Duration,
}

impl Network {
    /// Prepares for an endpoint of which an answer may take so long; nothing is sent yet.
    pub(crate) fn new(endpoint: Url, timeout: Duration) -> Result<Network, String> {
        let tls = Arc::new(tls(endpoint.scheme() == "https")?);
        Ok(Network {
            endpoint,
            tls,
            timeout,
        })
    }

    /// A link of its own.
    pub(in crate::transport) fn link(&self, limits: Limits) -> Result<HttpLink, String> {
        let client = HttpClient::new(&self.endpoint, (*self.tls).clone(), self.timeout)?;
        let raw = RawClient::new(Dialer::Network(self.tls.clone()));
        Ok(HttpLink::new(Some(client), raw, limits))
    }
}

/// Whether a URL names this host by a loopback address or as `localhost`.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_name =
        host.eq_ignore_ascii_case("localhost") || host.to_ascii_lowercase().ends_with(".localhost");
    is_name
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

/// TLS by the system's trust in certificates. HTTP/1.1 is all that is offered. A system that trusts nobody is no hindrance
/// where TLS is not `needed`.
fn tls(needed: bool) -> Result<rustls::ClientConfig, String> {
    use rustls_platform_verifier::BuilderVerifierExt;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let mut config = match builder.clone().with_platform_verifier() {
        Ok(builder) => builder.with_no_client_auth(),
        Err(error) if needed => {
            return Err(format!("the system's certificates cannot be used: {error}"));
        }
        Err(_) => {
            let nobody = rustls::RootCertStore::empty();
            builder.with_root_certificates(nobody).with_no_client_auth()
        }
    };
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
