//! The bytes of a request.

use reqwest::Url;

use crate::transport::HttpRequest;

/// Request line, headers as given, and the body. Host, and with a body Content-Length, are added where they are not given.
pub(super) fn encode(request: &HttpRequest, url: &Url) -> Vec<u8> {
    let given = |name: &str| {
        request
            .headers
            .iter()
            .any(|line| line.name.eq_ignore_ascii_case(name))
    };
    let mut bytes = Vec::with_capacity(512 + request.body.len());
    bytes.extend_from_slice(format!("{} {} HTTP/1.1\r\n", request.method, target(url)).as_bytes());
    if !given("host") {
        bytes.extend_from_slice(format!("Host: {}\r\n", host(url)).as_bytes());
    }
    for line in &request.headers {
        bytes.extend_from_slice(line.name.as_bytes());
        bytes.extend_from_slice(if line.tight { b":" } else { b": " });
        bytes.extend_from_slice(&line.value);
        bytes.extend_from_slice(b"\r\n");
    }
    let has_body =
        !request.body.is_empty() || matches!(request.method.as_str(), "POST" | "PUT" | "PATCH");
    if has_body && !given("content-length") && !given("transfer-encoding") {
        bytes.extend_from_slice(format!("Content-Length: {}\r\n", request.body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(&request.body);
    bytes
}

/// The request target (RFC 9112, section 3.2.1).
fn target(url: &Url) -> String {
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// The value of Host: the port only where it is not the scheme's own.
fn host(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::transcript::HeaderLine;

    fn text(method: &str, url: &str, headers: Vec<HeaderLine>, body: &'static str) -> String {
        let request = HttpRequest {
            method: method.to_owned(),
            url: url.to_owned(),
            headers,
            body: Bytes::from_static(body.as_bytes()),
            raw: true,
        };
        String::from_utf8(encode(&request, &url.parse().unwrap())).unwrap()
    }

    #[test]
    fn host_and_length_are_added_where_they_are_not_given() {
        assert_eq!(
            text(
                "POST",
                "http://127.0.0.1:3000/mcp?a=b",
                vec![HeaderLine::new("mcp-METHOD", " x ")],
                "{}"
            ),
            "POST /mcp?a=b HTTP/1.1\r\nHost: 127.0.0.1:3000\r\nmcp-METHOD:  x \r\nContent-Length: 2\r\n\r\n{}"
        );
        assert_eq!(
            text("GET", "http://[::1]/", vec![], ""),
            "GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n"
        );
        let given = vec![
            HeaderLine::new("host", "evil"),
            HeaderLine::new("content-length", "0"),
        ];
        assert_eq!(
            text("POST", "http://h/", given, "{}"),
            "POST / HTTP/1.1\r\nhost: evil\r\ncontent-length: 0\r\n\r\n{}"
        );
    }

    #[test]
    fn a_tight_line_has_no_blank_and_lines_may_repeat() {
        let tight = HeaderLine {
            tight: true,
            ..HeaderLine::new("A", "1")
        };
        let lines = vec![tight, HeaderLine::new("A", "2")];
        assert_eq!(
            text("GET", "http://h/", lines, ""),
            "GET / HTTP/1.1\r\nHost: h\r\nA:1\r\nA: 2\r\n\r\n"
        );
    }
}
