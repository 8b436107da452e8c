//! Serving HTTP/1.1 on a port of this machine, a thread for each connection.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;

use super::answers::{self, Reply};
use super::deed::Next;
use super::record::Record;
use super::{Order, Speech, legacy};

/// The longest body that is read. No case sends a longer one: the rest would be taken for the next request.
const MAX_BODY: u64 = 16 << 20;

/// The longest head that is read.
const MAX_HEAD: u64 = 256 << 10;

/// Header lines of a request, names in lower case.
pub(super) struct Headers(Vec<(String, String)>);

impl Headers {
    /// The values of a header, each line for itself.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let lines = self.0.iter().filter(move |(own, _)| own == name);
        lines.map(|(_, value)| value.as_str())
    }
}

struct Request {
    method: String,
    path: String,
    headers: Headers,
    body: Vec<u8>,
}

/// Tells its URL on standard output and serves until it is ended.
pub(super) fn serve(order: &Order) -> ExitCode {
    if let Some(deed) = order.deed_at(Order::START) {
        deed.before_listening();
    }
    let listener = TcpListener::bind(("127.0.0.1", order.port)).expect("the port is free");
    let address = listener.local_addr().expect("it is bound");
    println!("http://{address}/mcp");
    let order = Arc::new((order.clone(), Record::open(order.record.as_deref())));
    for stream in listener.incoming() {
        let order = Arc::clone(&order);
        if let Ok(stream) = stream {
            // How a connection ends is the client's business.
            std::thread::spawn(move || connection(&order.0, &order.1, &stream));
        }
    }
    ExitCode::SUCCESS
}

fn connection(order: &Order, record: &Record, mut stream: &TcpStream) -> io::Result<()> {
    let mut input = BufReader::new(stream);
    if let Some(deed) = order.deed_at(Order::START) {
        // What was not read when a connection is closed would take the answer away.
        request(&mut input)?;
        deed.on_http(None, &mut stream)?;
        return Ok(());
    }
    loop {
        let request = match request(&mut input) {
            Ok(Some(request)) => request,
            Ok(None) => return Ok(()),
            Err(error) => {
                empty(&mut stream, 400)?;
                return Err(error);
            }
        };
        if let Some(status) = refused(&request) {
            empty(&mut stream, status)?;
        } else if serve_one(order, record, &request, &mut stream)? == Next::End {
            return Ok(());
        }
    }
}

fn serve_one(
    order: &Order,
    record: &Record,
    request: &Request,
    stream: &mut impl Write,
) -> io::Result<Next> {
    let message = match answers::read(&request.body) {
        Ok(message) => message,
        Err(reply) => return answer(stream, reply, ""),
    };
    record.note(&message);
    let headers = Some(&request.headers);
    let reply = match order.speech {
        Speech::Modern => answers::reply(&message, headers),
        Speech::Legacy => legacy::reply(&message, headers),
    };
    let method = message["method"].as_str().unwrap_or_default();
    if let Some(deed) = order.deed_at(method) {
        return deed.on_http(reply.answer.as_ref(), stream);
    }
    let session = match (order.speech, method) {
        (Speech::Legacy, "initialize") => format!("{}: 1\r\n", legacy::SESSION),
        _ => String::new(),
    };
    answer(stream, reply, &session)
}

fn answer(stream: &mut impl Write, reply: Reply, headers: &str) -> io::Result<Next> {
    let Some(answer) = reply.answer else {
        empty(stream, reply.status)?;
        return Ok(Next::Serve);
    };
    let body = answer.to_string();
    write!(
        stream,
        "HTTP/1.1 {} Said\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        reply.status,
        body.len()
    )?;
    stream.flush()?;
    Ok(Next::Serve)
}

fn empty(stream: &mut impl Write, status: u16) -> io::Result<()> {
    let allow = if status == 405 { "Allow: POST\r\n" } else { "" };
    write!(
        stream,
        "HTTP/1.1 {status} Said\r\n{allow}Content-Length: 0\r\n\r\n"
    )?;
    stream.flush()
}

/// The status of a request that is none for this endpoint.
fn refused(request: &Request) -> Option<u16> {
    let headers = &request.headers;
    let accepted: Vec<String> = headers
        .all("accept")
        .flat_map(|line| line.split(','))
        .map(media_type)
        .collect();
    let takes_json =
        |kind: &String| ["application/json", "application/*", "*/*"].contains(&kind.as_str());
    if !headers.all("origin").all(is_local) {
        Some(403)
    } else if request.path != "/mcp" {
        Some(404)
    } else if request.method != "POST" {
        Some(405)
    } else if !accepted.is_empty() && !accepted.iter().any(takes_json) {
        Some(406)
    } else if headers
        .all("content-type")
        .next()
        .map(media_type)
        .as_deref()
        != Some("application/json")
    {
        Some(415)
    } else {
        None
    }
}

fn media_type(value: &str) -> String {
    let kind = value.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

/// Whether a page of this machine sends a request.
fn is_local(origin: &str) -> bool {
    let host = origin
        .strip_prefix("http://")
        .or(origin.strip_prefix("https://"))
        .unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, port)| {
        if port.bytes().all(|byte| byte.is_ascii_digit()) {
            host
        } else {
            ""
        }
    });
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
}

/// The next request; none if there is no more.
fn request(input: &mut impl BufRead) -> io::Result<Option<Request>> {
    let malformed = || io::Error::from(io::ErrorKind::InvalidData);
    let mut head = input.take(MAX_HEAD);
    let Some(first) = line(&mut head)? else {
        return Ok(None);
    };
    let mut words = first.split(' ');
    let (Some(method), Some(path)) = (words.next(), words.next()) else {
        return Err(malformed());
    };
    let mut headers = Vec::new();
    loop {
        let line = line(&mut head)?.ok_or_else(malformed)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(malformed)?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let headers = Headers(headers);
    let body = body(input, &headers)?;
    Ok(Some(Request {
        method: method.to_owned(),
        path: path.to_owned(),
        headers,
        body,
    }))
}

fn body(input: &mut impl BufRead, headers: &Headers) -> io::Result<Vec<u8>> {
    let malformed = |_| io::Error::from(io::ErrorKind::InvalidData);
    let mut body = Vec::new();
    if headers.all("transfer-encoding").next().is_some() {
        loop {
            let size = line(input)?.unwrap_or_default();
            let size = u64::from_str_radix(size.trim(), 16).map_err(malformed)?;
            input.take(size.min(MAX_BODY)).read_to_end(&mut body)?;
            line(input)?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
    if let Some(length) = headers.all("content-length").next() {
        let length: u64 = length.parse().map_err(malformed)?;
        input.take(length.min(MAX_BODY)).read_to_end(&mut body)?;
    }
    Ok(body)
}

/// A line without its end; what is no UTF-8 comes as U+FFFD.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    Ok(Some(
        String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned(),
    ))
}
