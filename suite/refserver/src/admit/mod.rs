//! The checks that a request passes before it is served, in the order in which they are made.
//!
//! The specification gives no order. This one lets the more specific rule speak: the shape of the message, then the metadata of
//! the request, then its headers against its body, then version, method and params. Each check has a [`Rule`] for a name, so
//! that a refusal can be traced to it.

mod access;
mod envelope;
mod headers;
mod meta;
mod need;
mod rule;
pub(crate) mod sentinel;

pub(crate) use access::check_access;
pub(crate) use envelope::{check_id, check_jsonrpc, check_method, check_params};
pub(crate) use headers::{
    MarkedParam, Mirrored, check_method_header, check_name_header, check_param_header,
    check_version_header, mirrored, name_of,
};
pub(crate) use meta::keys;
pub(crate) use meta::{
    check_capabilities, check_object, check_optional, check_protocol_version, check_version,
};
pub(crate) use need::Need;
pub(crate) use rule::{Check, Rule, Subject};
