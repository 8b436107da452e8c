//! Predicates: what no matcher can say (`cases/README.md`, section 7).

mod form_field;
mod header;
mod icons;
mod message;
mod meta;
mod text;

use mcpspec_wire::Value;

use self::header::HeaderRule;
use self::icons::IconRule;
use self::meta::MetaRule;
use super::finding::Finding;
use super::schema;
use crate::spec::Shapes;

/// A predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Predicate {
    CompleteResult,
    FormField,
    Header(HeaderRule),
    Icons(IconRule),
    JsonSchema,
    MessageText,
    MetaKeys(MetaRule),
    UniqueMemberNames,
    Utf8,
}

impl Predicate {
    /// Every predicate by its name.
    pub(super) const ALL: [(&'static str, Predicate); 20] = [
        ("complete-result", Predicate::CompleteResult),
        ("form-field", Predicate::FormField),
        (
            "header-annotations.primitive",
            Predicate::Header(HeaderRule::Primitive),
        ),
        (
            "header-annotations.reachable",
            Predicate::Header(HeaderRule::Reachable),
        ),
        (
            "header-annotations.safe-integer",
            Predicate::Header(HeaderRule::SafeInteger),
        ),
        (
            "header-annotations.token",
            Predicate::Header(HeaderRule::Token),
        ),
        (
            "header-annotations.unique",
            Predicate::Header(HeaderRule::Unique),
        ),
        ("icons.mime-type", Predicate::Icons(IconRule::MimeType)),
        ("icons.scheme", Predicate::Icons(IconRule::Scheme)),
        ("icons.sizes", Predicate::Icons(IconRule::Sizes)),
        ("icons.src", Predicate::Icons(IconRule::Src)),
        ("icons.theme", Predicate::Icons(IconRule::Theme)),
        ("json-schema", Predicate::JsonSchema),
        ("message-text", Predicate::MessageText),
        ("meta-keys.label", Predicate::MetaKeys(MetaRule::Label)),
        ("meta-keys.name", Predicate::MetaKeys(MetaRule::Name)),
        ("meta-keys.prefix", Predicate::MetaKeys(MetaRule::Prefix)),
        ("meta-keys.trace", Predicate::MetaKeys(MetaRule::Trace)),
        ("unique-member-names", Predicate::UniqueMemberNames),
        ("utf-8", Predicate::Utf8),
    ];

    /// The predicate with this name.
    pub(super) fn of(name: &str) -> Option<Predicate> {
        Predicate::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, predicate)| *predicate)
    }

    /// What it finds out about a value.
    pub(super) fn check(self, value: &Value, shapes: &Shapes) -> Finding {
        match self {
            Predicate::CompleteResult => message::complete_result(value, shapes),
            Predicate::FormField => form_field::check(value),
            Predicate::Header(rule) => rule.check(value),
            Predicate::Icons(rule) => rule.check(value),
            Predicate::JsonSchema => schema::is_schema(value),
            Predicate::MessageText => text::message_text(value),
            Predicate::MetaKeys(rule) => rule.check(value),
            Predicate::UniqueMemberNames => text::unique_member_names(value),
            Predicate::Utf8 => text::utf8(value),
        }
    }
}
