//! Laws of case files.

use mcpspec::case::{SuiteFile, load_case};
use mcpspec::template::{Data, Key, Kind, Location, Part, Template, read_yaml};

use super::yaml;

/// Longest key that YAML takes without a question mark, in bytes, with room for its escapes.
const MAX_KEY: usize = 100;

/// A text is read the same each time, and the same again when it is written out and read; what is read stands where it is
/// said to stand; a comment before it moves it and changes nothing else. A file that is no case is told in
/// diagnostics that lie in the file and can be shown.
///
/// # Panics
/// If one of that does not hold.
pub fn case_file(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let read = read_yaml(text);
    assert_eq!(read_yaml(text), read, "once more");
    match &read {
        Ok(data) => {
            let marks = text.matches('\u{feff}').count();
            assert!(marks == 0 || marks == 1 && text.starts_with('\u{feff}'));
            let lines = lines(text);
            assert!(places(data, &lines) <= text.len() + 1);
            written(data);
            commented(data, text);
        }
        Err(problem) => within(problem.at, text),
    }
    loaded(text);
}

fn lines(text: &str) -> Vec<Vec<char>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n')
        .map(|line| line.chars().collect())
        .collect()
}

/// Looks at the place of each value. Gives their number.
fn places(data: &Data, lines: &[Vec<char>]) -> usize {
    let here = |at: Location| -> String {
        let line = lines.get(at.line - 1).expect("the line is in the file");
        line[(at.column - 1).min(line.len())..].iter().collect()
    };
    let rest = || here(data.at);
    match &data.kind {
        // A value that is left out stands nowhere.
        Kind::Null => 1,
        Kind::Bool(bool) => {
            let rest = rest();
            assert!(rest.starts_with(&bool.to_string()), "{bool} at {rest:?}");
            1
        }
        Kind::Number(number) => {
            let rest = rest();
            assert!(rest.starts_with(number.as_str()), "{number} at {rest:?}");
            1
        }
        Kind::Text(template) => {
            text_starts(template, &rest());
            1
        }
        Kind::List(items) => 1 + items.iter().map(|item| places(item, lines)).sum::<usize>(),
        Kind::Map(members) => {
            let mut names: Vec<_> = members.iter().map(|(key, _)| plain(&key.text)).collect();
            names.sort();
            assert!(
                names.windows(2).all(|pair| pair[0] != pair[1]),
                "a key twice"
            );
            let member = |(key, member): &(Key, Data)| {
                text_starts(&key.text, &here(key.at));
                1 + places(member, lines)
            };
            1 + members.iter().map(member).sum::<usize>()
        }
    }
}

fn plain(template: &Template) -> String {
    format!("{:?}", template.parts)
}

/// A text stands where a quote is, a block begins, or its own first character is; of a block at the margin that begins with empty
/// lines the reader tells the first line that is not.
fn text_starts(template: &Template, rest: &str) {
    let first = match template.parts.first() {
        None => None,
        Some(Part::Literal(literal)) => literal.chars().find(|&character| character != '\n'),
        Some(Part::Placeholder(_)) => Some('$'),
    };
    let found = rest.chars().next();
    let quoted = matches!(found, Some('"' | '\'' | '|' | '>'));
    assert!(
        quoted || first.is_none() || found == first,
        "{first:?} at {rest:?}"
    );
}

fn written(data: &Data) {
    if has_long_key(data) {
        return;
    }
    let text = yaml::of_data(data);
    let again = read_yaml(&text).unwrap_or_else(|problem| panic!("{problem:?} in {text}"));
    assert_eq!(
        moved(&again, &|_| Location::default()),
        moved(data, &|_| Location::default())
    );
}

fn has_long_key(data: &Data) -> bool {
    match &data.kind {
        Kind::List(items) => items.iter().any(has_long_key),
        Kind::Map(members) => members
            .iter()
            .any(|(key, member)| length(&key.text) > MAX_KEY || has_long_key(member)),
        _ => false,
    }
}

fn length(template: &Template) -> usize {
    let of_part = |part: &Part| match part {
        Part::Literal(text) => text.len(),
        Part::Placeholder(placeholder) => placeholder.text.len(),
    };
    template.parts.iter().map(of_part).sum()
}

/// The data with other places.
fn moved(data: &Data, to: &impl Fn(Location) -> Location) -> Data {
    let kind = match &data.kind {
        Kind::List(items) => Kind::List(items.iter().map(|item| moved(item, to)).collect()),
        Kind::Map(members) => {
            let member = |(key, member): &(Key, Data)| {
                let key = Key {
                    text: key.text.clone(),
                    at: to(key.at),
                };
                (key, moved(member, to))
            };
            Kind::Map(members.iter().map(member).collect())
        }
        scalar => scalar.clone(),
    };
    Data {
        kind,
        at: to(data.at),
    }
}

fn commented(data: &Data, text: &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // An empty file stands at its beginning, wherever comments are.
    if data.kind == Kind::Null {
        return;
    }
    let below = read_yaml(&format!("# A comment: [ - \n{text}"));
    let down = |at: Location| Location {
        line: at.line + 1,
        ..at
    };
    assert_eq!(below.as_ref(), Ok(&moved(data, &down)), "below a comment");
}

fn within(at: Location, text: &str) {
    let lines = lines(text);
    assert!(
        (1..=lines.len() + 1).contains(&at.line),
        "{at:?} in {} lines",
        lines.len()
    );
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    assert!(
        (1..=longest + 2).contains(&at.column),
        "{at:?} in {longest} columns"
    );
}

fn loaded(text: &str) {
    let file = SuiteFile {
        path: "area/topic/name.yaml".to_owned(),
        shown: "cases/area/topic/name.yaml".to_owned(),
        text: text.to_owned(),
    };
    match load_case(&file) {
        Ok(case) => {
            assert_eq!(case.id, "area/topic/name");
            assert!(!case.requirements.is_empty() && !case.summary.is_empty());
        }
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty());
            for diagnostic in &diagnostics {
                within(diagnostic.at, text);
            }
            let shown = diagnostics[0].to_string();
            assert!(shown.contains("cases/area/topic/name.yaml"), "{shown}");
            assert_eq!(
                load_case(&file).err().as_ref(),
                Some(&diagnostics),
                "once more"
            );
        }
    }
}
