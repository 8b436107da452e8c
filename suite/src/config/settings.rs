//! `mcpspec.toml`: which servers there are, and what the user tells of them, once and for all.
//!
//! ```toml
//! [[target]]
//! name = "notes"
//! command = ["node", "build/index.js"]
//!
//! [triggers.slow-tool]
//! method = "tools/call"
//! params = { name = "sleep", arguments = { seconds = 10 } }
//! lasts = "10s"
//! ```

use std::collections::BTreeMap;

use crate::case::Diagnostic;

use super::document::{Source, entries};
use super::target::read_targets;
use super::trigger::read_triggers;
use super::{TargetSettings, Trigger};

/// What the configuration says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// Triggers by name. They count before those of a profile, and those before what the survey finds.
    pub triggers: BTreeMap<String, Trigger>,
    /// Servers to judge where the command line names none.
    pub targets: Vec<TargetSettings>,
}

/// What a configuration refers to outside of itself.
pub struct Surroundings<'a> {
    /// The value of an environment variable.
    pub variables: &'a dyn Fn(&str) -> Option<String>,
    /// Names of the profiles that there are.
    pub profiles: &'a [&'a str],
    /// Whether the target of this name is judged. The variables of another one need not be set.
    pub is_chosen: &'a dyn Fn(&str) -> bool,
}

impl Settings {
    /// The file that is read from the working directory.
    pub const FILE: &str = "mcpspec.toml";

    /// Reads a configuration. `origin` names the file in messages.
    ///
    /// # Errors
    ///
    /// What is wrong first, with line and column.
    pub fn read(
        origin: &str,
        text: &str,
        around: &Surroundings<'_>,
    ) -> Result<Settings, Diagnostic> {
        let source = Source { origin, text };
        let document = source.parse()?;
        let mut settings = Settings::default();
        for entry in entries(document.get_ref()) {
            match entry.key {
                "target" => settings.targets = read_targets(source, &entry, around)?,
                "triggers" => {
                    settings.triggers =
                        read_triggers(source, source.table(&entry)?, "configuration")?
                }
                _ => return Err(source.unknown(&entry, "key", &["target", "triggers"])),
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Surroundings<'_> = Surroundings {
        variables: &|_| None,
        profiles: &[],
        is_chosen: &|_| true,
    };

    #[test]
    fn a_configuration_names_triggers() {
        let text = "[triggers.slow-tool]\nmethod = \"tools/call\"\nlasts = \"10s\"\n";
        let settings =
            Settings::read("mcpspec.toml", text, &NOTHING).expect("the configuration is right");
        assert_eq!(settings.triggers["slow-tool"].source, "configuration");
        assert_eq!(
            Settings::read("mcpspec.toml", "", &NOTHING),
            Ok(Settings::default())
        );
    }

    #[test]
    fn an_unknown_key_is_told_with_its_place() {
        let error = Settings::read("mcpspec.toml", "\n[server]\nx = 1\n", &NOTHING)
            .expect_err("there is no such key");
        assert_eq!((error.at.line, error.at.column), (2, 2));
        assert_eq!(error.message, "unknown key `server`");
    }
}
