//! What is a secret, by the name of a value and by its form.

/// Parts of names that say it.
const SECRET: [&str; 21] = [
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "credentials",
    "dsn",
    "jwt",
    "key",
    "otp",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "pat",
    "pin",
    "pw",
    "pwd",
    "secret",
    "signature",
    "token",
];

/// Ends of names in one piece that say it, as in `PGPASSWORD` and `--apikey`.
const SECRET_ENDS: [&str; 9] = [
    "accesskey",
    "apikey",
    "authkey",
    "passphrase",
    "passwd",
    "password",
    "privatekey",
    "secret",
    "token",
];

/// First parts of names that switch or bound something: `--no-auth`, `--max-token`.
const SWITCHES: [&str; 12] = [
    "allow", "disable", "enable", "has", "is", "max", "min", "no", "require", "skip", "use",
    "without",
];

/// Last parts of names of what is about a secret and none itself: `--key-file`, `TOKEN_URL`.
const ABOUT: [&str; 26] = [
    "count", "dir", "endpoint", "env", "expiry", "file", "format", "header", "host", "id",
    "length", "limit", "location", "method", "mode", "name", "path", "port", "prefix", "provider",
    "size", "timeout", "ttl", "type", "uri", "url",
];

/// How tokens of well-known services begin.
const TOKENS: [&str; 13] = [
    "AIza",
    "AKIA",
    "eyJ",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "hf_",
    "npm_",
    "sk-",
    "xoxb-",
    "xoxp-",
];

/// A value shorter than this many bytes is no credential, so that it may stand in a word, a path or a report.
pub(super) const SHORTEST_SECRET: usize = 6;

/// Fewest bytes of such a token.
const SHORTEST_TOKEN: usize = 20;

/// Most bytes of words that mean something to everybody.
const LONGEST_PLAIN: usize = 24;

/// Most letters of one of these words. What is longer is rather made of random letters.
const LONGEST_WORD: usize = 12;

/// Whether the name of an option, a variable, a header or a member of a query says that its value is a secret.
pub(super) fn says_secret(name: &str) -> bool {
    let parts = parts(name);
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return false;
    };
    if SWITCHES.contains(&first.as_str()) || ABOUT.contains(&last.as_str()) {
        return false;
    }
    parts.iter().any(|part| {
        SECRET.contains(&part.as_str()) || SECRET_ENDS.iter().any(|end| part.ends_with(end))
    })
}

/// The parts of a name in lower case: of `X-Api-Key`, `API_KEY` and `apiKey` these are `api` and `key`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        let begins = !character.is_alphanumeric() || was_lower && character.is_uppercase();
        if begins {
            parts.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(part) = parts.last_mut()
        {
            part.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Whether a value is hidden wherever it stands, and not only beside its name: it is long enough, and its name says that it is a secret
/// or it is no common word.
pub fn is_told_by_itself(name: &str, value: &str) -> bool {
    value.len() >= SHORTEST_SECRET && (says_secret(name) || !is_plain(value))
}

/// Whether a text is a token of a well-known service by how it begins.
pub(super) fn is_token(text: &str) -> bool {
    text.len() >= SHORTEST_TOKEN
        && TOKENS.iter().any(|begin| text.starts_with(begin))
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Whether a value is made of common words, such as `production` and `read-only`, or a date: such words stand in every report,
/// and hiding them there would hide nothing and leave nothing to read.
pub(super) fn is_plain(value: &str) -> bool {
    let is_word = |word: &str| {
        let rest = word.get(1..).unwrap_or_default();
        let is_of = |is_kind: fn(&u8) -> bool| rest.as_bytes().iter().all(is_kind);
        (1..=LONGEST_WORD).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            && (is_of(u8::is_ascii_lowercase)
                || word.starts_with(|first: char| first.is_ascii_uppercase())
                    && is_of(u8::is_ascii_uppercase))
    };
    value.len() <= LONGEST_PLAIN
        && (is_date(value) || value.split(['-', '_', '.', '/', ' ']).all(is_word))
}

/// Whether a value is a date, as the revisions of the protocol are named.
fn is_date(value: &str) -> bool {
    let lengths: Vec<usize> = value.split('-').map(str::len).collect();
    lengths == [4, 2, 2]
        && value
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_whether_their_value_is_a_secret() {
        for name in [
            "--api-key",
            "API_KEY",
            "apiKey",
            "--apikey",
            "GITHUB_PERSONAL_ACCESS_TOKEN",
            "PGPASSWORD",
            "DB_PASS",
            "X-Api-Key",
            "Authorization",
            "clientSecret",
            "MYSQL_PWD",
            "key",
        ] {
            assert!(says_secret(name), "{name}");
        }
        for name in [
            "",
            "--",
            "MODE",
            "--no-auth",
            "--max-tokens",
            "--key-file",
            "TOKEN_URL",
            "keyboard",
            "AWS_ACCESS_KEY_ID",
            "--author",
            "PATH",
            "--secret-name",
            "monkey",
        ] {
            assert!(!says_secret(name), "{name}");
        }
    }

    #[test]
    fn common_words_are_no_secret_by_their_form() {
        for value in [
            "server",
            "read-only",
            "Production",
            "DEBUG",
            "tools/list",
            "2026-07-28",
            "us_east",
        ] {
            assert!(is_plain(value), "{value}");
        }
        for value in [
            "s3cr3t",
            "hunter22",
            "aBcDeF",
            "abcdefghijklmnop",
            "",
            "a--b",
            "correct horse battery staple",
            "123456",
            "us-east-1",
            "/home/me",
            "p\u{e4}ssword",
        ] {
            assert!(!is_plain(value), "{value}");
        }
    }
}
