//! Checks of the request metadata (`basic/index#_meta`, `basic/versioning`).

use serde_json::{Map, Value, json};

use super::Rule;
use crate::{
    call::{Call, Level},
    options::Options,
    rpc::{Fault, Found, codes},
};

/// The `_meta` keys that the specification gives a meaning.
pub(crate) mod keys {
    /// The protocol version of a request.
    pub(crate) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    /// The capabilities of the client.
    pub(crate) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
    /// Who the client says it is.
    pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
    /// The lowest level of log messages that the client wants.
    pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
    /// Who the server says it is.
    pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
    /// The subscription that a message belongs to.
    pub(crate) const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
    /// The token under which progress is reported.
    pub(crate) const PROGRESS_TOKEN: &str = "progressToken";
}

pub(crate) fn check_object(call: &Call, options: &Options) -> Found {
    if call.meta().is_some_and(Value::is_object) {
        return Ok(());
    }
    // An older client opens with `initialize`, has no other way to learn the versions, and shows only the message.
    let versions = options.supported_versions();
    let message = format!(
        "The request has no params._meta object; this server serves {}.",
        versions.join(" and ")
    );
    Err(Fault::invalid_params(Rule::MetaObject, message)
        .with_data(json!({ "supported": versions })))
}

pub(crate) fn check_protocol_version(call: &Call) -> Found {
    if call.version().is_some() {
        return Ok(());
    }
    Err(Fault::invalid_params(
        Rule::MetaVersion,
        format!("_meta needs {} with a string.", keys::VERSION),
    ))
}

pub(crate) fn check_capabilities(call: &Call) -> Found {
    if call
        .meta_member(keys::CAPABILITIES)
        .is_some_and(Value::is_object)
    {
        return Ok(());
    }
    Err(Fault::invalid_params(
        Rule::MetaCapabilities,
        format!("_meta needs {} with an object.", keys::CAPABILITIES),
    ))
}

/// What is optional has its type all the same.
pub(crate) fn check_optional(call: &Call) -> Found {
    let problem = if call
        .meta_member(keys::CLIENT_INFO)
        .is_some_and(|info| !is_implementation(info))
    {
        Some(format!("{} needs a name and a version.", keys::CLIENT_INFO))
    } else if call
        .meta_member(keys::LOG_LEVEL)
        .is_some_and(|level| Level::of(level).is_none())
    {
        Some(format!("{} is not a log level.", keys::LOG_LEVEL))
    } else if call.meta_member(keys::PROGRESS_TOKEN).is_some()
        && !call
            .progress_token
            .as_ref()
            .is_some_and(crate::rpc::Id::is_valid)
    {
        Some("progressToken is a string or an integer.".to_owned())
    } else {
        malformed_capability(&call.capabilities())
            .map(|name| format!("The client capability {name} has to be an object."))
    };
    problem.map_or(Ok(()), |message| {
        Err(Fault::invalid_params(Rule::MetaOptional, message))
    })
}

fn is_implementation(info: &Value) -> bool {
    info.as_object().is_some_and(|info| {
        ["name", "version"]
            .iter()
            .all(|member| info.get(*member).is_some_and(Value::is_string))
    })
}

fn malformed_capability(capabilities: &Map<String, Value>) -> Option<String> {
    const KNOWN: [(&str, &[&str]); 5] = [
        ("elicitation", &["form", "url"]),
        ("sampling", &["context", "tools"]),
        ("roots", &[]),
        ("experimental", &[]),
        ("extensions", &[]),
    ];
    for (name, subs) in KNOWN {
        let Some(value) = capabilities.get(name) else {
            continue;
        };
        let Some(object) = value.as_object() else {
            return Some(name.to_owned());
        };
        if let Some(sub) = subs
            .iter()
            .find(|sub| object.get(**sub).is_some_and(|value| !value.is_object()))
        {
            return Some(format!("{name}.{sub}"));
        }
    }
    None
}

pub(crate) fn check_version(call: &Call, options: &Options) -> Found {
    let requested = call.version().unwrap_or_default();
    if requested == Options::REVISION {
        return Ok(());
    }
    let fault = Fault::new(
        Rule::Version,
        codes::UNSUPPORTED_VERSION,
        "Unsupported protocol version",
    );
    Err(fault
        .with_data(json!({ "supported": options.supported_versions(), "requested": requested })))
}
