//! Checks that mutants of several areas get wrong in the same way.

use crate::{
    admit::{Check as Checked, Rule},
    call::Call,
    rpc::{Fault, Found, codes},
};

/// The method is none that the server knows.
pub(super) fn without_method(
    method: &str,
    check: &Checked<'_>,
    call: &Call,
    found: Found,
) -> Found {
    if check.rule == Rule::MethodKnown && call.method() == method {
        return Err(Fault::new(
            check.rule,
            codes::METHOD_NOT_FOUND,
            "Method not found",
        ));
    }
    found
}

/// What is private to one principal is there for all, where it is asked for by this method.
pub(super) fn open_to_all(method: &str, check: &Checked<'_>, call: &Call, found: Found) -> Found {
    if check.rule == Rule::Access && call.method() == method {
        return Ok(());
    }
    found
}
