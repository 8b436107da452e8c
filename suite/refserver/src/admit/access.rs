//! Who may see what is private (`server/resources#security-considerations`).

use super::Rule;
use crate::{
    call::Call,
    rpc::{Fault, Found},
};

/// What is private is to everyone but its owner like something that does not exist.
pub(crate) fn check_access(
    call: &Call,
    is_private: bool,
    unknown: impl FnOnce() -> Fault,
) -> Found {
    if !is_private || call.is_owner() {
        return Ok(());
    }
    Err(Fault {
        rule: Rule::Access,
        ..unknown()
    })
}
