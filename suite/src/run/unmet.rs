//! Why a row cannot be judged: what a step only prepares did not come.

use std::collections::BTreeMap;

use mcpspec_wire::Value;

use crate::case::{Step, StepKind};
use crate::config::{Trigger, TriggerAction};
use crate::matcher::Mismatch;

/// Why a step that prepares what is judged did not do so. A trigger that does not do what its name says is told by that name.
pub(super) fn setup(
    step: &Step,
    mismatches: &[Mismatch],
    triggers: &BTreeMap<String, Trigger>,
) -> String {
    let came = match mismatches.first() {
        Some(first) if first.pointer.is_empty() => {
            format!("expected {}, found {}", first.expected, first.actual)
        }
        Some(first) => format!(
            "expected {} at {}, found {}",
            first.expected, first.pointer, first.actual
        ),
        None => "something else came than was expected".to_owned(),
    };
    match called(step, triggers) {
        Some((name, trigger)) => {
            let does = described(trigger);
            let source = &trigger.source;
            let (hint, table) = match trigger.table() {
                Some(table) => ("see", table),
                None => ("name another under", "triggers"),
            };
            format!(
                "the trigger {name} ({does}, known from the {source}) does not do what its name says: {came}; {hint} [{table}.{name}] in mcpspec.toml"
            )
        }
        None => format!("set-up on line {}: {came}", step.at.line),
    }
}

/// The trigger or variant that a step sends, and its name.
fn called<'a>(
    step: &Step,
    triggers: &'a BTreeMap<String, Trigger>,
) -> Option<(String, &'a Trigger)> {
    let StepKind::Send(send) = &step.kind else {
        return None;
    };
    let segments = &send.what.whole()?.source.segments;
    let (first, rest) = segments.split_first()?;
    let name = rest.first().filter(|_| first == "trigger")?;
    let trigger = triggers.get(name)?;
    match rest.get(1) {
        None => Some((name.clone(), trigger)),
        Some(variant) => {
            let found = trigger.variants.get(variant)?;
            Some((format!("{name}.{variant}"), found))
        }
    }
}

/// What a trigger asks for: a tool by its name, else a method.
fn described(trigger: &Trigger) -> String {
    match &trigger.action {
        TriggerAction::Request(whole) => {
            let tool = whole.params.get("name").and_then(Value::as_str);
            match tool.filter(|_| whole.method == "tools/call") {
                Some(tool) => format!("the tool `{tool}`"),
                None => whole.method.clone(),
            }
        }
        TriggerAction::Command(_) | TriggerAction::Variants => "a command".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::case::{Body, SuiteFile, load_case};
    use crate::config::read_profiles;
    use crate::template::Location;

    use super::*;

    /// The reason for a step that sends this.
    fn reason(what: &str) -> String {
        let text = format!(
            "summary: s\nrequirement: x.y\nneeds: [progress-tool, error-tool.prompt]\nsteps:\n  - send: {what}\n    given: {{ result: {{}} }}\n  - send: server/discover\n    expect: {{}}\n"
        );
        let file = SuiteFile {
            path: "a/b/c.yaml".to_owned(),
            shown: "c.yaml".to_owned(),
            text,
        };
        let case = load_case(&file).expect("the case is right");
        let Body::Steps(steps) = &case.body else {
            panic!("it has steps")
        };
        let text = "[[profile]]\nname = \"p\"\nserver = \"s\"\n\
                    [profile.triggers.progress-tool]\nmethod = \"tools/call\"\nparams = { name = \"work\" }\n\
                    [profile.triggers.error-tool.prompt]\nmethod = \"prompts/get\"\nparams = { name = \"a\" }\n";
        let mut triggers = read_profiles("p.toml", text).expect("right")[0]
            .triggers
            .clone();
        for trigger in triggers.values_mut() {
            if trigger.variants.is_empty() {
                trigger.source = "configuration".to_owned();
            }
        }
        let mismatch = Mismatch {
            pointer: "/result".to_owned(),
            expected: "anything present".to_owned(),
            actual: "absent".to_owned(),
            at: Location::default(),
        };
        setup(&steps.steps[0], &[mismatch], &triggers)
    }

    #[test]
    fn a_trigger_that_does_something_else_is_told_by_its_name() {
        assert_eq!(
            reason("$(trigger.progress-tool)"),
            "the trigger progress-tool (the tool `work`, known from the configuration) does not do what its name says: \
             expected anything present at /result, found absent; see [triggers.progress-tool] in mcpspec.toml"
        );
        assert_eq!(
            reason("$(trigger.error-tool.prompt)"),
            "the trigger error-tool.prompt (prompts/get, known from the profile p) does not do what its name says: \
             expected anything present at /result, found absent; name another under [triggers.error-tool.prompt] in mcpspec.toml"
        );
        assert_eq!(
            reason("tools/list"),
            "set-up on line 5: expected anything present at /result, found absent"
        );
    }
}
