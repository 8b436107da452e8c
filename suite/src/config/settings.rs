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
    /// Everything that is wrong, in the order of the file, each with line and column. Where the file is no TOML that is all that is told.
    pub fn read(
        origin: &str,
        text: &str,
        around: &Surroundings<'_>,
    ) -> Result<Settings, Vec<Diagnostic>> {
        let source = Source { origin, text };
        let document = source.parse().map_err(|fault| vec![fault])?;
        let mut settings = Settings::default();
        let mut faults = Vec::new();
        for entry in entries(document.get_ref()) {
            match entry.key {
                "target" => settings.targets = read_targets(source, &entry, around, &mut faults),
                "triggers" => match source.table(&entry) {
                    Ok(table) => {
                        settings.triggers =
                            read_triggers(source, table, Trigger::OF_ALL, &mut faults);
                    }
                    Err(fault) => faults.push(fault),
                },
                _ => faults.push(source.unknown(&entry, "key", &["target", "triggers"])),
            }
        }
        if faults.is_empty() {
            return Ok(settings);
        }
        faults.sort_by_key(|fault| (fault.at.line, fault.at.column));
        Err(faults)
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
        let text = "[triggers.slow-tool]\nmethod = \"tools/call\"\nparams = { name = \"a\" }\nlasts = \"10s\"\n";
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
        let faults = Settings::read("mcpspec.toml", "\n[server]\nx = 1\n", &NOTHING)
            .expect_err("there is no such key");
        assert_eq!((faults[0].at.line, faults[0].at.column), (2, 2));
        assert_eq!(faults[0].message, "unknown key `server`");
    }

    #[test]
    fn a_request_that_is_too_soon_over_is_refused_as_slow() {
        for table in ["triggers", "target.triggers"] {
            let target = "[[target]]\nname = \"a\"\nurl = \"http://a/\"\n";
            let text = format!(
                "{target}[{table}.slow-tool]\nmethod = \"tools/call\"\nparams = {{ name = \"m\" }}\nlasts = \"1499ms\"\n"
            );
            let faults = Settings::read("mcpspec.toml", &text, &NOTHING).expect_err("it is short");
            assert_eq!(
                faults[0].message,
                "`lasts` is less than 1500ms, which is too short to see anything by: name a request that takes longer"
            );
            let longer = text.replace("1499ms", "1500ms");
            assert!(Settings::read("mcpspec.toml", &longer, &NOTHING).is_ok());
        }
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once_and_nothing_that_only_follows() {
        let text = r#"
[[target]]
name = "a"
url = "ftp://host/"
timeout = "soon"
headers = { "a b" = "x", X-Key = 1 }

[[target]]
name = "b"
comand = ["b"]

[target.triggers.slow-tool]
lasts = true
metod = "tools/call"

[triggers.slow-tol]
[triggers.elicitation-tool]
params = {}
"#;
        let faults = Settings::read("mcpspec.toml", text, &NOTHING).expect_err("much is wrong");
        let told: Vec<String> = faults
            .iter()
            .map(|fault| format!("{}:{}: {}", fault.at.line, fault.at.column, fault.message))
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        4:1: `url` is not the URL of a server: the scheme is ftp
        5:1: `timeout`: `soon` is no duration: write 500ms, 2s, 1m or 8h
        6:13: `a b`: the name is no HTTP token
        6:26: `X-Key` is an integer, not a string
        10:1: unknown key of a target `comand`
        13:1: `lasts`: true is no duration: write 500ms, 2s, 1m or 8h
        14:1: unknown key of `slow-tool` `metod`
        16:11: unknown trigger `slow-tol`
        17:11: `elicitation-tool` has no method
        ");
    }
}
