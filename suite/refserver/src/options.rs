//! The variants of the reference server.

use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::mutants::Mutant;

/// Which revisions the server speaks (`basic/versioning#terminology`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Era {
    /// Revision 2026-07-28 only.
    #[default]
    Modern,
    /// Revision 2026-07-28, and 2025-11-25 through `initialize`.
    Dual,
}

impl FromStr for Era {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        match name {
            "modern" => Ok(Self::Modern),
            "dual" => Ok(Self::Dual),
            _ => Err(UnknownName {
                what: "era",
                name: name.to_owned(),
                known: "modern, dual".to_owned(),
            }),
        }
    }
}

/// Something that the server offers and can be told to leave out. The names are those of the conditions of the case format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// `tools`
    Tools,
    /// `tools.listChanged`
    ToolsListChanged,
    /// `prompts`
    Prompts,
    /// `prompts.listChanged`
    PromptsListChanged,
    /// `resources`
    Resources,
    /// `resources.listChanged`
    ResourcesListChanged,
    /// `resources.subscribe`
    ResourcesSubscribe,
    /// `completions`
    Completions,
    /// `logging`
    Logging,
}

impl Capability {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Tools,
        Self::ToolsListChanged,
        Self::Prompts,
        Self::PromptsListChanged,
        Self::Resources,
        Self::ResourcesListChanged,
        Self::ResourcesSubscribe,
        Self::Completions,
        Self::Logging,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::ToolsListChanged => "tools.listChanged",
            Self::Prompts => "prompts",
            Self::PromptsListChanged => "prompts.listChanged",
            Self::Resources => "resources",
            Self::ResourcesListChanged => "resources.listChanged",
            Self::ResourcesSubscribe => "resources.subscribe",
            Self::Completions => "completions",
            Self::Logging => "logging",
        }
    }

    /// The capability that it is a part of.
    fn parent(self) -> Option<Self> {
        match self {
            Self::ToolsListChanged => Some(Self::Tools),
            Self::PromptsListChanged => Some(Self::Prompts),
            Self::ResourcesListChanged | Self::ResourcesSubscribe => Some(Self::Resources),
            _ => None,
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Capability {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|capability| capability.name() == name)
            .ok_or_else(|| UnknownName {
                what: "capability",
                name: name.to_owned(),
                known: Self::ALL.map(Self::name).join(", "),
            })
    }
}

/// A name that stands for no variant.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no {what} `{name}`; there are {known}")]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: String,
}

/// How the server behaves. The default is the modern server with everything, without fixtures or a mutant, and open to anyone.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The revisions it speaks.
    pub era: Era,
    /// What it does not offer.
    pub without: BTreeSet<Capability>,
    /// Whether it also has the tools, resources and prompts that the official conformance suite expects by name.
    pub fixtures: bool,
    /// Whether it wants a bearer token over HTTP, one of [`Options::TOKENS`] or [`Options::LOW_TOKEN`].
    pub protected: bool,
    /// The one rule it breaks.
    pub mutant: Option<&'static Mutant>,
}

impl Options {
    /// The revision it conforms to.
    pub const REVISION: &'static str = "2026-07-28";
    /// The older revision that a dual-era server also speaks.
    pub const LEGACY_REVISION: &'static str = "2025-11-25";
    /// The bearer tokens that a protected server takes. Each is a principal of its own; the first also owns a resource and a
    /// prompt that nobody else sees.
    pub const TOKENS: [&'static str; 2] = ["token-of-alice", "token-of-bob"];
    /// A token of less scope: whoever has it sees no tool and may call none.
    pub const LOW_TOKEN: &'static str = "token-of-carol";

    /// Whether it offers `capability` and what that is a part of.
    pub fn offers(&self, capability: Capability) -> bool {
        !self.without.contains(&capability)
            && capability.parent().is_none_or(|parent| self.offers(parent))
    }

    /// The versions it names as supported, the newest first.
    pub fn supported_versions(&self) -> Vec<&'static str> {
        match self.era {
            Era::Modern => vec![Self::REVISION],
            Era::Dual => vec![Self::REVISION, Self::LEGACY_REVISION],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_goes_with_its_whole() {
        let options = Options {
            without: [Capability::Resources].into(),
            ..Options::default()
        };
        assert!(!options.offers(Capability::ResourcesSubscribe));
        assert!(options.offers(Capability::ToolsListChanged));
    }

    #[test]
    fn every_capability_is_read_by_its_name() {
        for capability in Capability::ALL {
            assert_eq!(capability.to_string().parse(), Ok(capability));
        }
        let error = "tool".parse::<Capability>().unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("there is no capability `tool`; there are tools, "),
            "{error}"
        );
    }
}
