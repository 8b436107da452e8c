//! The model of a matcher.

use regex::Regex;

use mcpspec_wire::Value;

use crate::template::{Data, Location, Template};

use super::kind::Kind;

/// What a value has to look like.
#[derive(Debug, Clone)]
pub struct Matcher {
    /// Where it stands.
    pub at: Location,
    pub(super) pattern: Pattern,
}

/// The form of a matcher.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// A scalar without placeholders: equal.
    Scalar(Value),
    /// `2xx` to `5xx` at the member `status`: a number of that hundred.
    StatusClass(u8),
    /// Text with placeholders: what it comes to is matched as data.
    Text {
        /// The text.
        data: Data,
        /// Whether it stands at the member `status`, where it may come to a status class.
        is_status: bool,
    },
    /// Same length, item by item.
    List(Vec<Matcher>),
    /// Has at least these members, and every operator holds. Without any: present.
    Map {
        /// Names and what they have to look like.
        members: Vec<(Template, Matcher)>,
        /// Operators, in order.
        operators: Vec<Operator>,
    },
}

/// An operator with its operand.
#[derive(Debug, Clone)]
pub(super) struct Operator {
    /// Where its name stands.
    pub(super) at: Location,
    /// What it asks.
    pub(super) test: Test,
}

/// What an operator asks (`cases/README.md`, section 7).
#[derive(Debug, Clone)]
pub(super) enum Test {
    Eq(Data),
    Not(Box<Matcher>),
    Any(Vec<Matcher>),
    /// `$any: $(…)`: equal in the way of data to one item of a list.
    AnyOf {
        list: Data,
        is_status: bool,
    },
    Absent,
    Is(Kind),
    Regex(Pat),
    Gte(Data),
    Lte(Data),
    Len(Box<Matcher>),
    Each(Box<Matcher>),
    Some(Box<Matcher>),
    UniqueBy(ItemPath),
    IncreasingBy(ItemPath),
    SameAs(Data),
    SameItems(Data),
    Fits(Data),
}

/// The operand of `$regex`.
#[derive(Debug, Clone)]
pub(super) enum Pat {
    /// Compiled when the case was loaded.
    Ready(Regex),
    /// It holds placeholders.
    Template(Template),
}

/// A path inside an item: no segments for the item itself.
#[derive(Debug, Clone)]
pub(super) struct ItemPath {
    /// As written.
    pub(super) text: String,
    /// Names of members and indexes.
    pub(super) segments: Vec<String>,
}

impl Matcher {
    /// Whether the matcher names this member at its top level, also inside `$any` and `$not`.
    pub fn names(&self, member: &str) -> bool {
        self.top_members().contains(&member)
    }

    /// Names of the members at the top level, also inside `$any` and `$not`.
    pub fn top_members(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.collect_members(&mut names);
        names
    }

    fn collect_members<'a>(&'a self, names: &mut Vec<&'a str>) {
        let Pattern::Map { members, operators } = &self.pattern else {
            return;
        };
        names.extend(members.iter().filter_map(|(name, _)| name.literal()));
        for operator in operators {
            match &operator.test {
                Test::Not(inner) => inner.collect_members(names),
                Test::Any(alternatives) => {
                    for alternative in alternatives {
                        alternative.collect_members(names);
                    }
                }
                _ => {}
            }
        }
    }

    /// The matcher of a member at the top level, if there is one.
    pub fn member(&self, name: &str) -> Option<&Matcher> {
        let Pattern::Map { members, .. } = &self.pattern else {
            return None;
        };
        members
            .iter()
            .find(|(member, _)| member.literal() == Some(name))
            .map(|(_, matcher)| matcher)
    }

    /// The shapes that `$is` names anywhere in it, and where.
    pub fn shapes(&self) -> Vec<(&str, Location)> {
        let mut found = Vec::new();
        self.collect_shapes(&mut found);
        found
    }

    fn collect_shapes<'a>(&'a self, found: &mut Vec<(&'a str, Location)>) {
        match &self.pattern {
            Pattern::List(items) => items.iter().for_each(|item| item.collect_shapes(found)),
            Pattern::Map { members, operators } => {
                for (_, member) in members {
                    member.collect_shapes(found);
                }
                for operator in operators {
                    match &operator.test {
                        Test::Is(Kind::Shape(name)) => found.push((name, operator.at)),
                        Test::Not(inner)
                        | Test::Len(inner)
                        | Test::Each(inner)
                        | Test::Some(inner) => inner.collect_shapes(found),
                        Test::Any(items) => {
                            items.iter().for_each(|item| item.collect_shapes(found))
                        }
                        _ => {}
                    }
                }
            }
            Pattern::Scalar(_) | Pattern::StatusClass(_) | Pattern::Text { .. } => {}
        }
    }

    /// Whether it asks for nothing but these members at its top level, and for at least one of them.
    pub fn asks_only_for(&self, members: &[&str]) -> bool {
        self.is_ignored(members)
    }

    /// Whether it is `{}`: anything that is present.
    pub fn is_anything(&self) -> bool {
        matches!(&self.pattern, Pattern::Map { members, operators } if members.is_empty() && operators.is_empty())
    }
}
