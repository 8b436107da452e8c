//! From a request to the method that it names.

use std::sync::Arc;

use serde_json::Value;

use super::{completion, discover, legacy, list, listen, prompts, resources, tools};
use crate::{
    admit::{self, Rule, Subject},
    call::{Call, Transport},
    options::{Capability, Options},
    rpc::{Fault, Found, codes},
    serve::Sink,
    server::{Outcome, Server},
    world::ListKind,
};

/// A method that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Discover,
    List(ListKind),
    ListTemplates,
    CallTool,
    ReadResource,
    GetPrompt,
    Complete,
    Listen,
    Legacy,
}

impl Method {
    /// The method of a request, if it exists and what it belongs to is offered.
    fn of(call: &Call, options: &Options) -> Option<Self> {
        let (method, capability) = match call.method() {
            "server/discover" => (Self::Discover, None),
            "tools/list" => (Self::List(ListKind::Tools), Some(Capability::Tools)),
            "tools/call" => (Self::CallTool, Some(Capability::Tools)),
            "prompts/list" => (Self::List(ListKind::Prompts), Some(Capability::Prompts)),
            "prompts/get" => (Self::GetPrompt, Some(Capability::Prompts)),
            "resources/list" => (Self::List(ListKind::Resources), Some(Capability::Resources)),
            "resources/templates/list" => (Self::ListTemplates, Some(Capability::Resources)),
            "resources/read" => (Self::ReadResource, Some(Capability::Resources)),
            "completion/complete" => (Self::Complete, Some(Capability::Completions)),
            // Without anything to listen to, a subscription is an empty one (`basic/patterns/index#subscribe-and-notify`).
            "subscriptions/listen" => (Self::Listen, None),
            "initialize" | "ping" if call.legacy => (Self::Legacy, None),
            _ => return None,
        };
        let served = match method {
            Self::Discover | Self::Listen => !call.legacy,
            _ => capability.is_none_or(|capability| options.offers(capability)),
        };
        served.then_some(method)
    }
}

/// Checks a request and does what it asks for.
pub(crate) async fn run(server: &Arc<Server>, call: &Arc<Call>, sink: &Sink) -> Outcome {
    if !call.legacy {
        admit_request(server, call)?;
    }
    if let Some(outcome) = server.hooks().instead(call) {
        return outcome;
    }
    let method = Method::of(call, server.options());
    let unknown = || {
        Fault::new(
            Rule::MethodKnown,
            codes::METHOD_NOT_FOUND,
            "Method not found",
        )
    };
    server.check(
        Rule::MethodKnown,
        Subject::Request,
        call,
        method.map(|_| ()).ok_or_else(unknown),
    )?;
    let Some(method) = method else {
        return Err(unknown());
    };
    admit_params(server, call, method)?;
    match method {
        Method::Discover => Ok(discover::discover(server)),
        Method::List(kind) => list::list(server, call, kind),
        Method::ListTemplates => list::list_templates(server, call),
        Method::CallTool => tools::call(server, call, sink).await,
        Method::ReadResource => resources::read(server, call),
        Method::GetPrompt => prompts::get(server, call),
        Method::Complete => completion::complete(server, call),
        Method::Listen => listen::listen(server, call, sink).await,
        Method::Legacy => Ok(legacy::answer(server, call)),
    }
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

/// What the three methods that name something, and may ask for input, have in common.
fn admit_params(server: &Server, call: &Call, method: Method) -> Found {
    let name = match method {
        Method::CallTool | Method::GetPrompt => "name",
        Method::ReadResource => "uri",
        _ => return Ok(()),
    };
    let check = |rule, holds: bool, why: &str| {
        let found = if holds {
            Ok(())
        } else {
            Err(Fault::invalid_params(rule, why))
        };
        server.check(rule, Subject::Request, call, found)
    };
    check(
        Rule::MethodParams,
        call.param(name).is_some_and(Value::is_string),
        &format!("The member {name} has to be a string."),
    )?;
    let arguments = call.param("arguments").is_none_or(Value::is_object);
    check(
        Rule::MethodParams,
        arguments,
        "The member arguments has to be an object.",
    )?;
    if call.transport == Transport::Http && !call.legacy {
        server.check(
            Rule::NameHeader,
            Subject::Request,
            call,
            admit::check_name_header(call),
        )?;
    }
    check(
        Rule::InputResponses,
        call.param("inputResponses").is_none_or(Value::is_object),
        "The member inputResponses has to be an object.",
    )?;
    check(
        Rule::StateType,
        call.param("requestState").is_none_or(Value::is_string),
        "The member requestState has to be a string.",
    )
}
