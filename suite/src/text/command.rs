//! Secrets in the words of a command: what stands behind an option or a name that says so, credentials in URLs, and tokens that tell by
//! their first letters what they are.

use std::ops::Range;

use super::redact::REDACTED;
use super::secret::{SHORTEST_SECRET, is_plain, is_token, says_secret};
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

/// What parts the words of a shell script, beside blanks.
const SIGNS: [char; 6] = [';', '&', '|', '(', ')', '`'];

const QUOTES: [char; 2] = ['"', '\''];

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
            let mut is_header = false;
            for piece in pieces(word) {
                found.look(word, piece.clone(), is_header);
                is_header = is_header_option(&word[piece]);
            }
            found.pending = None;
        } else {
            let is_header = index > 0 && is_header_option(&words[index - 1]);
            found.look(word, 0..word.len(), is_header);
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

fn is_header_option(word: &str) -> bool {
    matches!(word, "-H" | "--header" | "--headers")
}

/// The words of a script, without the quotes around them.
fn pieces(script: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let (mut begin, mut quote) = (None, None);
    for (at, sign) in script.char_indices() {
        let parts = sign.is_whitespace() || SIGNS.contains(&sign);
        match quote {
            Some(open) if sign == open => quote = None,
            None if parts => pieces.extend(begin.take().map(|begin| begin..at)),
            None => {
                begin.get_or_insert(at);
                quote = Some(sign).filter(|sign| QUOTES.contains(sign));
            }
            Some(_) => {}
        }
    }
    pieces.extend(begin.map(|begin| begin..script.len()));
    for piece in &mut pieces {
        *piece = unquoted(script, piece.clone());
    }
    pieces
}

/// The part of a text without the quotes around it.
fn unquoted(text: &str, part: Range<usize>) -> Range<usize> {
    let inside = &text[part.clone()];
    let begin = part.start + (inside.len() - inside.trim_start_matches(QUOTES).len());
    begin..begin + inside.trim_matches(QUOTES).len()
}

/// Whether a text is such as variables, options and members have for a name.
fn is_name(text: &str) -> bool {
    let is_sign = |sign: char| sign.is_alphanumeric() || "-_. ".contains(sign);
    !text.is_empty() && text.chars().all(is_sign)
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
    fn look(&mut self, word: &str, part: Range<usize>, is_header: bool) {
        let text = &word[part.clone()];
        if let Some(name) = self.pending.take()
            && !text.starts_with('-')
        {
            return self.add(name, word, part);
        }
        if text.starts_with(['{', '[']) {
            return self.json(word, part);
        }
        if text.contains(';') && text.contains('=') {
            return self.list(word, part);
        }
        if let Some((name, value)) = text.split_once('=')
            && is_name(name)
        {
            let at = part.end - value.len()..part.end;
            if says_secret(name) {
                return self.add(bare(name), word, at);
            }
            self.look(word, at, is_header_option(name));
            self.pending = None;
            return;
        }
        if let Some((name, value)) = text.split_once(':')
            && is_name(name)
            && !value.starts_with("//")
            && (says_secret(name) || is_header && !is_plain(value.trim()))
        {
            let value = value.trim_start();
            let scheme = SCHEMES.iter().find_map(|scheme| value.strip_prefix(scheme));
            let value = scheme.unwrap_or(value);
            return self.add(bare(name), word, part.end - value.len()..part.end);
        }
        if text.starts_with('-') && is_name(text) && says_secret(text) {
            self.pending = Some(bare(text));
        } else if let Some(at) = text.find("://") {
            let scheme =
                text[..at].rfind(|sign: char| !sign.is_ascii_alphanumeric() && sign != '+');
            let begin = part.start + scheme.map_or(0, |sign| sign + 1);
            self.url(&word[begin..part.end], begin, word);
        } else if is_token(text) {
            self.add("token".to_owned(), word, part);
        }
    }

    /// Looks at the settings of a list, as in `Server=a;Password=b`.
    fn list(&mut self, word: &str, part: Range<usize>) {
        let mut at = part.start;
        for setting in word[part].split(';') {
            self.look(word, at..at + setting.len(), false);
            self.pending = None;
            at += setting.len() + 1;
        }
    }

    /// Looks at the strings of a JSON text, which are secrets if their names say so.
    fn json(&mut self, word: &str, part: Range<usize>) {
        let mut name = None;
        let mut at = part.start;
        while let Some(quote) = word[at..part.end].find('"') {
            let begin = at + quote + 1;
            let mut escaped = false;
            let end = word[begin..part.end].find(|sign: char| {
                let ends = sign == '"' && !escaped;
                escaped = sign == '\\' && !escaped;
                ends
            });
            let string = begin..end.map_or(part.end, |end| begin + end);
            at = part.end.min(string.end + 1);
            let is_name = word[at..part.end].trim_start().starts_with(':');
            match name.take() {
                _ if is_name => name = Some(word[string].to_owned()),
                Some(name) if says_secret(&name) => self.add(name, word, string),
                _ => self.look(word, string, false),
            }
            self.pending = None;
        }
    }

    /// Credentials in a URL that begins at this byte of the word, and the values of its query, but for short ones and common words
    /// under names that say nothing of secrets.
    fn url(&mut self, url: &str, begin: usize, word: &str) {
        let parts = UrlParts::of(url);
        if let Some(user_info) = parts.user_info {
            let at = begin + parts.scheme.len();
            let (name, value) = match user_info.split_once(':') {
                Some((_, password)) => ("url-password", password),
                None => ("url-user", user_info),
            };
            let end = at + user_info.len();
            self.add(name.to_owned(), word, end - value.len()..end);
        }
        let Some(query) = parts.query else {
            return;
        };
        let mut at = begin + url.find('?').map_or(0, |mark| mark + 1);
        for pair in query.split('&') {
            if let Some((name, value)) = pair.split_once('=')
                && (says_secret(name) || value.len() >= SHORTEST_SECRET && !is_plain(value))
            {
                let end = at + pair.len();
                self.add(format!("url-{name}"), word, end - value.len()..end);
            }
            at += pair.len() + 1;
        }
    }

    /// Keeps a secret, without the quotes around it.
    fn add(&mut self, name: String, word: &str, at: Range<usize>) {
        let at = unquoted(word, at);
        if !at.is_empty() {
            let word = self.word;
            self.secrets.push(WordSecret { word, at, name });
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
            (
                &["a", "--header=Authorization: Bearer abc"],
                "a --header=Authorization: Bearer [redacted]",
            ),
            (&["a", "-H", "X-Foo: 1a2b3c4d"], "a -H X-Foo: [redacted]"),
            (
                &["a", r#"{"url":"http://x","apiKey":"a\"b"}"#],
                r#"a {"url":"http://x","apiKey":"[redacted]"}"#,
            ),
            (
                &["a", "--config", r#"{"env": {"TOKEN" : "abc"}}"#],
                r#"a --config {"env": {"TOKEN" : "[redacted]"}}"#,
            ),
            (
                &[
                    "sh",
                    "-c",
                    "a -H 'Authorization: Bearer abc' --password 'two words'",
                ],
                "sh -c a -H 'Authorization: Bearer [redacted]' --password '[redacted]'",
            ),
            (
                &["a", "Server=db;User=me;Pwd=abc;Timeout=5"],
                "a Server=db;User=me;Pwd=[redacted];Timeout=5",
            ),
            (
                &["a", "https://host/p?sig=AAA1b2&v=1&mode=fast"],
                "a https://host/p?sig=[redacted]&v=1&mode=fast",
            ),
            (
                &[
                    "a",
                    "ghp_0123456789abcdefghij",
                    "--x=sk-proj-0123456789abcdef",
                ],
                "a [redacted] --x=[redacted]",
            ),
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
