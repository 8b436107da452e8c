use mcpspec_refserver::Options;

use crate::case::StopHow;
use crate::spec::Transport;
use crate::transcript::{End, ExitStatus, HeaderLine};
use crate::transport::{Connection, Limits, MemoryServer, SendError};

use super::*;

const URL: &str = "http://127.0.0.1/mcp";

fn process() -> Connection {
    Connection::to_memory(
        Options::default(),
        journal(Transport::Stdio),
        &Limits::default(),
    )
}

fn discover(id: &str) -> Outgoing {
    let headers = [
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "server/discover"),
    ];
    let headers = headers.map(|(name, value)| HeaderLine::new(name, value));
    post(request(id, "server/discover"), URL, headers.to_vec(), false)
}

#[tokio::test(start_paused = true)]
async fn a_request_over_stdio_is_answered() {
    let connection = process();
    let exchange = connection
        .send(request("1", "server/discover"))
        .await
        .unwrap();
    answered(&connection, exchange).await;
    connection.close().await;
    let (_, status) = connection.journal().read(Transcript::exit).unwrap();
    assert_eq!(status.code, Some(0));
    assert_eq!(
        connection.send(request("2", "server/discover")).await,
        Err(SendError::Closed)
    );
}

#[tokio::test(start_paused = true)]
async fn every_way_to_stop_ends_the_process_in_memory() {
    let stopped = |code, signal| Some(ExitStatus { code, signal });
    for (how, status) in [
        (StopHow::CloseStdin, stopped(Some(0), None)),
        (StopHow::Terminate, stopped(Some(0), None)),
        (StopHow::Kill, stopped(None, Some(9))),
    ] {
        let connection = process();
        let exchange = connection
            .send(request("1", "server/discover"))
            .await
            .unwrap();
        answered(&connection, exchange).await;
        assert_eq!(
            connection.stop(how, PATIENCE).await.status,
            status,
            "{how:?}"
        );
        assert_eq!(
            connection.send(request("2", "server/discover")).await,
            Err(SendError::Closed)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn requests_over_http_are_answered_and_go_on_after_a_restart() {
    let server = MemoryServer::new(Options::default());
    let connection = Connection::over_memory(&server, journal(Transport::Http), &Limits::default());
    for id in ["1", "2"] {
        let exchange = connection.send(discover(id)).await.unwrap();
        ended(&connection, exchange).await;
        connection.journal().read(|transcript| {
            let exchange = transcript.exchange(exchange);
            assert!(exchange.answered_at.is_some());
            assert_eq!(exchange.ended.as_ref().unwrap().1, End::Complete);
        });
    }
    assert_eq!(
        server
            .stop(PATIENCE)
            .await
            .status
            .and_then(|status| status.code),
        Some(0)
    );
    let refused = connection.send(discover("3")).await.unwrap();
    ended(&connection, refused).await;
    assert!(connection.journal().read(|transcript| {
        matches!(
            transcript.exchange(refused).ended,
            Some((_, End::Refused(_)))
        )
    }));
    server.restart();
    let again = connection.send(discover("4")).await.unwrap();
    answered(&connection, again).await;
    connection.close().await;
    assert_eq!(connection.send(discover("5")).await, Err(SendError::Closed));
}
