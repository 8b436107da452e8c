use std::collections::BTreeMap;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::target::{ServedEra, Sought, Survey, SurveyError, survey};

use super::*;

/// For servers that say nothing: how long they are waited for.
const SHORT: Duration = Duration::from_millis(800);

/// For servers that answer, however busy this machine is.
const LONG: Duration = Duration::from_secs(20);

async fn surveyed(endpoint: Endpoint, patience: Duration) -> Result<Survey, String> {
    let options = TargetOptions {
        startup_timeout: patience,
        timeout: patience,
        ..TargetOptions::default()
    };
    let target = start(endpoint, options).await;
    let found = tokio::time::timeout(
        PATIENCE,
        survey(&target, &[], &BTreeMap::new(), &Sought::everything()),
    )
    .await
    .expect("in time");
    target.finish().await;
    found.map_err(|error| match error {
        SurveyError::Unusable(text) => text,
        SurveyError::Open(error) => panic!("{error}"),
    })
}

#[tokio::test]
async fn a_process_has_the_startup_timeout_for_its_first_answer_and_no_more() {
    let options = TargetOptions {
        startup_timeout: SHORT,
        timeout: LONG,
        ..TargetOptions::default()
    };
    let script = ["sh", "-c", "cat >/dev/null"].map(str::to_owned);
    let target = start(Endpoint::Command(script.to_vec()), options).await;
    let found = tokio::time::timeout(
        LONG / 2,
        survey(&target, &[], &BTreeMap::new(), &Sought::everything()),
    )
    .await;
    target.finish().await;
    let error = found.expect("in time").expect_err("it says nothing");
    assert!(error.to_string().contains("--startup-timeout"), "{error}");
}

async fn of_shell(script: &str, patience: Duration) -> Result<Survey, String> {
    surveyed(
        Endpoint::Command(["sh", "-c", script].map(str::to_owned).to_vec()),
        patience,
    )
    .await
}

/// Surveys a server that gives the same answer to everything and closes.
async fn of_http(answer: &'static str) -> Result<Survey, String> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("it is bound"));
    let serving = tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.expect("the client connects");
            let mut request = [0; 8192];
            // What the client does next is not this server's business.
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    let found = surveyed(
        Endpoint::Url {
            url: url.clone(),
            command: None,
        },
        LONG,
    )
    .await;
    serving.abort();
    found.map_err(|text| text.replace(&url, "URL"))
}

#[tokio::test]
async fn a_process_that_is_no_server_is_told_with_what_it_said() {
    for (script, patience, expected) in [
        (
            "echo no such flag >&2; exit 2",
            LONG,
            &["ended with exit code 2", "no such flag"][..],
        ),
        (
            "kill -9 $$",
            LONG,
            &["ended with signal 9", "without a word"],
        ),
        (
            "echo Welcome; cat >/dev/null",
            SHORT,
            &[
                "did not answer server/discover",
                "nor initialize",
                "standard output",
                "Welcome",
            ],
        ),
        (
            "while read -r line; do :; done",
            SHORT,
            &["did not answer server/discover"],
        ),
        ("exec 1>&-; cat >/dev/null", LONG, &["closed its output"]),
        (
            r#"while read -r line; do echo '{"jsonrpc":"2.0","id":"r-1","error":{"code":-32601,"message":"what?"}}'; done"#,
            LONG,
            &["refuses both server/discover and initialize", "what?"],
        ),
    ] {
        let text = of_shell(script, patience).await.expect_err(script);
        for part in expected {
            assert!(text.contains(part), "{script}: {text}");
        }
    }
}

#[tokio::test]
async fn an_endpoint_that_is_no_server_is_told_with_what_came() {
    for (answer, expected) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 15\r\n\r\n<!doctype html>",
            &[
                "URL answers with status 200 and text/html",
                "<!doctype html>",
                "path",
            ][..],
        ),
        (
            "HTTP/1.1 301 Moved\r\nLocation: http://h/other\r\nContent-Length: 0\r\n\r\n",
            &["status 301", "http://h/other"],
        ),
        (
            "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n",
            &["401", "--header 'Authorization: Bearer TOKEN'"],
        ),
        (
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            &[
                "URL answers with status 404 and no body",
                "is the path right?",
            ],
        ),
        ("SSH-2.0-OpenSSH\r\n", &["did not answer server/discover"]),
        ("", &["did not answer server/discover", "URL"]),
    ] {
        let text = of_http(answer).await.expect_err(answer);
        for part in expected {
            assert!(text.contains(part), "{answer}: {text}");
        }
    }
}

#[tokio::test]
async fn a_port_that_nobody_listens_on_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!(
        "http://user:secret@{}/mcp?token=secret",
        listener.local_addr().expect("it is bound")
    );
    drop(listener);
    let text = surveyed(Endpoint::Url { url, command: None }, LONG)
        .await
        .expect_err("nobody listens");
    assert!(
        text.contains("cannot be reached") && text.contains("refused"),
        "{text}"
    );
    assert!(!text.contains("secret"), "{text}");
}

#[tokio::test]
async fn a_server_of_older_revisions_is_no_error() {
    let script = r#"while read -r line; do case $line in
        *'"initialize"'*) echo '{"jsonrpc":"2.0","id":"r-1","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}';;
        *) echo '{"jsonrpc":"2.0","id":"r-1","error":{"code":-32601,"message":"Method not found"}}';;
    esac; done"#;
    // Others say nothing at all before the handshake.
    let silent = script.replace(r#"*) echo '{"jsonrpc":"2.0","id":"r-1","error":{"code":-32601,"message":"Method not found"}}';;"#, "*) ;;");
    for script in [script, &silent] {
        let survey = of_shell(script, LONG).await.expect("it speaks MCP");
        assert_eq!(survey.era, ServedEra::Legacy);
        assert_eq!(survey.legacy_version.as_deref(), Some("2025-11-25"));
        assert_eq!(
            survey
                .server_info
                .and_then(|info| Some(info.get("name")?.as_str()?.to_owned()))
                .as_deref(),
            Some("old")
        );
    }
}

#[tokio::test]
async fn a_refusal_that_names_other_versions_means_another_generation() {
    let script = r#"while read -r line; do
        echo '{"jsonrpc":"2.0","id":"r-1","error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"],"requested":"2026-07-28"}}}'
    done"#;
    let survey = of_shell(script, LONG).await.expect("it speaks MCP");
    assert_eq!(
        (survey.era, survey.legacy_version),
        (ServedEra::Legacy, None)
    );
    assert_eq!(survey.supported_versions, ["2027-01-01"]);
}

#[tokio::test]
async fn a_list_without_end_is_left_and_then_nothing_is_called() {
    // Each page names the next one, and every page is the same.
    let script = r#"while read -r line; do
        id=$(printf %s "$line" | sed 's/.*"id":\([^,]*\),.*/\1/')
        case $line in
        *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}';;
        *'"server/discover"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}';;
        *) echo '{"jsonrpc":"2.0","id":'$id',"result":{"resultType":"complete","tools":[{"name":"t","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}}],"nextCursor":"again"}}';;
    esac; done"#;
    let survey = of_shell(script, LONG).await.expect("it is usable");
    assert_eq!(survey.era, ServedEra::Modern);
    assert_eq!(survey.tools.len(), 2);
    assert!(survey.triggers.contains_key("paginated-list"));
    assert!(
        survey.callable.is_some(),
        "the listed tool may still be called"
    );
}
