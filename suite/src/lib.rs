//! mcpspec.
