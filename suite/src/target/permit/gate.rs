//! Deciding and counting.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use mcpspec_wire::Value;

use crate::event::{NOT_LISTED, ToolCalls, UncalledTool};
use crate::transcript::Sent;

use super::CallTools;
use super::names::{Called, called};
use super::policy::{Decision, HOW, folded};

/// What calls of names that no tool has are counted under.
const NO_TOOL: &str = "(names that no tool has)";

/// Decides about every outgoing `tools/call`, and counts them.
#[derive(Debug, Default)]
pub struct Permit {
    mode: CallTools,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The tools of each folded name, with the decisions about them. None: nothing is known yet.
    tools: Option<BTreeMap<String, Vec<(String, Decision)>>>,
    /// Names as they are listed, in order.
    listed: Vec<String>,
    /// Whether tools may exist that are not in `tools`.
    is_partial: bool,
    /// How often, by tool and reason.
    calls: BTreeMap<(String, String), usize>,
    /// Tools that might have been called, and why they were not.
    passed_over: BTreeMap<String, String>,
}

/// Why a call did not go out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tool {tool} may not be called: {reason}")]
pub struct PermitError {
    /// The tool.
    pub tool: String,
    /// Why not, and what would permit it.
    pub reason: String,
}

impl PermitError {
    /// Why not, alone.
    pub fn why(&self) -> &str {
        let why = self.reason.strip_suffix(HOW);
        why.map_or(self.reason.as_str(), |why| why.trim_end_matches("; "))
    }
}

impl Permit {
    /// A gate that knows no tools yet and so lets no call through.
    pub fn new(mode: CallTools) -> Permit {
        Permit {
            mode,
            state: Mutex::default(),
        }
    }

    /// Which tools it lets be called.
    pub fn mode(&self) -> CallTools {
        self.mode
    }

    /// Tells the gate which tools there are, by their definitions, and which of them are named, with where. A list that
    /// may not hold all of them `is_partial`: names beyond it are then those of unknown tools.
    pub fn learn(&self, definitions: &[Value], named: &BTreeMap<String, String>, is_partial: bool) {
        let mut tools: BTreeMap<String, Vec<(String, Decision)>> = BTreeMap::new();
        let mut listed: Vec<String> = Vec::new();
        for definition in definitions {
            let Some(name) = definition.get("name").and_then(Value::as_str) else {
                continue;
            };
            if !listed.iter().any(|other| other == name) {
                listed.push(name.to_owned());
            }
            let decision = self
                .mode
                .decide(definition, named.get(name).map(String::as_str));
            let alike = tools.entry(folded(name)).or_default();
            alike.push((name.to_owned(), decision));
        }
        let mut state = self.lock();
        state.tools = Some(tools);
        state.listed = listed;
        state.is_partial = is_partial;
    }

    /// Takes note of why a tool was not called that may be.
    pub fn passed_over(&self, tool: &str, why: &str) {
        let mut state = self.lock();
        state.passed_over.insert(tool.to_owned(), why.to_owned());
    }

