//! What a dual-era server does for clients of revision 2025-11-25 (`basic/versioning`, backward compatibility).
//!
//! Over stdio, `initialize` turns the process to the older revision for all that comes without modern metadata. Over HTTP it is
//! the session that is named in each request; its id is a sealed token, so that no process has to remember it.

use serde_json::json;

use super::discover::{capabilities, server_info};
use crate::{
    admit::keys,
    call::Call,
    options::{Era, Options},
    seal,
    server::{Reply, Server},
};

const PURPOSE: &str = "session";

/// The header that names a session.
pub(crate) const SESSION_HEADER: &str = "mcp-session-id";

/// A new session id.
pub(crate) fn new_session(serial: u64) -> String {
    seal::seal(
        PURPOSE,
        &json!({ "serial": serial, "since": crate::clock::now_ms() }),
    )
}

/// Whether a session id is one of this server's.
pub(crate) fn is_session(id: &str) -> bool {
    seal::is_genuine(PURPOSE, id)
}

/// Whether a message is to be served by the older revision: it opens a session, or belongs to one. Modern metadata always wins.
pub(crate) fn turns_legacy(options: &Options, call: &Call, in_session: bool) -> bool {
    options.era == Era::Dual
        && call.meta_member(keys::VERSION).is_none()
        && (in_session || call.method() == "initialize")
}

/// Answers `initialize` and `ping`.
pub(super) fn answer(server: &Server, call: &Call) -> Reply {
    if call.method() == "ping" {
        return Reply::from(json!({}));
    }
    let mut declared = capabilities(server.options());
    // The older revision announces changes in ways that are not served here.
    for member in declared
        .as_object_mut()
        .into_iter()
        .flat_map(|declared| declared.values_mut())
    {
        if let Some(member) = member.as_object_mut() {
            member.clear();
        }
    }
    let info = server_info();
    Reply::from(json!({
        "protocolVersion": Options::LEGACY_REVISION,
        "capabilities": declared,
        "serverInfo": { "name": info["name"], "title": info["title"], "version": info["version"] },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_id_cannot_be_made_up() {
        assert!(is_session(&new_session(1)));
        assert!(!is_session("bogus"));
        assert!(!is_session(&seal::seal("cursor", &json!({}))));
    }
}
