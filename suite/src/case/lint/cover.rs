//! Whether one matcher matches whatever another one matches. It says yes only where it is sure.

use mcpspec_wire::Number;

use crate::template::{Data, Kind, Template};

/// Members on which the standing demands depend (`cases/README.md`, section 6): a matcher that names one asks for less.
const DEMANDED: [&str; 8] = [
    "body",
    "challenge",
    "closed",
    "id",
    "json",
    "silent",
    "status",
    "type",
];

/// Whether `wide` matches every outcome that `narrow` matches.
pub(super) fn covers(wide: &Data, narrow: &Data) -> bool {
    let asks_less = DEMANDED
        .iter()
        .any(|name| names(narrow, name) && wide.member(name).is_none());
    !asks_less && implied(wide, narrow)
}

/// Whether a matcher names a member at its top level, also inside `$any` and `$not`.
fn names(data: &Data, name: &str) -> bool {
    let Kind::Map(members) = &data.kind else {
        return false;
    };
    members.iter().any(|(key, value)| match key.text.literal() {
        Some("$any") => any(value).is_some_and(|items| items.iter().any(|item| names(item, name))),
        Some("$not") => names(value, name),
        literal => literal == Some(name),
    })
}

/// Whether `narrow` implies `wide`, demands aside.
fn implied(wide: &Data, narrow: &Data) -> bool {
    if let Some(alternatives) = only_any(narrow) {
        return alternatives.iter().all(|narrow| implied(wide, narrow));
    }
    match &wide.kind {
        Kind::Map(members) if members.is_empty() => is_present(narrow),
        Kind::Map(members) => members.iter().all(|(key, value)| {
            let Some(name) = key.text.literal() else {
                return false;
            };
            match (name, narrow.member(name)) {
                ("$any", _) => any(value).is_some_and(|alternatives| {
                    alternatives.iter().any(|wide| implied(wide, narrow))
                }),
                (name, Some(narrow)) if name.starts_with('$') && !name.starts_with("$$") => {
                    same(value, narrow)
                }
                (_, Some(narrow)) => implied(value, narrow),
                (_, None) => false,
            }
        }),
        _ => same(wide, narrow) || is_of_class(wide, narrow),
    }
}

/// The alternatives of a matcher that is nothing but an `$any` with a list.
fn only_any(data: &Data) -> Option<&[Data]> {
    match &data.kind {
        Kind::Map(members) if members.len() == 1 => any(data.member("$any")?),
        _ => None,
    }
}

fn any(data: &Data) -> Option<&[Data]> {
    match &data.kind {
        Kind::List(items) => Some(items),
        _ => None,
    }
}

/// Whether a matcher matches nothing that is absent.
fn is_present(data: &Data) -> bool {
    match &data.kind {
        Kind::Map(members) => members.iter().all(|(key, _)| {
            !matches!(key.text.literal(), None | Some("$absent" | "$not" | "$any"))
        }),
        Kind::Text(template) => template.literal().is_some(),
        _ => true,
    }
}

/// Whether a number is of a class such as `4xx`.
fn is_of_class(wide: &Data, narrow: &Data) -> bool {
    let (Some(class), Kind::Number(number)) = (wide.literal(), &narrow.kind) else {
        return false;
    };
    let hundred = number.as_i64().map(|number| number / 100);
    matches!(
        (class, hundred),
        ("2xx", Some(2)) | ("4xx", Some(4)) | ("5xx", Some(5))
    )
}

/// Whether two pieces of data are the same, wherever they stand.
fn same(left: &Data, right: &Data) -> bool {
    match (&left.kind, &right.kind) {
        (Kind::List(left), Kind::List(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Kind::Map(left), Kind::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    let other = right
                        .iter()
                        .find(|(other, _)| same_text(&other.text, &key.text));
                    other.is_some_and(|(_, other)| same(value, other))
                })
        }
        (Kind::Number(left), Kind::Number(right)) => Number::cmp_value(left, right).is_eq(),
        (Kind::Text(left), Kind::Text(right)) => same_text(left, right),
        (left, right) => left == right,
    }
}

fn same_text(left: &Template, right: &Template) -> bool {
    left == right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::read_yaml;

    fn is_covered(wide: &str, narrow: &str) -> bool {
        let read = |text: &str| read_yaml(text).expect("it is YAML");
        covers(&read(wide), &read(narrow))
    }

    #[test]
    fn what_matches_less_is_covered() {
        for (wide, narrow) in [
            ("{ error: {} }", "{ error: { code: -32602 } }"),
            ("{ error: {} }", "{ error: {} }"),
            ("{}", "{ result: {} }"),
            ("{ result: { a: 1 } }", "{ result: { a: 1.0, b: 2 } }"),
            ("{ status: 4xx }", "{ status: 400, error: {} }"),
            ("{ status: 4xx }", "{ status: { $any: [401, 403] } }"),
            (
                "{ error: { code: { $any: [1, 2] } } }",
                "{ error: { code: 2 } }",
            ),
            (
                "{ error: { $any: [{ code: 1 }, {}] } }",
                "{ error: { code: 2 } }",
            ),
            (
                "{ result: { x: { $gte: 1 } } }",
                "{ result: { x: { $gte: 1, $lte: 3 } } }",
            ),
        ] {
            assert!(is_covered(wide, narrow), "{wide} covers {narrow}");
        }
    }

    #[test]
    fn what_may_match_more_is_not_covered() {
        for (wide, narrow) in [
            ("{ error: { code: -32602 } }", "{ error: {} }"),
            ("{ error: {} }", "{ result: {} }"),
            ("{ error: {} }", "{ $any: [{ status: 400, error: {} }] }"),
            (
                "{ error: { code: -32602 } }",
                "{ status: 400, error: { code: -32602 } }",
            ),
            ("{}", "{ silent: true }"),
            ("{ result: {} }", "{ result: { $absent: true } }"),
            (
                "{ result: {} }",
                "{ result: { $any: [{ $absent: true }, 1] } }",
            ),
            ("{ result: {} }", "{ result: $(a.result | optional) }"),
            ("{ error: { code: { $not: 1 } } }", "{ error: { code: 2 } }"),
            ("{ status: 4xx }", "{ status: 500 }"),
            (
                "{ error: { code: { $any: [1, 2] } } }",
                "{ error: { code: { $any: [2, 3] } } }",
            ),
        ] {
            assert!(!is_covered(wide, narrow), "{wide} does not cover {narrow}");
        }
    }
}
