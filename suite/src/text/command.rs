//! Secrets in the words of a command: what stands behind an option or a name that says so, and credentials in URLs.

use std::ops::Range;

use super::redact::REDACTED;
use super::secret::says_secret;
use super::url::UrlParts;

/// A secret in a word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordSecret {
    /// Index of the word.
    pub word: usize,
    /// Where in the word, in bytes.
    pub at: Range<usize>,
    /// The name of the option, variable, header or member that it belongs to, without dashes.
    pub name: String,
}

/// What surrounds a value in a shell script.
const SIGNS: [char; 8] = ['"', '\'', ';', '&', '|', '(', ')', '`'];

/// Schemes that stand before the credentials of a header.
const SCHEMES: [&str; 4] = ["Bearer ", "Basic ", "Token ", "token "];

/// The secrets in the words of a command, in order and without overlaps. A script behind `-c` is looked at piece by piece.
pub fn command_secrets(words: &[String]) -> Vec<WordSecret> {
    let mut found = Finder::default();
    for (index, word) in words.iter().enumerate() {
        found.word = index;
        let is_script = index > 0 && is_script_option(&words[index - 1]);
        if is_script {
            found.pending = None;
            for piece in pieces(word) {
                found.look(word, piece);
            }
            found.pending = None;
        } else {
            found.look(word, 0..word.len());
        }
    }
    found.secrets
}

/// The words with [`REDACTED`] in place of every secret. References, `${NAME}`, are none.
pub fn redact_command(words: &[String]) -> Vec<String> {
    let mut redacted = words.to_vec();
    for WordSecret { word, at, .. } in command_secrets(words).into_iter().rev() {
        if !is_reference(&words[word][at.clone()]) {
            redacted[word].replace_range(at, REDACTED);
        }
    }
    redacted
}

fn is_reference(text: &str) -> bool {
    text.starts_with("${") && text.ends_with('}')
}

/// `-c`, `-lc` and the like.
fn is_script_option(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letters| {
        letters.ends_with('c') && letters.bytes().all(|byte| byte.is_ascii_lowercase())
    }) && word.len() <= 4
}

/// The pieces of a script, apart by blanks, without the signs around them.
fn pieces(script: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for piece in script.split(char::is_whitespace) {
        let begin = at + (piece.len() - piece.trim_start_matches(SIGNS).len());
        let end = begin + piece.trim_matches(SIGNS).len();
        if begin < end {
            pieces.push(begin..end);
        }
        at += piece.len()
            + script[at + piece.len()..]
                .chars()
                .next()
                .map_or(0, char::len_utf8);
    }
    pieces
}

#[derive(Default)]
struct Finder {
    secrets: Vec<WordSecret>,
    /// The word that is looked at.
    word: usize,
    /// The option whose value comes next.
    pending: Option<String>,
}

impl Finder {
    /// Looks at a part of a word that could be a word of its own.
    fn look(&mut self, word: &str, part: Range<usize>) {
        let text = &word[part.clone()];
        if let Some(name) = self.pending.take()
            && !text.starts_with('-')
        {
            return self.add(name, text, part);
        }
        if let Some((name, value)) = text.split_once('=')
            && says_secret(name)
            && !name.contains("://")
        {
            return self.add(bare(name), value, part.end - value.len()..part.end);
        }
        if let Some((name, value)) = text.split_once(':')
            && says_secret(name)
            && !value.starts_with("//")
            && !name.contains(['=', '/'])
        {
            let value = value.trim_start();
            let scheme = SCHEMES.iter().find_map(|scheme| value.strip_prefix(scheme));
            let value = scheme.unwrap_or(value);
            return self.add(bare(name), value, part.end - value.len()..part.end);
        }
        if text.starts_with('-') && !text.contains(['=', ':', '/']) && says_secret(text) {
            self.pending = Some(bare(text));
        } else if let Some(at) = text.find("://") {
            let scheme =
                text[..at].rfind(|sign: char| !sign.is_ascii_alphanumeric() && sign != '+');
            let begin = part.start + scheme.map_or(0, |sign| sign + 1);
            self.url(&word[begin..part.end], begin);
        }
    }

