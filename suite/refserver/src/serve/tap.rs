//! Input that a mutant sees first.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{mutants::Hooks, server::Server};

/// Room for a head with its body.
const CHUNK: usize = 64 * 1024;

/// Who sees the bytes of one read.
type Hear = fn(&dyn Hooks, &mut Vec<u8>);

/// The stream of one HTTP connection, or standard input.
pub(super) struct Tap<S> {
    stream: Pin<Box<S>>,
    server: Arc<Server>,
    hear: Hear,
    pending: Vec<u8>,
}

impl<S> Tap<S> {
    pub(super) fn new(server: Arc<Server>, stream: S, hear: Hear) -> Self {
        Self {
            stream: Box::pin(stream),
            server,
            hear,
            pending: Vec::new(),
        }
    }
}

impl<S: AsyncRead> AsyncRead for Tap<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // What a mutant swallows whole is no end of the input.
        while self.pending.is_empty() {
            let mut chunk = vec![0; CHUNK];
            let mut read = ReadBuf::new(&mut chunk);
            ready!(self.stream.as_mut().poll_read(context, &mut read))?;
            let length = read.filled().len();
            chunk.truncate(length);
            if chunk.is_empty() {
                return Poll::Ready(Ok(()));
            }
            (self.hear)(self.server.hooks(), &mut chunk);
            self.pending = chunk;
        }
        let length = self.pending.len().min(buffer.remaining());
        let rest = self.pending.split_off(length);
        buffer.put_slice(&self.pending);
        self.pending = rest;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite> AsyncWrite for Tap<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream.as_mut().poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}
