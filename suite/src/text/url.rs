//! URLs without the secrets in them.

use super::redact::REDACTED;

/// A URL with its user information and its query values replaced by [`REDACTED`].
pub fn redact_url(url: &str) -> String {
    let parts = UrlParts::of(url);
    let mut redacted = parts.scheme.to_owned();
    if parts.user_info.is_some() {
        redacted.push_str(REDACTED);
        redacted.push('@');
    }
    redacted.push_str(parts.host_and_path);
    if let Some(query) = parts.query {
        let pairs: Vec<_> = query
            .split('&')
            .map(|pair| match pair.split_once('=') {
                Some((name, _)) => format!("{name}={REDACTED}"),
                None => REDACTED.to_owned(),
            })
            .collect();
        redacted.push('?');
        redacted.push_str(&pairs.join("&"));
    }
    redacted.push_str(parts.fragment);
    redacted
}

/// The parts of a URL that matter for secrets. Anything can be taken apart so; nothing is checked.
#[derive(Debug, Clone, Copy)]
pub struct UrlParts<'a> {
    /// With `://`, or empty.
    pub scheme: &'a str,
    /// Name and password, without `@`.
    pub user_info: Option<&'a str>,
    /// Host, port and path.
    pub host_and_path: &'a str,
    /// Without `?`.
    pub query: Option<&'a str>,
    /// With `#`, or empty.
    pub fragment: &'a str,
}

impl<'a> UrlParts<'a> {
    /// Takes a URL apart.
    pub fn of(url: &'a str) -> UrlParts<'a> {
        let (url, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
        let (url, query) = match url.split_once('?') {
            Some((url, query)) => (url, Some(query)),
            None => (url, None),
        };
        let (scheme, rest) = url.split_at(url.find("://").map_or(0, |at| at + 3));
        let authority = &rest[..rest.find('/').unwrap_or(rest.len())];
        let (user_info, host_and_path) = match authority.rfind('@') {
            Some(at) => (Some(&rest[..at]), &rest[at + 1..]),
            None => (None, rest),
        };
        UrlParts {
            scheme,
            user_info,
            host_and_path,
            query,
            fragment,
        }
    }
}

/// `%41` becomes `A`; what is no such code stays, and invalid UTF-8 is replaced.
pub(super) fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|digits| {
                let digits = std::str::from_utf8(digits).ok()?;
                u8::from_str_radix(digits, 16).ok()
            });
        decoded.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The text as a value of a query or a form: all but letters, digits and `-_.~` (RFC 3986, section 2.3) as codes.
pub(super) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_lose_user_information_and_query_values() {
        for (url, redacted) in [
            ("http://127.0.0.1:3000/mcp", "http://127.0.0.1:3000/mcp"),
            ("https://me:pa@ss@host/mcp", "https://[redacted]@host/mcp"),
            (
                "https://host/mcp?key=abc&flag&x=#top",
                "https://host/mcp?key=[redacted]&[redacted]&x=[redacted]#top",
            ),
            ("https://host/a@b", "https://host/a@b"),
            ("https://host?key=a/b@c", "https://host?key=[redacted]"),
            ("no url", "no url"),
            ("", ""),
        ] {
            assert_eq!(redact_url(url), redacted);
        }
    }
}
