//! `mcpspec.toml`: what the user tells of a server, once and for all.
//!
//! ```toml
//! [triggers.slow-tool]
//! method = "tools/call"
//! params = { name = "sleep", arguments = { seconds = 10 } }
//! lasts = "10s"
//! ```

use std::collections::BTreeMap;

use crate::case::Diagnostic;

use super::Trigger;
use super::document::{Source, entries};
use super::trigger::read_triggers;

/// What the configuration says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// Triggers by name. They count before those of a profile, and those before what the survey finds.
    pub triggers: BTreeMap<String, Trigger>,
}

impl Settings {
    /// The file that is read from the working directory.
    pub const FILE: &str = "mcpspec.toml";

    /// Reads a configuration. `origin` names the file in messages.
    ///
    /// # Errors
    ///
    /// What is wrong first, with line and column.
    pub fn read(origin: &str, text: &str) -> Result<Settings, Diagnostic> {
        let source = Source { origin, text };
        let document = source.parse()?;
        let mut settings = Settings::default();
        for entry in entries(document.get_ref()) {
            match entry.key {
                "triggers" => {
                    settings.triggers =
                        read_triggers(source, source.table(&entry)?, "configuration")?
                }
                _ => return Err(source.unknown(&entry, "key", &["triggers"])),
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_names_triggers() {
        let text = "[triggers.slow-tool]\nmethod = \"tools/call\"\nlasts = \"10s\"\n";
        let settings = Settings::read("mcpspec.toml", text).expect("the configuration is right");
        assert_eq!(settings.triggers["slow-tool"].source, "configuration");
        assert_eq!(Settings::read("mcpspec.toml", ""), Ok(Settings::default()));
    }

    #[test]
    fn an_unknown_key_is_told_with_its_place() {
        let error = Settings::read("mcpspec.toml", "\n[target]\nx = 1\n")
            .expect_err("there is no such key");
        assert_eq!((error.at.line, error.at.column), (2, 2));
        assert_eq!(error.message, "unknown key `target`");
    }
}
