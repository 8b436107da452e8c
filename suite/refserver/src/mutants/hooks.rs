//! The places where a mutant can step in.

use std::{sync::Arc, time::Duration};

use tokio::sync::{Semaphore, mpsc};

use crate::{
    admit::Check,
    call::{Call, Link, Transport},
    rpc::{Found, Message},
    serve::{Exchange, HttpReply, Sink},
    server::Outcome,
    world::Change,
};

/// What becomes of bytes that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// They are read as a message.
    Read(Vec<u8>),
    /// The process ends with this exit code.
    Crash(i32),
}

/// What becomes of the work on a request whose HTTP client is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Orphan {
    /// It stops at once.
    Stops,
    /// It stops after a while.
    StopsAfter(Duration),
    /// It goes on to its end.
    GoesOn,
    /// The process ends with this exit code.
    Crashes(i32),
}

/// What an HTTP response answers.
pub(crate) struct Answered<'a> {
    /// The message that it carried, if it could be read.
    pub(crate) call: Option<&'a Call>,
    /// The first message of the answer, if there is one.
    pub(crate) message: Option<&'a Message>,
}

/// What a mutant does. Every method leaves things as they are by default.
///
/// In the order in which a message meets them.
pub(crate) trait Hooks: Send + Sync {
    /// Something that lives as long as the process on standard streams. It is dropped before [`Hooks::farewell`] if that is
    /// killed.
    fn presence(&self) -> Option<Box<dyn Send>> {
        None
    }

    /// What is written to stdout before anything else.
    fn greeting(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Bytes as they are read from stdin, one read at a time.
    fn stdin(&self, _bytes: &mut Vec<u8>) {}

    /// Bytes as they come from an HTTP connection, heads and bodies alike; a small request is one chunk.
    fn wire_in(&self, _bytes: &mut Vec<u8>) {}

    /// Whether other hosts reach it.
    fn is_exposed(&self) -> bool {
        false
    }

    /// What HTTP alone answers a request that carries no message for the endpoint.
    fn http_refusal(&self, _exchange: &Exchange, _reply: &mut HttpReply) {}

    /// Whether the Origin of an HTTP request is accepted.
    fn admits_origin(&self, _exchange: &Exchange, admitted: bool) -> bool {
        admitted
    }

    /// One line of stdin without its end, or one POST body.
    fn bytes_in(&self, _transport: Transport, _link: Link, bytes: Vec<u8>) -> Arrival {
        Arrival::Read(bytes)
    }

    /// A message that was read and not yet checked.
    fn call(&self, _call: &mut Call) {}

    /// An answer to a notification.
    fn notification(&self, _call: &Call) -> Option<Message> {
        None
    }

    /// What the work on a request over standard streams has to get hold of first.
    fn turn(&self) -> Option<Arc<Semaphore>> {
        None
    }

    /// A request that is about to be worked on, and its way out.
    fn opened(&self, _call: &Arc<Call>, _sink: &Sink) {}

    /// What a check found.
    fn check(&self, _check: &Check<'_>, _call: &Call, found: Found) -> Found {
        found
    }

    /// An outcome in place of doing the work of a request, once its metadata, headers and version were found right.
    fn instead(&self, _call: &Call) -> Option<Outcome> {
        None
    }

    /// What a subscription tells of a change: `message` if it is about that.
    fn told(&self, _call: &Call, _change: &Change, message: Option<Message>) -> Option<Message> {
        message
    }

    /// Where a subscription that was just acknowledged gets messages from beside those of changes.
    fn beside(&self, _call: &Call) -> Option<mpsc::UnboundedReceiver<Message>> {
        None
    }

    /// A subscription that is over, whoever has ended it.
    fn unsubscribed(&self, _call: &Call) {}

    /// What was done, or why not: every request comes by here, `resultType` and `_meta` are there already.
    fn outcome(&self, _call: &Call, outcome: Outcome) -> Outcome {
        outcome
    }

    /// A message about to be sent, and what is sent in its place. A batch that holds a response is the last of its request.
    /// Without a call it is about something that could not be read.
    fn deliver(&self, _call: Option<&Call>, message: Message) -> Vec<Message> {
        vec![message]
    }

    /// The head of an HTTP response, and its body where that is no event stream.
    fn http_reply(&self, _answered: &Answered<'_>, _reply: &mut HttpReply) {}

    /// The JSON text of a message, before it is framed.
    fn bytes_out(&self, _call: Option<&Call>, _text: &mut Vec<u8>) {}

    /// The HTTP client is gone before the request was answered.
    fn orphaned(&self, _call: &Call) -> Orphan {
        Orphan::Stops
    }

    /// Whether the process stays after the end of its input; `is_busy` says whether a request is still being answered.
    fn stays_after_input(&self, _is_busy: bool) -> bool {
        false
    }

    /// What is written to stdout after everything else.
    fn farewell(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// The conforming server.
pub(crate) struct Conforming;

impl Hooks for Conforming {}
