//! What is wrong with a file of the suite, and how it is shown.

use std::fmt;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use crate::template::{Location, Problem};

/// Something wrong in a file: shown with the line it stands in, in the way of rustc.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file as users know it.
    pub file: Arc<str>,
    /// Where in it.
    pub at: Location,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The text of the file, to show the line.
    text: Arc<str>,
}

impl Diagnostic {
    /// A diagnostic in a file with this text.
    pub fn new(file: &Arc<str>, text: &Arc<str>, problem: Problem) -> Diagnostic {
        Diagnostic {
            file: Arc::clone(file),
            at: problem.at,
            message: problem.message,
            help: problem.help,
            text: Arc::clone(text),
        }
    }

    /// The bytes of the text that are pointed at: from the place to the end of the word, within the line.
    fn span(&self) -> std::ops::Range<usize> {
        let line_start = self
            .text
            .split_inclusive('\n')
            .take(self.at.line.saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        let column = self.at.column.saturating_sub(1);
        let start = line
            .char_indices()
            .nth(column)
            .map_or(line.len(), |(offset, _)| offset);
        let is_word = |character: char| {
            !character.is_whitespace() && !matches!(character, ',' | ':' | '[' | ']' | '{' | '}')
        };
        let length = line[start..]
            .find(|character: char| !is_word(character))
            .unwrap_or(line.len() - start);
        let next = line[start..].chars().next().map_or(0, char::len_utf8);
        line_start + start..line_start + start + length.max(next)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let snippet = Snippet::source(&*self.text)
            .path(&*self.file)
            .annotation(AnnotationKind::Primary.span(self.span()));
        let mut group = Level::ERROR.primary_title(&self.message).element(snippet);
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help));
        }
        f.write_str(&Renderer::plain().render(&[group]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, line: usize, column: usize) -> String {
        let problem = Problem::new(Location { line, column }, "something is wrong");
        Diagnostic::new(
            &Arc::from("cases/a/b/c.yaml"),
            &Arc::from(text),
            problem.with_help("do otherwise"),
        )
        .to_string()
    }

    #[test]
    fn the_line_is_shown_with_a_mark_under_the_word() {
        insta::assert_snapshot!(shown("a: 1\nb: { é: wrong, c: 2 }\n", 2, 9), @r"
        error: something is wrong
         --> cases/a/b/c.yaml:2:9
          |
        2 | b: { é: wrong, c: 2 }
          |         ^^^^^
          |
          = help: do otherwise
        ");
    }

    #[test]
    fn places_at_and_beyond_the_end_are_shown_too() {
        for (text, line, column) in [("", 1, 1), ("a", 1, 2), ("a\n", 2, 1), ("a", 9, 9)] {
            assert!(shown(text, line, column).contains("something is wrong"));
        }
    }
}
