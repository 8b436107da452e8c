//! What the chosen cases need to be known of a target.

use std::sync::Arc;

use crate::case::{Body, Case, Each, Step, Steps};
use crate::spec::TriggerKind;
use crate::target::Sought;
use crate::template::{Data, Kind};

/// The condition that a tool can be called.
const CALLABLE: &str = "callable-tool";

/// The table that has a row for a call of a tool.
const REQUESTS: &str = "survey.requests";

/// What the survey has to find by calling tools, so that every chosen case comes to the verdict that it has among all.
pub(super) fn sought(cases: &[Arc<Case>]) -> Sought {
    let mut sought = Sought::default();
    for case in cases {
        match &case.body {
            // It judges the messages of the survey as well, those of the calls among them.
            Body::Watch(_) => return Sought::everything(),
            Body::Compare => {}
            Body::Steps(steps) => add(&mut sought, case, steps),
        }
    }
    sought
}

fn add(sought: &mut Sought, case: &Case, steps: &Steps) {
    let alternatives = steps.steps.iter().flat_map(Step::alternatives);
    let when = steps.steps.iter().map(|step| &step.when);
    let when = when.chain(alternatives.map(|alternative| &alternative.when));
    for condition in case.needs.iter().chain(when.flatten()) {
        let name = condition.word.split('.').next().unwrap_or_default();
        sought.callable |= name == CALLABLE;
        sought
            .triggers
            .extend(TriggerKind::of(name).map(|kind| kind.name.to_owned()));
    }
    if let Some(Each::Column { list, .. }) = &steps.each {
        sought.callable |= is_of_requests(list);
    }
}

fn is_of_requests(list: &Data) -> bool {
    let Kind::Text(template) = &list.kind else {
        return false;
    };
    let placeholder = template.whole();
    placeholder.is_some_and(|placeholder| placeholder.source.segments.join(".") == REQUESTS)
}

#[cfg(test)]
mod tests {
    use crate::case::{SuiteFile, load_case};

    use super::*;

    fn of(text: &str) -> Sought {
        let file = SuiteFile {
            path: "a/b/c.yaml".to_owned(),
            shown: "c.yaml".to_owned(),
            text: format!("summary: s\nrequirement: x.y\n{text}"),
        };
        sought(&[Arc::new(load_case(&file).expect("the case is right"))])
    }

    #[test]
    fn what_no_condition_and_no_table_names_is_not_sought() {
        let steps = "steps:\n  - send: server/discover\n    expect: {}\n";
        assert_eq!(of(steps), Sought::default());
        let needing = of(&format!(
            "needs: [slow-tool.lasts, not progress-tool, tools]\n{steps}"
        ));
        let names: Vec<&str> = needing.triggers.iter().map(String::as_str).collect();
        assert_eq!(
            (names, needing.callable),
            (vec!["progress-tool", "slow-tool"], false)
        );
        let when = of("steps:\n  - send: server/discover\n    when: state-tool\n    expect: {}\n");
        assert!(when.triggers.contains("state-tool"));
        assert!(of(&format!("needs: [callable-tool]\n{steps}")).callable);
        assert!(of(&format!("each: {{ call: $(survey.requests) }}\n{steps}")).callable);
        assert!(!of(&format!("each: {{ call: $(survey.lists) }}\n{steps}")).callable);
    }

    #[test]
    fn a_watch_has_everything_sought_since_it_judges_what_the_search_shows() {
        let watch = of("watch: notification\nexpect: {}\n");
        assert_eq!(watch, Sought::everything());
    }
}
