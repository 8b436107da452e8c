//! What a mutant remembers of connections. The conforming server has nothing of the kind.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use crate::call::Link;

/// A value for each connection.
#[derive(Debug, Default)]
pub(super) struct PerLink<T>(Mutex<HashMap<Link, T>>);

impl<T: Default> PerLink<T> {
    /// Looks at the value of a connection, the default at first, or changes it.
    pub(super) fn with<R>(&self, link: Link, look: impl FnOnce(&mut T) -> R) -> R {
        let mut values = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        look(values.entry(link).or_default())
    }
}
