//! Secrets that the user gave, kept out of reports.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::command::{WordSecret, command_secrets};
use super::preview::{boundary, cut, note};
use super::secret::{SHORTEST_SECRET, is_plain, is_told_by_itself};
use super::url::{UrlParts, percent_decoded, percent_encoded};

/// What stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// How often a text may have been put into a JSON string: a server that repeats a message in an error, of which a gateway
/// makes one of its own.
pub(super) const NESTING: usize = 3;

/// Most of the characters, backslashes aside, that part a name from its value.
const GAP: usize = 4;

/// Most backslashes among them: those before two quotes that were escaped so often.
const BACKSLASHES: usize = 2 * ((1 << NESTING) - 1);

/// The secrets of a run: values of `--header` and `--env`, tokens, user information and query values of URLs.
///
/// A value of at least six bytes is hidden wherever it occurs; a shorter one, and common words whose name does not say that they
/// are a secret (`MODE=server`), where its name stands before it (`KEY=abc`, `Key: abc`, `"key":"abc"`). Both also where they
/// stand in a JSON string, in a JSON string inside of it, and in one inside of that, the first as well percent-encoded and in base64.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Hidden wherever they occur.
    secrets: Vec<String>,
    /// Hidden after their names, which are in lower case.
    named: Vec<(String, String)>,
}

impl Redactor {
    /// A redactor that knows no secret.
    pub fn new() -> Redactor {
        Redactor::default()
    }

    /// Hides the value of a header: the whole, what follows an authentication scheme, the user name and password of Basic,
    /// and each cookie.
    pub fn header(&mut self, name: &str, value: &str) {
        let value = value.trim();
        self.named_secret(name, value);
        if name.eq_ignore_ascii_case("cookie") {
            for (name, value) in value.split(';').filter_map(|cookie| cookie.split_once('=')) {
                self.secret(value.trim());
                self.named_secret(name.trim(), value.trim());
            }
            return;
        }
        let Some((scheme, credentials)) = value.split_once(' ') else {
            return;
        };
        self.secret(credentials.trim());
        if scheme.eq_ignore_ascii_case("basic")
            && let Ok(decoded) = STANDARD.decode(credentials.trim())
            && let Ok(decoded) = String::from_utf8(decoded)
        {
            self.secret(&decoded);
            if let Some((_, password)) = decoded.split_once(':') {
                self.secret(password);
            }
        }
    }

    /// Hides the value of an environment variable.
    pub fn env(&mut self, name: &str, value: &str) {
        self.named_secret(name, value);
    }

    /// Hides the secrets in the words of a command.
    pub fn command(&mut self, words: &[String]) {
        for WordSecret { word, at, name } in command_secrets(words) {
            let value = &words[word][at];
            // Options such as `--auth` and `--key` often take the name of a way or a place.
            if is_plain(value) {
                self.beside_name(&name, value);
            } else {
                self.named_secret(&name, value);
            }
        }
    }

    /// Hides a token, whatever it is used for.
    pub fn token(&mut self, token: &str) {
        self.secret(token);
    }

    /// Hides user information and query values of a URL, percent-decoded too. The URL as such is shown by [`redact_url`](super::redact_url).
    pub fn url(&mut self, url: &str) {
        let parts = UrlParts::of(url);
        if let Some(user_info) = parts.user_info {
            self.secret(user_info);
            if let Some((_, password)) = user_info.split_once(':') {
                self.secret(password);
                self.secret(&percent_decoded(password));
            }
        }
        for pair in parts.query.unwrap_or_default().split('&') {
            match pair.split_once('=') {
                Some((name, value)) => {
                    self.named_secret(name, value);
                    self.named_secret(name, &percent_decoded(value));
                }
                None => self.secret(pair),
            }
        }
    }

