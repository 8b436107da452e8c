#[cfg(target_os = "linux")]
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
#[cfg(target_os = "linux")]
use tokio::net::unix::pipe;

use crate::target::OpenError;

use super::*;

fn shell(script: &str) -> Option<Vec<String>> {
    Some(["sh", "-c", script].map(str::to_owned).to_vec())
}

async fn start_at(url: &str, script: &str, patience: Duration) -> Result<Target, OpenError> {
    let options = TargetOptions {
        startup_timeout: patience,
        ..TargetOptions::default()
    };
    let endpoint = Endpoint::Url {
        url: url.to_owned(),
        command: shell(script),
    };
    Target::start(endpoint, options, Instant::now()).await
}

async fn refusal(url: &str, script: &str) -> String {
    match start_at(url, script, Duration::from_millis(300)).await {
        Ok(_) => panic!("{script} started"),
        Err(error) => error.to_string(),
    }
}

/// A URL at which nobody listens.
async fn free() -> (String, std::net::SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    (format!("http://{address}/mcp"), address)
}

#[tokio::test]
async fn a_server_that_does_not_come_up_is_told_with_what_it_said() {
    let (url, _) = free().await;
    let text = refusal(&url, "echo cannot bind >&2; exit 1").await;
    assert!(
        text.starts_with("cannot start sh: it ended with exit code 1 before it listened"),
        "{text}"
    );
    assert!(text.contains("cannot bind"), "{text}");
    let text = refusal(&url, "echo starting; sleep 86407").await;
    assert!(
        text.contains("nothing listened there within 0.3 s") && text.contains("starting"),
        "{text}"
    );
}

#[tokio::test]
async fn a_server_that_listens_already_is_not_mistaken_for_the_command() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let text = refusal(&url, "sleep 86407").await;
    assert!(
        text.contains("another server listens there already"),
        "{text}"
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_is_waited_for_and_ended_with_the_target() {
    let (url, address) = free().await;
    // The command says by a pipe that it runs, so that nobody listens before.
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("started");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.is_ok_and(|status| status.success()));
    let mut started = pipe::OpenOptions::new()
        .read_write(true)
        .open_receiver(&path)
        .expect("it is a pipe");
    let listening = tokio::spawn(async move {
        started.read_u8().await?;
        TcpListener::bind(address).await
    });
    let script = format!("echo > '{}'; exec sleep 86407", path.display());
    let target = start_at(&url, &script, PATIENCE).await.expect("it listens");
    let _listener = listening
        .await
        .expect("the task ends")
        .expect("the port is still free");
    assert!(target.is_stoppable());
    assert_eq!(target.url(), Some(url.as_str()));
    assert_eq!(target.finish().await, None);
    let (status, _) = target.server_state().await;
    assert_eq!(status.and_then(|status| status.signal), Some(15));
}

#[tokio::test]
async fn a_url_that_is_none_is_told_without_its_secrets() {
    for (url, expected) in [
        ("127.0.0.1:80/mcp", "no URL"),
        ("ftp://127.0.0.1/mcp", "http://"),
        ("mcp", "no URL"),
    ] {
        let endpoint = Endpoint::Url {
            url: url.to_owned(),
            command: None,
        };
        let error = Target::start(endpoint, TargetOptions::default(), Instant::now())
            .await
            .err();
        let text = error.expect(url).to_string();
        assert!(
            text.starts_with("cannot reach") && text.contains(expected),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_header_that_cannot_be_sent_is_told_before_anything_is() {
    for (name, value) in [("bad name", "x"), ("X", "a\nb"), ("", "x")] {
        let options = TargetOptions {
            headers: vec![(name.to_owned(), value.to_owned())],
            ..TargetOptions::default()
        };
        let endpoint = Endpoint::Url {
            url: "http://127.0.0.1/mcp".to_owned(),
            command: None,
        };
        let error = Target::start(endpoint, options, Instant::now()).await.err();
        assert!(error.expect(name).to_string().contains("header"), "{name}");
    }
}
