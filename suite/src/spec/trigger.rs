//! The closed list of triggers, their variants and properties (`cases/README.md`, section 11.2).
//!
//! Cases name them in conditions and sources, profiles and configuration give them.

use std::time::Duration;

/// A name of the closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerKind {
    /// Its name.
    pub name: &'static str,
    /// What it makes a server do, as in *a request that makes the server …*.
    pub makes: &'static str,
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
    /// The shortest time that a user may tell, if it is one.
    pub least: Duration,
}

/// From when on a request of a server that nobody knows counts as slow. Cases give a tool seven tenths of its time to notice that its
/// call is cancelled, so this one has a second.
pub const SLOW: Duration = Duration::from_millis(1500);

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

/// Methods whose answers may ask for input.
const MAY_ASK: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

/// Methods of lists.
const LISTS: [&str; 4] = [
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
];

/// Methods that are answered once, and so after a while, after progress or after log messages.
const ANSWERED: [&str; 9] = [
    "tools/call",
    "prompts/get",
    "resources/read",
    "completion/complete",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "server/discover",
];

/// It cannot finish unless the client declares the capability.
const REQUIRED: TriggerProperty = flag("required");

/// Every trigger that there is.
pub const TRIGGERS: &[TriggerKind] = &[
    plain("audio-tool", "return audio"),
    plain("callable-tool", "run a tool"),
    plain("completion", "complete an argument"),
    TriggerKind {
        variants: &["bad", "explicit", "explicit-bad"],
        ..plain("dialect-tool", "hold arguments against JSON Schema 2020-12")
    },
    plain("dual-era", "answer initialize"),
    input("elicitation-tool", "ask for input by a form"),
    plain(
        "embedded-resource",
        "return an embedded resource or a link to one",
    ),
    TriggerKind {
        variants: &["completion", "prompt", "resource"],
        ..plain("error-tool", "fail while it works")
    },
    plain("icons", "show icons"),
    plain("image-tool", "return an image"),
    TriggerKind {
        variants: &["prompts", "resources", "tools"],
        may_be_command: true,
        ..plain("list-change", "change one of its lists")
    },
    plain("listed-prompt", "give a prompt"),
    plain("listed-resource", "give a resource"),
    plain("logging-tool", "send log messages"),
    TriggerKind {
        properties: &[flag("together")],
        ..plain("multi-round-tool", "ask for input more than once")
    },
    TriggerKind {
        properties: &[object("tool")],
        ..plain(
            "output-schema-tool",
            "return structured content under an output schema",
        )
    },
    plain("paginated-list", "give a list in pages"),
    plain("progress-tool", "report progress"),
    plain("prompt-with-args", "give a prompt that takes arguments"),
    plain("resource-template", "give a resource of a template"),
    TriggerKind {
        variants: &["other"],
        properties: &[text("uri")],
        may_be_command: true,
        ..plain("resource-update", "change a resource")
    },
    TriggerKind {
        variants: &["outside", "prompt", "resource"],
        ..input("roots-tool", "ask for the client's roots")
    },
    TriggerKind {
        variants: &["prompt", "resource", "tools"],
        properties: &[REQUIRED, object("use")],
        ..input("sampling-tool", "ask the client to sample a model")
    },
    TriggerKind {
        variants: &["counter"],
        properties: &[
            flag("cancellable"),
            TriggerProperty {
                least: SLOW,
                ..duration("lasts")
            },
        ],
        ..plain("slow-tool", "work for a while")
    },
    TriggerKind {
        variants: &["expiring", "other"],
        properties: &[flag("one-time"), flag("protected"), duration("ttl")],
        ..plain("state-tool", "hand out a request state")
    },
    TriggerKind {
        properties: &[object("tool")],
        ..plain("structured-tool", "return structured content")
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
        ..plain("task-tool", "start a task")
    },
    plain("tasks-extension", "run tasks"),
    TriggerKind {
        properties: &[flag("outside"), REQUIRED, text("secret")],
        ..input("url-elicitation-tool", "ask the user to visit a URL")
    },
    TriggerKind {
        variants: &["boolean", "integer", "nested", "nullable", "string"],
        properties: &[text("header")],
        ..plain(
            "x-mcp-header-tool",
            "take an argument that a header mirrors",
        )
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

    /// Methods of the requests that can be this trigger, or this variant of it, the usual one first. None where any can.
    pub fn methods(&self, variant: Option<&str>) -> &'static [&'static str] {
        match (self.name, variant) {
            // What changes a server may be a method of its own.
            ("list-change" | "resource-update", _) => &[],
            ("dual-era" | "icons" | "tasks-extension", _) => &[],
            ("paginated-list", _) => &LISTS,
            ("completion", _) | (_, Some("completion")) => &["completion/complete"],
            ("listed-prompt" | "prompt-with-args", _) | (_, Some("prompt")) => &["prompts/get"],
            ("listed-resource" | "resource-template", _) | (_, Some("resource")) => {
                &["resources/read"]
            }
            (
                "elicitation-tool"
                | "multi-round-tool"
                | "roots-tool"
                | "sampling-tool"
                | "state-tool"
                | "url-elicitation-tool",
                _,
            ) => &MAY_ASK,
            ("logging-tool" | "progress-tool" | "slow-tool", _) => &ANSWERED,
            _ => &["tools/call"],
        }
    }

    /// Whether `TRIGGER.OPTION` can be asked for: a variant or a property.
    pub fn has_option(&self, name: &str) -> bool {
        self.variants.contains(&name) || self.property(name).is_some()
    }
}

/// The member of `params` that names what a request is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Naming {
    /// The method of the request.
    pub method: &'static str,
    /// The member, a text.
    pub member: &'static str,
    /// What has that name.
    pub what: &'static str,
}

/// The methods whose requests name what they are about.
pub const NAMINGS: [Naming; 3] = [
    naming("tools/call", "name", "tool"),
    naming("prompts/get", "name", "prompt"),
    naming("resources/read", "uri", "resource"),
];

const fn naming(method: &'static str, member: &'static str, what: &'static str) -> Naming {
    Naming {
        method,
        member,
        what,
    }
}

const fn plain(name: &'static str, makes: &'static str) -> TriggerKind {
    TriggerKind {
        name,
        makes,
        variants: &[],
        properties: &[],
        may_be_command: false,
    }
}

/// Asks the client for input: as a tool, a prompt or a resource.
const fn input(name: &'static str, makes: &'static str) -> TriggerKind {
    TriggerKind {
        variants: &["prompt", "resource"],
        properties: &[REQUIRED],
        ..plain(name, makes)
    }
}

const fn flag(name: &'static str) -> TriggerProperty {
    property(name, PropertyValue::Flag)
}

const fn duration(name: &'static str) -> TriggerProperty {
    property(name, PropertyValue::Duration)
}

const fn text(name: &'static str) -> TriggerProperty {
    property(name, PropertyValue::Text)
}

const fn object(name: &'static str) -> TriggerProperty {
    property(name, PropertyValue::Object)
}

const fn property(name: &'static str, value: PropertyValue) -> TriggerProperty {
    TriggerProperty {
        name,
        value,
        least: Duration::ZERO,
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
