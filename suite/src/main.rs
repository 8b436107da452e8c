//! mcpspec.
fn main() {}
