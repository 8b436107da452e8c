//! Mutants of the request and result metadata.

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks::{Check, Fault, Message, Shape},
    mutant::{BOTH, HTTP, Mutant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Check as Checked, Rule, keys},
    rpc::{self, Effect, Found, Kind},
};

const AREA: &str = "meta";

const RESULTS: On = On::Kind(Kind::Result);

/// The members of `_meta` that every request has to have.
const REQUIRED: [Rule; 3] = [Rule::MetaObject, Rule::MetaVersion, Rule::MetaCapabilities];

pub(super) static MUTANTS: &[Mutant] = &[
    // What is required of a request.
    Mutant::new(
        AREA,
        "meta-optional",
        "a request with empty params is served",
        BOTH,
        Check(|_, call, found| {
            let empty = call
                .params()
                .and_then(Value::as_object)
                .is_some_and(Map::is_empty);
            if empty { Ok(()) } else { found }
        }),
    ),
    Mutant::new(
        AREA,
        "params-optional",
        "a request without params is served",
        BOTH,
        Check(|_, call, found| {
            if call.params().is_none() {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "guesses-missing-version",
        "a request without a protocol version is served by the latest",
        BOTH,
        Check(|check, call, found| {
            let about_version =
                [Rule::MetaVersion, Rule::VersionHeader, Rule::Version].contains(&check.rule);
            let absent = call.meta().is_some() && call.meta_member(keys::VERSION).is_none();
            if about_version && absent {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "defaults-missing-capabilities",
        "server/discover takes absent client capabilities for none",
        BOTH,
        Check(|check, call, found| {
            let absent = call.meta_member(keys::CAPABILITIES).is_none();
            let here = check.rule == Rule::MetaCapabilities && call.method() == "server/discover";
            if here && absent { Ok(()) } else { found }
        }),
    ),
    Mutant::new(
        AREA,
        "accepts-null-capabilities",
        "client capabilities that are null are taken for none",
        BOTH,
        Check(|check, call, found| {
            let null = call
                .meta_member(keys::CAPABILITIES)
                .is_some_and(Value::is_null);
            if check.rule == Rule::MetaCapabilities && null {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "checks-meta-on-discover-only",
        "only server/discover checks its metadata",
        BOTH,
        Check(|check, call, found| {
            let of_version = [Rule::VersionHeader, Rule::Version].contains(&check.rule)
                && call.version().is_none();
            let skipped = REQUIRED.contains(&check.rule) || of_version;
            if skipped && call.method() != "server/discover" {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "incomplete-meta-200",
        "the refusal of a request without a protocol version has status 200",
        HTTP,
        Fault(|_, fault| {
            if fault.rule == Rule::MetaVersion {
                fault.status = 200;
            }
        }),
    ),
    // What is optional in a request.
    Mutant::new(
        AREA,
        "demands-client-info",
        "a request without clientInfo is refused",
        BOTH,
        Check(|check, call, found| {
            refuse(
                check,
                found,
                call.meta_member(keys::CLIENT_INFO).is_none(),
                "clientInfo is missing.",
            )
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-client-title",
        "a clientInfo with a title is refused",
        BOTH,
        Check(|check, call, found| {
            let title = call
                .meta_member(keys::CLIENT_INFO)
                .and_then(|info| info.get("title"));
            refuse(
                check,
                found,
                title.is_some(),
                "clientInfo has an unknown member.",
            )
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-partial-client-info",
        "a clientInfo without a name ends the process",
        BOTH,
        Check(|check, call, found| {
            let nameless = call
                .meta_member(keys::CLIENT_INFO)
                .is_some_and(|info| info.get("name").is_none());
            crash(check, found, nameless)
        }),
    ),
    Mutant::new(
        AREA,
        "crashes-on-bad-capability",
        "an elicitation capability that is no object ends the process",
        BOTH,
        Check(|check, call, found| {
            let malformed = call
                .capabilities()
                .get("elicitation")
                .is_some_and(|value| !value.is_object());
            crash(check, found, malformed)
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-unknown-capability",
        "an unknown client capability is refused",
        BOTH,
        Check(|check, call, found| {
            const KNOWN: [&str; 5] = [
                "elicitation",
                "sampling",
                "roots",
                "experimental",
                "extensions",
            ];
            let unknown = call
                .capabilities()
                .keys()
                .any(|name| !KNOWN.contains(&name.as_str()));
            refuse(check, found, unknown, "There is no such client capability.")
        }),
    ),
    Mutant::new(
        AREA,
        "demands-log-level",
        "prompts/list without logLevel is refused",
        BOTH,
        Check(|check, call, found| {
            let absent = call.method() == "prompts/list" && call.log_level().is_none();
            refuse(check, found, absent, "logLevel is missing.")
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-progress-token",
        "a progress token on another method than tools/call is refused",
        BOTH,
        Check(|check, call, found| {
            let unwanted = call.progress_token.is_some() && call.method() != "tools/call";
            refuse(check, found, unwanted, "This method reports no progress.")
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-trace-keys",
        "traceparent is refused for its lack of a prefix",
        BOTH,
        Check(|check, call, found| {
            refuse(
                check,
                found,
                call.meta_member("traceparent").is_some(),
                "traceparent has no prefix.",
            )
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-unknown-meta",
        "an unknown key of _meta is refused",
        BOTH,
        Check(|check, call, found| {
            const KNOWN: [&str; 8] = [
                keys::VERSION,
                keys::CAPABILITIES,
                keys::CLIENT_INFO,
                keys::LOG_LEVEL,
                keys::PROGRESS_TOKEN,
                "traceparent",
                "tracestate",
                "baggage",
            ];
            let mut names = call
                .meta()
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|meta| meta.keys());
            refuse(
                check,
                found,
                names.any(|name| !KNOWN.contains(&name.as_str())),
                "_meta has an unknown key.",
            )
        }),
    ),
    Mutant::new(
        AREA,
        "branches-on-client-name",
        "a client named claude-code sees neither the last tool of a page nor the instructions",
        BOTH,
        Message(|call, message| {
            let is_named = call.is_some_and(|call| {
                let info = call.meta_member(keys::CLIENT_INFO);
                info.and_then(|info| info.get("name")) == Some(&json!("claude-code"))
            });
            let Some(result) = message.result_mut().filter(|_| is_named) else {
                return;
            };
            result.shift_remove("instructions");
            if let Some(Value::Array(tools)) = result.get_mut("tools") {
                tools.pop();
            }
        }),
    ),
    // The metadata of results.
    Mutant::new(
        AREA,
        "null-meta",
        "the result of completion/complete has _meta null",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["completion/complete"]),
            "/result/_meta",
            Do::Set("null"),
        )]),
    ),
    Mutant::new(
        AREA,
        "server-info-on-discover-only",
        "only the result of server/discover has serverInfo",
        BOTH,
        Message(|call, message| {
            let elsewhere = call.is_some_and(|call| call.method() != "server/discover");
            if let Some(Value::Object(meta)) = message
                .result_mut()
                .filter(|_| elsewhere)
                .and_then(|result| result.get_mut("_meta"))
            {
                meta.shift_remove(keys::SERVER_INFO);
            }
        }),
    ),
    Mutant::new(
        AREA,
        "server-info-string",
        "the serverInfo of completion/complete is a string",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["completion/complete"]),
            "/result/_meta/io.modelcontextprotocol~1serverInfo",
            Do::Set("\"mcpspec-refserver/1.0\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "random-server-name",
        "the name in serverInfo is another for each request",
        BOTH,
        Message(|call, message| {
            let meta = message
                .result_mut()
                .and_then(|result| result.get_mut("_meta"));
            if let (Some(call), Some(info)) =
                (call, meta.and_then(|meta| meta.get_mut(keys::SERVER_INFO)))
            {
                info["name"] = json!(format!("mcpspec-refserver-{}", call.serial));
            }
        }),
    ),
    Mutant::new(
        AREA,
        "reuses-progress-token-key",
        "results have a progressToken of the server's own in _meta",
        BOTH,
        Shape(&[Edit(
            RESULTS,
            "/result/_meta/progressToken",
            Do::Set("\"step-3\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "digit-first-meta-label",
        "results have a _meta key whose prefix begins with a digit",
        BOTH,
        Shape(&[Edit(RESULTS, "/result/_meta/1com.example~1x", Do::Set("1"))]),
    ),
    Mutant::new(
        AREA,
        "bad-meta-name",
        "results have a _meta key whose name begins with an underscore",
        BOTH,
        Shape(&[Edit(
            RESULTS,
            "/result/_meta/com.example~1_private",
            Do::Set("1"),
        )]),
    ),
    Mutant::new(
        AREA,
        "empty-meta-label",
        "results have a _meta key with an empty label in its prefix",
        BOTH,
        Shape(&[Edit(RESULTS, "/result/_meta/a..b~1c", Do::Set("1"))]),
    ),
    Mutant::new(
        AREA,
        "squats-reserved-prefix",
        "results have a _meta key of their own under the prefix of the protocol",
        BOTH,
        Shape(&[Edit(
            RESULTS,
            "/result/_meta/io.modelcontextprotocol~1sessionId",
            Do::Set("\"s-1\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "forward-dns-meta-key",
        "results have a _meta key with a domain name in forward order",
        BOTH,
        Shape(&[Edit(RESULTS, "/result/_meta/example.com~1x", Do::Set("1"))]),
    ),
    Mutant::new(
        AREA,
        "bad-traceparent",
        "results have a traceparent that is none",
        BOTH,
        Shape(&[Edit(
            RESULTS,
            "/result/_meta/traceparent",
            Do::Set("\"abc\""),
        )]),
    ),
];

/// A refusal where optional metadata is checked.
fn refuse(check: &Checked<'_>, found: Found, unwanted: bool, why: &str) -> Found {
    if check.rule == Rule::MetaOptional && unwanted {
        return Err(rpc::Fault::invalid_params(Rule::MetaOptional, why));
    }
    found
}

/// The end of the process where optional metadata is checked.
fn crash(check: &Checked<'_>, found: Found, malformed: bool) -> Found {
    refuse(check, found, malformed, "It cannot be read.").map_err(|fault| {
        if malformed {
            fault.with_effect(Effect::Crash(101))
        } else {
            fault
        }
    })
}
