//! Where our shapes and the published schema differ, and why.

use crate::changes::Change::{
    self, Boolean, Drop, Empty, Fraction, Integer, Negative, Null, Numbers, Object, String,
    Strings, Tail, Word, Words,
};

use Ours::{Accepts, Refuses};

/// What our shapes do that the published schema does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ours {
    /// They accept what it refuses.
    Accepts,
    /// They refuse what it accepts.
    Refuses,
}

/// A difference with its reason.
pub(crate) struct Difference {
    /// Our definitions, or methods where a response is judged by that of its request. Each has to differ.
    pub(crate) held: &'static [&'static str],
    /// Pointers into what is judged, one of which has to match: `*` stands for any step, `**` for any number of them.
    pub(crate) at: &'static [&'static str],
    /// Changes on which they differ. Each has to.
    pub(crate) on: &'static [Change],
    pub(crate) ours: Ours,
    pub(crate) why: &'static str,
}

impl Difference {
    /// The pattern by which this explains a difference.
    pub(crate) fn explains(
        &self,
        held: &str,
        pointer: &str,
        change: Change,
        ours: Ours,
    ) -> Option<&'static str> {
        if self.ours != ours || !self.held.contains(&held) || !self.on.contains(&change) {
            return None;
        }
        let steps: Vec<&str> = pointer.split('/').collect();
        let mut patterns = self.at.iter().copied();
        patterns.find(|at| matches(&at.split('/').collect::<Vec<_>>(), &steps))
    }
}

/// Whether the steps of a pointer are those of a pattern.
fn matches(pattern: &[&str], steps: &[&str]) -> bool {
    match (pattern, steps) {
        ([], []) => true,
        (["**", rest @ ..], _) => {
            matches(rest, steps)
                || steps
                    .split_first()
                    .is_some_and(|(_, steps)| matches(pattern, steps))
        }
        ([first, pattern @ ..], [step, steps @ ..]) => {
            (*first == "*" || first == step) && matches(pattern, steps)
        }
        _ => false,
    }
}

const OF_ANY_KIND: &[Change] = &[
    Null, Boolean, Integer, Negative, Fraction, String, Strings, Numbers, Object,
];
const OF_ANY_KIND_BUT_STRING: &[Change] = &[
    Null, Boolean, Integer, Negative, Fraction, Strings, Numbers, Object,
];
const OF_ANY_KIND_BUT_STRINGS: &[Change] = &[
    Null, Boolean, Integer, Negative, Fraction, String, Numbers, Object,
];

const NOTIFICATIONS: &[&str] = &[
    "AcknowledgedNotification",
    "CancelledNotification",
    "LogMessageNotification",
    "ProgressNotification",
    "PromptsChangedNotification",
    "ResourceUpdatedNotification",
    "ResourcesChangedNotification",
    "ToolsChangedNotification",
];
const RESPONSES: &[&str] = &[
    "completion/complete",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];
const REFUSALS: &[&str] = &[
    "ErrorResponse",
    "MissingCapabilityError",
    "UnsupportedVersionError",
];
const RESULTS: &[&str] = &[
    "CallToolResult",
    "CompleteResult",
    "DiscoverResult",
    "GetPromptResult",
    "InputRequiredResult",
    "ListPromptsResult",
    "ListResourceTemplatesResult",
    "ListResourcesResult",
    "ListToolsResult",
    "ListenResult",
    "ReadResourceResult",
];
const FORMS: &[&str] = &[
    "ElicitationParams",
    "InputRequest",
    "InputRequests",
    "InputRequiredResult",
];

