//! Client capabilities that a request can need (`basic/index#_meta`, `client/elicitation`, `client/sampling`, `client/roots`).

use serde_json::{Map, Value, json};

/// Something that only a client which declares it can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Elicitation by form. An empty `elicitation` object declares it.
    Form,
    /// Elicitation by URL.
    Url,
    /// Sampling.
    Sampling,
    /// Sampling with tools.
    SamplingTools,
    /// Roots.
    Roots,
}

impl Need {
    /// Whether `capabilities` declares it.
    pub(crate) fn is_declared(self, capabilities: &Map<String, Value>) -> bool {
        let member = |name: &str| capabilities.get(name).and_then(Value::as_object);
        match self {
            Self::Form => member("elicitation").is_some_and(|elicitation| {
                elicitation.contains_key("form") || !elicitation.contains_key("url")
            }),
            Self::Url => {
                member("elicitation").is_some_and(|elicitation| elicitation.contains_key("url"))
            }
            Self::Sampling => member("sampling").is_some(),
            Self::SamplingTools => {
                member("sampling").is_some_and(|sampling| sampling.contains_key("tools"))
            }
            Self::Roots => member("roots").is_some(),
        }
    }

    /// Adds it to the `requiredCapabilities` of an error.
    pub(crate) fn add_to(self, required: &mut Map<String, Value>) {
        let (name, sub) = match self {
            Self::Form => ("elicitation", Some("form")),
            Self::Url => ("elicitation", Some("url")),
            Self::Sampling => ("sampling", None),
            Self::SamplingTools => ("sampling", Some("tools")),
            Self::Roots => ("roots", None),
        };
        let member = required.entry(name.to_owned()).or_insert_with(|| json!({}));
        if let (Some(sub), Some(member)) = (sub, member.as_object_mut()) {
            member.insert(sub.to_owned(), json!({}));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(need: Need, capabilities: Value) -> bool {
        need.is_declared(capabilities.as_object().unwrap())
    }

    #[test]
    fn an_empty_elicitation_object_declares_forms_and_no_urls() {
        assert!(declares(Need::Form, json!({ "elicitation": {} })));
        assert!(!declares(Need::Url, json!({ "elicitation": {} })));
        assert!(!declares(
            Need::Form,
            json!({ "elicitation": { "url": {} } })
        ));
        assert!(declares(
            Need::Form,
            json!({ "elicitation": { "form": {}, "url": {} } })
        ));
        assert!(!declares(Need::Form, json!({ "sampling": {} })));
    }

    #[test]
    fn sampling_with_tools_has_to_be_declared_as_such() {
        assert!(declares(Need::Sampling, json!({ "sampling": {} })));
        assert!(!declares(Need::SamplingTools, json!({ "sampling": {} })));
        assert!(declares(
            Need::SamplingTools,
            json!({ "sampling": { "tools": {} } })
        ));
    }
}
