//! Mutants of `server/discover`.

use std::hash::{BuildHasher, RandomState};

use serde_json::{Map, Value, json};

use super::{
    breaks::Breaks::{Check, Outcome, Own, Shape},
    checks::without_method,
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Check as Checked, Rule},
    call::Call,
    options::{Era, Options},
    rpc::{Fault, Found, codes},
    server::Outcome as Came,
};

const AREA: &str = "discover";

/// How long a date is.
const DATE: usize = "2026-07-28".len();

const DISCOVERED: On = On::Complete(&["server/discover"]);

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "omits-discover",
        "server/discover is an unknown method",
        BOTH,
        Check(|check, call, found| without_method("server/discover", check, call, found)),
    ),
    Mutant::new(
        AREA,
        "demands-discover-params",
        "server/discover needs another member of params beside _meta",
        BOTH,
        Check(|check, call, found| {
            let alone = call
                .params()
                .and_then(Value::as_object)
                .is_some_and(|params| params.len() == 1);
            if check.rule == Rule::MethodKnown && call.method() == "server/discover" && alone {
                return Err(Fault::invalid_params(
                    Rule::MethodParams,
                    "The member scope is missing.",
                ));
            }
            found
        }),
    ),
    Mutant::new(
        AREA,
        "refuses-second-discover",
        "the second server/discover of a connection is refused as \"already initialized\"",
        BOTH,
        Own(|| Box::<RefusesSecond>::default()),
    ),
    Mutant::new(
        AREA,
        "capabilities-appear-later",
        "the capability logging is declared only after a tools/list on the connection",
        BOTH,
        Own(|| Box::<DeclaresLater>::default()),
    ),
    Mutant::new(
        AREA,
        "capabilities-vary-per-connection",
        "the experimental capabilities hold a number drawn per connection",
        BOTH,
        Own(|| Box::<DrawsCapability>::default()),
    ),
    Mutant::new(
        AREA,
        "omits-version-in-use",
        "supportedVersions lacks the version in use",
        BOTH,
        Shape(&[Edit(
            DISCOVERED,
            "/result/supportedVersions",
            Do::Set("[\"2025-11-25\"]"),
        )]),
    ),
    Mutant::new(
        AREA,
        "lists-refused-version",
        "supportedVersions has a later version that is refused",
        BOTH,
        Shape(&[Edit(
            DISCOVERED,
            "/result/supportedVersions",
            Do::Set("[\"2027-03-01\",\"2026-07-28\"]"),
        )]),
    ),
    Mutant::new(
        AREA,
        "serves-later-version",
        "a version after its own is served as its own",
        BOTH,
        Check(|check, call, found| {
            let is_later = call
                .version()
                .is_some_and(|version| version > Options::REVISION && version.len() == DATE);
            if check.rule == Rule::Version && is_later {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "lists-refused-older-version",
        "initialize is refused although supportedVersions has the version that it asks for",
        BOTH,
        Outcome(|call, outcome| {
            if call.legacy && call.method() == "initialize" {
                let why = "Older revisions are no longer served.";
                return Err(Fault::new(Rule::Version, codes::INVALID_REQUEST, why));
            }
            outcome
        }),
    )
    .on(Variant {
        era: Era::Dual,
        ..Variant::DEFAULT
    }),
    Mutant::new(
        AREA,
        "single-version-string",
        "there is one protocolVersion in place of the list",
        BOTH,
        Shape(&[
            Edit(DISCOVERED, "/result/supportedVersions", Do::Remove),
            Edit(
                DISCOVERED,
                "/result/protocolVersion",
                Do::Set("\"2026-07-28\""),
            ),
        ]),
    ),
    Mutant::new(
        AREA,
        "omits-capabilities",
        "there are no capabilities",
        BOTH,
        Shape(&[Edit(DISCOVERED, "/result/capabilities", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "capability-true",
        "the capability tools is true",
        BOTH,
        Shape(&[Edit(
            DISCOVERED,
            "/result/capabilities/tools",
            Do::Set("true"),
        )]),
    ),
    Mutant::new(
        AREA,
        "advertises-legacy-tasks",
        "beside the tasks extension, the capability tasks of an older revision is declared",
        BOTH,
        Shape(&[
            Edit(
                DISCOVERED,
                "/result/capabilities/extensions/io.modelcontextprotocol~1tasks",
                Do::Set("{}"),
            ),
            Edit(
                DISCOVERED,
                "/result/capabilities/tasks",
                Do::Set("{\"list\":{},\"cancel\":{}}"),
            ),
        ]),
    ),
    Mutant::new(
        AREA,
        "null-instructions",
        "instructions is null",
        BOTH,
        Shape(&[Edit(DISCOVERED, "/result/instructions", Do::Set("null"))]),
    ),
    Mutant::new(
        AREA,
        "omits-discover-result-type",
        "the result has no resultType",
        BOTH,
        Shape(&[Edit(DISCOVERED, "/result/resultType", Do::Remove)]),
    ),
];

/// `refuses-second-discover`. It has to have some requests between the two, so that few other cases are spoilt.
#[derive(Default)]
struct RefusesSecond {
    /// How many discoveries there were, and how many other requests since the first.
    seen: PerLink<(u32, u32)>,
}

impl RefusesSecond {
    const BETWEEN: u32 = 5;
}

impl Hooks for RefusesSecond {
    fn check(&self, check: &Checked<'_>, call: &Call, found: Found) -> Found {
        if check.rule != Rule::MethodKnown {
            return found;
        }
        let second = self.seen.with(call.link, |(discoveries, others)| {
            if call.method() != "server/discover" {
                *others += 1;
                return false;
            }
            *discoveries += 1;
            *discoveries == 2 && *others >= Self::BETWEEN
        });
        if second {
            Err(Fault::new(
                check.rule,
                codes::INVALID_REQUEST,
                "Already initialized",
            ))
        } else {
            found
        }
    }
}

/// `capabilities-appear-later`.
#[derive(Default)]
struct DeclaresLater {
    listed: PerLink<bool>,
}

impl Hooks for DeclaresLater {
    fn outcome(&self, call: &Call, outcome: Came) -> Came {
        let listed = self.listed.with(call.link, |listed| {
            *listed |= call.method() == "tools/list";
            *listed
        });
        outcome.map(|mut reply| {
            let capabilities = reply
                .result
                .get_mut("capabilities")
                .and_then(Value::as_object_mut);
            if let Some(capabilities) = capabilities.filter(|_| !listed) {
                Map::shift_remove(capabilities, "logging");
            }
            reply
        })
    }
}

/// `capabilities-vary-per-connection`.
#[derive(Default)]
struct DrawsCapability {
    drawn: RandomState,
}

impl Hooks for DrawsCapability {
    fn outcome(&self, call: &Call, outcome: Came) -> Came {
        outcome.map(|mut reply| {
            if let Some(Value::Object(capabilities)) = reply.result.get_mut("capabilities") {
                let number = self.drawn.hash_one(call.link.0) % 1_000_000;
                let instance = json!({ "com.example/instance": { "number": number } });
                capabilities.insert("experimental".to_owned(), instance);
            }
            reply
        })
    }
}
