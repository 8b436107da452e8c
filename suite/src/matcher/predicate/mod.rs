//! Predicates: what no matcher can say (`cases/README.md`, section 7).

mod form;
mod form_field;
mod header;
mod icons;
mod message;
mod meta;
mod sampling;
mod secret;
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
    ExtensionIds,
    FormField,
    FormFieldConsistent,
    FormNoSecret,
    FormRequired,
    Header(HeaderRule),
    Icons(IconRule),
    JsonSchema,
    MessageText,
    MetaKeys(MetaRule),
    StructuredText,
    ToolUsesAnswered,
    UniqueMemberNames,
    Utf8,
}

impl Predicate {
    /// Every predicate by its name.
    pub(super) const ALL: [(&'static str, Predicate); 34] = [
        ("complete-result", Predicate::CompleteResult),
        ("extension-ids", Predicate::ExtensionIds),
        ("form-field", Predicate::FormField),
        ("form-field.consistent", Predicate::FormFieldConsistent),
        ("form-no-secret", Predicate::FormNoSecret),
        ("form-required", Predicate::FormRequired),
        (
            "header-annotations.no-control",
            Predicate::Header(HeaderRule::NoControl),
        ),
        (
            "header-annotations.no-secret",
            Predicate::Header(HeaderRule::NoSecret),
        ),
        (
            "header-annotations.not-empty",
            Predicate::Header(HeaderRule::NotEmpty),
        ),
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
            "header-annotations.typed",
            Predicate::Header(HeaderRule::Typed),
        ),
        (
            "header-annotations.unique",
            Predicate::Header(HeaderRule::Unique),
        ),
        ("icons.list", Predicate::Icons(IconRule::List)),
        ("icons.mime-type", Predicate::Icons(IconRule::MimeType)),
        (
            "icons.mime-type-form",
            Predicate::Icons(IconRule::MimeTypeForm),
        ),
        ("icons.scheme", Predicate::Icons(IconRule::Scheme)),
        ("icons.scheme-form", Predicate::Icons(IconRule::SchemeForm)),
        ("icons.sizes", Predicate::Icons(IconRule::Sizes)),
        ("icons.sizes-form", Predicate::Icons(IconRule::SizesForm)),
        ("icons.src", Predicate::Icons(IconRule::Src)),
        ("icons.theme", Predicate::Icons(IconRule::Theme)),
        ("json-schema", Predicate::JsonSchema),
        ("message-text", Predicate::MessageText),
        ("meta-keys.label", Predicate::MetaKeys(MetaRule::Label)),
        ("meta-keys.name", Predicate::MetaKeys(MetaRule::Name)),
        ("meta-keys.prefix", Predicate::MetaKeys(MetaRule::Prefix)),
        ("meta-keys.trace", Predicate::MetaKeys(MetaRule::Trace)),
        ("structured-text", Predicate::StructuredText),
        ("tool-uses-answered", Predicate::ToolUsesAnswered),
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
            Predicate::ExtensionIds => meta::extension_ids(value),
            Predicate::FormField => form_field::check(value),
            Predicate::FormFieldConsistent => form::field_is_consistent(value),
            Predicate::FormNoSecret => form::asks_no_secret(value),
            Predicate::FormRequired => form::required_fields_exist(value),
            Predicate::Header(rule) => rule.check(value),
            Predicate::Icons(rule) => rule.check(value),
            Predicate::JsonSchema => schema::is_schema(value),
            Predicate::MessageText => text::message_text(value),
            Predicate::MetaKeys(rule) => rule.check(value),
            Predicate::StructuredText => text::structured_text(value),
            Predicate::ToolUsesAnswered => sampling::tool_uses_are_answered(value),
            Predicate::UniqueMemberNames => text::unique_member_names(value),
            Predicate::Utf8 => text::utf8(value),
        }
    }
}