    /// Credentials in a URL that begins at this byte, and the values of its query whose names say so.
    fn url(&mut self, url: &str, begin: usize) {
        let parts = UrlParts::of(url);
        if let Some(user_info) = parts.user_info {
            let at = begin + parts.scheme.len();
            let (name, value) = match user_info.split_once(':') {
                Some((_, password)) => ("url-password", password),
                None => ("url-user", user_info),
            };
            let end = at + user_info.len();
            self.add(name.to_owned(), value, end - value.len()..end);
        }
        let Some(query) = parts.query else {
            return;
        };
        let mut at = begin + url.find('?').map_or(0, |mark| mark + 1);
        for pair in query.split('&') {
            if let Some((name, value)) = pair.split_once('=')
                && says_secret(name)
            {
                let end = at + pair.len();
                self.add(format!("url-{name}"), value, end - value.len()..end);
            }
            at += pair.len() + 1;
        }
    }

    /// Keeps a secret, without the quotes around it.
    fn add(&mut self, name: String, value: &str, at: Range<usize>) {
        let quotes = ['"', '\''];
        let begin = at.start + (value.len() - value.trim_start_matches(quotes).len());
        let end = begin + value.trim_matches(quotes).len();
        if begin < end {
            self.secrets.push(WordSecret {
                word: self.word,
                at: begin..end,
                name,
            });
        }
    }
}

/// The name without the dashes before it.
fn bare(name: &str) -> String {
    name.trim_start_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        redact_command(&words).join(" ")
    }

    #[test]
    fn values_behind_names_that_say_secret_are_found() {
        for (words, shown) in [
            (
                &["node", "--api-key", "abc", "x"][..],
                "node --api-key [redacted] x",
            ),
            (&["a", "--token=my own"], "a --token=[redacted]"),
            (
                &["env", "API_KEY=abc", "MODE=fast", "a"],
                "env API_KEY=[redacted] MODE=fast a",
            ),
            (
                &["docker", "run", "-e", "DB_PASSWORD=a=b"],
                "docker run -e DB_PASSWORD=[redacted]",
            ),
            (
                &["a", "--header", "Authorization: Bearer abc"],
                "a --header Authorization: Bearer [redacted]",
            ),
            (&["a", "X-Api-Key:abc"], "a X-Api-Key:[redacted]"),
            (
                &["a", "postgres://me:abc@host/db"],
                "a postgres://me:[redacted]@host/db",
            ),
            (
                &["a", "--url=https://host/?v=1&api_key=abc"],
                "a --url=https://host/?v=1&api_key=[redacted]",
            ),
            (&["a", "https://abc@host/"], "a https://[redacted]@host/"),
            (
                &["sh", "-c", "TOKEN='abc' exec a --key \"abc\" --v | cat"],
                "sh -c TOKEN='[redacted]' exec a --key \"[redacted]\" --v | cat",
            ),
            (&["a", "--password", "two words"], "a --password [redacted]"),
        ] {
            assert_eq!(redacted(words), shown);
        }
    }

    #[test]
    fn what_is_no_secret_is_left_alone() {
        for words in [
            &["node", "--no-auth", "server.js"][..],
            &["a", "--token", "--verbose"],
            &["a", "--token"],
            &["a", "--key-file", "key.pem"],
            &["a", "--token=${TOKEN}", "--key", "${KEY}", "API_KEY=${A}"],
            &["a", "--token="],
            &[
                "uvx",
                "mcp-server-time",
                "--local-timezone",
                "Europe/Berlin",
            ],
            &["C:\\key\\a.exe", "https://host/a?mode=fast"],
        ] {
            assert_eq!(redacted(words), words.join(" "));
        }
    }
}
