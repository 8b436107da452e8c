//! Mutants of `Mcp-Name` (`basic/transports/streamable-http#standard-request-headers`).

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    breaks::Breaks,
    hooks::Hooks,
    mutant::{HTTP, Mutant},
};
use crate::{
    admit::{Check, Mirrored, Rule, check_name_header, mirrored, name_of, sentinel},
    call::{Call, Transport},
    catalogue,
    rpc::{Fault, Found, codes},
    server::Outcome,
};

const AREA: &str = "http";

pub(super) static MUTANTS: &[Mutant] = &[
    check(
        "tool-mcp-name-optional",
        "tools/call without Mcp-Name is run",
        |check, call, found| optional_for("tools/call", check, call, found),
    ),
    check(
        "resource-mcp-name-optional",
        "resources/read without Mcp-Name is served",
        |check, call, found| optional_for("resources/read", check, call, found),
    ),
    check(
        "prompt-mcp-name-optional",
        "prompts/get without Mcp-Name is served",
        |check, call, found| optional_for("prompts/get", check, call, found),
    ),
    check(
        "ignores-tool-mcp-name",
        "tools/call runs params.name whatever Mcp-Name says",
        |check, call, found| ignored_for("tools/call", check, call, found),
    ),
    check(
        "ignores-prompt-mcp-name",
        "prompts/get takes params.name whatever Mcp-Name says",
        |check, call, found| ignored_for("prompts/get", check, call, found),
    ),
    check(
        "compares-resource-name",
        "Mcp-Name of resources/read may be the name of the resource in place of its URI",
        compares_resource_name,
    ),
    check(
        "refuses-uri-in-mcp-name",
        "a Mcp-Name with a colon and slashes is refused",
        refuses_uri,
    ),
    Mutant::new(
        AREA,
        "refuses-plain-mcp-name",
        "the right Mcp-Name of the tool echo is refused, and that of any prompt but for the first time",
        HTTP,
        Breaks::Own(|| Box::<RefusesPlain>::default()),
    ),
    check(
        "demands-mcp-name-everywhere",
        "resources/templates/list without Mcp-Name is refused",
        demands_name,
    ),
    check(
        "compares-encoded-name",
        "an encoded Mcp-Name is compared as it stands",
        |check, call, found| match (&found, name_header(check, call)) {
            (Ok(()), Some(Mirrored::Encoded(_))) => Err(mismatch()),
            _ => found,
        },
    ),
    check(
        "skips-encoded-name",
        "an encoded Mcp-Name is never compared",
        |check, call, found| match name_header(check, call) {
            Some(Mirrored::Encoded(Some(_))) => Ok(()),
            _ => found,
        },
    ),
    check(
        "bad-base64-name-500",
        "an undecodable Mcp-Name is an internal error",
        |check, call, found| match name_header(check, call) {
            Some(Mirrored::Encoded(None)) => Err(Fault::new(
                Rule::NameHeader,
                codes::INTERNAL,
                "Internal error",
            )),
            _ => found,
        },
    ),
    check(
        "folds-sentinel-case",
        "the marker =?BASE64? is decoded too",
        folds_sentinel_case,
    ),
    Mutant::new(
        AREA,
        "validates-after-run",
        "tools/call compares Mcp-Name once the tool has run",
        HTTP,
        Breaks::Own(|| Box::new(ValidatesAfterRun)),
    ),
];

const fn check(
    name: &'static str,
    about: &'static str,
    hook: fn(&Check<'_>, &Call, Found) -> Found,
) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::Check(hook))
}

/// The header, if it is what is being checked.
fn name_header(check: &Check<'_>, call: &Call) -> Option<Mirrored> {
    (check.rule == Rule::NameHeader).then(|| mirrored(&call.headers, "Mcp-Name"))
}

fn mismatch() -> Fault {
    Fault::new(
        Rule::NameHeader,
        codes::HEADER_MISMATCH,
        "Header mismatch: Mcp-Name is not the name in the body.",
    )
}

fn optional_for(method: &str, check: &Check<'_>, call: &Call, found: Found) -> Found {
    match name_header(check, call) {
        Some(Mirrored::Absent) if call.method() == method => Ok(()),
        _ => found,
    }
}

fn ignored_for(method: &str, check: &Check<'_>, call: &Call, found: Found) -> Found {
    match name_header(check, call) {
        Some(Mirrored::Plain(_)) if call.method() == method => Ok(()),
        _ => found,
    }
}

/// The URI is still accepted: a server that refused it would serve no resource to anyone.
fn compares_resource_name(check: &Check<'_>, call: &Call, found: Found) -> Found {
    let Some(header) = name_header(check, call).filter(|_| call.method() == "resources/read")
    else {
        return found;
    };
    let is_name = catalogue::resources(true, true).iter().any(|resource| {
        resource["uri"].as_str() == name_of(call) && resource["name"].as_str() == header.text()
    });
    if is_name { Ok(()) } else { found }
}

fn refuses_uri(check: &Check<'_>, call: &Call, found: Found) -> Found {
    match name_header(check, call) {
        Some(Mirrored::Plain(text)) if text.contains("://") => Err(mismatch()),
        _ => found,
    }
}

/// Of the methods that need no name it is one that little else depends on.
fn demands_name(check: &Check<'_>, call: &Call, found: Found) -> Found {
    found?;
    if check.rule == Rule::MethodHeader
        && call.method() == "resources/templates/list"
        && mirrored(&call.headers, "Mcp-Name") == Mirrored::Absent
    {
        return Err(mismatch());
    }
    Ok(())
}

fn folds_sentinel_case(check: &Check<'_>, call: &Call, found: Found) -> Found {
    let decoded = match name_header(check, call) {
        Some(Mirrored::Plain(text)) => text
            .strip_prefix("=?BASE64?")
            .and_then(|rest| sentinel::decode(&format!("=?base64?{rest}"))),
        _ => None,
    };
    if decoded.is_some() && decoded.as_deref() == name_of(call) {
        Ok(())
    } else {
        found
    }
}

/// `refuses-plain-mcp-name`: whether a prompt was asked for before. Nobody would know of a prompt that was never given.
#[derive(Default)]
struct RefusesPlain {
    prompted: AtomicBool,
}

impl Hooks for RefusesPlain {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        found?;
        let refuses = match (name_header(check, call), call.method()) {
            (Some(Mirrored::Plain(_)), "prompts/get") => {
                self.prompted.swap(true, Ordering::Relaxed)
            }
            (Some(Mirrored::Plain(text)), "tools/call") => text == "echo",
            _ => false,
        };
        if refuses { Err(mismatch()) } else { Ok(()) }
    }
}

/// `validates-after-run`.
struct ValidatesAfterRun;

impl Hooks for ValidatesAfterRun {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        if check.rule == Rule::NameHeader && call.method() == "tools/call" {
            return Ok(());
        }
        found
    }

    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        if call.transport == Transport::Http && !call.legacy && call.method() == "tools/call" {
            check_name_header(call)?;
        }
        outcome
    }
}
