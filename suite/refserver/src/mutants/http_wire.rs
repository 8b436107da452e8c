//! Mutants of how header lines are read (`basic/transports/streamable-http#case-sensitivity`, `#request-metadata`).
//!
//! The HTTP library reads header names in any spelling, without blanks around their values, and refuses control characters. So
//! these mutants change the bytes before the library sees them.

use super::{
    breaks::Breaks,
    mutant::{HTTP, Mutant},
};

const AREA: &str = "http";

pub(super) static MUTANTS: &[Mutant] = &[
    wire(
        "strips-invalid-header-bytes",
        "bytes that Mcp-Method and Mcp-Name cannot hold are dropped before the comparison",
        |bytes| {
            edit_head(bytes, |name, value| {
                if is_name(name, "mcp-method") || is_name(name, "mcp-name") {
                    value.retain(|byte| matches!(byte, b'\t' | b' '..=b'~'));
                }
            });
        },
    ),
    wire(
        "untrimmed-header-values",
        "blanks around Mcp-Method, Mcp-Name and Mcp-Param headers are a part of their values",
        |bytes| {
            edit_head(bytes, |name, value| {
                let is_mirrored = is_name(name, "mcp-method") || is_name(name, "mcp-name");
                if is_mirrored || is_param(name) {
                    show_blanks(value);
                }
            });
        },
    ),
    // HTTP libraries spell all names in lower case, and that spelling is found as well: otherwise nothing would be served.
    wire(
        "exact-case-header-lookup",
        "Mcp-Method is found under that spelling and in lower case only",
        |bytes| {
            edit_head(bytes, |name, _| {
                if is_name(name, "mcp-method")
                    && !matches!(name.as_slice(), b"Mcp-Method" | b"mcp-method")
                {
                    hide(name);
                }
            });
        },
    ),
    wire(
        "exact-case-param-lookup",
        "Mcp-Param headers are found as they are declared and in lower case only",
        |bytes| {
            edit_head(bytes, |name, _| {
                if is_param(name)
                    && !name.starts_with(b"Mcp-Param-")
                    && name.to_ascii_lowercase() != *name
                {
                    hide(name);
                }
            });
        },
    ),
];

const PARAM: &str = "mcp-param-";

const fn wire(name: &'static str, about: &'static str, hook: fn(&mut Vec<u8>)) -> Mutant {
    Mutant::new(AREA, name, about, HTTP, Breaks::WireIn(hook))
}

fn is_name(name: &[u8], lower: &str) -> bool {
    name.eq_ignore_ascii_case(lower.as_bytes())
}

fn is_param(name: &[u8]) -> bool {
    name.len() > PARAM.len() && is_name(&name[..PARAM.len()], PARAM)
}

/// Gives a header a name that means nothing.
fn hide(name: &mut [u8]) {
    name[0] = b'X';
}

/// Makes the blanks around a value visible, but for the one that usually follows the colon.
fn show_blanks(value: &mut [u8]) {
    let usual = usize::from(value.first() == Some(&b' '));
    let value = &mut value[usual..];
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let first = value.iter().position(|byte| !is_blank(byte));
    let last = value.iter().rposition(|byte| !is_blank(byte));
    if let (Some(first), Some(last)) = (first, last) {
        value[..first].fill(b'_');
        value[last + 1..].fill(b'_');
    }
}

/// Lets `edit` change the name and the value of each header, where the bytes begin with the head of a POST.
fn edit_head(bytes: &mut Vec<u8>, edit: impl Fn(&mut Vec<u8>, &mut Vec<u8>)) {
    if !bytes.starts_with(b"POST ") {
        return;
    }
    let end = find(bytes, b"\r\n\r\n").unwrap_or(bytes.len());
    let rest = bytes.split_off(end);
    let mut edited = Vec::with_capacity(end);
    let mut lines = bytes.as_slice();
    let mut is_first = true;
    loop {
        let line_end = find(lines, b"\r\n");
        let line = &lines[..line_end.unwrap_or(lines.len())];
        match line.iter().position(|byte| *byte == b':') {
            Some(colon) if !is_first => {
                let (mut name, mut value) = (line[..colon].to_vec(), line[colon + 1..].to_vec());
                edit(&mut name, &mut value);
                edited.append(&mut name);
                edited.push(b':');
                edited.append(&mut value);
            }
            _ => edited.extend_from_slice(line),
        }
        is_first = false;
        let Some(line_end) = line_end else { break };
        edited.extend_from_slice(b"\r\n");
        lines = &lines[line_end + 2..];
    }
    edited.extend_from_slice(&rest);
    *bytes = edited;
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(name: &str, mut bytes: Vec<u8>) -> String {
        let mutant = MUTANTS.iter().find(|mutant| mutant.name == name).unwrap();
        mutant.hooks().wire_in(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn request(line: &[u8]) -> Vec<u8> {
        [
            b"POST /mcp HTTP/1.1\r\nHost: x\r\n".as_slice(),
            line,
            b"\r\nContent-Length: 4\r\n\r\n\"\xc3\xa9\"",
        ]
        .concat()
    }

    fn after(line: &str) -> String {
        String::from_utf8(request(line.as_bytes())).unwrap()
    }

    #[test]
    fn bytes_are_dropped_from_two_headers_and_from_nothing_else() {
        let name = "strips-invalid-header-bytes";
        assert_eq!(
            edited(name, request(b"mcp-name: a\xe9b\x01c")),
            after("mcp-name: abc")
        );
        let other = request(b"Other: \xc3\xa9");
        assert_eq!(
            edited(name, other.clone()),
            String::from_utf8(other).unwrap()
        );
        // What goes on with a body has no head.
        assert_eq!(
            edited(name, b"Mcp-Name: \x01\r\n\r\n".to_vec()),
            "Mcp-Name: \u{1}\r\n\r\n"
        );
    }

    #[test]
    fn unusual_blanks_become_visible() {
        let name = "untrimmed-header-values";
        assert_eq!(
            edited(name, request(b"Mcp-Method:   a b  ")),
            after("Mcp-Method: __a b__")
        );
        assert_eq!(
            edited(name, request(b"Mcp-Name: \ta b\t")),
            after("Mcp-Name: _a b_")
        );
        assert_eq!(
            edited(name, request(b"Mcp-Param-Region:  a")),
            after("Mcp-Param-Region: _a")
        );
        for usual in ["Mcp-Method: a", "Mcp-Method:a", "Other:  a"] {
            assert_eq!(edited(name, request(usual.as_bytes())), after(usual));
        }
    }

    #[test]
    fn other_spellings_are_hidden() {
        let name = "exact-case-header-lookup";
        assert_eq!(
            edited(name, request(b"MCP-METHOD: a")),
            after("XCP-METHOD: a")
        );
        for known in ["Mcp-Method: a", "mcp-method: a", "MCP-NAME: a"] {
            assert_eq!(edited(name, request(known.as_bytes())), after(known));
        }
        let name = "exact-case-param-lookup";
        assert_eq!(
            edited(name, request(b"MCP-PARAM-REGION: a")),
            after("XCP-PARAM-REGION: a")
        );
        for known in [
            "Mcp-Param-Region: a",
            "mcp-param-region: a",
            "MCP-METHOD: a",
        ] {
            assert_eq!(edited(name, request(known.as_bytes())), after(known));
        }
    }
}
