//! What a process wrote before it ended, without the backtrace that would push out the words before it.

/// The last lines of a text that tell something, at most so many. Empty lines and parts of a backtrace do not, unless there is
/// nothing else.
pub fn telling_lines(text: &str, most: usize) -> Vec<&str> {
    let telling: Vec<&str> = text.lines().filter(|line| tells(line)).collect();
    let lines = if telling.is_empty() {
        text.lines().collect()
    } else {
        telling
    };
    lines[lines.len().saturating_sub(most)..].to_vec()
}

/// Whether a line is more than a frame of Rust (`12: main`, `at src/main.rs:3`) or of JavaScript (`at main (index.js:3:1)`), and
/// more than what Rust says around them.
fn tells(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|character: char| character.is_ascii_digit());
    let is_frame = number.len() < line.len() && number.starts_with(": ") || line.starts_with("at ");
    let is_around = line.starts_with("stack backtrace:")
        || line.starts_with("note: run with `RUST_BACKTRACE")
        || line.starts_with("note: Some details are omitted");
    !line.is_empty() && !is_frame && !is_around
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_panic_is_told_and_not_its_backtrace() {
        let frames: String = (0..90)
            .map(|number| format!("{number:>4}: server::run\n             at ./src/main.rs:7:5\n"))
            .collect();
        let text = format!(
            "listening\n\nthread 'main' panicked at src/main.rs:7:5:\nthe database is not there\nstack backtrace:\n{frames}note: \
             Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n"
        );
        let message = [
            "thread 'main' panicked at src/main.rs:7:5:",
            "the database is not there",
        ];
        assert_eq!(telling_lines(&text, 2), message);
    }

    #[test]
    fn the_message_of_a_javascript_error_is_told_and_not_its_stack() {
        let text = "Error: no such table\n    at open (file:///srv/db.js:3:9)\n    at main (file:///srv/index.js:9:1)\n\nNode.js v22.1.0\n";
        assert_eq!(
            telling_lines(text, 5),
            ["Error: no such table", "Node.js v22.1.0"]
        );
    }

    #[test]
    fn where_nothing_else_was_written_frames_are_told() {
        assert_eq!(
            telling_lines("    at a\n    at b\n", 5),
            ["    at a", "    at b"]
        );
        assert!(telling_lines("", 5).is_empty());
    }
}
