//! Arguments of a tool, made from its input schema.

use mcpspec_wire::Value;

/// Why a value cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no value can be made for the schema: {0}")]
pub struct Unmakeable(pub String);

/// An object with every property of a schema: defaults, else the smallest valid values. Content for a form.
pub fn all_members(schema: &Value) -> Result<Value, Unmakeable> {
    let _ = schema;
    todo!("target helper")
}
