//! What a run would judge on a target if more of it were known.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::case::{Body, Case, Condition, Suite};
use crate::config::MissingTrigger;
use crate::spec::{Transport, TriggerKind};
use crate::target::{Survey, Target};

use super::conditions::Conditions;
use super::lack::is_nameable;
use super::plan::about_elsewhere;
use super::request::Credentials;

/// What is left out of a run on a target, as far as the user can change that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Triggers that are not known, and that cases wait for.
    pub missing: Vec<MissingTrigger>,
    /// Options that known triggers do not have, by trigger, with the number of cases that wait for each.
    pub lacking: BTreeMap<String, Vec<(String, usize)>>,
    /// How many cases wait for a server that can be stopped.
    pub stoppable: usize,
    /// How many cases wait for a token of somebody else.
    pub principals: usize,
    /// How many cases are about the other transport alone, or compare both.
    pub elsewhere: usize,
}

/// Looks at every case of the suite. What one of them waits for counts if nothing but it stands in the way.
pub fn outlook(suite: &Suite, target: &Target, survey: &Survey) -> Outlook {
    let credentials = Credentials::default();
    let conditions = Conditions {
        survey,
        transport: target.transport(),
        stoppable: target.is_stoppable(),
        credentials: &credentials,
        permit: target.permit(),
    };
    let mut outlook = Outlook::default();
    let mut waiting: BTreeMap<&str, Waiting> = BTreeMap::new();
    for case in suite.cases() {
        let is_elsewhere = about_elsewhere(suite, case, conditions.transport).is_some();
        if is_elsewhere || matches!(case.body, Body::Compare) {
            outlook.elsewhere += 1;
            continue;
        }
        match wanted(&conditions, case) {
            Some(Wanted::Stop) => outlook.stoppable += 1,
            Some(Wanted::Principal) => outlook.principals += 1,
            Some(Wanted::Trigger {
                name,
                is_whole,
                options,
            }) => waiting.entry(name).or_default().add(is_whole, options),
            None => {}
        }
    }
    for (name, waiting) in waiting {
        let options = waiting.options.into_iter();
        let options: Vec<_> = options
            .map(|(option, cases)| (option.to_owned(), cases))
            .collect();
        if survey.triggers.contains_key(name) {
            outlook.lacking.insert(name.to_owned(), options);
        } else if let Some(kind) = TriggerKind::of(name) {
            outlook.missing.push(MissingTrigger {
                kind,
                is_whole: waiting.is_whole,
                cases: waiting.bare,
                options,
            });
        }
    }
    let most = |missing: &MissingTrigger| {
        let options = missing.options.iter().map(|(_, cases)| cases);
        missing.cases + options.sum::<usize>()
    };
    outlook
        .missing
        .sort_by_key(|missing| Reverse(most(missing)));
    outlook
}

/// The cases that wait for one trigger.
#[derive(Default)]
struct Waiting<'a> {
    /// Whether one of them uses the trigger itself.
    is_whole: bool,
    /// How many need no option of it.
    bare: usize,
    options: BTreeMap<&'a str, usize>,
}

impl<'a> Waiting<'a> {
    fn add(&mut self, is_whole: bool, options: Vec<&'a str>) {
        self.is_whole |= is_whole;
        if options.is_empty() {
            self.bare += 1;
        }
        for option in options {
            *self.options.entry(option).or_default() += 1;
        }
    }
}

/// The one thing that a case waits for.
enum Wanted<'a> {
    Stop,
    /// A token of another user, or one that may do less.
    Principal,
    /// A trigger, with these options.
    Trigger {
        name: &'a str,
        /// Whether it is used itself, and not only variants of it.
        is_whole: bool,
        options: Vec<&'a str>,
    },
}

/// What a case waits for, if it is one thing that the user can provide.
fn wanted<'a>(conditions: &Conditions<'_>, case: &'a Case) -> Option<Wanted<'a>> {
    let unmet = |when: &'a [Condition]| -> Vec<&'a Condition> {
        let all = case.needs.iter().chain(when);
        all.filter(|condition| !conditions.holds(condition))
            .collect()
    };
    // A case runs as soon as one of the steps that judge applies.
    let ways: Vec<Vec<&Condition>> = match &case.body {
        Body::Steps(steps) => {
            let judging = steps.steps.iter().filter(|step| step.judges());
            judging.map(|step| unmet(&step.when)).collect()
        }
        Body::Watch(_) | Body::Compare => vec![unmet(&[])],
    };
    if ways.iter().any(Vec::is_empty) {
        return None;
    }
    ways.iter().find_map(|unmet| provided(conditions, unmet))
}

/// The one thing that would make all of these hold.
fn provided<'a>(conditions: &Conditions<'_>, unmet: &[&'a Condition]) -> Option<Wanted<'a>> {
    let mut name = None;
    let mut options = Vec::new();
    let mut is_whole = false;
    for condition in unmet {
        let word = condition.word.as_str();
        if condition.negated {
            return None;
        }
        if word == "stoppable" && unmet.len() == 1 {
            return (conditions.transport == Transport::Http).then_some(Wanted::Stop);
        }
        if matches!(word, "auth.second" | "auth.low") && unmet.len() == 1 {
            return conditions.survey.auth.then_some(Wanted::Principal);
        }
        if !is_nameable(conditions, word) {
            return None;
        }
        let (trigger, option) = word
            .split_once('.')
            .map_or((word, None), |(trigger, option)| (trigger, Some(option)));
        if name.is_some_and(|name| name != trigger) {
            return None;
        }
        name = Some(trigger);
        // A property is told of the trigger itself.
        let is_variant =
            |option| TriggerKind::of(trigger).is_some_and(|kind| kind.variants.contains(&option));
        is_whole |= !option.is_some_and(is_variant);
        options.extend(option.filter(|option| !options.contains(option)));
    }
    Some(Wanted::Trigger {
        name: name?,
        is_whole,
        options,
    })
}