const KIND_OF_MESSAGE: &str = "Request, response and notification are told apart by these members: with those of two it is none of them.";
const NUMBER_BECAME_INTEGER: &str = "The source of the published schema says number, which its generator turned into integer; a fraction is warned of.";
const TOLD_BY_MEMBER: &str = "The variants of the union are told apart by this member. The published union tries them all, and each is open to the members of the others.";
const FLAT_FIELDS: &str = "The page on elicitation confines a form to flat fields; the published schema is open to any keyword.";

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        held: NOTIFICATIONS,
        at: &["/id", "/result", "/error"],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: KIND_OF_MESSAGE,
    },
    Difference {
        held: RESPONSES,
        at: &["/error", "/method"],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: KIND_OF_MESSAGE,
    },
    Difference {
        held: &["prompts/get", "resources/read", "tools/call"],
        at: &["/method"],
        on: &[Word, Words],
        ours: Refuses,
        why: KIND_OF_MESSAGE,
    },
    Difference {
        held: REFUSALS,
        at: &["/result", "/method"],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: KIND_OF_MESSAGE,
    },
    Difference {
        held: RESULTS,
        at: &["/resultType"],
        on: &[Empty, Tail],
        ours: Refuses,
        why: "The definition follows from the type of the result, of which the prose knows a few; the published schema has any string.",
    },
    Difference {
        held: RESPONSES,
        at: &["/result/resultType"],
        on: &[Empty, Tail],
        ours: Refuses,
        why: "A result of an unknown type is held against the complete one, which says so.",
    },
    Difference {
        held: &["InputRequiredResult"],
        at: &["/requestState"],
        on: &[Drop],
        ours: Refuses,
        why: "The prose asks for requests of input, or state, or both; the published schema is content with neither.",
    },
    Difference {
        held: &["Error"],
        at: &["/code"],
        on: &[Negative],
        ours: Accepts,
        why: "Which code is right depends on the request: that is for cases to judge.",
    },
    Difference {
        held: &["ErrorResponse"],
        at: &["/error/code"],
        on: &[Negative],
        ours: Accepts,
        why: "Which code is right depends on the request: that is for cases to judge.",
    },
    Difference {
        held: &["CompleteResult", "completion/complete"],
        at: &["/**/completion/total"],
        on: &[Fraction],
        ours: Accepts,
        why: NUMBER_BECAME_INTEGER,
    },
    Difference {
        held: &[
            "ContentBlock",
            "Resource",
            "ListResourcesResult",
            "resources/list",
        ],
        at: &["/**/size"],
        on: &[Fraction],
        ours: Accepts,
        why: NUMBER_BECAME_INTEGER,
    },
    Difference {
        held: &[
            "SamplingParams",
            "InputRequest",
            "InputRequests",
            "InputRequiredResult",
        ],
        at: &["/**/maxTokens"],
        on: &[Fraction],
        ours: Accepts,
        why: NUMBER_BECAME_INTEGER,
    },
    Difference {
        held: &["Primitive"],
        at: &["/minLength", "/maxLength", "/minItems", "/maxItems"],
        on: &[Fraction],
        ours: Accepts,
        why: NUMBER_BECAME_INTEGER,
    },
    Difference {
        held: FORMS,
        at: &[
            "/**/requestedSchema/properties/*/minLength",
            "/**/requestedSchema/properties/*/maxLength",
        ],
        on: &[Fraction],
        ours: Accepts,
        why: NUMBER_BECAME_INTEGER,
    },
    Difference {
        held: &["ProgressNotification", "ProgressParams"],
        at: &["/**/progressToken"],
        on: &[Fraction],
        ours: Accepts,
        why: NUMBER_BECAME_INTEGER,
    },
    Difference {
        held: &["CompleteResult", "completion/complete"],
        at: &["/**/completion/total"],
        on: &[Negative],
        ours: Refuses,
        why: "It is a count of values.",
    },
    Difference {
        held: &[
            "ContentBlock",
            "Resource",
            "ListResourcesResult",
            "resources/list",
        ],
        at: &["/**/size"],
        on: &[Negative],
        ours: Refuses,
        why: "It is a count of bytes.",
    },
    Difference {
        held: &["ClientCapabilities"],
        at: &[
            "/elicitation/form/**",
            "/elicitation/url/**",
            "/sampling/context/**",
            "/sampling/tools/**",
            "/extensions/*/**",
        ],
        on: &[Null, Fraction],
        ours: Accepts,
        why: "Settings are any JSON; the generator of the published schema lost null and fractions.",
    },
    Difference {
        held: &["ServerCapabilities"],
        at: &["/completions/**", "/logging/**", "/extensions/*/**"],
        on: &[Null, Fraction],
        ours: Accepts,
        why: "Settings are any JSON; the generator of the published schema lost null and fractions.",
    },
    Difference {
        held: &["AcknowledgedNotification"],
        at: &["/params/notifications/taskIds"],
        on: OF_ANY_KIND_BUT_STRINGS,
        ours: Refuses,
        why: "The tasks extension adds this member to the filter.",
    },
    Difference {
        held: &[
            "ContentBlock",
            "ReadResourceResult",
            "ResourceContents",
            "resources/read",
        ],
        at: &["/**/blob"],
        on: OF_ANY_KIND_BUT_STRING,
        ours: Refuses,
        why: TOLD_BY_MEMBER,
    },
    Difference {
        held: &["Primitive"],
        at: &["/enum", "/enumNames"],
        on: OF_ANY_KIND_BUT_STRINGS,
        ours: Refuses,
        why: TOLD_BY_MEMBER,
    },
    Difference {
        held: &["Primitive"],
        at: &["/oneOf", "/items/anyOf"],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: TOLD_BY_MEMBER,
    },
    Difference {
        held: &["ContentBlock", "SamplingBlock"],
        at: &["/type"],
        on: &[Word],
        ours: Accepts,
        why: "It is a block of another type then, though no longer of the definition of the example.",
    },
    Difference {
        held: &["InputRequest"],
        at: &["/method"],
        on: &[Word],
        ours: Accepts,
        why: "It asks for other input then, though no longer by the definition of the example.",
    },
    Difference {
        held: &["Primitive"],
        at: &["/enum", "/oneOf"],
        on: &[Drop],
        ours: Accepts,
        why: "What is left of a choice is a field for a text, though no longer of the definition of the example.",
    },
    Difference {
        held: FORMS,
        at: &["/**/requestedSchema/properties/*/enum"],
        on: OF_ANY_KIND_BUT_STRINGS,
        ours: Refuses,
        why: TOLD_BY_MEMBER,
    },
    Difference {
        held: FORMS,
        at: &["/**/requestedSchema/properties/*/oneOf"],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: TOLD_BY_MEMBER,
    },
    Difference {
        held: &["Primitive"],
        at: &["/$ref", "/anyOf"],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: FLAT_FIELDS,
    },
    Difference {
        held: FORMS,
        at: &[
            "/**/requestedSchema/properties/*/$ref",
            "/**/requestedSchema/properties/*/anyOf",
        ],
        on: OF_ANY_KIND,
        ours: Refuses,
        why: FLAT_FIELDS,
    },
];
