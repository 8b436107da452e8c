//! `resources/read`.

use serde_json::{Value, json};

use crate::{
    admit::{self, Rule, Subject},
    call::Call,
    catalogue::{self, Readable},
    rpc::Fault,
    server::{Outcome, Reply, Server},
};

/// Answers `resources/read`.
pub(super) fn read(server: &Server, call: &Call) -> Outcome {
    let uri = call
        .param("uri")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let readable = catalogue::find_resource(server, uri);
    let unknown = || {
        Fault::invalid_params(Rule::ResourceKnown, "Resource not found")
            .with_data(json!({ "uri": uri }))
    };
    server.check(
        Rule::ResourceKnown,
        Subject::Request,
        call,
        readable.as_ref().map(|_| ()).ok_or_else(unknown),
    )?;
    server.check(
        Rule::Access,
        Subject::Request,
        call,
        admit::check_access(call, catalogue::is_private(uri), unknown),
    )?;
    match readable {
        Some(Readable::Contents(contents)) => Ok(Reply::from(
            json!({ "contents": [contents], "ttlMs": 0, "cacheScope": "private" }),
        )),
        Some(Readable::Asks(interview)) if !call.legacy => interview.run(server, call),
        Some(Readable::Broken(fault)) => Err(fault),
        Some(Readable::Asks(_)) | None => Err(unknown()),
    }
}
