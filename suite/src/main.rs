//! mcpspec: see the library of the same name.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    mcpspec::cli::main()
}
