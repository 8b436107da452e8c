//! Arguments of a tool, made from its input schema.
