//! Every mutant can be told from the conforming server, wherever its requirement applies.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use mcpspec_refserver::{Mutant, Options, Server, Transport, Variant, mutants};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream},
    task::JoinHandle,
    time::timeout,
};

use crate::{
    client::{headers, post},
    script::{Step, going_on, script},
};

/// Areas whose mutants are compared one by one in files of their own, or by the cases alone: those that show in what happens at the
/// same time, in what comes late, or in how a server ends.
const APART: [&str; 7] = [
    "cancellation",
    "http",
    "logging",
    "mrtr",
    "pagination",
    "progress",
    "subscriptions",
];

/// As long as anything that the script asks for can take.
const QUIET: Duration = Duration::from_secs(2);

fn options(variant: Variant, mutant: Option<&'static Mutant>) -> Options {
    Options {
        era: variant.era,
        without: variant.without.iter().copied().collect(),
        protected: variant.protected,
        mutant,
        ..Options::default()
    }
}

/// One end of a connection to a server.
struct Link {
    stream: DuplexStream,
    serving: JoinHandle<()>,
}

impl Link {
    fn open(server: &Arc<Server>, transport: Transport) -> Self {
        let (stream, theirs) = tokio::io::duplex(1 << 20);
        let server = Arc::clone(server);
        let serving = tokio::spawn(async move {
            match transport {
                Transport::Http => server.serve_http_connection(theirs).await,
                Transport::Stdio => {
                    let (reader, writer) = tokio::io::split(theirs);
                    server.serve_stdio(reader, writer).await;
                }
            }
        });
        Self { stream, serving }
    }

    /// Writes, and gives all that comes until nothing more does.
    async fn say(&mut self, text: &[u8]) -> Vec<u8> {
        // A server that has ended is seen by what it does not say.
        let _ = self.stream.write_all(text).await;
        let mut heard = Vec::new();
        let mut chunk = vec![0; 1 << 16];
        while let Ok(Ok(length)) = timeout(QUIET, self.stream.read(&mut chunk)).await {
            if length == 0 {
                heard.extend_from_slice(b"<closed>");
                break;
            }
            heard.extend_from_slice(&chunk[..length]);
        }
        heard
    }
}

/// What the servers of a run said, as long as it is what was said before.
struct Transcript<'a> {
    before: Option<&'a [String]>,
    said: Vec<String>,
}

impl Transcript<'_> {
    /// Notes what was heard. Whether it is the same as before.
    fn note(&mut self, heard: &[u8]) -> bool {
        self.said.push(printed(heard));
        let place = self.said.len() - 1;
        self.before
            .is_none_or(|before| before.get(place) == self.said.last())
    }
}

/// Runs the script against fresh servers, and gives all that they said; nothing once they say something else than before.
async fn transcript(
    transport: Transport,
    options: &Options,
    before: Option<&[String]>,
) -> Option<Vec<String>> {
    let mut transcript = Transcript {
        before,
        said: Vec::new(),
    };
    let mut server = Arc::new(Server::new(options.clone()));
    let mut last = (Value::Null, Value::Null);
    for steps in script() {
        if transport == Transport::Stdio {
            server = Arc::new(Server::new(options.clone()));
        }
        let mut link = Link::open(&server, transport);
        let mut listening = None;
        let mut same = transcript.note(&link.say(b"").await);
        for step in steps {
            let (text, message, changes) = match step {
                Step::Send(message) => (message.to_string(), message, json!({})),
                Step::Headers(message, changes) => (message.to_string(), message, changes),
                Step::Raw(text) => (text, Value::Null, json!({})),
                Step::GoOn => {
                    let message = going_on(&last.0, &last.1);
                    (message.to_string(), message, json!({}))
                }
                Step::Answer(answer) => {
                    let mut message = going_on(&last.0, &last.1);
                    let answers = message["params"]["inputResponses"].as_object_mut();
                    for given in answers.into_iter().flat_map(|answers| answers.values_mut()) {
                        *given = answer.clone();
                    }
                    (message.to_string(), message, json!({}))
                }
                Step::GoOnAsOther => {
                    let message = going_on(&last.0, &last.1);
                    let other = format!("Bearer {}", Options::TOKENS[1]);
                    (
                        message.to_string(),
                        message,
                        json!({ "Authorization": other }),
                    )
                }
            };
            let text = bytes(transport, &text, &message, &changes);
            let heard =
                if transport == Transport::Http && message["method"] == "subscriptions/listen" {
                    listening
                        .insert(Link::open(&server, transport))
                        .say(&text)
                        .await
                } else {
                    link.say(&text).await
                };
            if let Some(result) = result_of(&heard) {
                last = (message, result);
            }
            same &= transcript.note(&heard);
            if !same {
                return None;
            }
        }
        if let Some(mut open) = listening {
            same &= transcript.note(&open.say(b"").await);
        }
        drop(link.stream);
        let has_ended = timeout(QUIET, link.serving).await.is_ok();
        same &= transcript.note(if has_ended { b"ended" } else { b"not ended" });
        if !same {
            return None;
        }
    }
    Some(transcript.said)
}

