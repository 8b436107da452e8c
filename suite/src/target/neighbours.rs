//! Where else on this host a server may be listening (page `basic/transports/streamable-http`, security of the endpoint).

use std::net::{IpAddr, UdpSocket};
use std::path::Path;

use reqwest::Url;

use crate::transport::is_loopback;

/// Addresses kept for documentation: asking for the way to one sends nothing, and tells the own address on that way.
const FAR_AWAY: [(&str, &str); 2] = [("0.0.0.0:0", "192.0.2.1:9"), ("[::]:0", "[2001:db8::1]:9")];

/// Files that are there inside of containers, where a server has to listen on all addresses.
const CONTAINER: [&str; 2] = ["/.dockerenv", "/run/.containerenv"];

/// The same port and path on the addresses by which this host is known to others; none unless the URL is on a loopback
/// address, and none in a container.
pub(super) fn other_urls(url: &str) -> Vec<String> {
    let is_contained = CONTAINER.iter().any(|file| Path::new(file).exists());
    match url.parse::<Url>() {
        Ok(url) if is_loopback(&url) && !is_contained => on_addresses(&url, &own_addresses()),
        _ => Vec::new(),
    }
}

fn on_addresses(url: &Url, addresses: &[IpAddr]) -> Vec<String> {
    let moved = |address: &IpAddr| {
        let mut url = url.clone();
        url.set_ip_host(*address).ok()?;
        Some(url.to_string())
    };
    addresses.iter().filter_map(moved).collect()
}

fn own_addresses() -> Vec<IpAddr> {
    let addresses = FAR_AWAY.iter().filter_map(|(here, there)| {
        let socket = UdpSocket::bind(here).ok()?;
        socket.connect(there).ok()?;
        Some(socket.local_addr().ok()?.ip())
    });
    addresses
        .filter(|address| !address.is_loopback() && !address.is_unspecified())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_and_path_stay() {
        let url = "http://localhost:3000/mcp?x=1".parse().unwrap();
        let addresses = ["192.0.2.7".parse().unwrap(), "2001:db8::7".parse().unwrap()];
        assert_eq!(
            on_addresses(&url, &addresses),
            [
                "http://192.0.2.7:3000/mcp?x=1",
                "http://[2001:db8::7]:3000/mcp?x=1"
            ]
        );
    }

    #[test]
    fn an_endpoint_elsewhere_has_no_neighbours() {
        assert_eq!(other_urls("http://192.0.2.7/mcp"), Vec::<String>::new());
        assert_eq!(other_urls("no URL"), Vec::<String>::new());
    }
}
