//! One mutant.

use std::fmt;

use super::{breaks::Breaks, hooks::Hooks};
use crate::{
    call::Transport,
    options::{Capability, Era},
};

/// It shows on both transports.
pub(super) const BOTH: &[Transport] = &[Transport::Stdio, Transport::Http];
/// It shows on stdio.
pub(super) const STDIO: &[Transport] = &[Transport::Stdio];
/// It shows over HTTP.
pub(super) const HTTP: &[Transport] = &[Transport::Http];

/// A server that breaks one rule.
pub struct Mutant {
    /// Its name in the registry.
    pub name: &'static str,
    /// The first part of the id of the requirement that it breaks.
    pub area: &'static str,
    /// What it does wrong, in a line.
    pub about: &'static str,
    /// Where that shows.
    pub transports: &'static [Transport],
    /// The server on which it shows.
    pub variant: Variant,
    breaks: Breaks,
}

/// The options that a mutant needs beside itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The revisions spoken.
    pub era: Era,
    /// What has to be left out.
    pub without: &'static [Capability],
    /// Whether bearer tokens have to be in use.
    pub protected: bool,
}

impl Variant {
    /// The default server.
    pub const DEFAULT: Self = Self {
        era: Era::Modern,
        without: &[],
        protected: false,
    };
}

impl Mutant {
    /// A mutant of the default server.
    pub(super) const fn new(
        area: &'static str,
        name: &'static str,
        about: &'static str,
        transports: &'static [Transport],
        breaks: Breaks,
    ) -> Self {
        Self {
            name,
            area,
            about,
            transports,
            variant: Variant::DEFAULT,
            breaks,
        }
    }

    /// The same on another server.
    pub(super) const fn on(mut self, variant: Variant) -> Self {
        self.variant = variant;
        self
    }

    /// What it does, with a memory of its own.
    pub(crate) fn hooks(&'static self) -> Box<dyn Hooks> {
        match self.breaks {
            Breaks::Own(make) => make(),
            _ => Box::new(&self.breaks),
        }
    }
}

impl fmt::Debug for Mutant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Mutant").field(&self.name).finish()
    }
}
