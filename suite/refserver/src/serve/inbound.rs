//! From bytes to a request that is being answered: the part that both transports share.

use std::sync::Arc;

use crate::{
    admit::{self, Rule, Subject, keys},
    call::{Call, Origin},
    methods::turns_legacy,
    mutants::Arrival,
    rpc::{self, Effect, Fault, Found, Message},
    serve::{Sink, sink::Sent},
    server::Server,
};

/// What arrived.
pub(crate) enum Inbound {
    /// A request.
    Request(Arc<Call>),
    /// A notification.
    Notification(Arc<Call>),
    /// Something that is neither, with the error to answer it by, and whether it is an object without an id, which over a shared
    /// stream is not answered at all.
    Refused {
        call: Option<Arc<Call>>,
        messages: Vec<Sent>,
        unanswerable: bool,
    },
    /// The process is to end.
    Crash(i32),
}

/// Reads one line or one body.
pub(crate) fn receive(server: &Server, origin: Origin, bytes: Vec<u8>) -> Inbound {
    let bytes = match server
        .hooks()
        .bytes_in(origin.transport, origin.link, bytes)
    {
        Arrival::Read(bytes) => bytes,
        Arrival::Crash(code) => return Inbound::Crash(code),
    };
    let reading = match rpc::read(&bytes) {
        Ok(reading) => reading,
        Err(fault) => return refused(server, None, &fault),
    };
    let in_session = origin.in_session;
    let mut call = Call::new(origin, reading);
    call.legacy = turns_legacy(server.options(), &call, in_session);
    server.hooks().call(&mut call);
    let call = Arc::new(call);
    match envelope(server, &call) {
        Err(fault) => refused(server, Some(call), &fault),
        Ok(()) if call.id.is_some() => Inbound::Request(call),
        Ok(()) => Inbound::Notification(call),
    }
}

fn envelope(server: &Server, call: &Call) -> Found {
    let check = |rule, found| server.check(rule, Subject::Request, call, found);
    check(Rule::JsonRpc, admit::check_jsonrpc(call))?;
    check(Rule::Method, admit::check_method(call))?;
    check(Rule::Id, admit::check_id(call))
}

fn refused(server: &Server, call: Option<Arc<Call>>, fault: &Fault) -> Inbound {
    if let Effect::Crash(code) = fault.effect {
        return Inbound::Crash(code);
    }
    // A response, or a notification that is malformed, has nobody to be answered to.
    let unanswerable = call.as_ref().is_some_and(|call| {
        call.id.is_none()
            || (!call.body.contains_key("method")
                && ["result", "error"]
                    .iter()
                    .any(|name| call.body.contains_key(*name)))
    });
    let id = call
        .as_ref()
        .and_then(|call| call.id.as_ref())
        .filter(|id| id.is_valid());
    let id = id.filter(|_| !unanswerable);
    let messages = Sent::prepare(server, call.as_deref(), Message::error(id, fault));
    Inbound::Refused {
        call,
        messages,
        unanswerable,
    }
}

/// Answers a request through its sink.
pub(crate) async fn respond(server: Arc<Server>, call: Arc<Call>, sink: Sink) {
    server.hooks().opened(&call, &sink);
    match server.answer(&call, &sink).await {
        Ok(reply) => {
            let of_subscription = reply
                .result
                .get("_meta")
                .is_some_and(|meta| meta.get(keys::SUBSCRIPTION).is_some());
            let mut message = Message::result(call.id.as_ref(), reply.result);
            if let Some(id) = call.id.as_ref().filter(|_| of_subscription) {
                message.set(&["result", "_meta"], keys::SUBSCRIPTION, id);
            }
            sink.send(message);
        }
        Err(fault) => match fault.effect {
            Effect::Answer => sink.send(Message::error(call.id.as_ref(), &fault)),
            Effect::Silence => {}
            Effect::Crash(code) => server.crash(code),
        },
    }
}
