//! The names of the checks.

use super::{MarkedParam, Need};

/// What a check is about. A [`Fault`](crate::rpc::Fault) names the one that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// The text is JSON.
    Json,
    /// The JSON is one object without a member twice.
    Object,
    /// `jsonrpc` is `"2.0"`.
    JsonRpc,
    /// `method` is a string.
    Method,
    /// `id` is a string or an integer.
    Id,
    /// `params`, where present, is an object.
    Params,
    /// `params._meta` is there and is an object.
    MetaObject,
    /// `_meta` has a protocol version, a string.
    MetaVersion,
    /// `_meta` has client capabilities, an object.
    MetaCapabilities,
    /// The optional members of `_meta`, and the known client capabilities, have their types.
    MetaOptional,
    /// `MCP-Protocol-Version` is the version of the body.
    VersionHeader,
    /// `Mcp-Method` is the method of the body.
    MethodHeader,
    /// The version is served.
    Version,
    /// The method is served, and the capability it belongs to offered.
    MethodKnown,
    /// The params that the method requires are there, with their types.
    MethodParams,
    /// `Mcp-Name` is the name or URI of the body.
    NameHeader,
    /// A `Mcp-Param-*` header is the argument it mirrors.
    ParamHeader,
    /// A cursor was issued by this server, for this list.
    Cursor,
    /// The tool exists.
    ToolKnown,
    /// Whoever calls may use the tool.
    ToolPermitted,
    /// The arguments fit the input schema of the tool.
    ToolArguments,
    /// The resource exists.
    ResourceKnown,
    /// The prompt exists.
    PromptKnown,
    /// The arguments are those of the prompt.
    PromptArguments,
    /// A private thing is asked for by its owner.
    Access,
    /// What is to be completed exists.
    CompletionRef,
    /// The filter of a subscription has its shape.
    Filter,
    /// `inputResponses` is an object.
    InputResponses,
    /// An answer to an input request has the shape that was asked for.
    Answer,
    /// `requestState` is a string.
    StateType,
    /// A request state was made by this server and not changed since.
    StateSeal,
    /// A request state has not expired.
    StateFresh,
    /// A request state belongs to this request.
    StateBound,
    /// A request state belongs to this principal.
    StatePrincipal,
    /// A one-time request state was not used before.
    StateUnused,
    /// The client declares what the request needs of it.
    ClientCapability,
    /// The work that was asked for succeeded.
    Work,
}

/// What a check looks at beside the request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Subject<'a> {
    /// Nothing more.
    Request,
    /// An argument that a header mirrors.
    Param(&'a MarkedParam),
    /// Something needed of the client.
    Need(Need),
}

/// One check on its way to a mutant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check<'a> {
    /// Its name.
    pub(crate) rule: Rule,
    /// What it looks at.
    pub(crate) subject: Subject<'a>,
}
