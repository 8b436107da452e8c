//! Icons (page `basic/index`, anchor `icons`).

use iri_string::types::UriStr;
use mcpspec_wire::Value;

use super::super::finding::{Breach, Finding};
use super::super::format::Format;
use super::message::members;

/// A rule on every icon in a message. Only the rules on a form are broken by what the specification merely advises against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum IconRule {
    /// `icons` is a list of objects.
    List,
    /// `mimeType` is absent or a string.
    MimeType,
    /// Moreover it is a media type.
    MimeTypeForm,
    /// `src` has the scheme https, http or data.
    Scheme,
    /// Moreover it is https, or data in base64.
    SchemeForm,
    /// `sizes` is absent or a list of strings.
    Sizes,
    /// Moreover each of them is `any` or of the form `48x48`.
    SizesForm,
    /// An icon is an object whose `src` is an absolute URI.
    Src,
    /// `theme` is absent, light or dark.
    Theme,
}

impl IconRule {
    pub(super) fn check(self, message: &Value) -> Finding {
        let mut breaches = Vec::new();
        for (pointer, name, member) in members(message) {
            if name != "icons" {
                continue;
            }
            let Some(icons) = member.as_array() else {
                if self == IconRule::List {
                    breaches.push(Breach {
                        pointer,
                        rule: "a list of icons".to_owned(),
                    });
                }
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

    /// The rule that a rule on a form goes beyond.
    fn base(self) -> Option<IconRule> {
        match self {
            IconRule::MimeTypeForm => Some(IconRule::MimeType),
            IconRule::SchemeForm => Some(IconRule::Scheme),
            IconRule::SizesForm => Some(IconRule::Sizes),
            _ => None,
        }
    }

    /// The pointer inside an icon that breaks the rule, and what is due there.
    fn broken(self, icon: &Value) -> Option<(&'static str, &'static str)> {
        if let Some(breach) = self.base().and_then(|base| base.broken(icon)) {
            return Some(breach);
        }
        let src = icon.get("src").and_then(Value::as_str);
        let breach = |breaks: bool, pointer, rule| breaks.then_some((pointer, rule));
        match self {
            IconRule::List => breach(icon.as_object().is_none(), "", "an icon is an object"),
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
            IconRule::SchemeForm => {
                let (scheme, rest) = src?.split_once(':')?;
                let is_odd = match scheme.to_ascii_lowercase().as_str() {
                    "http" => true,
                    "data" => !holds_base64(rest),
                    _ => false,
                };
                breach(is_odd, "/src", "https, or data in base64")
            }
            IconRule::SizesForm => {
                let sizes = icon.get("sizes")?.as_array()?;
                let mut texts = sizes.iter().filter_map(Value::as_str);
                breach(
                    !texts.all(is_size),
                    "/sizes",
                    "`any`, or width and height as in `48x48`",
                )
            }
            IconRule::MimeTypeForm => breach(
                !Format::MediaType.fits(icon.get("mimeType")?.as_str()?),
                "/mimeType",
                "a media type",
            ),
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

/// Whether what follows `data:` holds base64 (RFC 2397).
fn holds_base64(rest: &str) -> bool {
    rest.split_once(',').is_some_and(|(head, data)| {
        head.to_ascii_lowercase().ends_with(";base64")
            && Format::Base64.fits(&data.replace("%3D", "=").replace("%3d", "="))
    })
}

/// Whether a size is `any`, or width and height.
fn is_size(text: &str) -> bool {
    let is_number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    text == "any"
        || text
            .split_once('x')
            .is_some_and(|(width, height)| is_number(width) && is_number(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: [IconRule; 8] = [
        IconRule::MimeType,
        IconRule::MimeTypeForm,
        IconRule::Scheme,
        IconRule::SchemeForm,
        IconRule::Sizes,
        IconRule::SizesForm,
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
            (
                json!({ "src": "http://localhost/i.png" }),
                Some(IconRule::SchemeForm),
            ),
            (
                json!({ "src": "data:image/svg+xml,%3Csvg/%3E" }),
                Some(IconRule::SchemeForm),
            ),
            (
                json!({ "src": "data:image/png;base64,A" }),
                Some(IconRule::SchemeForm),
            ),
            (
                json!({ "src": src, "sizes": ["48"] }),
                Some(IconRule::SizesForm),
            ),
            (
                json!({ "src": src, "mimeType": "png" }),
                Some(IconRule::MimeTypeForm),
            ),
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
                let is_faulty = faulty == Some(rule) || faulty.is_some() && faulty == rule.base();
                assert_eq!(!holds, is_faulty, "{message} {rule:?}");
            }
        }
    }

    #[test]
    fn icons_are_a_list_of_objects() {
        let src = "https://example.com/i.png";
        for (icons, is_list) in [
            (json!([]), true),
            (json!([{ "src": src }]), true),
            (json!({ "src": src }), false),
            (json!(src), false),
            (json!([src]), false),
        ] {
            let message = Value::from(json!({ "result": { "tools": [{ "icons": icons }] } }));
            assert_eq!(
                IconRule::List.check(&message) == Finding::Holds,
                is_list,
                "{message}"
            );
        }
    }
}
