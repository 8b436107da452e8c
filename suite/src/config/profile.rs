//! Profiles: the triggers of a well-known server, read from `cases/profiles/*.toml`.
//!
//! ```toml
//! [[profile]]
//! name = "typescript-target"
//! server = "bench-ts-v2"
//! [profile.triggers.elicitation-tool]
//! method = "tools/call"
//! params = { name = "ask_name", arguments = {} }
//! capabilities = { elicitation = {} }
//! required = true
//! ```
//!
//! A sub-table named like a variant of the trigger is that variant; names of triggers, variants and properties are a
//! closed list ([`TRIGGERS`](crate::spec::TRIGGERS)).

use std::collections::BTreeMap;

use toml::de::DeTable;

use crate::case::Diagnostic;

use super::Trigger;
use super::document::{Source, entries};
use super::trigger::read_triggers;

/// The triggers of one server.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Name for `--profile`.
    pub name: String,
    /// `serverInfo.name` of the server, exact.
    pub server: String,
    /// Its triggers by name.
    pub triggers: BTreeMap<String, Trigger>,
}

/// Reads the profiles of a file. `origin` names it in messages.
///
/// # Errors
///
/// What is wrong first, with line and column: no TOML, an unknown key, trigger, variant or property, a value of
/// another type, a profile without a name, or two with the same.
pub fn read_profiles(origin: &str, text: &str) -> Result<Vec<Profile>, Diagnostic> {
    let source = Source { origin, text };
    let document = source.parse()?;
    let mut profiles: Vec<Profile> = Vec::new();
    for entry in entries(document.get_ref()) {
        if entry.key != "profile" {
            return Err(source.unknown(&entry, "key", &["profile"]));
        }
        let list = entry
            .value
            .as_array()
            .ok_or_else(|| source.wrong_type(&entry, "a list of [[profile]] tables"))?;
        for item in list {
            let at = item.span().start;
            let table = item
                .get_ref()
                .as_table()
                .ok_or_else(|| source.error(at, "a profile is a table"))?;
            let profile = read_profile(source, table, at)?;
            if profiles.iter().any(|known| known.name == profile.name) {
                return Err(source.error(at, format!("two profiles are named `{}`", profile.name)));
            }
            profiles.push(profile);
        }
    }
    Ok(profiles)
}

fn read_profile<'a>(
    source: Source<'a>,
    table: &'a DeTable<'a>,
    at: usize,
) -> Result<Profile, Diagnostic> {
    let mut name = None;
    let mut server = None;
    let mut triggers = None;
    for entry in entries(table) {
        match entry.key {
            "name" => name = Some(source.string(&entry)?),
            "server" => server = Some(source.string(&entry)?),
            "triggers" => triggers = Some(source.table(&entry)?),
            _ => {
                return Err(source.unknown(
                    &entry,
                    "key of a profile",
                    &["name", "server", "triggers"],
                ));
            }
        }
    }
    let name = name.ok_or_else(|| source.error(at, "a profile has no `name`"))?;
    let server =
        server.ok_or_else(|| source.error(at, format!("profile `{name}` has no `server`")))?;
    let told_by = format!("profile {name}");
    let mut faults = Vec::new();
    let triggers = triggers.map(|table| read_triggers(source, table, &told_by, &mut faults));
    let triggers = triggers.unwrap_or_default();
    if let Some(first) = faults.into_iter().next() {
        return Err(first);
    }
    Ok(Profile {
        name,
        server,
        triggers,
    })
}

#[cfg(test)]
mod tests {
    use mcpspec_wire::Value;

    use crate::config::TriggerAction;

    use super::*;

    fn complaint(text: &str) -> String {
        let error = read_profiles("p.toml", text).expect_err("the profile is wrong");
        let help = error
            .help
            .as_ref()
            .map(|help| format!(" ({help})"))
            .unwrap_or_default();
        format!(
            "{}:{}:{}: {}{help}",
            error.file, error.at.line, error.at.column, error.message
        )
    }

    /// A profile with this text under `profile.triggers`.
    fn with_triggers(triggers: &str) -> String {
        format!("[[profile]]\nname = \"a\"\nserver = \"b\"\n{triggers}")
    }

