//! Mutants of `MCP-Protocol-Version`, `Mcp-Method` and unknown headers (`basic/transports/streamable-http#server-validation`).

use serde_json::json;

use super::{
    breaks::Breaks,
    hooks::Hooks,
    mutant::{HTTP, Mutant},
};
use crate::{
    admit::{Check, Mirrored, Rule, mirrored},
    call::Call,
    options::Options,
    rpc::{Fault, Found, codes},
    server::Outcome,
};

const AREA: &str = "http";

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";

pub(super) static MUTANTS: &[Mutant] = &[
    check(
        "version-header-optional",
        "a request without MCP-Protocol-Version is served",
        |check, call, found| {
            let forgiven =
                check.rule == Rule::VersionHeader && header(call, VERSION) == Mirrored::Absent;
            unless(forgiven, found)
        },
    ),
    check(
        "ignores-version-header",
        "MCP-Protocol-Version is never compared with the body",
        |check, call, found| {
            let forgiven = check.rule == Rule::VersionHeader && is_plain(call, VERSION);
            unless(forgiven, found)
        },
    ),
    Mutant::new(
        AREA,
        "header-decides-version",
        "supportedVersions has a later version, and requests of it are served if MCP-Protocol-Version has another",
        HTTP,
        Breaks::Own(|| Box::new(HeaderDecides)),
    ),
    check(
        "repeated-header-500",
        "two differing lines of Mcp-Method are an internal error",
        |check, call, found| {
            let is_repeated = call.headers.get_all(METHOD).iter().count() > 1;
            if check.rule == Rule::MethodHeader && is_repeated {
                return found
                    .map_err(|_| Fault::new(check.rule, codes::INTERNAL, "Internal error"));
            }
            found
        },
    ),
    check(
        "header-selects-legacy",
        "a request with an older MCP-Protocol-Version is taken for one of a session that was never opened",
        header_selects_legacy,
    ),
    check(
        "mcp-method-optional",
        "a request without Mcp-Method is served",
        |check, call, found| {
            let forgiven =
                check.rule == Rule::MethodHeader && header(call, METHOD) == Mirrored::Absent;
            unless(forgiven, found)
        },
    ),
    check(
        "checks-mcp-method-on-call-only",
        "only tools/call needs Mcp-Method",
        |check, call, found| {
            let forgiven = check.rule == Rule::MethodHeader
                && call.method() != "tools/call"
                && header(call, METHOD) == Mirrored::Absent;
            unless(forgiven, found)
        },
    ),
    check(
        "ignores-mcp-method",
        "Mcp-Method is never compared with the body",
        |check, call, found| {
            let forgiven = check.rule == Rule::MethodHeader && is_plain(call, METHOD);
            unless(forgiven, found)
        },
    ),
    check(
        "folds-header-value-case",
        "Mcp-Method is compared without regard to letter case",
        |check, call, found| {
            let forgiven = check.rule == Rule::MethodHeader
                && header(call, METHOD)
                    .text()
                    .is_some_and(|text| text.eq_ignore_ascii_case(call.method()));
            unless(forgiven, found)
        },
    ),
    check(
        "refuses-unknown-param-header",
        "a Mcp-Param header on a method other than tools/call is refused",
        refuses_unknown_param_header,
    ),
];

const fn check(
    name: &'static str,
    about: &'static str,
    hook: fn(&Check<'_>, &Call, Found) -> Found,
) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::Check(hook))
}

fn header(call: &Call, name: &str) -> Mirrored {
    mirrored(&call.headers, name)
}

fn is_plain(call: &Call, name: &str) -> bool {
    matches!(header(call, name), Mirrored::Plain(_))
}

/// What a check found, but nothing where it is forgiven.
fn unless(forgiven: bool, found: Found) -> Found {
    if forgiven { Ok(()) } else { found }
}

fn header_selects_legacy(check: &Check<'_>, call: &Call, found: Found) -> Found {
    const OLDER: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];
    if check.rule == Rule::VersionHeader
        && header(call, VERSION)
            .text()
            .is_some_and(|text| OLDER.contains(&text))
    {
        return Err(Fault::new(
            Rule::VersionHeader,
            codes::INVALID_REQUEST,
            "There is no such session: send initialize first.",
        ));
    }
    found
}

fn refuses_unknown_param_header(check: &Check<'_>, call: &Call, found: Found) -> Found {
    found?;
    let unknown = check.rule == Rule::MethodHeader
        && call.method() != "tools/call"
        && call
            .headers
            .keys()
            .any(|name| name.as_str().starts_with("mcp-param-"));
    if unknown {
        return Err(Fault::new(
            Rule::ParamHeader,
            codes::HEADER_MISMATCH,
            "Header mismatch: a Mcp-Param header mirrors nothing.",
        ));
    }
    Ok(())
}

/// `header-decides-version`.
struct HeaderDecides;

/// The version that it lists and does not know.
const LATER: &str = "2027-03-01";

impl Hooks for HeaderDecides {
    fn check(&self, check: &Check<'_>, call: &Call, found: Found) -> Found {
        let concerned = [Rule::VersionHeader, Rule::Version].contains(&check.rule);
        let is_known = header(call, VERSION).text() == Some(Options::REVISION);
        unless(
            concerned && is_known && call.version() == Some(LATER),
            found,
        )
    }

    fn outcome(&self, _call: &Call, outcome: Outcome) -> Outcome {
        outcome.map(|mut reply| {
            if let Some(versions) = reply.result.get_mut("supportedVersions") {
                *versions = json!([LATER, Options::REVISION]);
            }
            reply
        })
    }
}
