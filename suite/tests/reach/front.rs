//! A server at a port of this machine that answers as a test wants, and remembers what it was asked.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// What stands between the method and the version.
    pub(crate) target: String,
    /// Header lines, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.iter();
        lines.find_map(|(own, value)| (own == name).then_some(value.as_str()))
    }
}

/// The server, ended when this is dropped.
pub(crate) struct Front {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    is_over: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Front {
    /// Listens at a free port of a host. `answer` gives the bytes of each answer; the connection is closed after it.
    pub(crate) fn at(
        host: &str,
        answer: impl Fn(&Asked) -> String + Send + Sync + 'static,
    ) -> Front {
        Front::over(Plain, host, answer)
    }

    /// The same over something that wraps each connection.
    pub(crate) fn over(
        wrap: impl Wrap + 'static,
        host: &str,
        answer: impl Fn(&Asked) -> String + Send + Sync + 'static,
    ) -> Front {
        let wrap = Arc::new(wrap);
        let listener = TcpListener::bind((host, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let asked = Arc::default();
        let is_over = Arc::new(AtomicBool::new(false));
        let answer = Arc::new(answer);
        let (record, over) = (Arc::clone(&asked), Arc::clone(&is_over));
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let (record, answer) = (Arc::clone(&record), Arc::clone(&answer));
                let wrap = Arc::clone(&wrap);
                // How a connection ends is the client's business.
                std::thread::spawn(move || serve(wrap.wrap(stream), &record, &*answer));
            }
        });
        Front {
            address,
            asked,
            is_over,
            accepting: Some(accepting),
        }
    }

    /// The same on the usual loopback address.
    pub(crate) fn new(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Front {
        Front::at("127.0.0.1", answer)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What it was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        lock(&self.asked).clone()
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // It wakes up by one more connection.
        let woken = TcpStream::connect(self.address);
        if let (Ok(_), Some(accepting)) = (woken, self.accepting.take()) {
            accepting.join().expect("it never panics");
        }
    }
}

fn lock(asked: &Mutex<Vec<Asked>>) -> std::sync::MutexGuard<'_, Vec<Asked>> {
    asked.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Connections to a front.
pub(crate) trait Wrap: Send + Sync {
    type Stream: Read + Write;

    fn wrap(&self, stream: TcpStream) -> Self::Stream;
}

/// Connections as they are.
struct Plain;

impl Wrap for Plain {
    type Stream = TcpStream;

    fn wrap(&self, stream: TcpStream) -> TcpStream {
        stream
    }
}

fn serve(
    stream: impl Read + Write,
    record: &Mutex<Vec<Asked>>,
    answer: &dyn Fn(&Asked) -> String,
) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let asked = read(&mut stream)?;
    lock(record).push(asked.clone());
    let stream = stream.get_mut();
    stream.write_all(answer(&asked).as_bytes())?;
    stream.flush()
}

fn read(input: &mut impl BufRead) -> io::Result<Asked> {
    let first = line(input)?;
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        let line = line(input)?;
        match line.split_once(':') {
            Some((name, value)) => {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
            None => break,
        }
    }
    let mut asked = Asked {
        target,
        headers,
        body: Value::Null,
    };
    let length = asked.header("content-length").map(str::parse);
    let mut body = Vec::new();
    if let Some(Ok(length)) = length {
        input.take(length).read_to_end(&mut body)?;
    }
    asked.body = serde_json::from_slice(&body).unwrap_or_default();
    Ok(asked)
}

fn line(input: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(line.trim_end().to_owned())
}

/// An answer with some header lines, each with its end.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// What a server without any capability says to a request.
pub(crate) fn mcp(asked: &Asked) -> String {
    let id = &asked.body["id"];
    let (status, body) = if asked.body["method"] == "server/discover" {
        let result = json!({
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": {},
            "ttlMs": 0,
            "cacheScope": "private",
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "front", "version": "1" } },
        });
        (200, json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    } else {
        let error = json!({ "code": -32601, "message": "Method not found" });
        (404, json!({ "jsonrpc": "2.0", "id": id, "error": error }))
    };
    let kind = "Content-Type: application/json\r\n";
    answer(status, kind, &body.to_string())
}
