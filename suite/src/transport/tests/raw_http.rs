use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::transcript::{End, Head, Inbound, What};
use crate::transport::{Connection, Limits, Network};

use super::*;

/// A server that plays one script for each connection, in order: it reads a request, writes the next piece, and so on, and
/// closes. A piece is written as it is, in chunks of `chunk` bytes. It gives what it read.
pub(super) async fn server(
    scripts: Vec<Vec<Vec<u8>>>,
    chunk: usize,
) -> (String, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let played = tokio::spawn(async move {
        let mut requests = Vec::new();
        for script in scripts {
            let (mut stream, _) = listener.accept().await.expect("the client connects");
            stream.set_nodelay(true).expect("TCP has it");
            for piece in script {
                requests.push(read_request(&mut stream).await);
                for part in piece.chunks(chunk) {
                    // The client may have gone.
                    if stream.write_all(part).await.is_err() {
                        break;
                    }
                    tokio::task::yield_now().await;
                }
            }
        }
        requests
    });
    (url, played)
}

/// Reads a head and the body that its Content-Length tells.
pub(super) async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length: ")?
                    .parse()
                    .ok()
            });
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return text,
            Ok(length) => bytes.extend_from_slice(&chunk[..length]),
        }
    }
}

pub(super) fn client(url: &str) -> Connection {
    let network = Network::new(url.parse().expect("a URL"), PATIENCE, false, None)
        .expect("the system trusts someone");
    Connection::over_http(&network, journal(Transport::Http), &Limits::default()).expect("a link")
}

pub(super) fn call(url: &str, id: &str, raw: bool) -> Outgoing {
    let headers = vec![HeaderLine::new("Content-Type", "application/json")];
    post(request(id, "server/discover"), url, headers, raw)
}

/// What came for an exchange.
#[derive(Debug, Default)]
pub(super) struct Got {
    pub(super) head: Option<Arc<Head>>,
    pub(super) bodies: Vec<Arc<Inbound>>,
    pub(super) events: Vec<String>,
    pub(super) end: Option<End>,
}

pub(super) fn got(connection: &Connection, exchange: ExchangeId) -> Got {
    let mut got = Got::default();
    connection.journal().read(|transcript| {
        for (_, entry) in transcript.entries_of(exchange) {
            match &entry.what {
                What::Head(head) => got.head = Some(head.clone()),
                What::Body(inbound) => got.bodies.push(inbound.clone()),
                What::Event { inbound, .. } => got.events.push(inbound.text()),
                What::End(end) => got.end = Some(end.clone()),
                _ => {}
            }
        }
    });
    got
}

/// What a server that writes these bytes and closes gives, over both clients, whatever the chunks.
pub(super) async fn both(answer: &str) -> Vec<Got> {
    let mut results = Vec::new();
    for (chunk, raw) in [
        (1, true),
        (3, true),
        (usize::MAX >> 1, true),
        (usize::MAX >> 1, false),
    ] {
        let (url, played) = server(vec![vec![answer.as_bytes().to_vec()]], chunk).await;
        let connection = client(&url);
        let exchange = connection
            .send(call(&url, "1", raw))
            .await
            .expect("the link is open");
        ended(&connection, exchange).await;
        connection.close().await;
        played.await.expect("the script ends");
        results.push(got(&connection, exchange));
    }
    results
}

pub(super) const JSON: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

#[tokio::test]
async fn bodies_of_every_framing_are_read_whole() {
    let length = JSON.len();
    let (first, second) = JSON.split_at(10);
    for answer in [
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{JSON}"
        ),
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{JSON}"
        ),
        format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n",
            second.len()
        ),
        format!(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{JSON}"
        ),
    ] {
        for got in both(&answer).await {
            assert_eq!(
                got.head.as_ref().map(|head| head.status),
                Some(200),
                "{answer}"
            );
            assert_eq!(got.bodies.len(), 1, "{answer}");
            assert_eq!(got.bodies[0].text(), JSON);
            assert_eq!(got.end, Some(End::Complete), "{answer}");
        }
    }
}

#[tokio::test]
async fn an_empty_body_is_recorded_too() {
    for answer in [
        "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
    ] {
        for got in both(answer).await {
            assert_eq!(got.bodies.len(), 1);
            assert!(got.bodies[0].bytes.is_empty());
            assert_eq!(got.end, Some(End::Complete));
        }
    }
}

#[tokio::test]
async fn events_are_recorded_one_by_one() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n: hello\n\ndata: {\"a\":1}\n\nevent: x\r\ndata: 2\r\n\r\n";
    for got in both(answer).await {
        assert_eq!(got.events, ["{\"a\":1}", "2"]);
        assert!(got.bodies.is_empty());
        assert_eq!(got.end, Some(End::Complete));
    }
    let cut = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\ndata: 2\n";
    for got in both(cut).await {
        assert_eq!(got.events, ["1"]);
        assert!(
            matches!(&got.end, Some(End::CutOff(problem)) if problem.contains("inside an event")),
            "{:?}",
            got.end
        );
    }
}

#[tokio::test]
async fn a_response_that_breaks_off_is_told() {
    for answer in [
        "",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "<html>hello</html>",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1 abc\r\n\r\n",
    ] {
        for got in both(answer).await {
            assert!(
                matches!(got.end, Some(End::CutOff(_))),
                "{answer}: {:?}",
                got.end
            );
        }
    }
}

