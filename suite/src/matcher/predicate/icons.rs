//! Icons (page `basic/index`, anchor `icons`).

use iri_string::types::UriStr;
use mcpspec_wire::Value;

use super::super::finding::{Breach, Finding};
use super::message::members;

/// A rule on every icon in a message. Only what the specification forbids breaks it, not what it advises against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum IconRule {
    /// `mimeType` is absent or a string.
    MimeType,
    /// `src` has the scheme https, http or data.
    Scheme,
    /// `sizes` is absent or a list of strings.
    Sizes,
    /// An icon is an object whose `src` is an absolute URI.
    Src,
    /// `theme` is absent, light or dark.
    Theme,
}

impl IconRule {
    pub(super) fn check(self, message: &Value) -> Finding {
        let mut breaches = Vec::new();
        for (pointer, name, member) in members(message) {
            let (true, Some(icons)) = (name == "icons", member.as_array()) else {
                continue;
            };
            for (index, icon) in icons.iter().enumerate() {
                if let Some((member, rule)) = self.broken(icon) {
                    breaches.push(Breach {
                        pointer: format!("{pointer}/{index}{member}"),
                        rule: rule.to_owned(),
                    });
                }
            }
        }
        Finding::of_breaches(breaches)
    }

    /// The pointer inside an icon that breaks the rule, and what is due there.
    fn broken(self, icon: &Value) -> Option<(&'static str, &'static str)> {
        let src = icon.get("src").and_then(Value::as_str);
        let breach = |breaks: bool, pointer, rule| breaks.then_some((pointer, rule));
        match self {
            IconRule::Src if icon.as_object().is_none() => Some(("", "an icon is an object")),
            IconRule::Src => breach(
                src.is_none_or(|src| UriStr::new(src).is_err()),
                "/src",
                "an absolute URI",
            ),
            IconRule::Scheme => {
                let (scheme, _) = src?.split_once(':')?;
                let known = ["https", "http", "data"];
                breach(
                    !known.iter().any(|known| scheme.eq_ignore_ascii_case(known)),
                    "/src",
                    "the scheme is https, http or data",
                )
            }
            IconRule::Sizes => {
                let sizes = icon.get("sizes")?;
                let are_strings = sizes
                    .as_array()
                    .is_some_and(|sizes| sizes.iter().all(|size| size.as_str().is_some()));
                breach(!are_strings, "/sizes", "a list of strings")
            }
            IconRule::Theme => {
                let theme = icon.get("theme")?.as_str();
                breach(
                    !matches!(theme, Some("light" | "dark")),
                    "/theme",
                    "light or dark",
                )
            }
            IconRule::MimeType => breach(
                icon.get("mimeType")?.as_str().is_none(),
                "/mimeType",
                "a string",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: [IconRule; 5] = [
        IconRule::MimeType,
        IconRule::Scheme,
        IconRule::Sizes,
        IconRule::Src,
        IconRule::Theme,
    ];

    #[test]
    fn each_rule_sees_its_own_fault_only() {
        let src = "https://example.com/i.png";
        for (icon, faulty) in [
            (json!({ "src": src }), None),
            (
                json!({ "src": src, "sizes": ["48x48", "any"], "theme": "dark", "mimeType": "image/png" }),
                None,
            ),
            (json!({ "src": "data:image/png;base64,AAAA" }), None),
            (json!({ "src": "http://localhost/i.png" }), None),
            (json!({ "url": src }), Some(IconRule::Src)),
            (json!({ "src": "/i.png" }), Some(IconRule::Src)),
            (json!(src), Some(IconRule::Src)),
            (json!({ "src": "file:///i.png" }), Some(IconRule::Scheme)),
            (json!({ "src": "javascript:x" }), Some(IconRule::Scheme)),
            (
                json!({ "src": src, "sizes": "48x48" }),
                Some(IconRule::Sizes),
            ),
            (
                json!({ "src": src, "theme": "auto" }),
                Some(IconRule::Theme),
            ),
            (
                json!({ "src": src, "mimeType": ["image/png"] }),
                Some(IconRule::MimeType),
            ),
        ] {
            let message = Value::from(json!({ "result": { "tools": [{ "icons": [icon] }] } }));
            for rule in RULES {
                let holds = rule.check(&message) == Finding::Holds;
                assert_eq!(!holds, faulty == Some(rule), "{message} {rule:?}");
            }
        }
    }
}
