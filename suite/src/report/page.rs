//! A page of text for people. Whatever is put on it is escaped and bounded here, so that no caller can forget it.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::text::{preview, terminal_safe, width, wrap};

/// Columns of the labels before fields, blanks included.
const LABEL: usize = 14;

/// Prose is never squeezed below this many columns, however narrow the terminal.
const NARROWEST: usize = 60;

/// Bytes of any one piece of text, whatever its limit elsewhere.
const LONGEST: usize = 8 * 1024;

/// What a piece of text means. Colour only repeats what the words say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Strong,
    Dim,
    Good,
    Doubt,
    Warn,
    Bad,
}

impl Tone {
    fn style(self) -> Style {
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        match self {
            Tone::Plain => Style::new(),
            Tone::Strong => Style::new().bold(),
            Tone::Dim => Style::new().dimmed(),
            Tone::Good => color(AnsiColor::Green).bold(),
            Tone::Doubt => color(AnsiColor::Magenta).bold(),
            Tone::Warn => color(AnsiColor::Yellow).bold(),
            Tone::Bad => color(AnsiColor::Red).bold(),
        }
    }
}

/// A page under construction.
#[derive(Debug)]
pub(super) struct Page {
    text: String,
    color: bool,
    width: usize,
}

impl Page {
    pub(super) fn new(color: bool, width: usize) -> Page {
        Page {
            text: String::new(),
            color,
            width: width.max(NARROWEST),
        }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// An empty line, unless the page is empty or has one there already.
    pub(super) fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// One line of pieces.
    pub(super) fn line(&mut self, pieces: &[(Tone, &str)]) {
        for (tone, piece) in pieces {
            self.piece(*tone, piece);
        }
        self.end_line();
    }

    /// A label and prose beside it, wrapped.
    pub(super) fn prose(&mut self, label: &str, tone: Tone, text: &str) {
        let columns = self.width - LABEL;
        let lines = wrap(&safe(text), columns);
        self.beside(label, tone, &lines);
    }

    /// A label and evidence beside it. Its lines stay as they are, so that they can be copied.
    pub(super) fn evidence(&mut self, label: &str, tone: Tone, text: &str) {
        let text = preview(text, LONGEST);
        let lines: Vec<_> = text
            .split('\n')
            .map(|line| safe(line.trim_end_matches('\r')))
            .collect();
        self.beside(label, tone, &lines);
    }

    /// A list of words separated by commas, wrapped and indented by `indent` columns.
    pub(super) fn list(&mut self, indent: usize, tone: Tone, items: &[String]) {
        for line in wrap(&safe(&items.join(", ")), self.width - indent) {
            self.line(&[(Tone::Plain, &" ".repeat(indent)), (tone, &line)]);
        }
    }

    fn beside(&mut self, label: &str, tone: Tone, lines: &[String]) {
        let label = safe(label);
        let mut label = format!(
            "  {label}{}",
            " ".repeat(LABEL.saturating_sub(width(&label) + 2))
        );
        for line in lines {
            self.line(&[(Tone::Dim, &label), (tone, line)]);
            label = " ".repeat(LABEL);
        }
    }

    fn piece(&mut self, tone: Tone, piece: &str) {
        let style = if self.color {
            tone.style()
        } else {
            Style::new()
        };
        let piece = safe(piece);
        write!(self.text, "{style}{piece}{style:#}").expect("writing to a string cannot fail");
    }

    fn end_line(&mut self) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
        self.text.push('\n');
    }
}

fn safe(text: &str) -> String {
    terminal_safe(&preview(text, LONGEST)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_put_on_a_page_is_escaped() {
        let mut page = Page::new(false, 80);
        page.line(&[(Tone::Bad, "\u{1b}[2J")]);
        page.prose("label\u{7}", Tone::Plain, "a\nb");
        page.evidence("sent", Tone::Plain, "one\r\ntwo\u{202e}");
        page.list(2, Tone::Plain, &["\0".to_owned()]);
        insta::assert_snapshot!(page.into_text(), @r"
        \u{1b}[2J
          label\u{7}  a\nb
          sent        one
                      two\u{202e}
          \u{0}
        ");
    }

    #[test]
    fn colour_adds_nothing_but_sequences() {
        let text = |color| {
            let mut page = Page::new(color, 80);
            page.line(&[(Tone::Bad, "FAIL"), (Tone::Plain, " id")]);
            page.prose("why", Tone::Dim, "because");
            page.into_text()
        };
        assert!(text(true).contains('\u{1b}'));
        assert_eq!(
            anstream::adapter::strip_str(&text(true)).to_string(),
            text(false)
        );
    }

    #[test]
    fn prose_is_wrapped_beside_its_label() {
        let mut page = Page::new(false, 0);
        page.prose("why", Tone::Plain, &"word ".repeat(12));
        insta::assert_snapshot!(page.into_text(), @r"
          why         word word word word word word word word word
                      word word word
        ");
    }
}
