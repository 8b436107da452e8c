//! Mutants of the parameters that headers mirror (`server/tools#x-mcp-header`). The tool is one that no trigger names.

use super::{
    breaks::Breaks::Shape,
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};

const AREA: &str = "tools";

const LISTED: On = On::Complete(&["tools/list"]);

const PROPERTIES: &str = "/result/tools/=converse/inputSchema/properties";

/// Gives a tool other parameters.
const fn marked(name: &'static str, about: &'static str, edits: &'static [Edit]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edits))
}

pub(super) static MUTANTS: &[Mutant] = &[
    marked(
        "header-name-with-crlf",
        "the name of a header has a line break",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set(
                "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\\r\\nX-Evil: 1\"}}",
            ),
        )],
    ),
    marked(
        "header-name-with-space",
        "the name of a header has a blank",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set("{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"My Region\"}}"),
        )],
    ),
    marked(
        "empty-header-name",
        "the name of a header is empty",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set("{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}"),
        )],
    ),
    marked(
        "duplicate-header-names",
        "two headers differ in letter case alone",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set(
                "{\"from\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},\"to\":{\"type\":\"string\",\"x-mcp-header\":\"region\"}}",
            ),
        )],
    ),
    marked(
        "api-key-header",
        "a key is mirrored in a header",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set("{\"api_key\":{\"type\":\"string\",\"x-mcp-header\":\"Api-Key\"}}"),
        )],
    ),
    marked(
        "number-header-parameter",
        "a property of type number is mirrored in a header",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set("{\"ratio\":{\"type\":\"number\",\"x-mcp-header\":\"Ratio\"}}"),
        )],
    ),
    marked(
        "unsafe-integer-bound",
        "a mirrored integer may be greater than can be kept exactly",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set(
                "{\"shard\":{\"type\":\"integer\",\"maximum\":9223372036854775807,\"x-mcp-header\":\"Shard\"}}",
            ),
        )],
    ),
    marked(
        "header-annotation-in-items",
        "the items of a list are to be mirrored in a header",
        &[Edit(
            LISTED,
            PROPERTIES,
            Do::Set(
                "{\"regions\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}",
            ),
        )],
    ),
];
