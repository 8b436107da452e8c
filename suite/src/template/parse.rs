//! Parsing `$(…)` in text.

use super::filter::{FILTERS, check_filter};
use super::{Part, Placeholder, SourcePath, Template};

/// Longest text that a template is made from, in bytes.
const MAX_TEMPLATE_BYTES: usize = 1024 * 1024;

/// Deepest nesting of placeholders in the filters of placeholders.
const MAX_NESTING: usize = 8;

/// Sources that take an argument after a blank.
const WITH_ARGUMENT: [&str; 4] = ["byte", "deep", "message", "text"];

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// `$(` without its closing parenthesis.
    #[error("`$(` is not closed: write `)` after it, or `$$(` for the characters themselves")]
    Unclosed,
    /// The part before the first `|` is no source.
    #[error("`$({text})`: {problem}")]
    Source {
        /// What stands in the parentheses.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A filter does not exist, or its argument does not fit.
    #[error("`$({text})`: {problem}")]
    Filter {
        /// What stands in the parentheses.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The text is too long, or placeholders are nested too deep.
    #[error("{0}")]
    Bound(String),
}

impl Template {
    /// Parses a text: `$(…)` is a placeholder, `$$(` stands for the characters `$(`.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        if text.len() > MAX_TEMPLATE_BYTES {
            return Err(TemplateError::Bound(format!(
                "the text is longer than {MAX_TEMPLATE_BYTES} bytes; make long values with `$(text N)`"
            )));
        }
        parse(text, 0)
    }

    /// A template of text without placeholders, whatever characters it holds.
    pub fn literal_text(text: &str) -> Template {
        let parts = match text {
            "" => Vec::new(),
            _ => vec![Part::Literal(text.to_owned())],
        };
        Template { parts }
    }

    /// The segments of a path outside a placeholder: `params.progress`, `_meta.'io.x/y'`.
    pub fn path(text: &str) -> Result<Vec<String>, String> {
        let (segments, rest) = segments(text)?;
        match rest.trim() {
            "" => Ok(segments),
            rest => Err(format!("`{rest}` does not belong to the path")),
        }
    }
}

fn parse(text: &str, nesting: usize) -> Result<Template, TemplateError> {
    if nesting > MAX_NESTING {
        return Err(TemplateError::Bound(format!(
            "placeholders are nested deeper than {MAX_NESTING} levels"
        )));
    }
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("$(") {
        let before = &rest[..at];
        if let Some(before) = before.strip_suffix('$') {
            literal.push_str(before);
            literal.push_str("$(");
            rest = &rest[at + 2..];
            continue;
        }
        literal.push_str(before);
        let inside = &rest[at + 2..];
        let end = closing(inside).ok_or(TemplateError::Unclosed)?;
        if !literal.is_empty() {
            parts.push(Part::Literal(std::mem::take(&mut literal)));
        }
        parts.push(Part::Placeholder(placeholder(&inside[..end], nesting)?));
        rest = &inside[end + 1..];
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        parts.push(Part::Literal(literal));
    }
    Ok(Template { parts })
}

/// Offset of the parenthesis that closes the placeholder in which `text` begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' if previous == '$' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
        previous = character;
    }
    None
}

fn placeholder(text: &str, nesting: usize) -> Result<Placeholder, TemplateError> {
    let mut pieces = pieces(text).into_iter();
    let source = source(pieces.next().unwrap_or_default().trim(), text)?;
    let mut filters = Vec::new();
    for piece in pieces {
        let filter = parse(piece.trim(), nesting + 1)?;
        if let Some(literal) = filter.literal() {
            check_filter(literal).map_err(|problem| TemplateError::Filter {
                text: text.to_owned(),
                problem,
            })?;
        }
        filters.push(filter);
    }
    Ok(Placeholder {
        source,
        filters,
        text: text.trim().to_owned(),
    })
}

/// The text between the bars that stand outside quotes and inner placeholders.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut quoted) = (0, 0_usize, false);
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' if previous == '$' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        previous = character;
    }
    pieces.push(&text[start..]);
    pieces
}

fn source(piece: &str, text: &str) -> Result<SourcePath, TemplateError> {
    let wrong = |problem: String| TemplateError::Source {
        text: text.to_owned(),
        problem,
    };
    if piece.is_empty() {
        return Err(wrong("it names no source".to_owned()));
    }
    if piece.contains("$(") {
        return Err(wrong(
            "a placeholder can stand in a filter, not in a source".to_owned(),
        ));
    }
    let (segments, rest) = segments(piece).map_err(wrong)?;
    let argument = rest.trim();
    let takes_argument = segments.len() == 1 && WITH_ARGUMENT.contains(&segments[0].as_str());
    match (takes_argument, argument.is_empty()) {
        // Without an argument it can still be a variable of this name.
        (_, true) => Ok(SourcePath {
            segments,
            argument: None,
        }),
        (false, false) => Err(wrong(match FILTERS.contains(&argument) {
            true => format!("write `|` before the filter `{argument}`"),
            false => format!(
                "`{argument}` does not belong after `{}`",
                segments.join(".")
            ),
        })),
        (true, false) => {
            check_argument(&segments[0], argument).map_err(wrong)?;
            Ok(SourcePath {
                segments,
                argument: Some(argument.to_owned()),
            })
        }
    }
}

