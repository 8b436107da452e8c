//! Mutants of the stdio transport.

use super::{
    breaks::Breaks::Own,
    hooks::Hooks,
    mutant::{Mutant, STDIO},
};

pub(super) static MUTANTS: &[Mutant] = &[Mutant::new(
    "stdio",
    "prints-banner",
    "a banner is printed to stdout at the start",
    STDIO,
    Own(|| Box::new(PrintsBanner)),
)];

/// `prints-banner`.
struct PrintsBanner;

impl Hooks for PrintsBanner {
    fn greeting(&self) -> Vec<u8> {
        b"mcpspec-refserver is ready.\n".to_vec()
    }
}
