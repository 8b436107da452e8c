//! Connections that are used for one request after another.

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::transcript::End;
use crate::transport::Connection;

use super::raw_http::{JSON, call, client, got, read_request, server};
use super::*;

#[tokio::test]
async fn a_link_reuses_its_connection_and_replaces_one_that_closed_while_idle() {
    let answer = || {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{JSON}",
            JSON.len()
        )
        .into_bytes()
    };
    for raw in [true, false] {
        // Two requests on the first connection, which then closes; the third comes on a second.
        let (url, played) = server(vec![vec![answer(), answer()], vec![answer()]], 1000).await;
        let connection = client(&url);
        for id in ["1", "2", "3"] {
            let exchange = connection
                .send(call(&url, id, raw))
                .await
                .expect("the link is open");
            ended(&connection, exchange).await;
            let got = got(&connection, exchange);
            assert_eq!(got.end, Some(End::Complete), "{raw} {id}");
        }
        assert_eq!(played.await.expect("the script ends").len(), 3);
        connection.close().await;
    }
}

/// Has two requests answered at once, each on a connection of its own, and gives these connections, which are idle then.
async fn two_at_once(
    listener: &TcpListener,
    connection: &Connection,
    calls: [Outgoing; 2],
    answer: &str,
) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    let mut exchanges = Vec::new();
    for call in calls {
        exchanges.push(connection.send(call).await.expect("the link is open"));
        let (mut stream, _) = listener.accept().await.expect("the client connects");
        read_request(&mut stream).await;
        streams.push(stream);
    }
    for stream in &mut streams {
        let answer = answer.as_bytes();
        stream.write_all(answer).await.expect("the client reads");
    }
    for exchange in exchanges {
        ended(connection, exchange).await;
        assert_eq!(got(connection, exchange).end, Some(End::Complete));
    }
    streams
}

#[tokio::test]
async fn each_of_several_connections_that_closed_while_idle_is_replaced() {
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{JSON}",
        JSON.len()
    );
    for raw in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
        let connection = client(&url);
        let calls = ["1", "2"].map(|id| call(&url, id, raw));
        let idle = two_at_once(&listener, &connection, calls, &answer).await;
        let mut exchanges = Vec::new();
        for id in ["3", "4"] {
            let sent = connection.send(call(&url, id, raw)).await;
            exchanges.push(sent.expect("the link is open"));
        }
        for mut stream in idle {
            let read = tokio::time::timeout(PATIENCE, read_request(&mut stream)).await;
            assert!(read.expect("it is used again").contains("POST"));
        }
        for _ in &exchanges {
            let (mut stream, _) = listener.accept().await.expect("the client connects");
            read_request(&mut stream).await;
            let answer = answer.as_bytes();
            stream.write_all(answer).await.expect("the client reads");
        }
        for exchange in exchanges {
            ended(&connection, exchange).await;
            assert_eq!(got(&connection, exchange).end, Some(End::Complete), "{raw}");
        }
    }
}

#[tokio::test]
async fn a_fresh_connection_beside_one_that_answered_is_not_replaced() {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    for raw in [true, false] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
        let connection = client(&url);
        let calls = ["1", "2"].map(|id| call(&url, id, raw));
        let mut idle = two_at_once(&listener, &connection, calls, answer).await;
        // Both are busy now, so that another request needs a third, which closes.
        for id in ["3", "4"] {
            let sent = connection.send(call(&url, id, raw)).await;
            sent.expect("the link is open");
        }
        for stream in &mut idle {
            let read = tokio::time::timeout(PATIENCE, read_request(stream)).await;
            assert!(read.expect("it is used again").contains("POST"));
        }
        let sent = connection.send(call(&url, "5", raw)).await;
        let exchange = sent.expect("the link is open");
        let (mut stream, _) = listener.accept().await.expect("the client connects");
        read_request(&mut stream).await;
        drop(stream);
        ended(&connection, exchange).await;
        let end = got(&connection, exchange).end;
        assert!(matches!(end, Some(End::CutOff(_))), "{raw}: {end:?}");
    }
}

#[tokio::test]
async fn the_time_for_which_a_server_wants_to_be_left_alone_is_none_of_an_answer() {
    let later = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n";
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let (url, _) = server(vec![vec![later.to_vec(), answer.to_vec()]], 1000).await;
    let connection = client(&url);
    let sent = connection.send(call(&url, "1", false)).await;
    let exchange = sent.expect("the link is open");
    ended(&connection, exchange).await;
    connection.journal().read(|transcript| {
        let of = transcript.exchange(exchange);
        assert!(of.sent_at >= Duration::from_secs(1), "{:?}", of.sent_at);
        let (_, sent) = transcript.entries_of(exchange).next().expect("it was sent");
        assert!(sent.at < of.sent_at);
    });
}

#[tokio::test]
async fn a_request_that_closes_a_fresh_connection_is_not_sent_again() {
    for raw in [true, false] {
        let (url, played) = server(vec![vec![Vec::new()]], 1000).await;
        let connection = client(&url);
        let exchange = connection
            .send(call(&url, "1", raw))
            .await
            .expect("the link is open");
        ended(&connection, exchange).await;
        assert!(matches!(
            got(&connection, exchange).end,
            Some(End::CutOff(_))
        ));
        assert_eq!(played.await.expect("the script ends").len(), 1);
    }
}
