//! What a server does instead of answering.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use serde_json::Value;

/// The argument that makes a server hold its standard output and do nothing, whatever it is told.
pub(super) const HOLD: &str = "hold";

/// How much is written at once.
const CHUNK: usize = 64 << 10;

/// How deep JSON is nested.
const DEPTH: usize = 100_000;

/// How large a large result is.
const LARGE: usize = 200 << 20;

/// The exit code of a server that goes.
pub(crate) const CODE: i32 = 7;

/// The last words of a server that goes.
pub(crate) const WORDS: &str = "fatal: the flux capacitor is empty";

/// Something that no server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// The right answer, one byte a second.
    Drip,
    /// A line, or a body, without end.
    Endless,
    /// Messages without end; over HTTP as events.
    Messages,
    /// Comments of an event stream without end.
    Comments,
    /// A result of 200 MB.
    Large,
    /// JSON of 100,000 levels.
    Deep,
    /// Bytes that are no text.
    Binary,
    /// Half of the answer and then the end of the process.
    Half,
    /// The end of the process, with a last word.
    Exit,
    /// Death by SIGABRT, with a last word.
    Die,
    /// The end of the process, but a child of it keeps its output and does not care for SIGTERM.
    Leave,
    /// Nothing, now and from now on, whatever comes; neither the end of input nor SIGTERM ends it.
    Deaf,
    /// Very much on standard error, before it serves.
    Chatter,
    /// A web page.
    Page,
    /// HTTP: the connection is closed without an answer.
    Close,
}

/// Whether a server goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Serve,
    End,
}

impl Deed {
    const ALL: [(&str, Deed); 15] = [
        ("drip", Deed::Drip),
        ("endless", Deed::Endless),
        ("messages", Deed::Messages),
        ("comments", Deed::Comments),
        ("large", Deed::Large),
        ("deep", Deed::Deep),
        ("binary", Deed::Binary),
        ("half", Deed::Half),
        ("exit", Deed::Exit),
        ("die", Deed::Die),
        ("leave", Deed::Leave),
        ("deaf", Deed::Deaf),
        ("chatter", Deed::Chatter),
        ("page", Deed::Page),
        ("close", Deed::Close),
    ];

    pub(super) fn name(self) -> &'static str {
        let found = Deed::ALL.into_iter().find(|(_, deed)| *deed == self);
        found.expect("every deed has a name").0
    }

    pub(super) fn of(name: &str) -> Option<Deed> {
        let found = Deed::ALL.into_iter().find(|(own, _)| *own == name);
        found.map(|(_, deed)| deed)
    }

    /// Does it on standard output, instead of giving `answer`.
    pub(super) fn on_stdio(
        self,
        answer: Option<&Value>,
        output: &mut dyn Write,
    ) -> io::Result<Next> {
        self.process();
        self.body(answer, output, b"\n")?;
        // Of an answer that nobody waits for there is nothing to write, not even the end of its line.
        let has_line = match self {
            Deed::Drip | Deed::Large | Deed::Deep => answer.is_some(),
            Deed::Binary | Deed::Page => true,
            _ => false,
        };
        if has_line {
            output.write_all(b"\n")?;
        }
        output.flush()?;
        Ok(match self {
            Deed::Leave => Next::End,
            _ => Next::Serve,
        })
    }

    /// Does it on a connection, instead of giving `answer`. Closing the connection ends the body.
    pub(super) fn on_http(
        self,
        answer: Option<&Value>,
        output: &mut dyn Write,
    ) -> io::Result<Next> {
        self.process();
        let (kind, end) = match self {
            Deed::Close => return Ok(Next::End),
            Deed::Messages | Deed::Comments => ("text/event-stream", &b"\n\n"[..]),
            Deed::Page => ("text/html; charset=utf-8", &b""[..]),
            _ => ("application/json", &b""[..]),
        };
        // Half of an answer is told from a whole one by the length.
        let length = match self {
            Deed::Half => format!("Content-Length: {}\r\n", text(answer).len()),
            _ => String::new(),
        };
        write!(
            output,
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{length}Connection: close\r\n\r\n"
        )?;
        self.body(answer, output, end)?;
        output.flush()?;
        Ok(Next::End)
    }

    /// What an HTTP server does instead of listening.
    pub(super) fn before_listening(self) {
        if matches!(self, Deed::Exit | Deed::Deaf) {
            self.process();
        }
    }

    /// What concerns the whole process.
    fn process(self) {
        match self {
            Deed::Exit => {
                eprintln!("{WORDS}");
                std::process::exit(CODE);
            }
            Deed::Die => {
                eprintln!("{WORDS}");
                std::process::abort();
            }
            Deed::Deaf => ignore_everything(),
            Deed::Leave => leave_child(),
            Deed::Chatter => chatter(),
            _ => {}
        }
    }

    /// What is written; `end` ends each of several messages.
    fn body(self, answer: Option<&Value>, output: &mut dyn Write, end: &[u8]) -> io::Result<()> {
        match self {
            Deed::Drip => drip(text(answer).as_bytes(), output),
            Deed::Endless => repeat(&[b'x'; CHUNK], output),
            Deed::Messages => {
                let data: &[u8] = if end == b"\n" { b"" } else { b"data: " };
                let message = br#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"again"}}"#;
                repeat(&[data, message, end].concat(), output)
            }
            Deed::Comments => repeat(b": nothing\n\n", output),
            Deed::Large => large(text(answer), output),
            Deed::Deep => {
                output.write_all(br#"{"jsonrpc":"2.0","id":1,"result":"#)?;
                output.write_all(&vec![b'['; DEPTH])?;
                output.write_all(&vec![b']'; DEPTH])?;
                output.write_all(b"}")
            }
            Deed::Binary => {
                let bytes: Vec<u8> = (0..4096_u32).map(|at| ((at * 151) >> 3) as u8).collect();
                output.write_all(&bytes)
            }
            Deed::Half => {
                let text = text(answer);
                output.write_all(&text.as_bytes()[..text.len() / 2])?;
                output.flush()?;
                std::process::exit(CODE);
            }
            Deed::Page => output.write_all(b"<!doctype html><title>Welcome</title>"),
            _ => Ok(()),
        }
    }
}

