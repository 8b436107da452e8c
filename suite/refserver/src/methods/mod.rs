//! The methods of the revision.

mod discover;

use std::sync::Arc;

pub(crate) use discover::server_info;

use crate::{
    admit::{self, Rule, Subject},
    call::{Call, Transport},
    rpc::{Fault, Found, codes},
    serve::Sink,
    server::{Outcome, Server},
};

/// Checks a request and does what it asks for.
pub(crate) async fn run(server: &Arc<Server>, call: &Arc<Call>, _sink: &Sink) -> Outcome {
    admit_request(server, call)?;
    if let Some(outcome) = server.hooks().instead(call) {
        return outcome;
    }
    let known = matches!(call.method(), "server/discover");
    let unknown = || {
        Fault::new(
            Rule::MethodKnown,
            codes::METHOD_NOT_FOUND,
            format!("Method not found: {}", call.method()),
        )
    };
    server.check(
        Rule::MethodKnown,
        Subject::Request,
        call,
        if known { Ok(()) } else { Err(unknown()) },
    )?;
    Ok(discover::discover(server))
}

/// The checks that are the same for every method.
fn admit_request(server: &Server, call: &Call) -> Found {
    let options = server.options();
    let check = |rule, found| server.check(rule, Subject::Request, call, found);
    check(Rule::Params, admit::check_params(call))?;
    check(Rule::MetaObject, admit::check_object(call, options))?;
    check(Rule::MetaVersion, admit::check_protocol_version(call))?;
    check(Rule::MetaCapabilities, admit::check_capabilities(call))?;
    check(Rule::MetaOptional, admit::check_optional(call))?;
    if call.transport == Transport::Http {
        check(Rule::VersionHeader, admit::check_version_header(call))?;
        check(Rule::MethodHeader, admit::check_method_header(call))?;
    }
    check(Rule::Version, admit::check_version(call, options))
}
