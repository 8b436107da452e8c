//! Opening connections.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::transport::http::told;
use crate::transport::memory::MemoryServer;

/// How long it may take to open a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection to a server.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

/// How connections are opened.
#[derive(Debug, Clone)]
pub(in crate::transport) enum Dialer {
    /// TCP, and TLS over it for `https`.
    Network(Arc<rustls::ClientConfig>),
    /// The reference server in this program, whatever the port.
    Memory(MemoryServer),
}

/// Scheme, host and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    is_tls: bool,
    host: String,
    port: u16,
}

impl Origin {
    /// The origin of an `http` or `https` URL.
    pub(super) fn of(url: &Url) -> Option<Origin> {
        let is_tls = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        // The host of an IPv6 address stands in brackets.
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        Some(Origin {
            is_tls,
            host,
            port: url.port_or_known_default()?,
        })
    }
}

impl Dialer {
    /// Opens a connection.
    pub(super) async fn dial(&self, origin: &Origin) -> io::Result<Box<dyn Stream>> {
        match self {
            Dialer::Network(tls) => {
                match tokio::time::timeout(PATIENCE, network(origin, tls)).await {
                    Ok(stream) => stream,
                    Err(_) => Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        format!("no connection within {} s", PATIENCE.as_secs()),
                    )),
                }
            }
            Dialer::Memory(server) => Ok(Box::new(server.connect(&origin.host)?)),
        }
    }
}

async fn network(origin: &Origin, tls: &Arc<rustls::ClientConfig>) -> io::Result<Box<dyn Stream>> {
    let stream = TcpStream::connect((origin.host.as_str(), origin.port)).await?;
    stream.set_nodelay(true)?;
    if !origin.is_tls {
        return Ok(Box::new(stream));
    }
    let name = ServerName::try_from(origin.host.clone()).map_err(io::Error::other)?;
    let connected = TlsConnector::from(tls.clone()).connect(name, stream).await;
    let stream = connected.map_err(|error| io::Error::new(error.kind(), told(&error)))?;
    Ok(Box::new(stream))
}