fn bytes(transport: Transport, text: &str, message: &Value, changes: &Value) -> Vec<u8> {
    if transport == Transport::Stdio {
        return format!("{text}\n").into_bytes();
    }
    let mut lines = headers(message);
    if message.is_null() {
        lines.insert("MCP-Protocol-Version".to_owned(), json!("2026-07-28"));
        lines.insert("Mcp-Method".to_owned(), json!("server/discover"));
    }
    if message["method"] == json!(42) {
        lines.insert("Mcp-Method".to_owned(), json!("42"));
    }
    lines.insert(
        "Authorization".to_owned(),
        json!(format!("Bearer {}", Options::TOKENS[0])),
    );
    for (name, value) in changes.as_object().into_iter().flatten() {
        lines.insert(name.clone(), value.clone());
    }
    post(&lines, text)
        .replace("Connection: close\r\n", "")
        .into_bytes()
}

fn result_of(heard: &[u8]) -> Option<Value> {
    let text = String::from_utf8_lossy(heard);
    let line = text
        .lines()
        .rev()
        .find_map(|line| line.find("{\"jsonrpc\"").map(|start| &line[start..]))?;
    serde_json::from_str::<Value>(line)
        .ok()?
        .get("result")
        .cloned()
}

/// What was heard, without what differs from run to run.
fn printed(heard: &[u8]) -> String {
    let text: String = heard
        .iter()
        .flat_map(|byte| std::ascii::escape_default(*byte))
        .map(char::from)
        .collect();
    let mut printed = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("requestState\\\":\\\"") {
        printed.push_str(before);
        printed.push_str("requestState:");
        // The kind of state is seen, and not its contents.
        let state = after.split("\\\"").next().unwrap_or_default();
        printed.push_str(if state.starts_with("state-") {
            "handle"
        } else {
            "sealed"
        });
        rest = &after[state.len()..];
    }
    printed.push_str(rest);
    match printed.split_once("\\r\\ndate: ") {
        Some((before, after)) => {
            before.to_owned() + after.split_once("\\r\\n").map_or("", |(_, rest)| rest)
        }
        None => printed,
    }
}

#[tokio::test(start_paused = true)]
async fn the_conforming_server_says_the_same_each_time() {
    for transport in [Transport::Stdio, Transport::Http] {
        let first = transcript(transport, &options(Variant::DEFAULT, None), None)
            .await
            .expect("nothing to differ from");
        assert!(
            !first.concat().contains("<closed>"),
            "no connection ends early"
        );
        assert!(
            transcript(transport, &options(Variant::DEFAULT, None), Some(&first))
                .await
                .is_some()
        );
    }
}

/// The mutants that say the same as the conforming server of their variant.
async fn unseen(transport: Transport) -> BTreeSet<&'static str> {
    let mut unseen = BTreeSet::new();
    let mut conforming = BTreeMap::new();
    let mutants = mutants()
        .iter()
        .filter(|mutant| mutant.transports.contains(&transport) && !APART.contains(&mutant.area));
    for mutant in mutants {
        let name = format!("{:?}", mutant.variant);
        if !conforming.contains_key(&name) {
            let said = transcript(transport, &options(mutant.variant, None), None).await;
            conforming.insert(name.clone(), said.expect("nothing to differ from"));
        }
        let options = options(mutant.variant, Some(mutant));
        if transcript(transport, &options, Some(&conforming[&name]))
            .await
            .is_some()
        {
            unseen.insert(mutant.name);
        }
    }
    unseen
}

#[tokio::test(start_paused = true)]
async fn every_mutant_differs_from_the_conforming_server_over_http() {
    // These differ in what they do with HTTP that is no POST of one JSON text, which the script does not send.
    let others = [
        "bare-500-on-chunks",
        "bare-500-on-media-type",
        "bare-500-on-options",
        "refuses-get-with-32000",
        // The script sends text.
        "dies-on-broken-text",
    ];
    assert_eq!(unseen(Transport::Http).await, BTreeSet::from(others));
}

#[tokio::test(start_paused = true)]
async fn every_mutant_differs_from_the_conforming_server_over_stdio() {
    let others = [
        // The script sends text.
        "dies-on-broken-text",
        // These two differ where many requests come at a time, which the script does not send.
        "drops-tenth-large-request",
        "refuses-while-slow",
        // This one differs over HTTP, which is its fault.
        "tools-on-stdio-only",
    ];
    assert_eq!(unseen(Transport::Stdio).await, BTreeSet::from(others));
}
