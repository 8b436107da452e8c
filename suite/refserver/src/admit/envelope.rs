//! Checks of the JSON-RPC envelope (`basic/index#requests`).

use super::Rule;
use crate::{
    call::Call,
    rpc::{Fault, Found, codes},
};

pub(crate) fn check_jsonrpc(call: &Call) -> Found {
    if call
        .body
        .get("jsonrpc")
        .and_then(|version| version.as_str())
        == Some("2.0")
    {
        return Ok(());
    }
    Err(Fault::new(
        Rule::JsonRpc,
        codes::INVALID_REQUEST,
        "The member jsonrpc has to be \"2.0\".",
    ))
}

pub(crate) fn check_method(call: &Call) -> Found {
    if call
        .body
        .get("method")
        .is_some_and(|method| method.is_string())
    {
        return Ok(());
    }
    Err(Fault::new(
        Rule::Method,
        codes::INVALID_REQUEST,
        "The member method has to be a string.",
    ))
}

pub(crate) fn check_id(call: &Call) -> Found {
    // A member whose value could not be kept is an id that could not be read.
    if call.body.contains_key("id") && !call.id.as_ref().is_some_and(crate::rpc::Id::is_valid) {
        return Err(Fault::new(
            Rule::Id,
            codes::INVALID_REQUEST,
            "The id of a request is a string or an integer.",
        ));
    }
    Ok(())
}

pub(crate) fn check_params(call: &Call) -> Found {
    if call.params().is_none_or(serde_json::Value::is_object) {
        return Ok(());
    }
    Err(Fault::invalid_params(
        Rule::Params,
        "The member params has to be an object.",
    ))
}
