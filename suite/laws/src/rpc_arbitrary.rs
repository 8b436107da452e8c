//! Laws of JSON-RPC messages whose faults are known, because they were put in one by one.

mod drawn;
mod text;

use arbitrary::Unstructured;
use mcpspec_wire::{Message, ProblemKind, same_id};

pub use drawn::DrawnMessage;

/// [`DrawnMessage::hold`] for the message that an input stands for.
///
/// # Panics
/// If the law does not hold.
pub fn rpc_arbitrary(input: &[u8]) {
    if let Ok(drawn) = DrawnMessage::draw(&mut Unstructured::new(input)) {
        drawn.hold();
    }
}

impl DrawnMessage {
    /// The message decodes to the kind, the id and the method that it was made with, and to just the problems that were put
    /// in. Its text keeps to the laws of [`rpc_bytes`](crate::rpc_bytes).
    ///
    /// # Panics
    /// If one of that does not hold.
    pub fn hold(&self) {
        let crate::rpc::Examined { message, problems } = crate::rpc::examine(self.text.as_bytes());
        let found: Vec<_> = problems.iter().map(|problem| &problem.kind).collect();
        let sorted = |mut kinds: Vec<&ProblemKind>| {
            kinds.sort_by_cached_key(|kind| kind.to_string());
            kinds.into_iter().cloned().collect::<Vec<_>>()
        };
        let expected: Vec<_> = self.problems.iter().collect();
        if found != expected {
            assert_eq!(sorted(found), sorted(expected), "in {}", self.text);
        }
        let message = message.as_ref();
        assert_eq!(message.map(crate::rpc::kind), self.kind, "of {}", self.text);
        assert_eq!(message.and_then(Message::method), self.method.as_deref());
        if let Some(id) = message.and_then(Message::id) {
            let id = id.to_json();
            assert_eq!(Some(&id), self.id.as_ref(), "the id of {}", self.text);
        }
        if let Some(id) = message.and_then(Message::id) {
            let usable = id.as_str().is_some() || id.as_number().is_some();
            assert_eq!(same_id(id, id), usable, "{id} and itself");
            let quoted = id.to_json().into();
            assert!(!same_id(id, &quoted), "{id} and {quoted}");
        }
    }
}
