//! Mutants of `Mcp-Param-*` (`basic/transports/streamable-http#server-behavior-for-custom-headers`, `#value-encoding`).

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use super::{
    breaks::Breaks,
    mutant::{HTTP, Mutant},
};
use crate::{
    admit::{Check, MarkedParam, Mirrored, Rule, Subject, mirrored, sentinel},
    call::Call,
    rpc::{Fault, Found, codes},
};

const AREA: &str = "http";

pub(super) static MUTANTS: &[Mutant] = &[
    param(
        "refuses-param-headers",
        "Mcp-Param headers of strings are refused",
        |check, call, found| match seen(check, call) {
            Some((param, Mirrored::Plain(_))) if text_of(param).is_some() => Err(mismatch()),
            _ => found,
        },
    ),
    param(
        "ignores-param-header",
        "a Mcp-Param header is never compared with its argument",
        |check, call, found| match seen(check, call) {
            Some((_, Mirrored::Plain(_))) => Ok(()),
            _ => found,
        },
    ),
    param(
        "param-header-optional",
        "an argument without its Mcp-Param header is accepted",
        |check, call, found| match seen(check, call) {
            Some((_, Mirrored::Absent)) => Ok(()),
            _ => found,
        },
    ),
    param(
        "ignores-nested-params",
        "a Mcp-Param header of a parameter below the top level is never compared",
        |check, call, found| match seen(check, call) {
            Some((param, _)) if param.path.len() > 1 => Ok(()),
            _ => found,
        },
    ),
    param(
        "demands-param-header-always",
        "a call without any Mcp-Param header is refused although it leaves out what they mirror",
        |check, call, found| {
            // A call with a null argument is left to the next mutant.
            let leaves_out =
                !has_param_header(call) && !call.arguments().values().any(Value::is_null);
            demands(check, call, found, |given| leaves_out && given.is_none())
        },
    ),
    param(
        "demands-header-for-null",
        "a null argument needs its Mcp-Param header",
        |check, call, found| {
            demands(check, call, found, |given| {
                given.is_some_and(Value::is_null)
            })
        },
    ),
    param(
        "compares-encoded-param",
        "an encoded Mcp-Param header is compared as it stands",
        |check, call, found| match (&found, seen(check, call)) {
            (Ok(()), Some((_, Mirrored::Encoded(_)))) => Err(mismatch()),
            _ => found,
        },
    ),
    param(
        "skips-encoded-param",
        "an encoded Mcp-Param header is never compared",
        |check, call, found| match seen(check, call) {
            Some((_, Mirrored::Encoded(Some(_)))) => Ok(()),
            _ => found,
        },
    ),
    param(
        "decodes-param-twice",
        "a decoded Mcp-Param header that looks encoded is decoded once more",
        |check, call, found| match seen(check, call) {
            Some((param, Mirrored::Encoded(Some(text)))) if sentinel::is_sentinel(&text) => {
                compared(param, sentinel::decode(&text).as_deref())
            }
            _ => found,
        },
    ),
    param(
        "decodes-without-sentinel",
        "a Mcp-Param header that could be base64 is decoded",
        |check, call, found| match seen(check, call) {
            Some((param, Mirrored::Plain(text))) if text.ends_with('=') => match decoded(&text) {
                Some(decoded) => compared(param, Some(&decoded)),
                None => found,
            },
            _ => found,
        },
    ),
    param(
        "accepts-raw-utf8-param",
        "a Mcp-Param header of raw UTF-8 is compared and accepted",
        |check, call, found| match seen(check, call) {
            Some((param, Mirrored::Malformed)) if is_raw_copy(call, param) => Ok(()),
            _ => found,
        },
    ),
    param(
        "bad-base64-param-500",
        "an undecodable Mcp-Param header is an internal error",
        |check, call, found| match seen(check, call) {
            Some((_, Mirrored::Encoded(None))) => Err(Fault::new(
                Rule::ParamHeader,
                codes::INTERNAL,
                "Internal error",
            )),
            _ => found,
        },
    ),
    param(
        "capitalises-booleans",
        "the Mcp-Param header of a boolean has to be True or False",
        |check, call, found| match seen(check, call) {
            Some((param, header)) => match param.value {
                Some(Value::Bool(true)) => same(header.text(), "True"),
                Some(Value::Bool(false)) => same(header.text(), "False"),
                _ => found,
            },
            None => found,
        },
    ),
    param(
        "compares-integers-as-text",
        "the Mcp-Param header of an integer has to be spelt like the argument",
        |check, call, found| match seen(check, call) {
            Some((param, header)) => match &param.value {
                Some(Value::Number(number)) => same(header.text(), &number.to_string()),
                _ => found,
            },
            None => found,
        },
    ),
];

const fn param(
    name: &'static str,
    about: &'static str,
    hook: fn(&Check<'_>, &Call, Found) -> Found,
) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::Check(hook))
}

/// The parameter that is being checked, where its argument is given, and its header.
fn seen<'a>(check: &Check<'a>, call: &Call) -> Option<(&'a MarkedParam, Mirrored)> {
    match check.subject {
        Subject::Param(param) if param.value.is_some() => {
            Some((param, mirrored(&call.headers, &param.header)))
        }
        _ => None,
    }
}

fn mismatch() -> Fault {
    Fault::new(
        Rule::ParamHeader,
        codes::HEADER_MISMATCH,
        "Header mismatch: a Mcp-Param header is not the argument in the body.",
    )
}

fn same(header: Option<&str>, due: &str) -> Found {
    if header == Some(due) {
        Ok(())
    } else {
        Err(mismatch())
    }
}

fn text_of(param: &MarkedParam) -> Option<&str> {
    param.value.as_ref().and_then(Value::as_str)
}

fn compared(param: &MarkedParam, header: Option<&str>) -> Found {
    same(header, text_of(param).unwrap_or_default())
}

fn decoded(text: &str) -> Option<String> {
    String::from_utf8(STANDARD.decode(text).ok()?).ok()
}

fn is_raw_copy(call: &Call, param: &MarkedParam) -> bool {
    call.headers
        .get(&param.header)
        .zip(text_of(param))
        .is_some_and(|(header, text)| header.as_bytes() == text.as_bytes())
}

fn has_param_header(call: &Call) -> bool {
    call.headers
        .keys()
        .any(|name| name.as_str().starts_with("mcp-param-"))
}

/// Refuses a header that is absent, where `due` says so of the argument as it was given.
fn demands(
    check: &Check<'_>,
    call: &Call,
    found: Found,
    due: impl Fn(Option<&Value>) -> bool,
) -> Found {
    let Subject::Param(param) = check.subject else {
        return found;
    };
    let given = call.param("arguments").and_then(|arguments| {
        let mut path = param.path.iter();
        path.try_fold(arguments, |value, name| value.get(name))
    });
    if mirrored(&call.headers, &param.header) == Mirrored::Absent && due(given) {
        return Err(mismatch());
    }
    found
}
