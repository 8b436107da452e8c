//! What a matcher asks to be there, so that people can be told what was looked for in vain.

use mcpspec_wire::{Object, Value};

use super::check::{Context, Level, Place};
use super::model::{Matcher, Operator, Pat, Pattern, Test};
use crate::template::Location;

/// Something that has to be present for a matcher to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The names of members on the way to it; `[]` stands for the items of a list, and the members of an object.
    pub path: Vec<String>,
    /// The text that it has to be, or to contain a match of.
    pub text: Option<String>,
    /// Whether the text is a pattern.
    pub is_pattern: bool,
    /// Where the choice stands that it is a part of, if something else would do as well.
    pub choice: Option<Location>,
}

/// What a value has to be where something is asked.
enum Leaf<'a> {
    /// There.
    There,
    Matcher(&'a Matcher),
    Operator(&'a Operator),
}

/// A place at which something may be asked.
#[derive(Default)]
struct At<'v> {
    path: Vec<String>,
    choice: Option<Location>,
    /// What stands there in the values that are looked at.
    values: Vec<&'v Value>,
}

impl Matcher {
    /// What the matcher asks to be there, in the order of the file. What is not to be there is left out.
    pub fn asked(&self) -> Vec<Asked> {
        let mut found = Vec::new();
        self.each_asked(&mut At::default(), &mut |at, leaf| {
            let text = leaf.text();
            found.push(Asked {
                path: at.path.clone(),
                is_pattern: matches!(leaf, Leaf::Operator(_)) && text.is_some(),
                text,
                choice: at.choice,
            });
        });
        found
    }

    /// Which of that a value has, each looked at by itself, in the same order. What a transport does not have counts as had.
    pub fn met(&self, value: &Value, context: Context<'_>) -> Vec<bool> {
        let mut met = Vec::new();
        let mut at = At {
            values: vec![value],
            ..At::default()
        };
        self.each_asked(&mut at, &mut |at, leaf| {
            let outermost = at.path.first().map(String::as_str).unwrap_or_default();
            let is_ignored = context.ignored.contains(&outermost);
            met.push(is_ignored || at.values.iter().any(|value| leaf.is_met(value, context)));
        });
        met
    }

    fn each_asked<'v>(&self, at: &mut At<'v>, visit: &mut dyn FnMut(&At<'v>, Leaf<'_>)) {
        let Pattern::Map { members, operators } = &self.pattern else {
            return visit(at, Leaf::Matcher(self));
        };
        if members.is_empty() && operators.is_empty() {
            visit(at, Leaf::There);
        }
        for (name, member) in members {
            let name = name.literal();
            let of = |value: &&'v Value| match name {
                Some(name) => value.get(name).into_iter().collect(),
                None => inside(value),
            };
            let values = at.values.iter().flat_map(of).collect();
            at.inside(name.unwrap_or("…"), values, |at| {
                member.each_asked(at, visit);
            });
        }
        for operator in operators {
            operator.each_asked(at, visit);
        }
    }
}

impl Operator {
    fn each_asked<'v>(&self, at: &mut At<'v>, visit: &mut dyn FnMut(&At<'v>, Leaf<'_>)) {
        match &self.test {
            Test::Not(_) | Test::Absent | Test::Len(_) | Test::Each(_) => {}
            Test::Some(item) => {
                let values = at.values.iter().flat_map(|value| inside(value)).collect();
                at.inside("[]", values, |at| item.each_asked(at, visit));
            }
            Test::Any(items) => {
                let outer = at.choice;
                at.choice = outer.or((items.len() > 1).then_some(self.at));
                for item in items {
                    item.each_asked(at, visit);
                }
                at.choice = outer;
            }
            _ => visit(at, Leaf::Operator(self)),
        }
    }
}

impl<'v> At<'v> {
    /// Goes to these values, which stand under the name, and back.
    fn inside(&mut self, name: &str, values: Vec<&'v Value>, go: impl FnOnce(&mut At<'v>)) {
        let outer = std::mem::replace(&mut self.values, values);
        self.path.push(name.to_owned());
        go(self);
        self.path.pop();
        self.values = outer;
    }
}

/// The items of a list, or the members of an object.
fn inside(value: &Value) -> Vec<&Value> {
    let items = value.as_array().into_iter().flatten();
    let members = value.as_object().into_iter().flat_map(Object::iter);
    items.chain(members.map(|(_, member)| member)).collect()
}

impl Leaf<'_> {
    /// The text that is asked for, or the pattern.
    fn text(&self) -> Option<String> {
        match self {
            Leaf::Matcher(matcher) => match &matcher.pattern {
                Pattern::Scalar(value) => {
                    let text = value.as_str().map(str::to_owned);
                    text.or_else(|| Some(value.to_json()))
                }
                _ => None,
            },
            Leaf::Operator(operator) => match &operator.test {
                Test::Regex(Pat::Ready(regex)) => Some(regex.as_str().to_owned()),
                _ => None,
            },
            Leaf::There => None,
        }
    }

    fn is_met(&self, value: &Value, context: Context<'_>) -> bool {
        let place = Place {
            actual: Some(value),
            pointer: "",
            level: Level::Inner,
        };
        let check = match self {
            Leaf::There => return true,
            Leaf::Matcher(matcher) => matcher.check_at(place, context.brief()),
            Leaf::Operator(operator) => operator.check_at(place, context.brief()),
        };
        check.is_ok_and(|check| check.matches())
    }
}
