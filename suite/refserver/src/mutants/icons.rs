//! Mutants of icons (`basic/index#icons`). Those of the server are spared, so that what breaks is a listed item.

use super::{
    breaks::Breaks::Shape,
    mutant::{BOTH, Mutant},
    shape::{Do, Edit, On},
};

const AREA: &str = "icons";

const LISTED: On = On::Complete(&["tools/list"]);

/// Sets a member of the icon of the tool `echo`.
const fn icon(name: &'static str, about: &'static str, edits: &'static [Edit]) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Shape(edits))
}

pub(super) static MUTANTS: &[Mutant] = &[
    icon(
        "icon-mime-type-array",
        "the mimeType of an icon is a list",
        &[Edit(
            LISTED,
            "/result/tools/=echo/icons/0/mimeType",
            Do::Set("[\"image/png\"]"),
        )],
    ),
    icon(
        "icon-sizes-string",
        "the sizes of an icon are one string, as in older revisions",
        &[Edit(
            LISTED,
            "/result/tools/=echo/icons/0/sizes",
            Do::Set("\"48x48\""),
        )],
    ),
    icon(
        "icon-without-src",
        "an icon has url in place of src",
        &[Edit(
            LISTED,
            "/result/tools/=echo/icons/0/src",
            Do::Rename("url"),
        )],
    ),
    icon(
        "icon-file-scheme",
        "the src of an icon is a file",
        &[Edit(
            LISTED,
            "/result/tools/=echo/icons/0/src",
            Do::Set("\"file:///icon.png\""),
        )],
    ),
    icon(
        "icon-theme-auto",
        "the theme of an icon is auto",
        &[Edit(
            LISTED,
            "/result/tools/=echo/icons/0/theme",
            Do::Set("\"auto\""),
        )],
    ),
    icon(
        "icons-as-object",
        "icons is one icon in place of a list",
        &[Edit(
            LISTED,
            "/result/tools/=echo/icons",
            Do::Set("{\"src\":\"https://example.com/icon.png\"}"),
        )],
    ),
];
