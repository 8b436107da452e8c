//! The closed list of triggers, their variants and properties (`cases/README.md`, section 11.2).
//!
//! Cases name them in conditions and sources, profiles and configuration give them.

/// A name of the closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerKind {
    /// Its name.
    pub name: &'static str,
    /// Names of its variants, each a request of its own.
    pub variants: &'static [&'static str],
    /// Its properties.
    pub properties: &'static [TriggerProperty],
    /// Whether a shell command can stand in place of a request.
    pub may_be_command: bool,
}

/// Something told about a trigger or one of its variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerProperty {
    /// Its name.
    pub name: &'static str,
    /// What its value is.
    pub value: PropertyValue,
}

/// What the value of a property is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertyValue {
    /// `true` or `false`.
    Flag,
    /// `2s`, or milliseconds.
    Duration,
    /// Text.
    Text,
    /// An object.
    Object,
}

/// It cannot finish unless the client declares the capability.
const REQUIRED: TriggerProperty = flag("required");

/// Every trigger that there is.
pub const TRIGGERS: &[TriggerKind] = &[
    plain("audio-tool"),
    plain("callable-tool"),
    plain("completion"),
    TriggerKind {
        variants: &["bad", "explicit", "explicit-bad"],
        ..plain("dialect-tool")
    },
    plain("dual-era"),
    input("elicitation-tool"),
    plain("embedded-resource"),
    TriggerKind {
        variants: &["completion", "prompt", "resource"],
        ..plain("error-tool")
    },
    plain("icons"),
    plain("image-tool"),
    TriggerKind {
        variants: &["prompts", "resources", "tools"],
        may_be_command: true,
        ..plain("list-change")
    },
    plain("listed-prompt"),
    plain("listed-resource"),
    plain("logging-tool"),
    TriggerKind {
        properties: &[flag("together")],
        ..plain("multi-round-tool")
    },
    TriggerKind {
        properties: &[object("tool")],
        ..plain("output-schema-tool")
    },
    plain("paginated-list"),
    plain("progress-tool"),
    plain("prompt-with-args"),
    plain("resource-template"),
    TriggerKind {
        variants: &["other"],
        properties: &[text("uri")],
        may_be_command: true,
        ..plain("resource-update")
    },
    TriggerKind {
        variants: &["outside", "prompt", "resource"],
        ..input("roots-tool")
    },
    TriggerKind {
        variants: &["prompt", "resource", "tools"],
        properties: &[REQUIRED, object("use")],
        ..input("sampling-tool")
    },
    TriggerKind {
        variants: &["counter"],
        properties: &[flag("cancellable"), duration("lasts")],
        ..plain("slow-tool")
    },
    TriggerKind {
        variants: &["expiring", "other"],
        properties: &[flag("one-time"), flag("protected"), duration("ttl")],
        ..plain("state-tool")
    },
    TriggerKind {
        properties: &[object("tool")],
        ..plain("structured-tool")
    },
    TriggerKind {
        variants: &[
            "failing",
            "input",
            "short-ttl",
            "slow",
            "tool-error",
            "twin",
        ],
        properties: &[flag("cancellable"), REQUIRED],
        ..plain("task-tool")
    },
    plain("tasks-extension"),
    TriggerKind {
        properties: &[flag("outside"), REQUIRED, text("secret")],
        ..input("url-elicitation-tool")
    },
    TriggerKind {
        variants: &["boolean", "integer", "nested", "nullable", "string"],
        properties: &[text("header")],
        ..plain("x-mcp-header-tool")
    },
];

impl TriggerKind {
    /// The trigger with this name.
    pub fn of(name: &str) -> Option<&'static TriggerKind> {
        TRIGGERS.iter().find(|kind| kind.name == name)
    }

    /// Its property with this name.
    pub fn property(&self, name: &str) -> Option<TriggerProperty> {
        self.properties
            .iter()
            .copied()
            .find(|property| property.name == name)
    }

    /// Whether `TRIGGER.OPTION` can be asked for: a variant or a property.
    pub fn has_option(&self, name: &str) -> bool {
        self.variants.contains(&name) || self.property(name).is_some()
    }
}

const fn plain(name: &'static str) -> TriggerKind {
    TriggerKind {
        name,
        variants: &[],
        properties: &[],
        may_be_command: false,
    }
}

/// Asks the client for input: as a tool, a prompt or a resource.
const fn input(name: &'static str) -> TriggerKind {
    TriggerKind {
        variants: &["prompt", "resource"],
        properties: &[REQUIRED],
        ..plain(name)
    }
}

const fn flag(name: &'static str) -> TriggerProperty {
    TriggerProperty {
        name,
        value: PropertyValue::Flag,
    }
}

const fn duration(name: &'static str) -> TriggerProperty {
    TriggerProperty {
        name,
        value: PropertyValue::Duration,
    }
}

const fn text(name: &'static str) -> TriggerProperty {
    TriggerProperty {
        name,
        value: PropertyValue::Text,
    }
}

const fn object(name: &'static str) -> TriggerProperty {
    TriggerProperty {
        name,
        value: PropertyValue::Object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triggers_are_sorted_and_named_once() {
        assert!(TRIGGERS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn no_option_is_both_a_variant_and_a_property() {
        for kind in TRIGGERS {
            for variant in kind.variants {
                assert_eq!(kind.property(variant), None, "{}.{variant}", kind.name);
            }
        }
    }
}
