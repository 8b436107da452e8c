//! Mutants of `resources/read`.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Check, Fault, Outcome, Shape},
    checks::open_to_all,
    mutant::{BOTH, HTTP, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::Rule,
    call::Call,
    rpc::{self, codes},
    server::{Outcome as Came, Reply},
};

const AREA: &str = "resources";

const READ: &str = "resources/read";

/// The folder that `follows-dot-dot` takes a file URI to be in.
const FOLDER: &str = "file:///refserver/";

/// What lies outside of it.
const OUTSIDE: &str = "root:x:0:0:root:/root:/bin/sh\n";

/// The code of older revisions.
const RETIRED_NOT_FOUND: i64 = -32002;

/// A mutant of what becomes of a read.
const fn read(name: &'static str, about: &'static str, change: fn(&Call, Came) -> Came) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Outcome(change))
}

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "private-resource-readable",
        "what is private to one principal can be read by all",
        HTTP,
        Check(|check, call, found| open_to_all(READ, check, call, found)),
    )
    .on(Variant {
        protected: true,
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "blob-not-base64",
        "blob is raw text",
        BOTH,
        Outcome(|call, outcome| {
            outcome.map(|mut reply| {
                let contents = reply
                    .result
                    .get_mut("contents")
                    .and_then(Value::as_array_mut);
                for entry in contents.into_iter().flatten() {
                    if call.method() == READ && entry.get("blob").is_some() {
                        entry["blob"] = "PNG, one pixel".into();
                    }
                }
                reply
            })
        }),
    ),
    Mutant::new(
        AREA,
        "contents-with-data-key",
        "the text of a resource is called data",
        BOTH,
        Shape(&[Edit(
            On::Complete(&[READ]),
            "/result/contents/*/text",
            Do::Rename("data"),
        )]),
    ),
    Mutant::new(
        AREA,
        "resource-failure-as-32602",
        "a failure inside gives -32602",
        BOTH,
        Fault(|call, fault| {
            if call.method() == READ && fault.rule == Rule::Work {
                *fault = rpc::Fault::invalid_params(fault.rule, fault.message.clone());
            }
        }),
    ),
    read(
        "reads-empty-uri",
        "an empty uri gives the listing of a folder",
        |call, outcome| {
            let is_empty = call.param("uri").is_some_and(|uri| uri == "");
            in_place_of(
                call,
                outcome,
                is_empty,
                Rule::ResourceKnown,
                || json!([{ "uri": "file:///", "mimeType": "inode/directory", "text": "bin\netc\n" }]),
            )
        },
    ),
    read(
        "reads-long-uri",
        "a uri of more than a thousand characters gives no contents",
        |call, outcome| {
            let uri = call.param("uri").and_then(Value::as_str);
            let is_long = uri.is_some_and(|uri| uri.len() > 1000);
            in_place_of(call, outcome, is_long, Rule::ResourceKnown, || json!([]))
        },
    ),
    Mutant::new(
        AREA,
        "listed-resource-unreadable",
        "resources/read always gives -32602",
        BOTH,
        Check(|check, _, found| {
            if check.rule == Rule::ResourceKnown {
                return Err(rpc::Fault::invalid_params(check.rule, "Resource not found"));
            }
            found
        }),
    ),
    read(
        "empty-result-without-uri",
        "resources/read without a uri gives no contents",
        |call, outcome| {
            let is_missing = call.param("uri").is_none();
            in_place_of(call, outcome, is_missing, Rule::MethodParams, || json!([]))
        },
    ),
    Mutant::new(
        AREA,
        "unknown-resource-32002",
        "an unknown resource gives -32002",
        BOTH,
        Fault(|_, fault| {
            if fault.rule == Rule::ResourceKnown {
                fault.code = RETIRED_NOT_FOUND;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "fails-on-line-break-in-uri",
        "an unknown resource whose uri ends in a line break is an internal error",
        BOTH,
        Fault(|call, fault| {
            let uri = call.param("uri").and_then(Value::as_str);
            if fault.rule == Rule::ResourceKnown && uri.is_some_and(|uri| uri.ends_with('\n')) {
                *fault = rpc::Fault::new(fault.rule, codes::INTERNAL, "Internal error");
            }
        }),
    ),
    read(
        "empty-contents-for-unknown-uri",
        "an unknown resource gives no contents",
        |call, outcome| in_place_of(call, outcome, true, Rule::ResourceKnown, || json!([])),
    ),
    read(
        "follows-dot-dot",
        "the decoded path of a file URI is joined without normalising",
        |call, outcome| {
            let uri = call
                .param("uri")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let leads_out = uri.starts_with(FOLDER) && leaves(uri);
            in_place_of(
                call,
                outcome,
                leads_out,
                Rule::ResourceKnown,
                || json!([{ "uri": uri, "mimeType": "text/plain", "text": OUTSIDE }]),
            )
        },
    ),
];

/// Contents in place of the refusal for one rule.
fn in_place_of(
    call: &Call,
    outcome: Came,
    wanted: bool,
    rule: Rule,
    contents: impl FnOnce() -> Value,
) -> Came {
    match outcome {
        Err(fault) if wanted && fault.rule == rule && call.method() == READ => {
            Ok(Reply::from(json!({
                "contents": contents(),
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
            })))
        }
        other => other,
    }
}

/// Whether the path of a URI, once decoded, climbs out of every folder and down to the file of the users.
fn leaves(uri: &str) -> bool {
    let decoded = uri
        .to_ascii_lowercase()
        .replace("%2e", ".")
        .replace("%2f", "/");
    decoded.contains("/../") && decoded.ends_with("/etc/passwd")
}
