//! Names of members in matchers: one with a blank is mostly the rest of a text that a comma has ended.

use super::ground::Ground;
use crate::template::{Data, Key, Kind, Problem};

/// Keys of a step or a watch under which matchers stand.
const MATCHERS: [&str; 6] = ["given", "expect", "else", "some", "of", "where"];

/// Operators whose operand is data, in which names may be anything.
const OF_DATA: [&str; 4] = ["$eq", "$fits", "$same_as", "$same_items"];

pub(super) fn check(ground: &Ground<'_>, problems: &mut Vec<Problem>) {
    let steps = ground.steps.iter().map(|(_, data)| *data);
    for data in steps.chain([ground.data]) {
        let matchers = MATCHERS.into_iter().filter_map(|name| data.member(name));
        let until = data
            .member("repeat")
            .and_then(|repeat| repeat.member("until"));
        for matcher in matchers.chain(until) {
            names(matcher, problems);
        }
    }
}

fn names(data: &Data, problems: &mut Vec<Problem>) {
    match &data.kind {
        Kind::List(items) => items.iter().for_each(|item| names(item, problems)),
        Kind::Map(members) => {
            for (key, value) in members {
                let name = key.text.literal().unwrap_or_default();
                if name.contains(char::is_whitespace) {
                    problems.push(problem(key, name, value));
                } else if !OF_DATA.contains(&name) {
                    names(value, problems);
                }
            }
        }
        _ => {}
    }
}

fn problem(key: &Key, name: &str, value: &Data) -> Problem {
    let help = match value.kind {
        Kind::Null => {
            "in `{ … }` a comma ends a text without quotes: write the whole text before it in quotes"
        }
        _ => "a member whose name has a blank is matched by `$eq`",
    };
    Problem::new(
        key.at,
        format!("`{name}` is no name of a member: it holds a blank"),
    )
    .with_help(help)
}