fn text(answer: Option<&Value>) -> String {
    answer.map(Value::to_string).unwrap_or_default()
}

fn drip(bytes: &[u8], output: &mut dyn Write) -> io::Result<()> {
    for byte in bytes {
        output.write_all(&[*byte])?;
        output.flush()?;
        std::thread::sleep(Duration::from_secs(1));
    }
    Ok(())
}

fn repeat(bytes: &[u8], output: &mut dyn Write) -> io::Result<()> {
    let many = bytes.repeat(CHUNK.div_ceil(bytes.len()));
    loop {
        output.write_all(&many)?;
    }
}

/// The answer with one more member, which is large.
fn large(text: String, output: &mut dyn Write) -> io::Result<()> {
    let (inside, rest) = text.split_at(text.len() - 2);
    write!(output, "{inside},\"filling\":\"")?;
    for _ in 0..LARGE / CHUNK {
        output.write_all(&[b'x'; CHUNK])?;
    }
    write!(output, "\"{rest}")
}

/// Reads and drops whatever comes, for ever, and does not mind SIGTERM.
fn ignore_everything() -> ! {
    let _kept = ignore_sigterm();
    // The end of the input changes nothing.
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    loop {
        std::thread::park();
    }
}

/// SIGTERM does nothing from here on, as long as what is given back is kept.
fn ignore_sigterm() -> impl Sized {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime is built");
    let signals = runtime.block_on(async {
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    });
    (runtime, signals.expect("a signal can be handled"))
}

/// A process that has what this one has, outside its group, and stays.
#[expect(
    clippy::zombie_processes,
    reason = "a server that leaves a child behind does not wait for it"
)]
fn leave_child() {
    let own = std::env::current_exe().expect("this executable is somewhere");
    let child = Command::new(own)
        .args([super::WORD, HOLD])
        .process_group(0)
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the child starts");
    // Its first line says that SIGTERM does nothing to it any more.
    let mut line = String::new();
    BufReader::new(child.stderr.expect("it is piped"))
        .read_line(&mut line)
        .expect("the child is heard");
}

/// The child that is left.
pub(super) fn hold() -> ExitCode {
    let _kept = ignore_sigterm();
    eprintln!("ready");
    loop {
        std::thread::park();
    }
}

fn chatter() {
    let mut noise = io::repeat(b'!').take(64 << 20);
    // Nobody has to listen.
    let _ = io::copy(&mut noise, &mut io::stderr().lock());
    eprintln!();
}
