//! Mutants of the JSON-RPC envelope.

use super::{
    breaks::Breaks::Shape,
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};

const AREA: &str = "jsonrpc";

pub(super) static MUTANTS: &[Mutant] = &[Mutant::new(
    AREA,
    "omits-result-type",
    "results of tools/call lack resultType",
    BOTH,
    Shape(&[Edit(
        On::Complete(&["tools/call"]),
        "/result/resultType",
        Do::Remove,
    )]),
)];
