//! Mutants of what `tools/list` says of a tool (`server/tools#tool`). The tool is one that no trigger names.

use super::{
    breaks::Breaks::Shape,
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};

const AREA: &str = "tools";

const LISTED: On = On::Complete(&["tools/list"]);

/// Edits the definition of a tool.
const fn tool(name: &'static str, about: &'static str, edits: &'static [Edit]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edits))
}

pub(super) static MUTANTS: &[Mutant] = &[
    tool(
        "hint-as-string",
        "readOnlyHint is a string",
        &[Edit(
            LISTED,
            "/result/tools/=converse/annotations/readOnlyHint",
            Do::Set("\"true\""),
        )],
    ),
    tool(
        "tool-without-name",
        "a tool has an id in place of a name",
        &[Edit(
            LISTED,
            "/result/tools/=converse/name",
            Do::Rename("id"),
        )],
    ),
    tool(
        "null-description",
        "the description of a tool is null",
        &[Edit(
            LISTED,
            "/result/tools/=converse/description",
            Do::Set("null"),
        )],
    ),
    tool(
        "null-input-schema",
        "the inputSchema of a tool is null",
        &[Edit(
            LISTED,
            "/result/tools/=converse/inputSchema",
            Do::Set("null"),
        )],
    ),
    tool(
        "input-schema-without-type",
        "an inputSchema has no type",
        &[Edit(
            LISTED,
            "/result/tools/=converse/inputSchema",
            Do::Set("{\"properties\":{}}"),
        )],
    ),
    tool(
        "invalid-input-schema",
        "an inputSchema has a property of a type that there is not",
        &[Edit(
            LISTED,
            "/result/tools/=converse/inputSchema/properties/a",
            Do::Set("{\"type\":\"strng\"}"),
        )],
    ),
    tool(
        "null-output-schema",
        "the outputSchema of a tool is null",
        &[Edit(
            LISTED,
            "/result/tools/=converse/outputSchema",
            Do::Set("null"),
        )],
    ),
    tool(
        "invalid-output-schema",
        "an outputSchema has a required of older drafts",
        &[Edit(
            LISTED,
            "/result/tools/=converse/outputSchema",
            Do::Set(
                "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"required\":true}}}",
            ),
        )],
    ),
    tool(
        "tool-name-with-space",
        "the name of a tool has a blank",
        &[Edit(
            LISTED,
            "/result/tools/=converse/name",
            Do::Set("\"get weather\""),
        )],
    ),
    tool(
        "overlong-tool-name",
        "the name of a tool has 200 characters",
        &[Edit(
            LISTED,
            "/result/tools/=converse/name",
            Do::Set(
                "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"",
            ),
        )],
    ),
    tool(
        "duplicate-tool-names",
        "two tools are called search",
        &[
            Edit(
                LISTED,
                "/result/tools/=converse/name",
                Do::Set("\"search\""),
            ),
            Edit(
                LISTED,
                "/result/tools/=sample_with_tools/name",
                Do::Set("\"search\""),
            ),
        ],
    ),
];
