//! What a matcher asks to be there, so that people can be told what was looked for in vain.

use super::model::{Matcher, Pat, Pattern, Test};

/// Something that has to be present for a matcher to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The names of members on the way to it; `[]` stands for the items of a list, and the members of an object.
    pub path: Vec<String>,
    /// The text that it has to be, or to contain a match of.
    pub text: Option<String>,
    /// Whether the text is a pattern.
    pub is_pattern: bool,
    /// Whether something else would do as well.
    pub is_one_of: bool,
}

impl Matcher {
    /// What the matcher asks to be there, in the order of the file. What is not to be there is left out.
    pub fn asked(&self) -> Vec<Asked> {
        let mut found = Vec::new();
        self.collect_asked(&mut Vec::new(), false, &mut found);
        found
    }

    fn collect_asked(&self, path: &mut Vec<String>, is_one_of: bool, found: &mut Vec<Asked>) {
        let asked = |text: Option<String>| Asked {
            path: path.clone(),
            text,
            is_pattern: false,
            is_one_of,
        };
        match &self.pattern {
            Pattern::Scalar(value) => {
                let text = value.as_str().map(str::to_owned);
                found.push(asked(text.or_else(|| Some(value.to_json()))));
            }
            Pattern::StatusClass(_) | Pattern::Text { .. } | Pattern::List(_) => {
                found.push(asked(None));
            }
            Pattern::Map { members, operators } => {
                if members.is_empty() && operators.is_empty() {
                    found.push(asked(None));
                }
                for (name, member) in members {
                    path.push(name.literal().unwrap_or("…").to_owned());
                    member.collect_asked(path, is_one_of, found);
                    path.pop();
                }
                for operator in operators {
                    Self::collect_asked_by(&operator.test, path, is_one_of, found);
                }
            }
        }
    }

    fn collect_asked_by(
        test: &Test,
        path: &mut Vec<String>,
        is_one_of: bool,
        found: &mut Vec<Asked>,
    ) {
        let text = match test {
            Test::Not(_) | Test::Absent | Test::Len(_) | Test::Each(_) => return,
            Test::Some(item) => {
                path.push("[]".to_owned());
                item.collect_asked(path, is_one_of, found);
                path.pop();
                return;
            }
            Test::Any(items) => {
                let is_one_of = is_one_of || items.len() > 1;
                for item in items {
                    item.collect_asked(path, is_one_of, found);
                }
                return;
            }
            Test::Regex(Pat::Ready(regex)) => Some(regex.as_str().to_owned()),
            _ => None,
        };
        found.push(Asked {
            path: path.clone(),
            is_pattern: text.is_some(),
            text,
            is_one_of,
        });
    }
}