    /// Lets a sent thing through and counts its calls, or says why not. Anything that holds no `tools/call` passes.
    pub fn check(&self, sent: &Sent) -> Result<(), PermitError> {
        let mut state = self.lock();
        match called(sent) {
            Called::Nothing => {}
            Called::Unreadable(text) => state.check_text(&text)?,
            Called::Names(names) => {
                let mut passed = Vec::new();
                for name in names {
                    let reason = state.check_name(&name)?;
                    passed.push(reason.map_or_else(
                        || (NO_TOOL.to_owned(), "a server refuses them".to_owned()),
                        |reason| (name, reason),
                    ));
                }
                passed.sort();
                passed.dedup();
                for call in passed {
                    *state.calls.entry(call).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// Why this tool may be called, or why not.
    pub fn decide(&self, tool: &str) -> Result<String, PermitError> {
        let reason = self.lock().check_name(tool)?;
        reason.ok_or_else(|| refused(tool, NOT_LISTED))
    }

    /// Why a tool was not called that may be, if something hindered that.
    pub fn hindered(&self, tool: &str) -> Option<String> {
        let state = self.lock();
        let is_called = state.calls.keys().any(|(called, _)| called == tool);
        state.passed_over.get(tool).filter(|_| !is_called).cloned()
    }

    /// Calls so far, by tool, on the target of index 0.
    pub fn calls(&self) -> Vec<ToolCalls> {
        let state = self.lock();
        let calls = state.calls.iter();
        calls
            .map(|((tool, why), &count)| ToolCalls {
                target: 0,
                tool: tool.clone(),
                count,
                why: why.clone(),
            })
            .collect()
    }

    /// Listed tools that were not called so far, in the order of the list, on the target of index 0.
    pub fn not_called(&self) -> Vec<UncalledTool> {
        let state = self.lock();
        let is_called = |name: &str| state.calls.keys().any(|(tool, _)| tool == name);
        let names = state.listed.iter().filter(|name| !is_called(name));
        names
            .map(|name| UncalledTool {
                target: 0,
                tool: name.clone(),
                why: match (state.check_name(name), state.passed_over.get(name)) {
                    (Ok(_), Some(why)) => format!("it may be called, but {why}"),
                    (Ok(_), None) => {
                        "it may be called, but nothing that is judged needs it".to_owned()
                    }
                    (Err(refused), _) => refused.reason,
                },
            })
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Why a name may be called; nothing if no tool has it.
    fn check_name(&self, name: &str) -> Result<Option<String>, PermitError> {
        let Some(tools) = &self.tools else {
            return Err(refused(name, "the server's tools are not known yet"));
        };
        let Some(alike) = tools.get(&folded(name)) else {
            return match self.is_partial {
                true => Err(refused(
                    name,
                    "the list of the server's tools could not be read to its end",
                )),
                false => Ok(None),
            };
        };
        let own = || alike.iter().filter(|(tool, _)| tool == name);
        let forbidden = |(tool, decision): &'_ (String, Decision)| {
            let reason = decision.as_ref().err()?;
            Some((tool.clone(), reason.clone()))
        };
        let is_listed = own().next().is_some();
        if let Some((_, reason)) = own().find_map(forbidden) {
            return Err(refused(name, &reason));
        }
        // Of several tools that fold alike the least permissive decides: a lenient server may take one for another.
        match alike.iter().find_map(forbidden) {
            Some((other, reason)) if is_listed => {
                let why = reason.strip_suffix(HOW).unwrap_or(&reason);
                let why = why.trim_end_matches("; ");
                Err(refused(name, &resembles(&other, why)))
            }
            Some((_, reason)) => Err(refused(name, &reason)),
            None => {
                let decided = own()
                    .chain(alike)
                    .find_map(|(_, decision)| decision.as_ref().ok());
                Ok(decided.map(|reason| match is_listed {
                    true => reason.clone(),
                    false => format!(
                        "no tool has this name; the one whose name it resembles may be called: {reason}"
                    ),
                }))
            }
        }
    }

    /// Text that cannot be read passes if no tool that may not be called occurs in it.
    fn check_text(&self, text: &str) -> Result<(), PermitError> {
        let Some(tools) = self.tools.as_ref().filter(|_| !self.is_partial) else {
            return Err(refused(
                "of an unreadable message",
                "the server's tools are not known",
            ));
        };
        let text = text.to_lowercase();
        for (name, alike) in tools {
            let forbidden = alike
                .iter()
                .find_map(|(_, decision)| decision.as_ref().err());
            if let Some(reason) = forbidden.filter(|_| text.contains(name.as_str())) {
                return Err(refused(name, reason));
            }
        }
        Ok(())
    }
}

/// Why a tool may not be called that could be, were it not for another one.
fn resembles(other: &str, why: &str) -> String {
    format!(
        "a lenient server could take its name for that of `{other}`, which may not be called: {why}; name `{other}` under [triggers] in mcpspec.toml too, or run with --call-tools all"
    )
}

fn refused(tool: &str, reason: &str) -> PermitError {
    PermitError {
        tool: tool.to_owned(),
        reason: reason.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use mcpspec_wire::Document;

    use super::*;
    use crate::transcript::{Era, SentKind};

    const READ: &str = r#"{"readOnlyHint":true}"#;
    const WRITE: &str = "{}";
    const DESTROY: &str = r#"{"readOnlyHint":true,"destructiveHint":true}"#;
    const OUTSIDE: &str = r#"{"readOnlyHint":true,"openWorldHint":true}"#;
    const MILD: &str = r#"{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":false}"#;

    fn permit(mode: CallTools, tools: &[(&str, &str)], named: &[&str]) -> Permit {
        let definition = |&(name, annotations): &(&str, &str)| {
            let text = format!(r#"{{"name":"{name}","annotations":{annotations}}}"#);
            Document::parse(text.as_bytes())
                .expect("the test's JSON is right")
                .into_value()
        };
        let definitions: Vec<Value> = tools.iter().map(definition).collect();
        let named = named
            .iter()
            .map(|name| ((*name).to_owned(), "configuration".to_owned()))
            .collect();
        let permit = Permit::new(mode);
        permit.learn(&definitions, &named, false);
        permit
    }

    #[test]
    fn what_is_not_called_is_told_with_its_reason() {
        let permit = permit(
            CallTools::Readonly,
            &[
                ("look", READ),
                ("wipe", DESTROY),
                ("peek", READ),
                ("late", READ),
                ("glance", READ),
                ("GLANCE", WRITE),
            ],
            &[],
        );
        permit.passed_over("late", "its turn did not come");
        let call = r#"{"method":"tools/call","params":{"name":"look"}}"#;
        permit.check(&sent(call)).expect("look may be called");
        let told: Vec<_> = permit
            .not_called()
            .into_iter()
            .map(|tool| format!("{}: {}", tool.tool, tool.why))
            .collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        wipe: it says that it may destroy something; name it under [triggers] in mcpspec.toml, or run with --call-tools all
        peek: it may be called, but nothing that is judged needs it
        late: it may be called, but its turn did not come
        glance: a lenient server could take its name for that of `GLANCE`, which may not be called: it does not say that it only reads; name `GLANCE` under [triggers] in mcpspec.toml too, or run with --call-tools all
        GLANCE: it does not say that it only reads; name it under [triggers] in mcpspec.toml, or run with --call-tools all
        ");
    }

    fn sent(body: &str) -> Sent {
        Sent {
            kind: SentKind::Raw,
            message: None,
            bytes: Bytes::copy_from_slice(body.as_bytes()),
            http: None,
            era: Era::Modern,
            altered: Vec::new(),
            origin: None,
        }
    }

    fn passes(permit: &Permit, name: &str) -> bool {
        permit
            .check(&sent(&format!(
                r#"{{"method":"tools/call","params":{{"name":"{name}"}}}}"#
            )))
            .is_ok()
    }

    #[test]
    fn the_mode_decides_which_listed_tools_may_be_called() {
        use CallTools::{All, Listed, None, Readonly};
        let tools = [
            ("read", READ),
            ("write", WRITE),
            ("destroy", DESTROY),
            ("outside", OUTSIDE),
            ("mild", MILD),
        ];
        for (mode, named, expected) in [
            (None, &["read"][..], &[][..]),
            (Readonly, &[], &["read", "mild"]),
            (Readonly, &["write"], &["read", "write", "mild"]),
            (Listed, &[], &[]),
            (Listed, &["destroy"], &["destroy"]),
            (All, &[], &["read", "write", "destroy", "outside", "mild"]),
        ] {
            let permit = permit(mode, &tools, named);
            let passed: Vec<&str> = tools
                .iter()
                .map(|(name, _)| *name)
                .filter(|name| passes(&permit, name))
                .collect();
            assert_eq!(passed, expected, "{mode:?} {named:?}");
        }
    }

    #[test]
    fn a_name_that_no_tool_has_may_be_called_but_not_a_listed_one_in_disguise() {
        let permit = permit(
            CallTools::Readonly,
            &[("read", READ), ("write", WRITE)],
            &[],
        );
        for name in ["no-such-tool-5fK2", "READ", "writer", ""] {
            assert!(passes(&permit, name), "{name}");
        }
        for name in ["WRITE", " write", "write\\u0000x", "wRite\\n"] {
            assert!(!passes(&permit, name), "{name}");
        }
    }

    #[test]
    fn of_two_tools_that_differ_in_letter_case_both_have_to_be_permitted() {
        let both = permit(CallTools::Readonly, &[("Read", READ), ("read", READ)], &[]);
        assert!(passes(&both, "READ"));
        for tools in [
            [("Read", READ), ("read", WRITE)],
            [("read", WRITE), ("Read", READ)],
        ] {
            let one = permit(CallTools::Readonly, &tools, &[]);
            assert!(!passes(&one, "Read") && !passes(&one, "read") && !passes(&one, "READ"));
            let refused = one.decide("Read").expect_err("`read` may not be called");
            insta::allow_duplicates! {
                insta::assert_snapshot!(refused, @"tool Read may not be called: a lenient server could take its name for that of `read`, which may not be called: it does not say that it only reads; name `read` under [triggers] in mcpspec.toml too, or run with --call-tools all");
            }
            // What it advises is enough.
            let told = permit(CallTools::Readonly, &tools, &["read"]);
            assert!(passes(&told, "Read") && passes(&told, "read"));
        }
    }

    #[test]
    fn nothing_is_called_before_the_tools_are_known() {
        let permit = Permit::new(CallTools::All);
        assert!(!passes(&permit, "random"));
        assert!(permit.check(&sent(r#"{"method":"tools/call""#)).is_err());
        assert!(permit.check(&sent(r#"{"method":"tools/list"}"#)).is_ok());
        permit.learn(&[], &BTreeMap::new(), true);
        assert!(!passes(&permit, "random"));
        permit.learn(&[], &BTreeMap::new(), false);
        assert!(passes(&permit, "random"));
    }

    #[test]
    fn each_name_in_a_message_counts() {
        let permit = permit(
            CallTools::Readonly,
            &[("read", READ), ("write", WRITE)],
            &[],
        );
        for (body, passes) in [
            (
                r#"{"method":"tools/call","params":{"name":"write","name":"read"}}"#,
                false,
            ),
            (
                r#"[{"method":"tools/call","params":{"name":"read"}},{"method":"tools/call","params":{"name":"write"}}]"#,
                false,
            ),
            (
                r#"{"method":"tools/call","params":{"name":["write"]}}"#,
                false,
            ),
            (r#"{"method":"tools/call","params":["write"]}"#, false),
            (
                r#"{"method":"tools/call","params":{"name":"read","arguments":{"name":"write"}}}"#,
                true,
            ),
            (r#"{"method":"tools/call","params":{"name":"write""#, false),
            (
                r#"{"method":"tools/call","params":{"name":"WR\u0049TE""#,
                false,
            ),
            (r#"{"method":"tools/call","params":{"name":"read""#, true),
        ] {
            assert_eq!(permit.check(&sent(body)).is_ok(), passes, "{body}");
        }
    }

    #[test]
    fn calls_are_counted_by_tool_with_the_reason() {
        let permit = permit(
            CallTools::Readonly,
            &[("read", READ), ("write", WRITE)],
            &[],
        );
        for name in ["read", "read", "write", "nobody", "nobody2"] {
            passes(&permit, name);
        }
        let calls: Vec<_> = permit
            .calls()
            .into_iter()
            .map(|calls| (calls.tool, calls.count, calls.why))
            .collect();
        assert_eq!(
            calls,
            [
                (NO_TOOL.to_owned(), 2, "a server refuses them".to_owned()),
                (
                    "read".to_owned(),
                    2,
                    "its annotations say that it only reads".to_owned()
                )
            ]
        );
    }
}
