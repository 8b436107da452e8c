//! What the tools of the server can change.

/// The state of the process. Nothing in it belongs to a client or a connection.
#[derive(Debug, Default)]
pub(crate) struct World {}
