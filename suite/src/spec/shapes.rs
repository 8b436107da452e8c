//! The shapes of everything a server may send (`cases/shapes/*.json`).

/// The compiled shapes.
#[derive(Debug, Clone, Default)]
pub struct Shapes {}
