//! A page of TOML with comments for people. Whatever is put on it is escaped and bounded here.

use crate::text::{preview, terminal_safe, wrap};

/// Columns of a line of prose.
const COLUMNS: usize = 100;

/// Bytes of any one piece of prose.
const LONGEST: usize = 8 * 1024;

/// The page under construction. Prose begins with `#` and a blank, a setting that does not count with `#` alone.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line that counts. The caller has escaped what stands in it.
    pub(super) fn setting(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A line that counts as soon as its `#` is taken away.
    pub(super) fn idle(&mut self, line: &str) {
        self.text.push('#');
        self.setting(line);
    }

    /// Prose.
    pub(super) fn prose(&mut self, text: &str) {
        self.wrapped("# ", "# ", text);
    }

    /// A point of a list.
    pub(super) fn point(&mut self, text: &str) {
        self.wrapped("#   ", "#     ", text);
    }

    fn wrapped(&mut self, first: &str, later: &str, text: &str) {
        let text = preview(text, LONGEST);
        let mut start = first;
        for line in wrap(&terminal_safe(&text), COLUMNS - later.len()) {
            self.setting(&format!("{start}{line}"));
            start = later;
        }
    }
}
