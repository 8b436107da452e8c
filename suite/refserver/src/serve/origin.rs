//! The Origin check, which keeps web pages away (`basic/transports/streamable-http#security-endpoint`).

use axum::http::{Uri, header};

use super::exchange::Exchange;

/// Whether the request comes from no web page, or from one of this machine.
pub(super) fn is_local(exchange: &Exchange) -> bool {
    let mut origins = exchange.headers.get_all(header::ORIGIN).iter();
    origins.all(|origin| origin.to_str().is_ok_and(is_local_origin))
}

fn is_local_origin(origin: &str) -> bool {
    let Ok(uri) = origin.parse::<Uri>() else {
        return false;
    };
    matches!(uri.scheme_str(), Some("http" | "https"))
        && matches!(uri.host(), Some("localhost" | "127.0.0.1" | "[::1]"))
        && uri
            .authority()
            .is_some_and(|authority| !authority.as_str().contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_machine_are_let_in() {
        for origin in [
            "http://localhost",
            "http://localhost:3000",
            "https://127.0.0.1:8443",
            "http://[::1]:80",
        ] {
            assert!(is_local_origin(origin), "{origin}");
        }
        for origin in [
            "http://evil.example.com",
            "https://evil.example.com:8443",
            "http://localhost.evil.example.com",
            "http://localhost@evil.example.com",
            "file://localhost",
            "null",
            "",
        ] {
            assert!(!is_local_origin(origin), "{origin}");
        }
    }
}