    /// The text with every secret replaced by [`REDACTED`]. Secrets that overlap are hidden by one replacement.
    pub fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let ranges = self.ranges(text);
        if ranges.is_empty() {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(masked(text, text.len(), &ranges))
        }
    }

    /// The beginning of the redacted text, in at most `limit` bytes and with a note as [`preview`](super::preview) gives it.
    ///
    /// A secret across the cut is hidden too, which cutting first and redacting later would miss. Only the shown part
    /// of a long text is looked at.
    pub fn bounded(&self, text: &str, limit: usize) -> String {
        let longest = self
            .secrets
            .iter()
            .map(String::len)
            .chain(self.named.iter().map(named_len))
            .max()
            .unwrap_or(0);
        let seen = &text[..boundary(text, limit.saturating_add(longest))];
        let kept = boundary(text, limit);
        let redacted = masked(text, kept, &self.ranges(seen));
        let missing = text.len() - kept;
        if missing == 0 && redacted.len() <= limit {
            redacted
        } else {
            cut(&redacted, &note(redacted.len() + missing), limit)
        }
    }

    fn named_secret(&mut self, name: &str, value: &str) {
        if is_told_by_itself(name, value) {
            self.secret(value);
        } else {
            self.beside_name(name, value);
        }
    }

    fn beside_name(&mut self, name: &str, value: &str) {
        if !value.is_empty() && !name.is_empty() {
            let name = name.to_ascii_lowercase();
            self.named
                .extend(forms(value).into_iter().map(|form| (name.clone(), form)));
        }
    }

    fn secret(&mut self, secret: &str) {
        if secret.len() < SHORTEST_SECRET {
            return;
        }
        let encoded = [percent_encoded(secret), STANDARD.encode(secret)];
        for form in forms(secret).into_iter().chain(encoded) {
            if !self.secrets.contains(&form) {
                self.secrets.push(form);
            }
        }
    }

    /// Where secrets stand, in order and without overlaps.
    fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut ranges = Vec::new();
        for secret in &self.secrets {
            occurrences(text, secret, |at| ranges.push(at..at + secret.len()));
        }
        if !self.named.is_empty() {
            let lower = text.to_ascii_lowercase();
            for (name, value) in &self.named {
                occurrences(&lower, name, |at| {
                    ranges.extend(value_after(text, at + name.len(), value))
                });
            }
        }
        ranges.sort_by_key(|range| range.start);
        ranges.dedup_by(|next, last| {
            let overlaps = next.start <= last.end;
            if overlaps {
                last.end = last.end.max(next.end);
            }
            overlaps
        });
        ranges
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secrets themselves would defeat the purpose.
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

/// The value as it is, and as it stands in JSON strings inside each other, the ASCII ones of some libraries among them.
fn forms(value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned()];
    let mut from = 0;
    for _ in 0..NESTING {
        let to = forms.len();
        for index in from..to {
            for form in [escaped(&forms[index]), ascii_escaped(&forms[index])] {
                if !forms.contains(&form) {
                    forms.push(form);
                }
            }
        }
        from = to;
    }
    forms
}

/// As it stands in a JSON string.
pub(super) fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// As it stands in a JSON string that is ASCII.
pub(super) fn ascii_escaped(text: &str) -> String {
    let mut ascii = String::new();
    for character in escaped(text).chars() {
        if character.is_ascii() {
            ascii.push(character);
        } else {
            let units = character.encode_utf16(&mut [0; 2]).to_vec();
            ascii.extend(units.iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    ascii
}

/// Every place where `needle` stands, overlapping ones included.
fn occurrences(text: &str, needle: &str, mut found: impl FnMut(usize)) {
    let step = needle.chars().next().map_or(1, char::len_utf8);
    let mut from = 0;
    while let Some(at) = text[from..].find(needle) {
        found(from + at);
        from += at + step;
    }
}

/// The value, if it stands after its name at `end` and a few of the characters that part them.
fn value_after(text: &str, end: usize, value: &str) -> Option<Range<usize>> {
    let rest = &text[end..];
    let (mut signs, mut backslashes) = (0, 0);
    let gap = rest
        .bytes()
        .take_while(|byte| {
            let count = match byte {
                b'\\' => &mut backslashes,
                _ => &mut signs,
            };
            *count += 1;
            b"=: \"'\\".contains(byte) && signs <= GAP && backslashes <= BACKSLASHES
        })
        .count();
    let after = rest[gap..].strip_prefix(value)?;
    let whole = gap > 0 && !after.starts_with(|next: char| next.is_alphanumeric());
    whole.then(|| end + gap..end + gap + value.len())
}

/// How far a named value reaches from the beginning of its name.
fn named_len((name, value): &(String, String)) -> usize {
    name.len() + GAP + BACKSLASHES + value.len()
}

/// The first `end` bytes of the text with the ranges replaced. A range across the end is hidden as a whole.
fn masked(text: &str, end: usize, ranges: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(end);
    let mut at = 0;
    for range in ranges.iter().take_while(|range| range.start < end) {
        masked.push_str(&text[at..range.start]);
        masked.push_str(REDACTED);
        at = range.end;
    }
    masked.push_str(text.get(at..end).unwrap_or_default());
    masked
}
