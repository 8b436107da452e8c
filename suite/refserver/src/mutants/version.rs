//! Mutants of version negotiation.

use super::{
    breaks::Breaks::{Check, Fault, Own, Shape},
    hooks::Hooks,
    memory::PerLink,
    mutant::{BOTH, HTTP, Mutant},
    shape::{Do, Edit, On},
};
use crate::{
    admit::{Check as Checked, Rule},
    call::Call,
    options::Options,
    rpc::{self, Found, codes},
    server::Outcome,
};

const AREA: &str = "version";

const REFUSAL: On = On::Error(codes::UNSUPPORTED_VERSION);

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "serves-unknown-version",
        "a version that is no date is served as the latest",
        BOTH,
        Check(|check, call, found| {
            let no_date = call.version().is_some_and(|version| {
                !version.is_empty() && version.bytes().any(|byte| byte.is_ascii_alphabetic())
            });
            if check.rule == Rule::Version && no_date {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "fails-on-odd-version",
        "a version that is not as long as a date is an internal error",
        BOTH,
        Fault(|call, fault| {
            let is_odd = |version: &str| version.len() != Options::REVISION.len();
            if fault.rule == Rule::Version && call.version().is_some_and(is_odd) {
                *fault = rpc::Fault::new(fault.rule, codes::INTERNAL, "Internal error");
            }
        }),
    ),
    Mutant::new(
        AREA,
        "empty-version-as-latest",
        "an empty version is served as the latest",
        BOTH,
        Check(|check, call, found| {
            let about_version = [Rule::VersionHeader, Rule::Version].contains(&check.rule);
            if about_version && call.version() == Some("") {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "serves-unlisted-version",
        "2025-11-25 is served as this revision although it is not listed",
        BOTH,
        Check(|check, call, found| {
            let older = call.version() == Some(Options::LEGACY_REVISION);
            if check.rule == Rule::Version && older {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "checks-version-on-discover-only",
        "only server/discover checks the version",
        BOTH,
        Check(|check, call, found| {
            if check.rule == Rule::Version && call.method() != "server/discover" {
                Ok(())
            } else {
                found
            }
        }),
    ),
    Mutant::new(
        AREA,
        "locks-after-version-error",
        "a connection that begins with a version error is refused ever after",
        BOTH,
        Own(|| Box::<Locks>::default()),
    ),
    Mutant::new(
        AREA,
        "version-error-200",
        "-32022 has status 200",
        HTTP,
        Fault(|_, fault| {
            if fault.code == codes::UNSUPPORTED_VERSION {
                fault.status = 200;
            }
        }),
    ),
    Mutant::new(
        AREA,
        "version-error-omits-requested",
        "the data of -32022 has no requested",
        BOTH,
        Shape(&[Edit(REFUSAL, "/error/data/requested", Do::Remove)]),
    ),
    Mutant::new(
        AREA,
        "version-error-omits-supported",
        "the data of -32022 names the list supportedVersions",
        BOTH,
        Shape(&[Edit(
            REFUSAL,
            "/error/data/supported",
            Do::Rename("supportedVersions"),
        )]),
    ),
    Mutant::new(
        AREA,
        "version-error-omits-working-version",
        "the supported of -32022 lacks the version in use",
        BOTH,
        Shape(&[Edit(
            REFUSAL,
            "/error/data/supported",
            Do::Set("[\"2025-11-25\"]"),
        )]),
    ),
];

/// `locks-after-version-error`. Connections that began well are spared, so that one case does not spoil the others.
#[derive(Default)]
struct Locks {
    links: PerLink<Option<bool>>,
}

impl Hooks for Locks {
    fn check(&self, check: &Checked<'_>, call: &Call, found: Found) -> Found {
        let locked = self.links.with(call.link, |locked| *locked == Some(true));
        if check.rule == Rule::Params && locked {
            return Err(rpc::Fault::new(
                check.rule,
                codes::INVALID_REQUEST,
                "The connection is closed.",
            ));
        }
        found
    }

    fn outcome(&self, call: &Call, outcome: Outcome) -> Outcome {
        let failed = outcome
            .as_ref()
            .is_err_and(|fault| fault.rule == Rule::Version);
        self.links
            .with(call.link, |locked| locked.get_or_insert(failed).to_owned());
        outcome
    }
}