    #[test]
    fn a_profile_has_triggers_with_variants_and_properties() {
        let text = with_triggers(
            r#"
[profile.triggers.slow-tool]
method = "tools/call"
params = { name = "slow", arguments = { steps = 20, ratio = 0.5 } }
capabilities = { elicitation = {} }
lasts = "10s"
cancellable = true
[profile.triggers.slow-tool.counter]
method = "resources/read"
params = { uri = "test://counter" }
[profile.triggers.list-change.tools]
command = "touch tools"
"#,
        );
        let profiles = read_profiles("p.toml", &text).expect("the profile is right");
        let [profile] = profiles.as_slice() else {
            panic!("one profile, not {profiles:?}")
        };
        assert_eq!((profile.name.as_str(), profile.server.as_str()), ("a", "b"));

        let slow = &profile.triggers["slow-tool"];
        assert_eq!(slow.source, "profile a");
        assert_eq!(slow.properties["lasts"], Value::from("10s"));
        assert_eq!(slow.properties["cancellable"], Value::from(true));
        let TriggerAction::Request(request) = &slow.action else {
            panic!("a request, not {:?}", slow.action)
        };
        assert_eq!(request.method, "tools/call");
        assert_eq!(
            request.params.to_json(),
            r#"{"name":"slow","arguments":{"steps":20,"ratio":0.5}}"#
        );
        assert_eq!(
            request.capabilities.as_ref().map(Value::to_json).as_deref(),
            Some(r#"{"elicitation":{}}"#)
        );
        let TriggerAction::Request(counter) = &slow.variants["counter"].action else {
            panic!("a request")
        };
        assert_eq!(counter.method, "resources/read");

        let change = &profile.triggers["list-change"];
        // A change of any list is one.
        assert_eq!(change.action, change.variants["tools"].action);
        assert_eq!(
            change.variants["tools"].action,
            TriggerAction::Command("touch tools".to_owned())
        );
    }

    #[test]
    fn the_built_in_profiles_are_right() {
        let text = include_str!("../../../cases/profiles/targets.toml");
        let profiles =
            read_profiles("cases/profiles/targets.toml", text).expect("the profiles are right");
        assert_eq!(profiles.len(), 3);
        let text = include_str!("../../../cases/profiles/official.toml");
        let profiles =
            read_profiles("cases/profiles/official.toml", text).expect("the profile is right");
        assert_eq!(profiles.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let cases = [
            ("x = 1", "p.toml:1:1: unknown key `x` (known here: profile)"),
            (
                "profile = 1",
                "p.toml:1:1: `profile` is an integer, not a list of [[profile]] tables",
            ),
            (
                "[[profile]]\nserver = \"b\"",
                "p.toml:1:1: a profile has no `name`",
            ),
            (
                "[[profile]]\nname = \"a\"",
                "p.toml:1:1: profile `a` has no `server`",
            ),
            ("[[profile]]\nname = \"\"", "p.toml:2:1: `name` is empty"),
            (
                "[[profile]]\nname = 3",
                "p.toml:2:1: `name` is an integer, not a string",
            ),
            (
                "[[profile]]\nnme = \"a\"",
                "p.toml:2:1: unknown key of a profile `nme` (did you mean `name`?)",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(complaint(text), expected, "{text}");
        }
        let twice = with_triggers("") + &with_triggers("");
        assert_eq!(complaint(&twice), "p.toml:4:1: two profiles are named `a`");
    }

    #[test]
    fn what_is_wrong_with_a_trigger_is_told_with_its_place() {
        let cases = [
            (
                "[profile.triggers.slow-tool]\nmethod = \"tools/call\"\nlast = 1\nparams = { name = \"m\" }",
                "p.toml:6:1: unknown key of `slow-tool` `last` (did you mean `lasts`?)",
            ),
            (
                "[profile.triggers.slow-tool.other]\nmethod = \"tools/call\"\nparams = { name = \"m\" }",
                "p.toml:4:29: unknown key of `slow-tool` `other` (known here: capabilities, method, params, counter, cancellable, lasts)",
            ),
            (
                "[profile.triggers.slow-tool]\nmethod = \"tools/call\"\nlasts = \"soon\"\nparams = { name = \"m\" }",
                "p.toml:6:1: `lasts`: `soon` is no duration: write 500ms, 2s, 1m or 8h",
            ),
            (
                "[profile.triggers.slow-tool]\nmethod = \"tools/call\"\ncancellable = \"yes\"\nparams = { name = \"m\" }",
                "p.toml:6:1: `cancellable` is a string, not a boolean",
            ),
            (
                "[profile.triggers.slow-tool]\nlasts = \"2s\"",
                "p.toml:4:19: `slow-tool` has no method",
            ),
            (
                "[profile.triggers.slow-tool]\nparams = {}\n[profile.triggers.slow-tool.counter]\nmethod = \"tools/call\"\nparams = { name = \"m\" }",
                "p.toml:4:19: `slow-tool` has no method",
            ),
            (
                "[profile.triggers.slow-tool]\ncommand = \"sleep 1\"",
                "p.toml:5:1: `slow-tool` takes a request, not a command",
            ),
            (
                "[profile.triggers.list-change]\nmethod = \"m\"\ncommand = \"c\"",
                "p.toml:4:19: `list-change` has both a method and a command",
            ),
            (
                "[profile.triggers.icons]\nmethod = \"m\"\nparams = { at = 2026-07-28 }",
                "p.toml:6:1: `params`: JSON has no dates: write it as a string",
            ),
            (
                "[profile.triggers.icons]\nmethod = \"m\"\nparams = { at = inf }",
                "p.toml:6:1: `params`: JSON has no such number",
            ),
            (
                "[profile.triggers.error-tool]\nmethod = \"tools/cal\"",
                "p.toml:5:1: `tools/cal` is no method of `error-tool` (did you mean `tools/call`?)",
            ),
            (
                "[profile.triggers.error-tool.prompt]\nmethod = \"tools/call\"\nparams = { name = \"a\" }",
                "p.toml:5:1: `tools/call` is no method of `error-tool.prompt` (known here: prompts/get)",
            ),
            (
                "[profile.triggers.error-tool]\nmethod = \"tools/call\"\nparams = { name = 5 }",
                "p.toml:6:12: `name` is an integer, not a string (write params = { name = \"NAME\" }, with the name of the tool)",
            ),
            (
                "[profile.triggers.error-tool]\nmethod = \"tools/call\"\nparams = { arguments = {} }",
                "p.toml:6:1: `params` names no tool (write params = { name = \"NAME\" }, with the name of the tool)",
            ),
            (
                "[profile.triggers.error-tool.prompt]\nmethod = \"prompts/get\"",
                "p.toml:4:30: `error-tool.prompt` names no prompt (write params = { name = \"NAME\" }, with the name of the prompt)",
            ),
            (
                "[profile.triggers.listed-resource]\nmethod = \"resources/read\"\n[profile.triggers.listed-resource.params]\nuri = \"\"",
                "p.toml:7:1: `uri` is empty (write params = { uri = \"URI\" }, with the uri of the resource)",
            ),
        ];
        for (triggers, expected) in cases {
            assert_eq!(complaint(&with_triggers(triggers)), expected, "{triggers}");
        }
    }

    #[test]
    fn an_unknown_trigger_is_told_with_the_ones_there_are() {
        let text = complaint(&with_triggers(
            "[profile.triggers.quick-tool]\nmethod = \"m\"",
        ));
        assert!(
            text.starts_with("p.toml:4:19: unknown trigger `quick-tool` (known here: audio-tool, "),
            "{text}"
        );
    }

    #[test]
    fn a_file_that_is_no_toml_is_told_with_its_place() {
        let text = complaint("[[profile]]\nname = \"a\nserver");
        assert!(text.starts_with("p.toml:2:"), "{text}");
    }

    #[test]
    fn integers_are_read_in_every_spelling_of_toml() {
        let text = with_triggers(
            "[profile.triggers.icons]\nmethod = \"m\"\nparams = { a = 0xff, b = 1_000, c = +5, d = -3 }",
        );
        let profiles = read_profiles("p.toml", &text).expect("the profile is right");
        let TriggerAction::Request(request) = &profiles[0].triggers["icons"].action else {
            panic!("a request")
        };
        assert_eq!(
            request.params.to_json(),
            r#"{"a":255,"b":1000,"c":5,"d":-3}"#
        );
    }
}
