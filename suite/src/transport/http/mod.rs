/*!
HTTP: the two clients, and the links that use them (page `basic/transports/streamable-http`).

Conforming requests go out through [`HttpClient`], a library as most clients use one; requests that set headers, method or
framing themselves through the [raw client](super::raw_http).
*/

mod client;
mod later;
mod link;
mod network;
mod pacer;
mod trust;

pub(super) use client::HttpClient;
pub(super) use link::HttpLink;
pub(crate) use network::Network;
pub(crate) use network::is_loopback;
pub use pacer::Pacer;
pub(crate) use trust::UNTRUSTED;
pub(super) use trust::told;
