//! What a row of the table does.

use super::{
    hooks::{Answered, Hooks},
    shape::{self, Edit},
};
use crate::{
    admit::Check,
    call::Call,
    rpc::{Fault, Found, Message},
    serve::{Exchange, HttpReply},
    server::Outcome,
    world::Change,
};

/// What a mutant does: mostly one hook, as a function.
pub(super) enum Breaks {
    /// Edits members of what is sent.
    Shape(&'static [Edit]),
    /// [`Hooks::call`].
    Call(fn(&mut Call)),
    /// [`Hooks::check`].
    Check(fn(&Check<'_>, &Call, Found) -> Found),
    /// [`Hooks::instead`].
    Instead(fn(&Call) -> Option<Outcome>),
    /// [`Hooks::told`].
    Told(fn(&Call, &Change, Option<Message>) -> Option<Message>),
    /// [`Hooks::outcome`].
    Outcome(fn(&Call, Outcome) -> Outcome),
    /// [`Hooks::outcome`], where it is a fault.
    Fault(fn(&Call, &mut Fault)),
    /// [`Hooks::deliver`], one message for one.
    Message(fn(Option<&Call>, &mut Message)),
    /// [`Hooks::deliver`].
    Messages(fn(Option<&Call>, Message) -> Vec<Message>),
    /// [`Hooks::notification`].
    Notification(fn(&Call) -> Option<Message>),
    /// [`Hooks::http_reply`].
    HttpReply(fn(&Answered<'_>, &mut HttpReply)),
    /// [`Hooks::admits_origin`].
    Origin(fn(&Exchange, bool) -> bool),
    /// [`Hooks::wire_in`].
    WireIn(fn(&mut Vec<u8>)),
    /// [`Hooks::bytes_out`].
    BytesOut(fn(Option<&Call>, &mut Vec<u8>)),
    /// Several hooks, or one that remembers something.
    Own(fn() -> Box<dyn Hooks>),
}

impl Hooks for &'static Breaks {
    fn wire_in(&self, bytes: &mut Vec<u8>) {
        if let Breaks::WireIn(hook) = self {
            hook(bytes);
        }
    }

    fn admits_origin(&self, exchange: &Exchange, admitted: bool) -> bool {
        match self {
            Breaks::Origin(hook) => hook(exchange, admitted),
            _ => admitted,
        }
    }

    fn call(&self, call: &mut Call) {
        if let Breaks::Call(hook) = self {
            hook(call);
        }
    }

    fn notification(&self, call: &Call) -> Option<Message> {
        match self {
            Breaks::Notification(hook) => hook(call),
            _ => None,
        }
    }

    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        match self {
            Breaks::Check(hook) => hook(check, call, found),
            _ => found,
        }
    }

    fn instead(&self, call: &Call) -> Option<Outcome> {
        match self {
            Breaks::Instead(hook) => hook(call),
            _ => None,
        }
    }

    fn told(&self, call: &Call, change: &Change, message: Option<Message>) -> Option<Message> {
        match self {
            Breaks::Told(hook) => hook(call, change, message),
            _ => message,
        }
    }

    fn outcome(&self, call: &Call, mut outcome: Outcome) -> Outcome {
        match self {
            Breaks::Outcome(hook) => hook(call, outcome),
            Breaks::Fault(hook) => {
                if let Err(fault) = &mut outcome {
                    hook(call, fault);
                }
                outcome
            }
            _ => outcome,
        }
    }

    fn deliver(&self, call: Option<&Call>, mut message: Message) -> Vec<Message> {
        match self {
            Breaks::Shape(edits) => {
                for edit in *edits {
                    shape::apply(edit, call, &mut message);
                }
            }
            Breaks::Message(hook) => hook(call, &mut message),
            Breaks::Messages(hook) => return hook(call, message),
            _ => {}
        }
        vec![message]
    }

    fn http_reply(&self, answered: &Answered<'_>, reply: &mut HttpReply) {
        if let Breaks::HttpReply(hook) = self {
            hook(answered, reply);
        }
    }

    fn bytes_out(&self, call: Option<&Call>, text: &mut Vec<u8>) {
        if let Breaks::BytesOut(hook) = self {
            hook(call, text);
        }
    }
}
