//! One connection: a request written, and its response read, at the same time.

use std::io;
use std::pin::Pin;

use bytes::BytesMut;
use futures_util::FutureExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::oneshot;

use super::dial::Stream;

/// Largest read at once.
const CHUNK: usize = 64 << 10;

/// A connection between two requests.
pub(super) struct Idle {
    stream: Box<dyn Stream>,
}

/// A connection with a request on it. Reading goes on while the request is still being written, since a server may answer
/// before it has read it all.
pub(super) struct Wire {
    reader: ReadHalf<Box<dyn Stream>>,
    writing: Writing,
    /// What was read and not taken yet.
    pub(super) buffer: BytesMut,
}

/// The half of a connection that is written to.
type Half = WriteHalf<Box<dyn Stream>>;

enum Writing {
    On(Pin<Box<dyn Future<Output = Option<Half>> + Send>>),
    /// The half, unless writing failed. What the server says is still read then.
    Over(Option<Half>),
}

impl Idle {
    pub(super) fn new(stream: Box<dyn Stream>) -> Idle {
        Idle { stream }
    }

    /// Whether it is still open and nothing came on it unasked.
    pub(super) fn is_usable(&mut self) -> bool {
        let mut byte = [0];
        self.stream.read(&mut byte).now_or_never().is_none()
    }

    /// Begins to write a request; `written` is told when that is done.
    pub(super) fn write(self, request: Vec<u8>, written: oneshot::Sender<()>) -> Wire {
        let (reader, mut writer) = tokio::io::split(self.stream);
        let writing = Box::pin(async move {
            let done = async {
                writer.write_all(&request).await?;
                writer.flush().await
            };
            let done: io::Result<()> = done.await;
            // Nobody may wait.
            let _ = written.send(());
            done.is_ok().then_some(writer)
        });
        Wire {
            reader,
            writing: Writing::On(writing),
            buffer: BytesMut::new(),
        }
    }
}

impl Wire {
    /// Reads more into the buffer. Zero: the server closed its side.
    pub(super) async fn fill(&mut self) -> io::Result<usize> {
        self.buffer.reserve(CHUNK);
        let Wire {
            reader,
            writing,
            buffer,
        } = self;
        let mut room = bytes::BufMut::limit(&mut *buffer, CHUNK);
        let read = reader.read_buf(&mut room);
        let Writing::On(request) = writing else {
            return end_of_tls(read.await);
        };
        tokio::pin!(read);
        tokio::select! {
            biased;
            writer = request => *writing = Writing::Over(writer),
            read = &mut read => return end_of_tls(read),
        }
        end_of_tls(read.await)
    }

    /// The connection for the next request, if the last one was written in full and nothing more came than its response.
    pub(super) fn into_idle(self) -> Option<Idle> {
        match self.writing {
            Writing::Over(Some(writer)) if self.buffer.is_empty() => {
                Some(Idle::new(self.reader.unsplit(writer)))
            }
            _ => None,
        }
    }
}

/// A TLS connection that closes without saying so counts as closed.
fn end_of_tls(read: io::Result<usize>) -> io::Result<usize> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(0),
        read => read,
    }
}
