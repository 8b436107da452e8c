//! Where a page of the specification can be read.

use super::REVISION;

/// The address of a place in the specification. `page` and `anchor` are as in the registry: a page of the revision,
/// `schema`, `ext/tasks` or `seps/N`; an empty anchor is the top of the page.
pub fn link(page: &str, anchor: &str) -> String {
    let mut address = if let Some(number) = page.strip_prefix("seps/") {
        format!("https://github.com/modelcontextprotocol/modelcontextprotocol/pull/{number}")
    } else if let Some(extension) = page.strip_prefix("ext/") {
        format!("https://github.com/modelcontextprotocol/ext-{extension}")
    } else {
        // The site shows the index of a folder at the folder itself.
        let page = page.strip_suffix("/index").unwrap_or(page);
        format!("https://modelcontextprotocol.io/specification/{REVISION}/{page}")
    };
    if !anchor.is_empty() {
        address.push('#');
        address.push_str(anchor);
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_page_has_its_address() {
        let cases = [
            (
                "basic/index",
                "error-codes",
                "https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes",
            ),
            (
                "server/tools",
                "",
                "https://modelcontextprotocol.io/specification/2026-07-28/server/tools",
            ),
            (
                "schema",
                "tool",
                "https://modelcontextprotocol.io/specification/2026-07-28/schema#tool",
            ),
            (
                "ext/tasks",
                "polling",
                "https://github.com/modelcontextprotocol/ext-tasks#polling",
            ),
            (
                "seps/2663",
                "",
                "https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2663",
            ),
        ];
        for (page, anchor, expected) in cases {
            assert_eq!(link(page, anchor), expected);
        }
    }
}
