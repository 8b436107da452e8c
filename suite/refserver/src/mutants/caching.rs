//! Mutants of the caching hints.

use serde_json::json;

use super::{
    breaks::Breaks::{Check, Outcome, Shape},
    mutant::{BOTH, HTTP, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::admit::Rule;

const AREA: &str = "caching";

const READ: On = On::Complete(&["resources/read"]);

/// There are two principals.
const PROTECTED: Variant = Variant {
    protected: true,
    ..Variant::DEFAULT
};

/// Takes both hints away from a method.
const fn no_hints(name: &'static str, about: &'static str, edits: &'static [Edit; 2]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edits))
}

const fn hints_of(method: &'static [&'static str]) -> [Edit; 2] {
    [
        Edit(On::Complete(method), "/result/ttlMs", Do::Remove),
        Edit(On::Complete(method), "/result/cacheScope", Do::Remove),
    ]
}

pub(super) static MUTANTS: &[Mutant] = &[
    no_hints(
        "no-hints-on-discover",
        "the result of server/discover has no hints",
        const { &hints_of(&["server/discover"]) },
    ),
    no_hints(
        "no-hints-on-tools",
        "the results of tools/list have no hints",
        const { &hints_of(&["tools/list"]) },
    ),
    no_hints(
        "no-hints-on-prompts",
        "the results of prompts/list have no hints",
        const { &hints_of(&["prompts/list"]) },
    ),
    no_hints(
        "no-hints-on-resources",
        "the results of resources/list have no hints",
        const { &hints_of(&["resources/list"]) },
    ),
    no_hints(
        "no-hints-on-templates",
        "the results of resources/templates/list have no hints",
        const { &hints_of(&["resources/templates/list"]) },
    ),
    no_hints(
        "no-hints-on-read",
        "the results of resources/read have no hints",
        const { &hints_of(&["resources/read"]) },
    ),
    Mutant::new(
        AREA,
        "hints-on-interim-result",
        "a result that asks for input has ttlMs",
        BOTH,
        Shape(&[Edit(On::InputRequired, "/result/ttlMs", Do::Set("0"))]),
    ),
    Mutant::new(
        AREA,
        "shared-cache-scope",
        "the cacheScope of resources/read is \"shared\"",
        BOTH,
        Shape(&[Edit(READ, "/result/cacheScope", Do::Set("\"shared\""))]),
    ),
    Mutant::new(
        AREA,
        "negative-ttl",
        "the ttlMs of resources/read is -1",
        BOTH,
        Shape(&[Edit(READ, "/result/ttlMs", Do::Set("-1"))]),
    ),
    Mutant::new(
        AREA,
        "ttl-as-text",
        "the ttlMs of resources/read is a string",
        BOTH,
        Shape(&[Edit(READ, "/result/ttlMs", Do::Set("\"60000\""))]),
    ),
    Mutant::new(
        AREA,
        "per-user-list-public",
        "the list of resources, which differs by principal, is marked public",
        HTTP,
        Shape(&[Edit(
            On::Complete(&["resources/list"]),
            "/result/cacheScope",
            Do::Set("\"public\""),
        )]),
    )
    .on(PROTECTED),
    Mutant::new(
        AREA,
        "unlisted-but-readable",
        "a resource that is hidden from a principal is read by that principal",
        HTTP,
        Check(|check, call, found| {
            if check.rule == Rule::Access && call.method() == "resources/read" {
                return Ok(());
            }
            found
        }),
    )
    .on(PROTECTED),
    Mutant::new(
        AREA,
        "scope-differs-by-page",
        "the first page of a list is private, the others are public",
        BOTH,
        Outcome(|call, outcome| {
            outcome.map(|mut reply| {
                if call.method().ends_with("/list") && call.param("cursor").is_none() {
                    reply
                        .result
                        .insert("cacheScope".to_owned(), json!("private"));
                }
                reply
            })
        }),
    ),
];