#[tokio::test]
async fn the_raw_client_writes_every_byte_as_given() {
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_vec();
    let (url, played) = server(vec![vec![answer]], 1000).await;
    let connection = client(&url);
    let headers = vec![
        HeaderLine {
            tight: true,
            ..HeaderLine::new("mcp-METHOD", "x")
        },
        HeaderLine::new("mcp-METHOD", " y\t"),
        HeaderLine::new("Host", "evil.example"),
    ];
    let exchange = connection
        .send(post(message("{}"), &url, headers, true))
        .await
        .expect("the link is open");
    ended(&connection, exchange).await;
    connection.close().await;
    let requests = played.await.expect("the script ends");
    assert_eq!(
        requests,
        [
            "POST /mcp HTTP/1.1\r\nmcp-METHOD:x\r\nmcp-METHOD:  y\t\r\nHost: evil.example\r\nContent-Length: 3\r\n\r\n{}\n"
        ]
    );
}

#[tokio::test]
async fn streams_that_are_open_have_connections_of_their_own_and_close_when_cancelled() {
    for raw in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
        let connection = client(&url);
        let mut streams = Vec::new();
        let mut exchanges = Vec::new();
        for id in ["1", "2"] {
            exchanges.push(
                connection
                    .send(call(&url, id, raw))
                    .await
                    .expect("the link is open"),
            );
            let (mut stream, _) = listener.accept().await.expect("the client connects");
            read_request(&mut stream).await;
            let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n";
            stream.write_all(head).await.expect("the client reads");
            streams.push(stream);
        }
        for &exchange in &exchanges {
            until(&connection, "event", |transcript| {
                transcript.entries_of(exchange).count() == 3
            })
            .await;
        }
        connection.cancel(exchanges[0]).await;
        let mut byte = [0];
        let closed = tokio::time::timeout(PATIENCE, streams[0].read(&mut byte))
            .await
            .expect("in time");
        assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
        assert_eq!(got(&connection, exchanges[0]).end, Some(End::ByClient));
        assert_eq!(got(&connection, exchanges[1]).end, None);
        streams[1]
            .write_all(b"data: 2\n\n")
            .await
            .expect("it is open");
        until(&connection, "event", |transcript| {
            transcript.entries_of(exchanges[1]).count() == 4
        })
        .await;
        connection.close().await;
        assert_eq!(got(&connection, exchanges[1]).end, Some(End::ByClient));
    }
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_refuses() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    drop(listener);
    for raw in [true, false] {
        let connection = client(&url);
        let exchange = connection
            .send(call(&url, "1", raw))
            .await
            .expect("the link is open");
        ended(&connection, exchange).await;
        let end = got(&connection, exchange).end;
        assert!(
            matches!(&end, Some(End::Refused(problem)) if problem.contains("refused")),
            "{end:?}"
        );
    }
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_cut_and_its_length_is_known() {
    for raw in [true, false] {
        let body = "x".repeat(40 << 20);
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let (url, played) = server(vec![vec![answer.into_bytes()]], 1 << 20).await;
        let connection = client(&url);
        let exchange = connection
            .send(call(&url, "1", raw))
            .await
            .expect("the link is open");
        ended(&connection, exchange).await;
        played.await.expect("the script ends");
        let got = got(&connection, exchange);
        assert_eq!(got.end, Some(End::Complete));
        assert!(got.bodies[0].is_cut());
        assert_eq!(got.bodies[0].len, 40 << 20);
    }
}

#[tokio::test]
async fn an_endless_response_is_given_up() {
    const EVENTS: &str = "Content-Type: text/event-stream\r\n\r\n";
    for (head, begin, again) in [
        (
            EVENTS,
            "",
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n",
        ),
        (EVENTS, "data: ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        (EVENTS, "", ": nothing but comments\n"),
        ("\r\n", "{", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
    ] {
        for raw in [true, false] {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
            tokio::spawn(async move {
                let (mut stream, _) = listener.accept().await.expect("the client connects");
                read_request(&mut stream).await;
                let first = format!("HTTP/1.1 200 OK\r\n{head}{begin}");
                stream
                    .write_all(first.as_bytes())
                    .await
                    .expect("the client reads");
                let again = again.repeat(1000);
                while stream.write_all(again.as_bytes()).await.is_ok() {}
            });
            let limits = Limits {
                max_message: 1 << 19,
                max_link: 4 << 20,
            };
            let network = Network::new(url.parse().expect("a URL"), PATIENCE, false, None)
                .expect("the system trusts someone");
            let connection =
                Connection::over_http(&network, journal(Transport::Http), &limits).expect("a link");
            let exchange = connection
                .send(call(&url, "1", raw))
                .await
                .expect("the link is open");
            ended(&connection, exchange).await;
            assert_eq!(
                got(&connection, exchange).end,
                Some(End::TooLarge),
                "{begin}{again}"
            );
            assert!(connection.journal().kept() < 8 << 20);
        }
    }
}

#[tokio::test]
async fn redirects_are_not_followed_and_compressed_bodies_not_unpacked() {
    let answer = "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:9/\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x0b";
    for got in both(answer).await {
        assert_eq!(got.head.as_ref().map(|head| head.status), Some(307));
        assert_eq!(got.bodies[0].bytes.len(), 2);
        assert_eq!(got.end, Some(End::Complete));
    }
}