/// The segments at the start of `piece`, and what follows them.
fn segments(piece: &str) -> Result<(Vec<String>, &str), String> {
    let mut segments = Vec::new();
    let mut rest = piece;
    loop {
        let segment;
        if let Some(quoted) = rest.strip_prefix('\'') {
            let end = quoted
                .find('\'')
                .ok_or_else(|| "a quote `'` is not closed".to_owned())?;
            segment = &quoted[..end];
            rest = &quoted[end + 1..];
        } else {
            let end = rest
                .find(|character: char| character == '.' || character.is_whitespace())
                .unwrap_or(rest.len());
            segment = &rest[..end];
            rest = &rest[end..];
            if segment.is_empty() {
                return Err("a name is missing in the path".to_owned());
            }
            if segment.contains(['\'', '(', ')']) {
                return Err(format!(
                    "`{segment}` is no plain name: quote it as a whole, `'…'`"
                ));
            }
        }
        segments.push(segment.to_owned());
        match rest.strip_prefix('.') {
            Some(after) => rest = after,
            None if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                return Ok((segments, rest));
            }
            None => return Err(format!("`{rest}` does not belong after a quoted name")),
        }
    }
}

fn check_argument(name: &str, argument: &str) -> Result<(), String> {
    match name {
        "message" if argument.contains(char::is_whitespace) => {
            Err(format!("`{argument}` is no method"))
        }
        "message" => Ok(()),
        "byte" => super::source::byte(argument).map(|_| ()),
        _ => super::source::count(name, argument).map(|_| ()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Template {
        Template::parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
    }

    fn whole(text: &str) -> Placeholder {
        parsed(text).whole().expect("one placeholder").clone()
    }

    #[test]
    fn text_without_placeholders_is_itself() {
        for text in ["", "plain", "$x", "a ( b )", "$", "100$", "^a$"] {
            assert_eq!(parsed(text).literal(), Some(text));
        }
        assert_eq!(parsed("$$(x) and $$(y").literal(), Some("$(x) and $(y"));
        assert_eq!(parsed("$$schema").literal(), Some("$$schema"));
    }

    #[test]
    fn a_path_is_taken_apart() {
        let placeholder = whole("$(a.result._meta.'io.x/y'.0)");
        assert_eq!(
            placeholder.source.segments,
            ["a", "result", "_meta", "io.x/y", "0"]
        );
        assert_eq!(placeholder.source.argument, None);
        assert_eq!(placeholder.text, "a.result._meta.'io.x/y'.0");
    }

    #[test]
    fn a_source_may_take_an_argument() {
        let placeholder = whole("$(message server/discover | json)");
        assert_eq!(placeholder.source.segments, ["message"]);
        assert_eq!(
            placeholder.source.argument.as_deref(),
            Some("server/discover")
        );
        assert_eq!(placeholder.filters[0].literal(), Some("json"));
    }

    #[test]
    fn placeholders_stand_between_text() {
        let template = parsed("=?base64?$(tool.name | base64)?=");
        assert_eq!(template.parts.len(), 3);
        assert_eq!(template.placeholders().len(), 1);
    }

    #[test]
    fn a_filter_may_be_a_placeholder() {
        let placeholder = whole("$(first.result.requestState | $(change) | key $(n))");
        assert_eq!(placeholder.filters.len(), 2);
        assert_eq!(
            placeholder.filters[0]
                .whole()
                .map(|inner| inner.text.as_str()),
            Some("change")
        );
        assert_eq!(placeholder.filters[1].parts.len(), 2);
    }

    #[test]
    fn bars_and_parentheses_in_quotes_are_part_of_a_name() {
        assert_eq!(whole("$(a.'x|y)z' | json)").source.segments, ["a", "x|y)z"]);
    }

    #[test]
    fn what_is_no_template_is_told() {
        for (text, part) in [
            ("$(a", "not closed"),
            ("x $(a | key $(n)", "not closed"),
            ("$()", "names no source"),
            ("$(a..b)", "name is missing"),
            ("$(a.)", "name is missing"),
            ("$(a b)", "does not belong"),
            ("$(a json)", "write `|` before"),
            ("$(text many)", "`many`"),
            ("$(byte zz)", "`zz`"),
            ("$(deep 99999999999)", "at most"),
            ("$(a | base46)", "base64"),
            ("$(a | key)", "key N"),
            ("$(a | json 2)", "takes no argument"),
            ("$(a | edit end)", "start, middle or late"),
            ("$(a | plus soon)", "duration"),
            ("$(a | times x)", "number"),
            ("$(a | )", "no filter"),
            ("$($(a).b)", "not in a source"),
            ("$(a.'b)", "not closed"),
            ("$(a.'b'c)", "does not belong"),
        ] {
            let error = Template::parse(text).expect_err(text);
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let text = "$(a | ".repeat(20) + &")".repeat(20);
        assert!(Template::parse(&text).is_err());
    }
}
