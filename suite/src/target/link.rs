//! A connection whose outgoing tool calls pass the gate.

use std::sync::Arc;

use crate::transcript::ExchangeId;
use crate::transport::{Connection, Journal, Outgoing, SendError};

use super::{Permit, PermitError};

/// A link to a target: everything sent on it passes [`Permit`].
pub struct Link {
    connection: Connection,
    permit: Arc<Permit>,
}

/// Why something was not sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The link is closed or the URL is none.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The tool may not be called.
    #[error(transparent)]
    Permit(#[from] PermitError),
}

impl Link {
    /// A link over a connection.
    pub fn new(connection: Connection, permit: Arc<Permit>) -> Link {
        Link { connection, permit }
    }

    /// Sends something that the gate lets through.
    pub async fn send(&self, outgoing: Outgoing) -> Result<ExchangeId, LinkError> {
        self.permit.check(&outgoing.sent)?;
        Ok(self.connection.send(outgoing).await?)
    }

    /// The connection under it.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Its journal.
    pub fn journal(&self) -> &Arc<Journal> {
        self.connection.journal()
    }
}
